"""The verdict on one number: its binding's readings against what is printed."""

import math
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import product

import msgspec

from benchproof.audit.binding.bound import Bound, Level
from benchproof.audit.explain.absolute import ONE_OF
from benchproof.audit.explain.asides import is_aside, is_quoted
from benchproof.audit.explain.chance import WEAK, chance
from benchproof.audit.explain.counted import is_count
from benchproof.audit.explain.intervals import interval_ends, is_interval
from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.readings import readings_of
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.scenes import scene_of
from benchproof.audit.explain.side import COMPARED
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.explain.source import Source, source_of
from benchproof.audit.mention.mention import Role

_FAR = 30.0
_MOST_CHOICES = 16
_TOGETHER = re.compile(r"^(?:,|and|,\s*and|&|und|as\s+well\s+as)")


class Verdict(StrEnum):
    """What the data says of a number."""

    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    AMBIGUOUS = "ambiguous"
    UNBOUND = "unbound"
    NOT_A_CLAIM = "not_a_claim"


class Judgement(msgspec.Struct, frozen=True):
    """A verdict with its reason: the reading that fits, or those that should have."""

    verdict: Verdict
    rule: str = ""
    reading: Reading | None = None
    expected: tuple[Reading, ...] = ()
    source: Source | None = None
    chance: float | None = None
    note: str = ""


def judged(scene: Scene) -> Judgement:
    """The verdict on a number in its scene; what it says of several has to hold for each."""
    if is_quoted(scene):
        return Judgement(Verdict.NOT_A_CLAIM, "quoted")
    key = _shared_key(scene)
    if key is None:
        return _judged(scene)
    each = [_judged(part) for part in _parts(scene, key)]
    worst = (Verdict.CONTRADICTED, Verdict.AMBIGUOUS, Verdict.UNBOUND, Verdict.VERIFIED)
    return min(each, key=lambda one: worst.index(one.verdict))


def _shared_key(scene: Scene) -> str | None:
    """The key of which the text lists several values for one number: `1.1x on the RNN and CNN`."""
    if scene.mention.role is not Role.ALONE or is_count(scene):
        return None  # "120 records at batches 1, 8 and 32" are so many together
    for key, bound in scene.context.items():
        if key not in scene.cube.keys or len(bound.listed) < 2 or not bound.firm:
            continue
        is_near = bound.level <= Level.COLUMN and bound.level is not Level.ROW
        if is_near and _TOGETHER.match(bound.joint) and not _is_compared(scene, key):
            return key
    return None


def _is_compared(scene: Scene, key: str) -> bool:
    return any(one.base.get(key) != one.other.get(key) for one in sides_of(scene))


def _parts(scene: Scene, key: str) -> Iterator[Scene]:
    for values in scene.context[key].listed:
        bound = msgspec.structs.replace(scene.context[key], values=values, listed=())
        yield msgspec.structs.replace(scene, context={**scene.context, key: bound})


def _judged(scene: Scene) -> Judgement:
    readings = readings_of(scene)
    fitting = [one for one in readings.readings if scene.admits(one.value)]
    if fitting:
        return _fits(scene, readings, fitting)
    slip = next((one for one in readings.slips if scene.mention.admits(one.reading.value)), None)
    if slip is not None:
        source = Source(slip.rule, slip.reading.places, slip.reading.derivation)
        return _wrong(slip.rule, readings.readings or (slip.reading,), source)
    if not readings.readings:
        return _of_nothing(scene, readings)
    if not _is_firm(scene) and readings.total is None:
        return _judged_loose(scene, readings)
    return _misses(scene, readings)


def _wrong(rule: str, expected: Sequence[Reading], source: Source | None = None) -> Judgement:
    return Judgement(Verdict.CONTRADICTED, rule, expected=tuple(expected[:4]), source=source)


def _of_nothing(scene: Scene, readings: Readings) -> Judgement:
    """Of a number that its context leaves nothing for, in the data or to reckon with."""
    wider = _without_loose(scene)
    if wider is not None:
        return _judged(wider)
    if readings.absent and _is_explicit(scene):
        return Judgement(Verdict.CONTRADICTED, "not-measured", note=readings.absent)
    return Judgement(Verdict.UNBOUND, note=readings.absent)


def _misses(scene: Scene, readings: Readings) -> Judgement:
    """Of a number that fits none of its readings: what is wrong with it, or why that is open."""
    told = readings.readings
    doubt = _doubt(scene, readings)
    if doubt:
        return Judgement(Verdict.AMBIGUOUS, doubt, expected=told[:4])
    cut = next((one for one in told if scene.mention.truncates(one.value)), None)
    if cut is not None and not scene.mention.bound:
        return _wrong("truncated", (cut,))
    if scene.mention.role is Role.COUNT or readings.total is not None:
        return _wrong("count", told)
    source = source_of(scene, told)
    if source.rule == "no-match" and not _is_explicit(scene) and _is_far_off(scene, told):
        return Judgement(Verdict.AMBIGUOUS, "open", expected=told[:4])
    return _wrong(source.rule, told, source)


