"""A number that states one quantity: its readings, by measure, statistic and variant."""

import re
from collections.abc import Iterator, Sequence

from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.selected import by_rule, selected
from benchproof.audit.facts.cube import Group, Limits
from benchproof.audit.facts.fact import Dimension, Measure
from benchproof.audit.mention.units import ITEMS

ONE_OF = "one of"
_PER_ITEM = re.compile(
    rf"\s*(?:per|/|a|an|each|pro)\s*(?:{'|'.join(one for one in ITEMS if len(one) > 3)})\b",
    re.IGNORECASE,
)


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
            if value is None:
                continue
            batch = group.keys.get("batch")
            if not _is_per_item(scene, measure):
                yield Reading(value, measure.name, group.places, rule)
                yield from _of_each(group, measure, rule)
            elif isinstance(batch, int | float) and batch:
                yield Reading(value / batch, f"{measure.name} per item", group.places, rule)


def _of_each(group: Group, measure: Measure, rule: str) -> Iterator[Reading]:
    """What each of several records of the same keys says for itself."""
    if len(group.facts) > 1:
        for fact in group.facts:
            if measure.name in fact.values:
                name = f"{measure.name}, {ONE_OF} {len(group.facts)} records"
                yield Reading(fact.values[measure.name], name, (fact.place,), rule)


def _is_per_item(scene: Scene, measure: Measure) -> bool:
    """Whether a time is that of one item of a batch: `0.07 ms per sample`."""
    text = scene.here.passage.text
    head = "" if scene.here.passage.spot is None else list(scene.around())[1]
    is_said = _PER_ITEM.match(text, scene.mention.end) or _PER_ITEM.search(head)
    return measure.dimension is Dimension.TIME and bool(is_said)
