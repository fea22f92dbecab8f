"""Where a wrong number really comes from: the slip that turns a true value into the printed one."""

from collections.abc import Iterator, Sequence

import msgspec

from benchproof.audit.explain.compared import between
from benchproof.audit.explain.reading import Reading
from benchproof.audit.explain.scene import Scene, narrowed
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.facts.cube import Limits, Value
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Mention


class Source(msgspec.Struct, frozen=True):
    """The slip's rule, and the facts whose value was printed where that is what it was."""

    rule: str
    places: tuple[str, ...] = ()
    what: str = ""


def source_of(scene: Scene, readings: Sequence[Reading]) -> Source:
    """The most telling explanation of a number that no reading fits."""
    is_ratio = scene.mention.dimension in (Dimension.RATIO, Dimension.PERCENT)
    found = next(_compared_elsewhere(scene) if is_ratio else _elsewhere(scene), None)
    return found or _slip(scene.mention, readings)


def _elsewhere(scene: Scene) -> Iterator[Source]:
    """The same quantity of a neighbour: one key changed, every other one kept."""
    limits = scene.limits
    for measure in scene.measures():
        for key, values in scene.cube.keys.items():
            for value in values:
                if key in limits and value in limits[key]:
                    continue
                for group in scene.cube.select(_moved(limits, key, value)):
                    there = group.value(measure.name, scene.statistic)
                    if there is not None and scene.mention.admits(there):
                        yield Source(f"wrong-{key}", group.places, f"{key} {value}")


def _compared_elsewhere(scene: Scene) -> Iterator[Source]:
    """The same comparison of neighbours: one key changed on both sides."""
    for sides in sides_of(scene)[:2]:
        differing = {key for key in sides.base if sides.base[key] != sides.other.get(key)}
        for key, values in scene.cube.keys.items():
            if key in differing:
                continue
            for value in values:
                if value in sides.base.get(key, ()):
                    continue
                base, other = (_moved(one, key, value) for one in (sides.base, sides.other))
                moved = msgspec.structs.replace(sides, base=base, other=other)
                for reading in between(scene, moved):
                    if scene.mention.admits(reading.value):
                        yield Source(f"wrong-{key}", reading.places, f"{key} {value}")


def _moved(limits: Limits, key: str, value: Value) -> Limits:
    """The limits with one key changed; variants go with their framework."""
    moved = narrowed(limits, key, frozenset([value]))
    if key == "framework" and "eager" not in limits.get("variant", {"eager"}):
        moved.pop("variant", None)
    return moved


def _slip(mention: Mention, readings: Sequence[Reading]) -> Source:
    for reading in readings:
        value = reading.value
        for factor in (10, 100, 1000, 0.1, 0.01, 0.001, 1e6, 1e-6):
            if mention.admits(value * factor):
                is_unit = factor in (1000, 0.001, 1e6, 1e-6)
                return Source("unit" if is_unit else "factor-10", reading.places)
        if value and mention.admits(1 / value):
            return Source("inverted", reading.places)
    nearest = min(readings, key=lambda one: abs(one.value - mention.value))
    off = abs(nearest.value - mention.value)
    if off <= 9.5 * mention.step and off <= 0.02 * abs(nearest.value):
        return Source("last-digit", nearest.places)
    if off <= 0.08 * abs(nearest.value):
        return Source("stale", nearest.places)
    return Source("no-match", nearest.places)