def _doubt(scene: Scene, readings: Readings) -> str:
    """Why a number may be of something else; empty where it can be of nothing else."""
    is_bound = any(key in scene.context for key in scene.cube.keys)
    if not readings.firm or not _is_firm(scene) or (scene.cube.keys and not is_bound):
        return "open"
    if is_interval(scene) and not _is_ours(scene):
        return "interval"
    counts = scene.mention.role is Role.COUNT or readings.total is not None
    return "aside" if is_aside(scene) and not counts else ""


def _without_loose(scene: Scene) -> Scene | None:
    """The scene without names that may be another number's, where they lead to nothing."""
    firm = {
        key: bound
        for key, bound in scene.context.items()
        if bound.firm or key not in scene.cube.keys
    }
    return msgspec.structs.replace(scene, context=firm) if len(firm) < len(scene.context) else None


def _judged_loose(scene: Scene, readings: Readings) -> Judgement:
    """Where several names could have been meant: wrong only if it is wrong of each of them."""
    undecided = Judgement(Verdict.AMBIGUOUS, "open", expected=readings.readings[:4])
    loose = _loose_keys(scene)
    choices = [scene.context[key].choices() for key in loose]
    if not all(choices) or math.prod(map(len, choices)) > _MOST_CHOICES:
        return undecided
    each = []
    for chosen in product(*choices):
        firm = {key: Bound(values, scene.context[key].level)
                for key, values in zip(loose, chosen, strict=True)}  # fmt: skip
        made = _judged(msgspec.structs.replace(scene, context={**scene.context, **firm}))
        if made.verdict is not Verdict.CONTRADICTED:
            return undecided
        each.append(made)
    return each[0]


def _fits(scene: Scene, readings: Readings, fitting: list[Reading]) -> Judgement:
    tried, derived = (
        len(readings.readings),
        fitting[0].derivation not in scene.cube.telemetry.measures,
    )
    if readings.total is not None:
        tried = len({one.value for one in readings.readings})
    likely = chance(scene.mention, scene.cube, tried, derived=derived, total=readings.total)
    verdict = Verdict.VERIFIED if likely <= WEAK else Verdict.AMBIGUOUS
    rule = "" if verdict is Verdict.VERIFIED else "weak"
    if _is_one_of_two(fitting, readings.readings):
        verdict, rule = Verdict.AMBIGUOUS, "time-or-rate"
    if ONE_OF in fitting[0].derivation:
        verdict, rule = Verdict.AMBIGUOUS, "open"  # another record of the same keys says otherwise
    if not readings.firm and len(fitting) < len(readings.readings):
        verdict, rule = Verdict.AMBIGUOUS, "open"
    return Judgement(verdict, rule, fitting[0], readings.readings[:4], chance=likely)


def _is_ours(scene: Scene) -> bool:
    """Whether the other end of an interval is as reckoned here: others reckon in other ways."""
    partner = scene.partner
    if partner is None:
        return False
    other = scene_of(scene.outline, scene.at, partner, scene.cube)
    return any(other.admits(one.value) for one in interval_ends(other).readings)


def _is_far_off(scene: Scene, readings: Sequence[Reading]) -> bool:
    """Whether nothing of its size is there at all: it is another quantity."""
    value = abs(scene.mention.value)
    sizes = [abs(one.value) for one in readings if one.value]
    return bool(sizes) and all(not size / _FAR <= value <= size * _FAR for size in sizes)


def _is_one_of_two(fitting: Sequence[Reading], every: Sequence[Reading]) -> bool:
    """Whether a percentage is true of the time and not of the rate, or the other way round."""
    said = {reading.derivation.partition(" of ")[0] for reading in every}
    fits = {reading.derivation.partition(" of ")[0] for reading in fitting}
    if said == {"saving", "gain in rate"}:
        return fits != said
    return len(said) == 2 and fits <= {"loss in rate", "time saved", "more time"}


def _is_firm(scene: Scene) -> bool:
    """Whether no other name than those that were taken could have been meant."""
    return not _loose_keys(scene)


def _loose_keys(scene: Scene) -> list[str]:
    """Keys of which another name could have been meant, but for those that are compared."""
    loose = [key for key, bound in scene.context.items() if not bound.firm]
    loose = [key for key in scene.cube.keys if key in loose]
    if not loose or scene.mention.dimension not in COMPARED:
        return loose
    sides = next(iter(sides_of(scene)), None)
    if sides is None or not sides.certain:
        return loose
    return [key for key in loose if sides.base.get(key) == sides.other.get(key)]


def _is_explicit(scene: Scene) -> bool:
    """Whether all that the number needs is told beside it: in its clause, its row and column."""
    return all(
        bound.firm and bound.level in (Level.PIECE, Level.CLAUSE, Level.ROW, Level.COLUMN)
        for key, bound in scene.context.items()
        if key in scene.cube.keys
    )
