"""Counts with a noun: parameters, timed samples; told bytes are never taken for a count."""

from collections.abc import Iterator

from benchproof.audit.binding.measured import MEASURE
from benchproof.audit.explain.absolute import absolute
from benchproof.audit.explain.reading import Reading, Readings, Slip
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.selected import selected
from benchproof.audit.facts.cube import Group

_ITEM_BYTES = {"fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "int8": 1}
PARAMETERS, PARAMETER_BYTES = "parameters", "parameter bytes"


def sizes(scene: Scene) -> Readings:
    """What the data says of a count, or what its bytes say where it tells only those."""
    found = absolute(scene)
    if found.readings or PARAMETERS not in scene.context[MEASURE].values:
        return found
    chosen = selected(scene.cube, scene.limits)
    told = [(group, group.value(PARAMETER_BYTES)) for group in chosen.groups]
    known = [(group, value) for group, value in told if value is not None]
    if not known:
        return found
    readings = {
        value / _item_bytes(group): Reading(
            value / _item_bytes(group), "parameters, by their bytes", group.places
        )
        for group, value in known
    }
    open_keys = tuple(key for key in chosen.open_keys if key in ("model", "framework"))
    slips = tuple(_slips(scene))
    return Readings(tuple(readings.values()), not open_keys, slips=slips, open_keys=open_keys)


def _slips(scene: Scene) -> Iterator[Slip]:
    """The bytes themselves, of whatever is not ruled out: nothing has so many parameters."""
    firm = {key: scene.context[key].values for key in scene.limits if _is_firm(scene, key)}
    for group in scene.cube.select(firm):
        value = group.value(PARAMETER_BYTES)
        if value is not None:
            reading = Reading(value, "bytes of the parameters", group.places)
            yield Slip("bytes-as-count", reading)


def _is_firm(scene: Scene, key: str) -> bool:
    return key in scene.context and scene.context[key].firm


def _item_bytes(group: Group) -> int:
    return _ITEM_BYTES.get(str(group.keys.get("precision")), 4)
