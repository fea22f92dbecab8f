"""How a number's scene is set: its context, its unit, and what of the context can be trusted."""

import re

import msgspec

from benchproof.audit.binding.bound import Level
from benchproof.audit.binding.context import Context, context_of
from benchproof.audit.binding.measured import MEASURE, STATISTIC, measure_key
from benchproof.audit.binding.outline import Outline
from benchproof.audit.explain.scene import PLAIN, Scene
from benchproof.audit.explain.units_told import with_unit
from benchproof.audit.facts.cube import Cube
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Mention

_AGAINST = re.compile(
    r"(?:\binstead\s+of|\b(?:down|up)\s+from|\brather\s+than|\bcompared\s+(?:to|with)|\bversus|"
    r"\bvs\.?|\bfrom|\bagainst)\s+(?:about\s+|~\s*)?$",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\s*(?:in|with|on|for|by|under|using|of)?\s*(?:the\s+)?$", re.IGNORECASE)


def scene_of(outline: Outline, at: int, mention: Mention, cube: Cube) -> Scene:
    """The scene of one number, its unit taken from its head where it has none of its own."""
    context = context_of(outline, at, mention, [*cube.keys, MEASURE, STATISTIC])
    bare = Scene(outline, at, mention, context, cube)
    if mention.dimension is Dimension.UNKNOWN:
        bare = with_unit(bare)
    if _is_base(bare):
        bare = msgspec.structs.replace(bare, context=_loose(bare))
    context = _possible(bare)
    key = measure_key(bare.mention.dimension)
    own = context_of(outline, at, mention, [key]).get(key)
    others = {name: bound for name, bound in context.items() if name != MEASURE}
    return msgspec.structs.replace(bare, context={**others, MEASURE: own} if own else context)


def _possible(scene: Scene) -> Context:
    """The context, without far names where nothing was measured under all of them.

    `Under the title *GPU* a table has a row for TensorFlow, which ran on the CPU alone`.
    """
    context = dict(scene.context)
    far = sorted(
        (bound.level, key)
        for key, bound in context.items()
        if key in scene.cube.keys and (bound.level >= Level.TITLE or not bound.firm)
    )
    while far and not scene.cube.select(msgspec.structs.replace(scene, context=context).limits):
        context.pop(far.pop()[1])
    is_possible = scene.cube.select(msgspec.structs.replace(scene, context=context).limits)
    return context if is_possible else scene.context


def _is_base(scene: Scene) -> bool:
    """Whether the number is what another one is held against: `8.4 ms instead of 9.1 ms`."""
    text, start = scene.here.passage.text, scene.sentence.start
    earlier = any(start <= one.start < scene.mention.start for one in scene.here.mentions)
    is_paired = any(bound.paired for bound in scene.context.values())
    if scene.mention.partner is not None or is_paired or _has_own_name(scene):
        return False
    return earlier and bool(_AGAINST.search(text[start : scene.mention.start]))


def _has_own_name(scene: Scene) -> bool:
    """Whether a name right behind the number sets it apart: `2 ms, compared to 5 ms on the CPU`."""
    return any(
        0 <= hit.start - scene.mention.end <= 10
        and _BEHIND.match(scene.here.passage.text[scene.mention.end : hit.start])
        and any(
            other.values != hit.values
            for other in scene.here.by_key.get(hit.key, ())
            if scene.sentence.start <= other.start < scene.mention.start
        )
        for hit in scene.here.hits
        if hit.key in scene.cube.keys
    )


def _loose(scene: Scene) -> Context:
    """The context without trust in what may be the other number's: what is not right behind it.

    Beside a compiled variant or a lower precision it is the plain one, where no name stands.
    """
    for key, plain in PLAIN:
        bound = scene.context.get(key)
        is_named = bound is not None and bound.level <= Level.SENTENCE
        if bound and is_named and plain in scene.cube.keys[key] and plain not in bound.values:
            base = msgspec.structs.replace(bound, values=frozenset([plain]), firm=False)
            return {**scene.context, key: base}
    return {
        key: bound
        if any(0 <= hit.start - scene.mention.end <= 5 for hit in scene.here.by_key.get(key, ()))
        else msgspec.structs.replace(bound, firm=False)
        for key, bound in scene.context.items()
    }
