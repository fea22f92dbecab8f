"""A number that compares two sides: ratios, changes in percent, differences, points."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from benchproof.audit.binding.bound import Level
from benchproof.audit.binding.measured import MEASURE
from benchproof.audit.explain.formulas import formulas
from benchproof.audit.explain.reading import Reading, Readings, Slip
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.scenes import scene_of
from benchproof.audit.explain.selected import selected
from benchproof.audit.explain.side import Sides
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.facts.cube import Group
from benchproof.audit.facts.fact import Dimension, Measure

_DIFFERS = re.compile(
    r"\s*(?:per\s+\w+\s+|a\s+call\s+)?(?:faster|slower|quicker|less|longer|shorter|lower|more|above|below|separates?|"
    r"apart|(?:of\s+)?difference)\b",
    re.IGNORECASE,
)
_SAVES = re.compile(
    r"\b(?:sav(?:es?|ed|ing)|shav(?:es?|ed|ing)(?:\s+off)?|an\s+extra|another|"
    r"adds?|(?:a\s+)?savings?\s+of|(?:gap|difference|distance)\s+(?:of|is))\s+(?:only\s+|about\s+|~\s*)?$",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\s*(?:the\s+|as\s+much\s+|more\s+|larger\s+)?(?:increase\s+in\s+)?(?:the\s+)?(?:work|batch|data)\b"
)
_WORK_GROWS = re.compile(
    r"\b(?:work|batch(?:\s+size)?|data)\s+(?:grows?|rises?|increases?|is)\s+(?:by\s+)?$",
    re.IGNORECASE,
)
_THROUGHPUT = re.compile(
    r"\b(?:throughput|generat\w+|reads?|process\w*|tokens?|samples?/s|GFLOP|FLOP/s|rate|bandwidth)\b",
    re.IGNORECASE,
)


def compared(scene: Scene) -> Readings:
    """Every value of the comparisons that the number's context states."""
    if scene.mention.dimension is Dimension.POINT:
        beside = _points_beside(scene)
        if beside.readings:
            return beside
    readings: list[Reading] = []
    slips: list[Slip] = []
    firm = False
    open_keys: tuple[str, ...] = ()
    for sides in sides_of(scene):
        base, other = selected(scene.cube, sides.base), selected(scene.cube, sides.other)
        found = list(_sizes_over(scene, sides))
        if found:
            return Readings(tuple(found), firm=True)
        found = list(_of_sides(scene, sides, *_true(sides, base.groups, other.groups)))
        slips += _points_or_percent(scene, sides, *_true(sides, base.groups, other.groups))
        if found:
            readings += found
            open_keys = tuple(dict.fromkeys((*base.open_keys, *other.open_keys)))
            firm = firm or _is_decided(sides, open_keys) or (sides.certain and _agree(found))
    if not readings:
        return Readings(slips=tuple(slips))
    if not any(scene.admits(one.value) for one in readings):
        readings += _of_printed(scene, readings)
    return Readings(tuple(readings), firm, open_keys=open_keys, slips=tuple(slips))


def _of_printed(scene: Scene, readings: Sequence[Reading]) -> Iterator[Reading]:
    """What the printed cells give, rounded as they are: a reader may reckon with either."""
    sides = next(iter(sides_of(scene)), None)
    if sides is None or sides.printed is None or not all(sides.printed):
        return
    is_time = sides.amount is Dimension.TIME
    for name, derive in formulas(scene, is_time):
        places = next((one.places for one in readings if one.derivation.startswith(name)), ())
        yield Reading(derive(*sides.printed), f"{name} of the printed cells", places)


def is_difference(scene: Scene) -> bool:
    """Whether an amount says how much one side differs: `saves 0.9 ms`, `2.7 ms faster`."""
    text = scene.here.passage.text
    return scene.here.passage.spot is None and bool(
        _DIFFERS.match(text[scene.mention.end :]) or _SAVES.search(text[: scene.mention.start])
    )


def differences(scene: Scene) -> Readings:
    """How far the two sides of the number's comparison lie apart."""
    readings: list[Reading] = []
    firm = False
    for sides in sides_of(scene):
        base, other = selected(scene.cube, sides.base), selected(scene.cube, sides.other)
        firm = firm or _is_decided(sides, (*base.open_keys, *other.open_keys))
        for measure in scene.measures():
            for first, second in _matched(*_true(sides, base.groups, other.groups), sides, measure):
                one, two = first.value(measure.name), second.value(measure.name)
                if one is not None and two is not None:
                    places = (*first.places, *second.places)
                    what = f"difference of {measure.name}, by {sides.why}"
                    readings.append(Reading(abs(one - two), what, places))
    return Readings(tuple(readings), firm=firm and bool(readings))


