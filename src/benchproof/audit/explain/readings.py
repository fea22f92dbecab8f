"""All readings of a number: which kind it is of, by its unit, its neighbours and its words."""

import re

import msgspec

from benchproof.audit.binding.bound import Bound, Level
from benchproof.audit.binding.measured import MEASURE, STATISTIC
from benchproof.audit.explain.absolute import absolute
from benchproof.audit.explain.averages import is_summary, rows_above, summarised
from benchproof.audit.explain.break_even import break_even, is_break_even
from benchproof.audit.explain.compared import compared, differences, is_difference
from benchproof.audit.explain.counted import counted, is_count
from benchproof.audit.explain.ends import ends
from benchproof.audit.explain.extremes import with_extremes
from benchproof.audit.explain.intervals import interval_ends, is_interval
from benchproof.audit.explain.reading import Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.sizes import sizes
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import OF_CHANGE, Role

_CHANGE = re.compile(
    r"\b(?:changes?|deltas?|diff\w*|gains?|savings?|improvements?|speed-?ups?|faster|slower|less|"
    r"more|reductions?|overheads?|vs)\b|[Δ∆]",
    re.IGNORECASE,
)
_BY = re.compile(r"\b(?:by|gains?|loses?|adds?)\s+(?:about\s+|around\s+|~\s*)?$", re.IGNORECASE)
_DIFFERS = re.compile(
    r"\s*(?:more|less|higher|lower|better|worse|faster|slower|fewer|increase|decrease)\b",
    re.IGNORECASE,
)


def readings_of(scene: Scene) -> Readings:
    """All readings of a number: what it is, by its unit, its neighbours and its words."""
    if is_interval(scene):
        return interval_ends(scene)
    if is_break_even(scene):
        return break_even(scene)
    if not is_summary(scene):
        return with_extremes(scene, _readings_of(scene))
    above = {key: Bound(values, Level.ROW) for key, values in rows_above(scene).items()}
    # "On average" is said of what is summed up here, hardly of each record's own samples.
    others = {key: bound for key, bound in scene.context.items() if key != STATISTIC}
    wider = msgspec.structs.replace(scene, context={**others, **above})
    found = _readings_of(wider)
    return summarised(wider, found) if found.open_keys else _readings_of(scene)


def _readings_of(scene: Scene) -> Readings:
    mention = scene.mention
    if mention.role in (Role.COUNT, Role.TOTAL):
        return counted(scene)
    if mention.role in (Role.LOW, Role.HIGH, Role.FROM, Role.TO):
        found = ends(scene)
        if found.readings or mention.role in OF_CHANGE or mention.side in OF_CHANGE:
            return found
    if mention.dimension is Dimension.RATIO:
        named = absolute(scene) if _names(scene, Dimension.RATIO) else Readings()
        return named if named.readings else compared(scene)
    if mention.dimension is Dimension.PERCENT:
        is_plain = _names(scene, Dimension.PERCENT) and not _is_change(scene)
        plain = absolute(scene) if is_plain else Readings()
        return plain if plain.readings else compared(scene)
    if mention.dimension is Dimension.POINT:
        return compared(scene)
    if mention.dimension is Dimension.COUNT and scene.counts_measure:
        return sizes(scene)
    if mention.dimension in (Dimension.UNKNOWN, Dimension.COUNT):
        return counted(scene) if is_count(scene) else Readings()
    return differences(scene) if is_difference(scene) else absolute(scene)


def _is_change(scene: Scene) -> bool:
    """Whether it says by how much something differs: `Change (%)`, `rises by 2.2 %`."""
    text = scene.here.passage.text
    if scene.here.passage.spot is not None:
        return any(_CHANGE.search(text) for text in list(scene.around())[:2])
    return bool(
        _BY.search(text[: scene.mention.start]) or _DIFFERS.match(text[scene.mention.end :])
    )


def _names(scene: Scene, dimension: Dimension) -> bool:
    """Whether a measure of a dimension is named."""
    named = scene.context.get(MEASURE)
    known = scene.cube.telemetry.measures
    return (
        named is not None
        and named.firm
        and any(
            known[str(name)].dimension is dimension for name in named.values if str(name) in known
        )
    )
