"""The ends of a range, and the two sides of a change: 1.05-1.79x, from 18.2 ms to 10.2 ms."""

import re
from functools import lru_cache

import msgspec

from benchproof.audit.binding.bound import Level
from benchproof.audit.explain.absolute import absolute
from benchproof.audit.explain.compared import compared
from benchproof.audit.explain.counted import noun_of
from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.scenes import scene_of
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import OF_CHANGE, Role

_OVER_ALL = re.compile(
    r"\b(?:depending\s+on|all|every|across|over|models|architectures|workloads|networks|batches|batch\s+sizes|"
    r"ranges?|latencies|throughputs|times)\b",
    re.IGNORECASE,
)


def ends(scene: Scene) -> Readings:
    """Readings of a number that has a partner; none where its context gives no pair or span."""
    if scene.mention.dimension in (Dimension.POINT, Dimension.UNKNOWN):
        return Readings()
    scene = _over_all(scene)
    if scene.mention.role in OF_CHANGE:
        return _side(scene)
    if scene.mention.dimension is Dimension.RATIO:
        return _of_all(scene, compared(scene))
    if scene.mention.side in OF_CHANGE:
        return _of_side(scene)
    return _of_all(scene, absolute(scene))


def _over_all(scene: Scene) -> Scene:
    """The scene without names of what its clause is about all of: `over all frameworks`."""
    text = scene.here.passage.text[slice(*scene.clause)]
    free = {key for key in scene.cube.keys if _every_of(key).search(text)}
    kept = {
        key: bound
        for key, bound in scene.context.items()
        if key not in free or bound.level is Level.PIECE
    }
    return msgspec.structs.replace(scene, context=kept)


@lru_cache(maxsize=64)
def _every_of(key: str) -> re.Pattern[str]:
    noun = noun_of(key)
    return re.compile(
        rf"\b(?:all|every|each|any)\s+(?:the\s+|of\s+the\s+)?(?:{noun})\b", re.IGNORECASE
    )


def _side(scene: Scene) -> Readings:
    """The value before a change, or after it: the base's, or the other's."""
    if scene.mention.dimension is Dimension.RATIO:
        return compared(scene) if _has_own_names(scene) else Readings()
    if any(bound.paired for bound in scene.context.values()):
        return absolute(scene)
    found = _of_one_side(scene, scene.mention.role)
    if found.readings:
        return found
    return absolute(scene) if _has_own_names(scene) else Readings()


def _has_own_names(scene: Scene) -> bool:
    """Whether a side of a change stands for itself: other names go with it than with its partner.

    `from 25 ms in eager to 17 ms`, `from 3.4 to 2.1 ms when switching from fp32 to bf16`.
    """
    partner = scene.partner
    if partner is None:
        return False
    other = scene_of(scene.outline, scene.at, partner, scene.cube).limits
    return dict(other) != dict(scene.limits)


def _of_side(scene: Scene) -> Readings:
    """An end of the range that a change starts from, or leads to."""
    return _of_all(scene, _of_one_side(scene, scene.mention.side))


def _of_one_side(scene: Scene, side: Role) -> Readings:
    """What the first comparison of the context that gives anything has on one of its sides."""
    for sides in sides_of(scene):
        found = absolute(scene, sides.base if side is Role.FROM else sides.other)
        if found.readings:
            return msgspec.structs.replace(found, firm=found.firm and sides.certain)
    return Readings()


def _of_all(scene: Scene, found: Readings) -> Readings:
    """The least or the largest value of all readings of one derivation."""
    if not found.readings:
        return found
    by_name: dict[str, list[Reading]] = {}
    for reading in found.readings:
        by_name.setdefault(reading.derivation, []).append(reading)
    pick = min if scene.mention.role is Role.LOW else max
    word = "least" if scene.mention.role is Role.LOW else "largest"
    chosen = [pick(told, key=lambda one: one.value) for told in by_name.values()]
    text = scene.here.passage.text[slice(*scene.sentence)]
    is_over_all = bool(_OVER_ALL.search(text)) and len(found.open_keys) <= 2
    return Readings(
        tuple(Reading(one.value, f"{word} {one.derivation}", one.places) for one in chosen),
        firm=found.firm or is_over_all,
        open_keys=found.open_keys,
    )
