"""Counts of a whole: wins 4 of 5, faster on four of five, higher in 6 of the 10 cells."""

import math
import re
from collections.abc import Iterator, Sequence

from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.side import Sides
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.facts.cube import Cube, Group, Limits, Value
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Role

_NOUNS = {
    "model": r"architectures?|models?|workloads?|networks?|categor(?:y|ies)|benchmarks?|cases?|"
    r"tasks?",
    "batch": r"batch\s+sizes|batches",
    "framework": r"frameworks?",
}
_WINS = re.compile(
    r"\b(?:wins?|won|winning|fastest|leads?|takes?|first|best|ahead)\b", re.IGNORECASE
)
_BEATS = re.compile(
    r"\b(?:beats?|faster|quicker|outperform\w*|slower|loses?|regress\w*|higher|lower)\b",
    re.IGNORECASE,
)
_LOSES = re.compile(r"\b(?:slower|loses?|regress\w*|lower)\b", re.IGNORECASE)
RULES = ("any variant", "eager only", "compiled only")


def counted(scene: Scene) -> Readings:
    """Readings of a count, one for each selection rule; of a total how many there are."""
    key = _counted_key(scene)
    if key is None:
        return Readings()
    if scene.mention.role is Role.TOTAL:
        total = _values(scene, scene.limits, key)
        found = Reading(float(len(total)), f"number of {key}s", ())
        return Readings((found,), firm=False)
    text = scene.here.passage.text[slice(*scene.clause)]
    if _BEATS.search(text):
        readings = tuple(_beaten(scene, key, bool(_LOSES.search(text))))
        if readings:
            return Readings(readings, firm=not _is_guess(scene))
    if _WINS.search(text):
        readings = tuple(_won(scene, key))
        return Readings(readings, firm=bool(readings) and not _is_guess(scene))
    return Readings()


def _is_guess(scene: Scene) -> bool:
    """Whether the data has several rates and no latency: which of them is meant is not told."""
    measures = scene.cube.telemetry.measures.values()
    times = [one for one in measures if one.dimension is Dimension.TIME]
    rates = [one for one in measures if one.dimension is Dimension.RATE]
    return not times and len(rates) > 1


def _counted_key(scene: Scene) -> str | None:
    """The key whose values are counted: by the noun after the total, else by their number."""
    text, end = scene.here.passage.text, scene.mention.end
    total = next((one for one in scene.here.mentions if one.start == scene.mention.partner), None)
    if total is not None and scene.mention.role is Role.COUNT:
        end = total.end
    after = text[end : end + 30]
    for key, noun in _NOUNS.items():
        if key in scene.cube.keys and re.match(rf"\s+(?:\w+\s+)?(?:{noun})\b", after):
            return key
    size = scene.mention.value if scene.mention.role is Role.TOTAL else total and total.value
    free = [
        key
        for key in scene.cube.keys
        if key not in _near(scene) and len(_values(scene, scene.limits, key)) == size
    ]
    return free[0] if len(free) == 1 else None


def _near(scene: Scene) -> set[str]:
    return {key for key, bound in scene.context.items() if len(bound.values) == 1}


def _values(scene: Scene, limits: Limits, key: str) -> list[Value]:
    rest = {name: values for name, values in limits.items() if name != key}
    found = scene.cube.select(rest)
    return list(dict.fromkeys(group.keys[key] for group in found if key in group.keys))


def _won(scene: Scene, key: str) -> Iterator[Reading]:
    """How many contests the framework (or device) of the context wins, under each rule."""
    for rival in ("framework", "device", "variant"):
        own = scene.limits.get(rival)
        if own is None or len(own) != 1 or rival == key:
            continue
        within = {k: v for k, v in scene.limits.items() if k not in (rival, key, "variant")}
        if len(_values(scene, within, rival)) < 2:
            continue
        for rule in RULES:
            best = [
                fastest(
                    scene.cube,
                    _admitted(scene.cube.select({**within, key: frozenset([value])}), rule),
                )
                for value in _values(scene, within, key)
            ]
            winners = [group for group in best if group and group.keys.get(rival) in own]
            places = tuple(place for group in winners for place in group.places)
            yield Reading(float(len(winners)), f"{key}s won", places, rule)
        return


def _beaten(scene: Scene, key: str, loses: bool) -> Iterator[Reading]:
    """For how many values the other side of a comparison beats the base, under each rule."""
    measures = scene.cube.telemetry.measures

    def took(group: Group) -> float:
        return group.time(measures)

    for sides in sides_of(scene):
        for rule in RULES:
            pairs = list(_pairs(scene, sides, key, rule))
            if not pairs:
                continue
            beaten = [(one, two) for one, two in pairs if (took(two) < took(one)) is not loses]
            places = tuple(place for one, two in beaten for place in (*one.places, *two.places))
            yield Reading(float(len(beaten)), f"{key}s where {sides.why} decides", places, rule)
        return


def _pairs(scene: Scene, sides: Sides, key: str, rule: str) -> Iterator[tuple[Group, Group]]:
    across = sides.base.get("device") != sides.other.get("device")
    for value in _values(scene, sides.base, key):
        found = [
            fastest(
                scene.cube,
                [
                    group
                    for group in _admitted(
                        scene.cube.select({**limits, key: frozenset([value])}), rule
                    )
                    if not (across and group.ran_elsewhere)
                ],
            )
            for limits in (sides.base, sides.other)
        ]
        if found[0] and found[1]:
            yield found[0], found[1]


def _admitted(groups: Sequence[Group], rule: str) -> list[Group]:
    if rule == "any variant":
        return list(groups)
    eager = rule == "eager only"
    return [group for group in groups if (group.keys.get("variant", "eager") == "eager") is eager]


def fastest(cube: Cube, groups: Sequence[Group]) -> Group | None:
    """The group that took least; None where none tells."""
    timed = [(group.time(cube.telemetry.measures), group) for group in groups]
    known = [each for each in timed if each[0] < math.inf]
    return min(known, key=lambda each: each[0])[1] if known else None
