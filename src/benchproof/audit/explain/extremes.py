"""A number that is the largest or the least of several: `the highest point is at 927 GFLOP/s`."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from benchproof.audit.explain.counted import noun_of
from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.selected import RULED
from benchproof.audit.facts.fact import Dimension

_MOST = (
    r"highest|largest|greatest|biggest|most|maximum|max\.?|tops?|peaks?|up\s+to|"
    r"höchste\w*|größte\w*"
)
_LEAST = r"lowest|smallest|least|minimum|min\.?|niedrigste\w*|kleinste\w*"
_BEST = r"fastest|quickest|best|winn\w+|wins?|schnellste\w*"
_WORST = r"slowest|worst|langsamste\w*"
_WORDS = re.compile(
    rf"\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST})|(?P<best>{_BEST})|(?P<worst>{_WORST}))\b",
    re.IGNORECASE,
)
_UP_TO = re.compile(r"\b(?:up\s+to|at\s+best|at\s+most|bis\s+zu)\s+(?:a\s+)?$", re.IGNORECASE)


def with_extremes(scene: Scene, found: Readings) -> Readings:
    """The readings, the extreme that a superlative asks for first among those left open.

    What it is the extreme of may be more than the text names: then it can hold, and not be wrong.
    """
    if found.firm or not found.open_keys or len(found.readings) < 2:
        return found
    extremes = tuple(_extremes(scene, found))
    if extremes and (_is_of_one_kind(scene, found) or _admits(scene, extremes)):
        return msgspec.structs.replace(found, readings=extremes, firm=True)
    return found


def _admits(scene: Scene, extremes: Sequence[Reading]) -> bool:
    return any(scene.admits(one.value) for one in extremes)


def _is_of_one_kind(scene: Scene, found: Readings) -> bool:
    """Whether the text says what it is the extreme of, and nothing else is open.

    `The slowest model takes 21 ms`, `speedups of up to 3.7x over the models`.
    """
    open_keys = [key for key in found.open_keys if key not in RULED]
    if len(open_keys) != 1:
        return False
    if _UP_TO.search(scene.here.passage.text[: scene.mention.start]):
        return True
    noun = noun_of(open_keys[0])
    text = scene.here.passage.text[slice(*scene.sentence)]
    return bool(re.search(rf"\b(?:{noun})\b", text, re.IGNORECASE))


def _extremes(scene: Scene, found: Readings) -> Iterator[Reading]:
    text, (start, end) = scene.here.passage.text, scene.clause
    if scene.here.passage.spot is not None:
        return
    asked = {match.lastgroup for match in _WORDS.finditer(text, start, end)}
    by_name: dict[str, list[Reading]] = {}
    for reading in found.readings:
        by_name.setdefault(reading.derivation, []).append(reading)
    is_time = scene.mention.dimension in (Dimension.TIME, Dimension.BYTES)
    for name, each in by_name.items():
        if asked & ({"most", "worst"} if is_time else {"most", "best"}):
            most = max(each, key=lambda one: one.value)
            yield msgspec.structs.replace(most, derivation=f"largest {name}")
        if asked & ({"least", "best"} if is_time else {"least", "worst"}):
            least = min(each, key=lambda one: one.value)
            yield msgspec.structs.replace(least, derivation=f"least {name}")
