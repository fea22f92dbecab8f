"""Contests that a text counts: who is fastest, and who beats whom, under each selection rule."""

import math
import re
from collections.abc import Iterator, Sequence

from benchproof.audit.binding.bound import Level
from benchproof.audit.explain.reading import Reading
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.side import Sides
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.facts.cube import Cube, Group, Limits, Value
from benchproof.audit.facts.fact import Dimension, Measure
from benchproof.audit.mention.mention import Mention

_WINS = re.compile(r"\b(?:wins?|won|winning|leads?|takes?|is|are)\b", re.IGNORECASE)
RULES = ("any variant", "eager only", "compiled only")


def speeds(cube: Cube) -> list[Measure]:
    """What tells which of two is faster: the latency, else every time, else every rate."""
    known = cube.telemetry.measures
    if "latency" in known:
        return [known["latency"]]
    for dimension in (Dimension.TIME, Dimension.RATE):
        found = [one for one in known.values() if one.dimension is dimension]
        if found:
            return found
    return []


def values_of(scene: Scene, limits: Limits, key: str) -> list[Value]:
    """What values a key has under the limits for the others, in the order of the data."""
    rest = {name: values for name, values in limits.items() if name != key}
    found = scene.cube.select(rest)
    return list(dict.fromkeys(group.keys[key] for group in found if key in group.keys))


def _rivals(scene: Scene) -> list[str]:
    """Keys whose values may compete, first that of the name that stands last before the verb."""
    rivals = ["framework", "device", "variant"]
    span = scene.clause
    before = [
        hit.key
        for hit in scene.here.hits
        if hit.key in rivals and span.start <= hit.start and hit.end <= scene.mention.start
    ]
    verb = _WINS.search(scene.here.passage.text, span.start, scene.mention.start)
    if verb is not None:
        ahead = [
            hit.key for hit in scene.here.hits
            if hit.key in rivals and span.start <= hit.start and hit.end <= verb.start()
        ]  # fmt: skip
        before = ahead or before
    return list(dict.fromkeys((*before[-1:], *rivals)))


def won(scene: Scene, key: str) -> Iterator[Reading]:
    """How many contests the framework (or device) of the context wins, under each rule."""
    variant = scene.context.get("variant")
    is_named = variant is not None and variant.level <= Level.SENTENCE
    for rival in _rivals(scene):
        own = scene.limits.get(rival)
        if own is None or len(own) != 1 or rival == key:
            continue
        free = (rival, key) if is_named else (rival, key, "variant")
        within = {k: v for k, v in scene.limits.items() if k not in free}
        if len(values_of(scene, within, rival)) < 2:
            continue
        for measure in speeds(scene.cube):
            for rule in RULES:
                best = [
                    fastest(
                        _admitted(scene.cube.select({**within, key: frozenset([value])}), rule),
                        measure,
                    )
                    for value in values_of(scene, within, key)
                ]
                winners = [group for group in best if group and group.keys.get(rival) in own]
                places = tuple(place for group in winners for place in group.places)
                yield Reading(float(len(winners)), f"{key}s won by {measure.name}", places, rule)
        return


def beaten(scene: Scene, key: str, loses: bool) -> Iterator[Reading]:
    """For how many values the other side of a comparison beats the base, under each rule."""
    for sides in sides_of(scene):
        for measure in speeds(scene.cube):
            for rule in RULES:
                pairs = list(_pairs(scene, sides, key, rule, measure))
                if not pairs:
                    continue
                met = [
                    (one, two)
                    for one, two in pairs
                    if (took(two, measure) < took(one, measure)) is not loses
                ]
                places = tuple(place for one, two in met for place in (*one.places, *two.places))
                what = f"{key}s where {sides.why} decides by {measure.name}"
                yield Reading(float(len(met)), what, places, rule)
        return


def below(scene: Scene, key: str, limit: Mention) -> Iterator[Reading]:
    """For how many values the best lies on the side of an amount that the text says."""
    known = scene.cube.telemetry.measures.values()
    for measure in (one for one in known if one.dimension is limit.dimension):
        for rule in RULES:
            told = [
                fastest(
                    _admitted(scene.cube.select({**scene.limits, key: frozenset([value])}), rule),
                    measure,
                )
                for value in values_of(scene, scene.limits, key)
            ]
            met = [one for one in told if one and limit.admits(one.value(measure.name) or math.nan)]
            places = tuple(place for one in met for place in one.places)
            what = f"{key}s with {measure.name} {limit.bound} {limit.text}"
            yield Reading(float(len(met)), what, places, rule)


def _pairs(
    scene: Scene, sides: Sides, key: str, rule: str, measure: Measure
) -> Iterator[tuple[Group, Group]]:
    across = sides.base.get("device") != sides.other.get("device")
    for value in values_of(scene, sides.base, key):
        found = [
            fastest(
                [
                    group
                    for group in _admitted(
                        scene.cube.select({**limits, key: frozenset([value])}), rule
                    )
                    if not (across and group.ran_elsewhere)
                ],
                measure,
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


def fastest(groups: Sequence[Group], measure: Measure) -> Group | None:
    """The group that took least; None where none tells."""
    timed = [(took(group, measure), group) for group in groups]
    known = [each for each in timed if each[0] < math.inf]
    return min(known, key=lambda each: each[0])[1] if known else None


def took(group: Group, measure: Measure) -> float:
    """What it took, or the inverse of its rate."""
    value = group.value(measure.name)
    if not value:
        return math.inf
    return 1 / value if measure.dimension is Dimension.RATE else value
