"""A number that is the largest or the least of several: `the highest point is at 927 GFLOP/s`."""

import re
from collections.abc import Iterator

import msgspec

from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
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


def with_extremes(scene: Scene, found: Readings) -> Readings:
    """The readings, the extreme that a superlative asks for first among those left open.

    What it is the extreme of may be more than the text names: so it can hold, and never be wrong.
    """
    if found.firm or not found.open_keys or len(found.readings) < 2:
        return found
    extremes = tuple(_extremes(scene, found))
    if not any(scene.admits(one.value) for one in extremes):
        return found
    return msgspec.structs.replace(found, readings=extremes, firm=True)


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
