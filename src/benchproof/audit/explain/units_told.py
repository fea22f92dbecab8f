"""The unit of a bare number, as a head, a caption or a statement tells it."""

import re
from collections.abc import Mapping
from itertools import chain, islice

import msgspec

from benchproof.audit.binding.bound import joint_of
from benchproof.audit.binding.measured import MEASURE, measure_key
from benchproof.audit.explain.scene import Scene
from benchproof.audit.facts.fact import Dimension, Measure
from benchproof.audit.mention.mention import Role
from benchproof.audit.mention.units import hinted_units

_RATIO = re.compile(
    r"\b(?:speed-?ups?|slow-?downs?|ratios?|factors?|(?:faster|slower)\s+by|gains?)\b",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:results?|values?|times?|speeds?|numbers?|scores?|measured|measurements?|timings?|best|"
    r"performance|first|second|before|after|old|new|base\w*|ours|Zeit\w*|Wert\w*)\b(?<!pays after)",
    re.IGNORECASE,
)
_OF = re.compile(r"\s*(?:of|is|=|:|was|stays\s+at|reaches)?\s*(?:about\s+|~\s*)?$", re.IGNORECASE)
_OVER = re.compile(r"^(?:/|÷|:|vs\.?|versus|over)$")
_THOUSANDS = (1.0, 1e-3, 1e-6, 1e3)
_SCALES = {Dimension.TIME: _THOUSANDS, Dimension.FLOPS_RATE: (1.0, 1e9, 1e12, 1e6),
           Dimension.BYTES: (1.0, 1e3, 1e6, 1e9)}  # fmt: skip


def with_unit(scene: Scene) -> Scene:
    """The scene with the unit that a head, a caption or a statement tells for a bare number.

    Where only the measure is told, its own unit is taken, and any other power of a thousand.
    """
    mention = scene.mention
    if scene.counts_measure:
        return _scaled(scene, Dimension.COUNT, "", 1.0)
    if mention.role in (Role.COUNT, Role.TOTAL):
        return scene
    if scene.here.passage.spot is None:
        return _of_ratio(scene)
    if _is_ratio(scene):
        return _scaled(scene, Dimension.RATIO, "", 1.0)
    place = _place_in_list(scene)
    wide = chain(scene.around(), scene.beside_table())
    for text in wide if _is_of_table(scene) else islice(scene.around(), 2):
        units = hinted_units(text)
        if units:
            unit = units[place] if place < len(units) else units[0]
            return _scaled(scene, unit.dimension, unit.name, unit.factor)
    named = scene.context.get(MEASURE)
    known: Mapping[str, Measure] = scene.cube.telemetry.measures
    told = [
        known[str(name)]
        for name in (named.values if named and named.firm else ())
        if str(name) in known
    ]
    if len({(one.dimension, one.factor) for one in told}) == 1:
        found = _scaled(scene, told[0].dimension, told[0].unit, told[0].factor)
        return msgspec.structs.replace(found, scales=_SCALES.get(told[0].dimension, (1.0,)))
    return scene


def _of_ratio(scene: Scene) -> Scene:
    """`a compression ratio of 3.5`: bare numbers are of a ratio that stands right before them."""
    known = scene.cube.telemetry.measures
    for hit in scene.here.by_key.get(measure_key(Dimension.RATIO), ()):
        between = scene.here.passage.text[hit.end : scene.mention.start]
        if hit.end <= scene.mention.start and _OF.match(between) and hit.values & known.keys():
            return _scaled(scene, Dimension.RATIO, "", 1.0)
    return scene


def _is_of_table(scene: Scene) -> bool:
    """Whether a cell holds what its table is about: its head names a key's value, or a measure.

    Under `Pays after` or `Rank` stands something else, in a unit of its own.
    """
    spot = scene.here.passage.spot
    assert spot is not None
    table = scene.outline.tables[spot.table]
    heads = [scene.outline.prepared[at] for at in table.head(spot.column)]
    text = " ".join(one.passage.text for one in heads)
    is_told = any(one.hits for one in heads) or _GENERAL.search(text)
    return bool(is_told) or not any(character.isalpha() for character in text)


def _is_ratio(scene: Scene) -> bool:
    """Whether the head says that a bare number is a ratio: `Speedup`, `JAX / PyTorch`."""
    spot = scene.here.passage.spot
    assert spot is not None
    heads = [
        scene.outline.prepared[at] for at in scene.outline.tables[spot.table].head(spot.column)
    ]
    if len(scene.here.mentions) > 1 or not heads or hinted_units(heads[-1].passage.text):
        return False
    if _RATIO.search(heads[-1].passage.text):
        return True
    return any(
        _OVER.match(joint_of(heads[-1], names))
        for key, names in heads[-1].by_key.items()
        if key in scene.cube.keys and len(names) == 2
    )


def _place_in_list(scene: Scene) -> int:
    """Which of the numbers of its cell it is: `4.81 / 3,529` under `(ms) / (samples/s)`."""
    numbers = scene.here.mentions
    return next((at for at, one in enumerate(numbers) if one.start == scene.mention.start), 0)


def _scaled(scene: Scene, dimension: Dimension, unit: str, factor: float) -> Scene:
    mention = scene.mention
    scaled = msgspec.structs.replace(
        mention, value=mention.value * factor, step=mention.step * factor,
        dimension=dimension, unit=unit, factor=factor,
    )  # fmt: skip
    return msgspec.structs.replace(scene, mention=scaled)