def pairs_of(scene: Scene, sides: Sides, measure: Measure) -> Iterator[tuple[Group, Group]]:
    """The groups that a comparison sets against each other: of the base, and of the other."""
    base, other = selected(scene.cube, sides.base), selected(scene.cube, sides.other)
    return _matched(*_true(sides, base.groups, other.groups), sides, measure)


def between(scene: Scene, sides: Sides) -> list[Reading]:
    """The readings of one comparison alone."""
    base, other = selected(scene.cube, sides.base), selected(scene.cube, sides.other)
    return list(_of_sides(scene, sides, *_true(sides, base.groups, other.groups)))


def _points_beside(scene: Scene) -> Readings:
    """`69.4 % of A's and 57.3 % of C's, 12.1 percentage points less`: what lies between the two.

    Of their values, and of what is printed: a reader may take either.
    """
    before = [
        one
        for one in scene.here.mentions
        if one.dimension is Dimension.PERCENT
        and scene.sentence.start <= one.start < scene.mention.start
    ][-2:]
    if len(before) < 2:
        return Readings()
    scenes = [scene_of(scene.outline, scene.at, one, scene.cube) for one in before]
    each = [compared(one).readings for one in scenes]
    found = [
        Reading(abs(first.value - second.value), "difference of two percentages",
                (*first.places, *second.places))
        for first in each[0][:1]
        for second in each[1][:1]
    ]  # fmt: skip
    printed = abs(before[0].value - before[1].value)
    places = found[0].places if found else ()
    return Readings(
        (*found, Reading(printed, "difference of two printed percentages", places)),
        firm=bool(found),
    )


def _measures_of(scene: Scene, sides: Sides) -> list[Measure]:
    """What is compared: what the amounts beside the number are of, else what its words name."""
    known = scene.cube.telemetry.measures.values()
    beside = [one for one in known if one.dimension is sides.amount]
    chosen = _measures(scene)
    if not beside or any(one in beside for one in chosen):
        return chosen
    return beside


def _true(
    sides: Sides, base: Sequence[Group], other: Sequence[Group]
) -> tuple[Sequence[Group], Sequence[Group]]:
    """Devices are compared only by what ran on them."""
    if sides.base.get("device") == sides.other.get("device"):
        return base, other
    return (
        [group for group in base if not group.ran_elsewhere],
        [group for group in other if not group.ran_elsewhere],
    )


def _ruled(sides: Sides) -> set[str]:
    """Keys that a named rule decides: the best of each device stands for it, whatever ran there."""
    across = sides.base.get("device") != sides.other.get("device")
    return {"variant", "framework"} if across else {"variant"}


def _is_decided(sides: Sides, open_keys: Sequence[str]) -> bool:
    """Whether the text says what is compared, up to what a named rule decides."""
    contest = {key for key, values in sides.base.items() if len(values) > 1} & _differing(sides)
    return sides.certain and set(open_keys) <= _ruled(sides) | contest


def _agree(found: Sequence[Reading]) -> bool:
    """Whether what is left open makes no difference."""
    told: dict[str, set[str]] = {}
    for one in found:
        told.setdefault(one.derivation, set()).add(f"{one.value:.6g}")
    return all(len(values) == 1 for values in told.values())


def _differing(sides: Sides) -> set[str]:
    keys = {*sides.base, *sides.other}
    return {key for key in keys if sides.base.get(key) != sides.other.get(key)}


def _sizes_over(scene: Scene, sides: Sides) -> Iterator[Reading]:
    """`from batch 32 to 256 (8x the work)`: the ratio of the sizes themselves."""
    if scene.mention.dimension is not Dimension.RATIO:
        return
    text = scene.here.passage.text
    is_after = _WORK.match(text[scene.mention.end :])
    if not is_after and not _WORK_GROWS.search(text[: scene.mention.start]):
        return
    for key, values in sides.base.items():
        others = sides.other.get(key, frozenset())
        if len(values) == len(others) == 1 and values != others:
            (one,), (two,) = values, others
            if not isinstance(one, str) and not isinstance(two, str) and one:
                yield Reading(two / one, f"{key} over {key}", ())


