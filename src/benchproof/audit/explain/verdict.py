"""The verdict on one number: its binding's readings against what is printed."""

import math
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import product

import msgspec

from benchproof.audit.binding.bound import Bound, Level
from benchproof.audit.binding.measured import MEASURE, STATISTIC
from benchproof.audit.explain.absolute import absolute
from benchproof.audit.explain.averages import is_summary, rows_above, summarised
from benchproof.audit.explain.chance import WEAK, chance
from benchproof.audit.explain.compared import compared, differences, is_difference
from benchproof.audit.explain.counted import counted, is_count
from benchproof.audit.explain.ends import ends
from benchproof.audit.explain.extremes import with_extremes
from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.explain.sizes import sizes
from benchproof.audit.explain.source import Source, source_of
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Role

_QUOTING = re.compile(
    r"\b(?:published|claim(?:ed|s)?|statements?|they\s+(?:say|said|wrote)|the\s+post\s+says|reported\s+by|"
    r"originally|superseded|retracted|previously|before\s+the\s+correction)\b",
    re.IGNORECASE,
)
_QUOTATION = re.compile(r"“[^”]{3,200}”|(?<!\w)\"[^\"]{3,200}\"(?!\w)")
_FAR = 30.0
_MOST_CHOICES = 16
_ASIDE = re.compile(
    r"\b(?:would|could|might|if\s+\w+\s+(?:were|was|had)|hypothetical\w*|budget|deadline|frames?\s+per|"
    r"per\s+frame|launch(?:es)?|dispatch|overhead|copy|copies|waited|waits?|slept|sleeps?|pauses?|"
    r"(?:previous|last|earlier|another|other|old)\s+(?:post|article|machine|laptop|version|run)|"
    r"whole\s+(?:sweep|suite|run)|in\s+total|hours?|Activity\s+Monitor|GB\s+of\s+(?:RAM|memory)|"
    r"RAM|datasheets?|specs?|specifications?|advertised|nominal(?:ly)?|according\s+to|vendors?|expect(?:ed)?|target|goal|estimate[ds]?|at\s+this\s+rate)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"^(?:,|and|,\s*and|&|und|as\s+well\s+as)")
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
_OF_TWO = (Role.FROM, Role.TO)


class Verdict(StrEnum):
    """What the data says of a number."""

    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    AMBIGUOUS = "ambiguous"
    UNBOUND = "unbound"
    NOT_A_CLAIM = "not_a_claim"


class Judgement(msgspec.Struct, frozen=True):
    """A verdict with its reason: the reading that fits, or those that should have."""

    verdict: Verdict
    rule: str = ""
    reading: Reading | None = None
    expected: tuple[Reading, ...] = ()
    source: Source | None = None
    chance: float | None = None
    note: str = ""


def judged(scene: Scene) -> Judgement:
    """The verdict on a number in its scene; what it says of several has to hold for each."""
    if is_quoted(scene):
        return Judgement(Verdict.NOT_A_CLAIM, "quoted")
    key = _shared_key(scene)
    if key is None:
        return _judged(scene)
    each = [_judged(part) for part in _parts(scene, key)]
    worst = (Verdict.CONTRADICTED, Verdict.AMBIGUOUS, Verdict.UNBOUND, Verdict.VERIFIED)
    return min(each, key=lambda one: worst.index(one.verdict))


def is_quoted(scene: Scene) -> bool:
    """Whether the number is somebody else's or an older one: by its head, or quotation marks."""
    here = scene.here.passage
    if here.spot is not None:
        table = scene.outline.tables[here.spot.table]
        heads = [scene.outline.prepared[at].passage.text for at in table.head(here.spot.column)]
        if any(_QUOTING.search(head) for head in heads):
            return True
    return any(
        match.start() < scene.mention.start < match.end()
        for match in _QUOTATION.finditer(here.text)
    )


def _shared_key(scene: Scene) -> str | None:
    """The key of which the text lists several values for one number: `1.1x on the RNN and CNN`."""
    if scene.mention.role is not Role.ALONE:
        return None
    for key, bound in scene.context.items():
        if key not in scene.cube.keys or len(bound.listed) < 2 or not bound.firm:
            continue
        is_near = bound.level <= Level.COLUMN and bound.level is not Level.ROW
        if is_near and _TOGETHER.match(bound.joint) and not _is_compared(scene, key):
            return key
    return None


def _is_compared(scene: Scene, key: str) -> bool:
    return any(one.base.get(key) != one.other.get(key) for one in sides_of(scene))


def _parts(scene: Scene, key: str) -> Iterator[Scene]:
    for values in scene.context[key].listed:
        bound = msgspec.structs.replace(scene.context[key], values=values, listed=())
        yield msgspec.structs.replace(scene, context={**scene.context, key: bound})


def _judged(scene: Scene) -> Judgement:
    readings = readings_of(scene)
    mention = scene.mention
    slip = next((one for one in readings.slips if mention.admits(one.reading.value)), None)
    if slip is not None and not any(scene.admits(one.value) for one in readings.readings):
        source = Source(slip.rule, slip.reading.places, slip.reading.derivation)
        expected = readings.readings[:4] or (slip.reading,)
        return Judgement(Verdict.CONTRADICTED, slip.rule, expected=expected, source=source)
    if not readings.readings and (wider := _without_loose(scene)) is not None:
        return _judged(wider)
    if not readings.readings:
        if readings.absent and _is_explicit(scene):
            return Judgement(Verdict.CONTRADICTED, "not-measured", note=readings.absent)
        return Judgement(Verdict.UNBOUND, note=readings.absent)
    fitting = [one for one in readings.readings if scene.admits(one.value)]
    if fitting:
        return _fits(scene, readings, fitting)
    if not _is_firm(scene) and readings.total is None:
        return _judged_loose(scene, readings)
    if not readings.firm or not _is_firm(scene):
        return Judgement(Verdict.AMBIGUOUS, "open", expected=readings.readings[:4])
    cut = next((one for one in readings.readings if mention.truncates(one.value)), None)
    if cut is not None:
        return Judgement(Verdict.CONTRADICTED, "truncated", expected=(cut,))
    if mention.role is Role.COUNT or readings.total is not None:
        return Judgement(Verdict.CONTRADICTED, "count", expected=readings.readings[:4])
    if _is_aside(scene):
        return Judgement(Verdict.AMBIGUOUS, "aside", expected=readings.readings[:4])
    source = source_of(scene, readings.readings)
    if source.rule == "no-match" and _is_far_off(scene, readings.readings):
        return Judgement(Verdict.AMBIGUOUS, "open", expected=readings.readings[:4])
    return Judgement(
        Verdict.CONTRADICTED, source.rule, expected=readings.readings[:4], source=source
    )


def _without_loose(scene: Scene) -> Scene | None:
    """The scene without names that may be another number's, where they lead to nothing."""
    firm = {
        key: bound
        for key, bound in scene.context.items()
        if bound.firm or key not in scene.cube.keys
    }
    return msgspec.structs.replace(scene, context=firm) if len(firm) < len(scene.context) else None


def _judged_loose(scene: Scene, readings: Readings) -> Judgement:
    """Where several names could have been meant: wrong only if it is wrong of each of them."""
    undecided = Judgement(Verdict.AMBIGUOUS, "open", expected=readings.readings[:4])
    loose = [key for key in scene.cube.keys if key in scene.context and not scene.context[key].firm]
    choices = [scene.context[key].choices() for key in loose]
    if not all(choices) or math.prod(map(len, choices)) > _MOST_CHOICES:
        return undecided
    each = []
    for chosen in product(*choices):
        firm = {key: Bound(values, scene.context[key].level)
                for key, values in zip(loose, chosen, strict=True)}  # fmt: skip
        made = _judged(msgspec.structs.replace(scene, context={**scene.context, **firm}))
        if made.verdict is not Verdict.CONTRADICTED:
            return undecided
        each.append(made)
    return each[0]


def _fits(scene: Scene, readings: Readings, fitting: list[Reading]) -> Judgement:
    tried, derived = (
        len(readings.readings),
        fitting[0].derivation not in scene.cube.telemetry.measures,
    )
    if readings.total is not None:
        tried = len({one.value for one in readings.readings})
    likely = chance(scene.mention, scene.cube, tried, derived=derived, total=readings.total)
    verdict = Verdict.VERIFIED if likely <= WEAK else Verdict.AMBIGUOUS
    rule = "" if verdict is Verdict.VERIFIED else "weak"
    if _is_one_of_two(fitting, readings.readings):
        verdict, rule = Verdict.AMBIGUOUS, "time-or-rate"
    if not readings.firm and len(fitting) < len(readings.readings):
        verdict, rule = Verdict.AMBIGUOUS, "open"
    return Judgement(verdict, rule, fitting[0], readings.readings[:4], chance=likely)


def _is_aside(scene: Scene) -> bool:
    """Whether the sentence is about what was not measured here: a wish, another machine."""
    return scene.here.passage.spot is None and bool(
        _ASIDE.search(scene.here.passage.text, scene.sentence.start, scene.sentence.end)
    )


def _is_far_off(scene: Scene, readings: Sequence[Reading]) -> bool:
    """Whether nothing of its size is there at all: it is another quantity."""
    value = abs(scene.mention.value)
    sizes = [abs(one.value) for one in readings if one.value]
    return bool(sizes) and all(not size / _FAR <= value <= size * _FAR for size in sizes)


def _is_one_of_two(fitting: Sequence[Reading], every: Sequence[Reading]) -> bool:
    """Whether a percentage is true of the time and not of the rate, or the other way round."""
    said = {reading.derivation.partition(" of ")[0] for reading in every}
    fits = {reading.derivation.partition(" of ")[0] for reading in fitting}
    if said == {"saving", "gain in rate"}:
        return fits != said
    return len(said) == 2 and fits <= {"loss in rate", "time saved", "more time"}


def _is_firm(scene: Scene) -> bool:
    """Whether no other name than those that were taken could have been meant."""
    return all(bound.firm for key, bound in scene.context.items() if key in scene.cube.keys)


def _is_explicit(scene: Scene) -> bool:
    """Whether all that the number needs is told beside it: in its clause, its row and column."""
    return all(
        bound.firm and bound.level in (Level.PIECE, Level.CLAUSE, Level.ROW, Level.COLUMN)
        for key, bound in scene.context.items()
        if key in scene.cube.keys
    )


def readings_of(scene: Scene) -> Readings:
    """All readings of a number: what it is, by its unit, its neighbours and its words."""
    if not is_summary(scene):
        return with_extremes(scene, _readings_of(scene))
    above = {key: Bound(values, Level.ROW) for key, values in rows_above(scene).items()}
    # "On average" is said of what is summed up here, hardly of each record's own samples.
    others = {key: bound for key, bound in scene.context.items() if key != STATISTIC}
    wider = msgspec.structs.replace(scene, context={**others, **above})
    if not _readings_of(wider).open_keys:
        return _readings_of(scene)
    return summarised(wider, _readings_of(wider))


def _readings_of(scene: Scene) -> Readings:
    mention = scene.mention
    if mention.role in (Role.COUNT, Role.TOTAL):
        return counted(scene)
    if mention.role in (Role.LOW, Role.HIGH, Role.FROM, Role.TO):
        found = ends(scene)
        if found.readings or mention.role in _OF_TWO or mention.side in _OF_TWO:
            return found
    if mention.dimension is Dimension.RATIO:
        return compared(scene)
    if mention.dimension is Dimension.PERCENT:
        is_plain = _names_percent(scene) and not _is_change(scene)
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


def _names_percent(scene: Scene) -> bool:
    """Whether a measure in percent is named."""
    named = scene.context.get(MEASURE)
    known = scene.cube.telemetry.measures
    return bool(named) and any(
        known[str(name)].dimension is Dimension.PERCENT
        for name in (named.values if named else ())
        if str(name) in known
    )
