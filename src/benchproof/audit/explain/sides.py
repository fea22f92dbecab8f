"""What a ratio or a change compares: which key differs between its sides, in which order."""

import re
from collections.abc import Iterator

import msgspec

from benchproof.audit.binding.bound import Bound, Level
from benchproof.audit.explain.opposed import (
    amount_beside,
    beside,
    explicit,
    is_of_one_change,
    repeated,
    transitive,
)
from benchproof.audit.explain.rows import against, columns, from_to, margin
from benchproof.audit.explain.scene import PLAIN, Scene, narrowed
from benchproof.audit.explain.side import Sides
from benchproof.audit.facts.cube import Value
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import OF_CHANGE

_OPPOSED = re.compile(
    r"^(?:versus|vs\.?|over|against|to|/|–|→|->|-|:|bis|instead\s+of|rather\s+than|compared\s+\w+)"
)
_COMPARES = re.compile(
    r"\b(?:faster|slower|quicker|speed-?ups?|slow-?downs?|speeds?\s+up|regress\w*|gains?|gives?|gave|buys?|"
    r"delivers?|improv\w+|worse|better|helps?|costs?|sav\w+|reduc\w+|over|against|versus|vs|ratios?|"
    r"shows?\s+up|times)\b|×",
    re.IGNORECASE,
)
_COMPILES = re.compile(r"\b(?:compil\w+|jit\w*|speed-?ups?|XLA)\b", re.IGNORECASE)
_OVER = re.compile(r"^(?:versus|vs\.?|over|against|compared\s+\w+|relative\s+to)")
# In a speedup of A over B it is B that A is held against.
_OF_FIRST = re.compile(
    r"\b(?:speed-?ups?|leads?|gains?|advantages?|improvements?|margins?)\s+(?:of|by|for)\b",
    re.IGNORECASE,
)
_APART = re.compile(r"\b(?:separat\w+|apart|between|differences?|gap)\b", re.IGNORECASE)
_GROWS = re.compile(
    r"\b(?:grow\w*|grew|scal\w+|ris\w+|rose|rais\w+|climb\w*|increas\w+|sub-?linear\w*|moves?|"
    r"8×\s+the\s+work|going\s+from)\b",
    re.IGNORECASE,
)


def sides_of(scene: Scene) -> list[Sides]:
    """Every comparison that the context of a number states, the most explicit first."""
    found: list[Sides] = []
    for look in (
        margin,
        against,
        from_to,
        explicit,
        transitive,
        repeated,
        columns,
        beside,
        _listed,
        _in_lead,
    ):
        found = found or list(look(scene))
    if not found and not is_of_one_change(scene):
        found = list(_implied(scene))
    amount = amount_beside(scene)
    return [_of_amount(one, amount) for one in found if one.base != one.other]


def _of_amount(sides: Sides, amount: Dimension | None) -> Sides:
    return msgspec.structs.replace(sides, amount=amount) if amount and not sides.amount else sides


def grows(scene: Scene) -> bool:
    """Whether the number's sentence speaks of growth rather than of which is faster."""
    return any(_GROWS.search(text) for text in list(scene.around())[:2])


def _listed(scene: Scene) -> Iterator[Sides]:
    """`from batch 32 to 256`, `CPU over GPU`, `PyTorch against JAX`: two names in one place."""
    variant = scene.context.get("variant")
    if variant is not None:
        yield from _compiled_over_eager(scene, variant)
    told = {key: bound for key, bound in scene.context.items() if _is_opposed(scene, key, bound)}
    if not told:
        return
    base, other = dict(scene.limits), dict(scene.limits)
    for key, bound in told.items():
        first, second = bound.listed
        if _OVER.match(bound.joint) and _is_of_first(scene):
            first, second = second, first
        base[key], other[key] = first, second
    is_ordered = all(map(_is_ordered, told.values()))
    yield Sides(base, other, " and ".join(told), is_ordered)


def _is_opposed(scene: Scene, key: str, bound: Bound) -> bool:
    """Whether two names of a key stand against each other in one place."""
    if key not in scene.cube.keys or len(bound.listed) != 2:
        return False
    is_apart = bound.joint in ("and", "und") and _APART.search(next(scene.around(), ""))
    return bool(_OPPOSED.match(bound.joint) or is_apart)


def _is_of_first(scene: Scene) -> bool:
    """Whether the text about the number speaks of a speedup of the first over the second."""
    return any(map(_OF_FIRST.search, (*list(scene.around())[:4], *scene.leads())))


def _compiled_over_eager(scene: Scene, bound: Bound) -> Iterator[Sides]:
    """`compiled over eager` in a caption: both stand there, in whatever order and number."""
    eager = frozenset(["eager"])
    rest = bound.values - eager
    if bound.values & eager and rest and bound.level in (Level.COLUMN, Level.CAPTION):
        limits = scene.limits
        yield Sides(
            narrowed(limits, "variant", eager), narrowed(limits, "variant", rest), "variant"
        )


def _is_ordered(bound: Bound) -> bool:
    return bound.level is not Level.NEIGHBOUR


def _in_lead(scene: Scene) -> Iterator[Sides]:
    """Words of growth with two batches anywhere near: from the smaller to the larger."""
    if scene.here.passage.spot is not None or not grows(scene):
        return
    for key, values in scene.cube.keys.items():
        numbers = [value for value in values if not isinstance(value, str)]
        if len(numbers) != len(values) or len(values) < 2:
            continue
        told = _numbers_near(scene, key)
        if len(told) == 2:
            small, large = sorted(told, key=float)
            limits = scene.limits
            yield Sides(
                narrowed(limits, key, frozenset([small])),
                narrowed(limits, key, frozenset([large])),
                key,
            )


def _numbers_near(scene: Scene, key: str) -> set[Value]:
    own = scene.here.passage.headings
    for at in range(scene.at, max(scene.at - 8, -1), -1):
        there = scene.outline.prepared[at]
        if there.passage.headings != own:
            break
        told = {value for hit in there.hits if hit.key == key for value in hit.values}
        if len(told) == 2:
            return told
    return set()


def _implied(scene: Scene) -> Iterator[Sides]:
    """A compiled variant is held against eager, a GPU against the CPU, where words compare."""
    texts = list(scene.around())[:3]
    if not any(_COMPARES.search(text) for text in texts):
        return
    near = " ".join(texts)
    for key, plain in (*PLAIN, ("device", "cpu")):
        bound = scene.context.get(key)
        base = frozenset([plain])
        if bound is None or plain not in scene.cube.keys.get(key, ()) or bound.values & base:
            continue
        if bound.level <= (
            Level.HEADING if _COMPILES.search(near) and key != "device" else Level.COLUMN
        ):
            is_near = bound.level <= Level.CLAUSE or bound.level >= Level.ROW
            certain = key != "device" or (is_near and scene.mention.role not in OF_CHANGE)
            yield Sides(narrowed(scene.limits, key, base), scene.limits, key, certain=certain)
            return
    for key, values in scene.cube.keys.items():
        bound = scene.context.get(key)
        if len(values) == 2 and bound is not None and bound.level <= Level.COLUMN:
            other = frozenset(values) - bound.values
            if len(other) == 1 and key not in ("device", "variant"):
                yield Sides(narrowed(scene.limits, key, other), scene.limits, key, ordered=False)