def _of_sides(
    scene: Scene, sides: Sides, base: Sequence[Group], other: Sequence[Group]
) -> Iterator[Reading]:
    is_point = scene.mention.dimension is Dimension.POINT
    for measure in _measures_of(scene, sides):
        if is_point and measure.dimension is not Dimension.PERCENT:
            continue  # no time lies some points below another
        for first, second in _matched(base, other, sides, measure):
            one, two = first.value(measure.name), second.value(measure.name)
            if one and two:
                places = (*first.places, *second.places)
                yield from _derived(scene, sides, measure, (one, two), places)


def _points_or_percent(
    scene: Scene, sides: Sides, base: Sequence[Group], other: Sequence[Group]
) -> Iterator[Slip]:
    """Percentage points where a change in percent is meant, and the other way round."""
    slip, asked = {
        Dimension.POINT: ("points-for-percent", Dimension.PERCENT),
        Dimension.PERCENT: ("percent-for-points", Dimension.POINT),
    }.get(scene.mention.dimension, ("", None))
    if asked is None:
        return
    mention = msgspec.structs.replace(scene.mention, dimension=asked)
    turned = msgspec.structs.replace(scene, mention=mention)
    for reading in _of_sides(turned, sides, base, other):
        yield Slip(slip, reading)


def _matched(
    base: Sequence[Group], other: Sequence[Group], sides: Sides, measure: Measure
) -> Iterator[tuple[Group, Group]]:
    """Groups of both sides that differ in nothing but what the sides differ in."""
    differing = _differing(sides)
    by_rest: dict[tuple[tuple[str, object], ...], list[Group]] = {}
    for group in base:
        by_rest.setdefault(_rest(group, differing), []).append(group)
    # The variants of two frameworks have different names: the best of each side meet as well.
    met: set[tuple[int, int]] = set()
    for free in (differing | {"variant", "framework"}, differing | {"variant"}):
        if free <= differing | _ruled(sides):
            best = {_rest(group, free): group for group in _best(base, measure, free)}
            for group in _best(other, measure, free):
                one = best.get(_rest(group, free))
                if one is not None and (id(one), id(group)) not in met:
                    met.add((id(one), id(group)))
                    yield one, group
    if sides.best_only and met:
        return
    for group in other:
        for one in by_rest.get(_rest(group, differing), ()):
            if (id(one), id(group)) not in met:
                yield one, group


def _best(groups: Sequence[Group], measure: Measure, free: set[str]) -> list[Group]:
    chosen: dict[tuple[tuple[str, object], ...], Group] = {}
    for group in groups:
        value = group.value(measure.name)
        if value is None:
            continue
        rest = _rest(group, free)
        held = chosen.get(rest)
        old = held.value(measure.name) if held else None
        if old is None or (value < old) == measure.smaller_is_better:
            chosen[rest] = group
    return list(chosen.values())


def _rest(group: Group, without: set[str]) -> tuple[tuple[str, object], ...]:
    return tuple((key, value) for key, value in group.keys.items() if key not in without)


def _measures(scene: Scene) -> list[Measure]:
    """What is compared: a measure that the words name, else the latency, else what there is."""
    known = scene.cube.telemetry.measures
    text = next(iter(scene.around()), "")
    named = scene.context.get(MEASURE)
    if named and named.firm and named.level <= Level.CAPTION:
        told = [known[str(name)] for name in named.values if str(name) in known]
        if told:
            return told
    if _THROUGHPUT.search(text):
        rates = [one for one in known.values() if one.dimension is Dimension.RATE]
        if rates:
            return [known["throughput"]] if "throughput" in known else rates
    if "latency" in known:
        return [known["latency"]]
    for dimension in (Dimension.TIME, Dimension.RATE, Dimension.FLOPS_RATE):
        found = [one for one in known.values() if one.dimension is dimension]
        if found:
            return found
    return [one for one in known.values() if one.dimension is not Dimension.COUNT]


def _derived(
    scene: Scene, sides: Sides, measure: Measure, values: tuple[float, float],
    places: tuple[str, ...],
) -> Iterator[Reading]:  # fmt: skip
    """The number's readings from the base's value and the other's, by what its words ask for."""
    is_time = measure.dimension is Dimension.TIME
    for name, derive in formulas(scene, is_time):
        value = derive(*values)
        if not sides.ordered and value < (1 if name in ("ratio", "growth") else 0):
            continue  # of two amounts beside a number the words tell the order
        pair = {"ratio": values, "growth": values[::-1]}.get(name)
        yield Reading(value, f"{name} of {measure.name}, by {sides.why}", places, pair=pair)
