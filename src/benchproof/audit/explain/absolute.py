"""A number that states one quantity: its readings, by measure, statistic and variant."""

from collections.abc import Iterator, Sequence

from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.selected import by_rule, selected
from benchproof.audit.facts.cube import Group, Limits


def absolute(scene: Scene, limits: Limits | None = None) -> Readings:
    """Every value of the number's measures within the limits."""
    within = scene.limits if limits is None else limits
    found = selected(scene.cube, within)
    if found.absent:
        return Readings(absent=found.absent)
    readings = tuple(_values(scene, found.groups))
    one_value = len({f"{reading.value:.9g}" for reading in readings}) == 1
    firm = bool(readings) and (found.is_firm or one_value)
    return Readings(readings, firm, open_keys=found.open_keys)


def _values(scene: Scene, groups: Sequence[Group]) -> Iterator[Reading]:
    for measure in scene.measures():
        for rule, group in by_rule(groups, measure):
            value = group.value(measure.name, scene.statistic)
            if value is not None:
                yield Reading(value, measure.name, group.places, rule)
