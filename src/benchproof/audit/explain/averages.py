"""A number that stands for several: `on average 1.3x`, a table's row of means, a total."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, geometric_mean, harmonic_mean

import msgspec

from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.facts.cube import Value

_MEAN = re.compile(
    r"\b(?:on\s+average|averag\w+|avg\.?|means?|geo\w*[\s-]?means?|overall|im\s+(?:Mittel|Schnitt))\b",
    re.IGNORECASE,
)
# In a sentence "the mean is 0.8 ms" is the statistic of a record's own samples.
_MEAN_OVER = re.compile(
    r"\b(?:on\s+average|averag\w+\s+(?:over|across|of\s+the|speed)|overall|geo\w*[\s-]?mean|"
    r"means?\s+(?:over|across|of\s+the|speed)|im\s+(?:Mittel|Schnitt))",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:sums?|in\s+total|totals?|altogether|combined|insgesamt|Summe)\b", re.IGNORECASE
)
_MEANS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "geometric mean": geometric_mean,
    "harmonic mean": harmonic_mean,
}
_SUMS: Mapping[str, Callable[[Sequence[float]], float]] = {"sum": math.fsum}
# A column or a row that is headed so, over all that the table leaves open.
_LIMIT = r"(?:{})(?:\s+(?:latency|time|value))?(?:\s*[(\[].*[)\]])?"
_ENDS: Mapping[str, Mapping[str, Callable[[Sequence[float]], float]]] = {
    _LIMIT.format("min(?:imum|\\.)?|smallest|lowest|least"): {"least": min},
    _LIMIT.format("max(?:imum|\\.)?|largest|highest"): {"largest": max},
}


def is_summary(scene: Scene) -> bool:
    """Whether the number's words, or its row's, say that it stands for several."""
    return bool(_kinds(scene))


def rows_above(scene: Scene) -> dict[str, frozenset[Value]]:
    """What the labels of the rows above a cell name, by key: a row of means is of those."""
    spot = scene.here.passage.spot
    if spot is None:
        return {}
    table = scene.outline.tables[spot.table]
    told: dict[str, set[Value]] = {}
    for row in range(table.head_rows, spot.row):
        for at in table.row(row)[:1]:
            for hit in scene.outline.prepared[at].hits:
                if hit.key in scene.cube.keys and hit.key not in scene.context:
                    told.setdefault(hit.key, set()).update(hit.values)
    return {key: frozenset(values) for key, values in told.items()}


def summarised(scene: Scene, found: Readings) -> Readings:
    """The mean, or the sum, of all that the text leaves open between the readings."""
    kinds = _kinds(scene)
    if not kinds or not found.open_keys or len(found.readings) < 2:
        return found
    by_name: dict[tuple[str, str], list[Reading]] = {}
    for reading in found.readings:
        by_name.setdefault((reading.derivation, reading.choice), []).append(reading)
    made = tuple(
        reading
        for (name, choice), each in by_name.items()
        for reading in _over(kinds, name, choice, each)
    )
    return msgspec.structs.replace(found, readings=made, firm=bool(made))


def _kinds(scene: Scene) -> Mapping[str, Callable[[Sequence[float]], float]]:
    near = " ".join(_near(scene))
    is_prose = scene.here.passage.spot is None
    if (_MEAN_OVER if is_prose else _MEAN).search(near):
        return _MEANS
    if scene.here.passage.spot is None:
        return {}
    ends = (kind for pattern, kind in _ENDS.items() if re.fullmatch(pattern, near.strip(), re.I))
    return next(ends, _SUMS if _SUM.search(near) else {})


def _near(scene: Scene) -> Iterator[str]:
    """The number's clause, or the label of its row."""
    spot = scene.here.passage.spot
    if spot is None:
        yield scene.here.passage.text[slice(*scene.clause)]
        return
    table = scene.outline.tables[spot.table]
    label = table.row(spot.row)[:1]
    labels = [at for at in (*label, *table.head(spot.column)[-1:]) if at != scene.at]
    texts = [scene.outline.prepared[at].passage.text for at in labels]
    yield from filter(_is_of_several, texts)


def _is_of_several(text: str) -> bool:
    """Whether a label says that numbers stand for several."""
    patterns = (_MEAN.pattern, _SUM.pattern, *(rf"^\s*{one}\s*$" for one in _ENDS))
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def _over(
    kinds: Mapping[str, Callable[[Sequence[float]], float]],
    name: str,
    choice: str,
    each: Sequence[Reading],
) -> Iterator[Reading]:
    values = [one.value for one in each]
    places = tuple(place for one in each for place in one.places)
    for kind, over in kinds.items():
        if kind not in ("geometric mean", "harmonic mean") or min(values) > 0:
            yield Reading(over(values), f"{kind} over {len(values)} of {name}", places, choice)
    pairs = [one.pair for one in each if one.pair is not None]
    if len(pairs) == len(each) and kinds is _MEANS:
        base, other = (math.fsum(side) for side in zip(*pairs, strict=True))
        if base and other:
            yield Reading(base / other, f"ratio of sums for {name}", places, choice)
