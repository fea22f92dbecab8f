"""The ends of a confidence interval, reckoned again from the samples where a record kept them."""

import re
from collections.abc import Iterator

from benchproof.audit.explain.compared import pairs_of
from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.scenes import scene_of
from benchproof.audit.explain.selected import by_rule, selected
from benchproof.audit.explain.side import Sides
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.facts.cube import Group
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Role
from benchproof.evidence.intervals import Bounds
from benchproof.evidence.sampled import has_spread, interval, ratio_estimate
from benchproof.model.record import Record

_INTERVAL = re.compile(
    r"\b(?:(?:confidence|credible)\s+)?intervals?\b|\bCIs?\b|\bconfidence\b|\bKonfidenz\w*",
    re.IGNORECASE,
)
_ENDS = (Role.LOW, Role.HIGH)


def is_interval(scene: Scene) -> bool:
    """Whether the number is an end of an interval: by its column's head, or its clause."""
    if scene.mention.role not in _ENDS:
        return False
    return bool(_INTERVAL.search(scene.own_words))


def interval_ends(scene: Scene) -> Readings:
    """The end as the samples of the records give it; none where no record kept its samples."""
    if scene.mention.dimension is Dimension.RATIO:
        readings = tuple(_of_ratios(scene))
    else:
        readings = tuple(_of_amounts(scene))
    return Readings(readings, firm=bool(readings))


def _of_amounts(scene: Scene) -> Iterator[Reading]:
    found = selected(scene.cube, scene.limits)
    for measure in scene.measures():
        if measure.name not in ("latency", "throughput"):
            continue
        for rule, group in by_rule(found.groups, measure):
            record = _sampled(group)
            if record is None:
                continue
            bounds = interval(record)
            if measure.name == "throughput":
                bounds = Bounds(record.batch / bounds.high, record.batch / bounds.low)
            yield Reading(_end(scene, bounds), f"end of {measure.name}", group.places, rule)


def _of_ratios(scene: Scene) -> Iterator[Reading]:
    for sides in _sides(scene):
        for base, other in pairs_of(scene, sides, scene.cube.telemetry.measures["latency"]):
            above, below = _sampled(base), _sampled(other)
            if above is None or below is None:
                continue
            places = (*base.places, *other.places)
            estimate = ratio_estimate(above, below)
            what = f"end of ratio, by {sides.why}"
            yield Reading(_end(scene, estimate.bounds), what, places)
            yield Reading(_end(scene, estimate.reversed.bounds), what, places)


def _sides(scene: Scene) -> list[Sides]:
    """In a table those of the ratio to its left, whose interval it is."""
    spot = scene.here.passage.spot
    if "latency" not in scene.cube.telemetry.measures:
        return []
    if spot is None:
        return sides_of(scene)
    row = scene.outline.tables[spot.table].row(spot.row)
    for at in reversed(row[: row.index(scene.at)]):
        mentions = scene.outline.prepared[at].mentions
        if mentions:
            return sides_of(scene_of(scene.outline, at, mentions[0], scene.cube))
    return sides_of(scene)


def _sampled(group: Group) -> Record | None:
    """The group's one record, if it kept enough samples."""
    record = group.facts[0].record if len(group.facts) == 1 else None
    return record if record is not None and has_spread(record) else None


def _end(scene: Scene, bounds: Bounds) -> float:
    return bounds.low if scene.mention.role is Role.LOW else bounds.high
