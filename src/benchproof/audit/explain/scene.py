"""Everything that reading one number needs: the number, its words, its limits, the data."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchproof.audit.binding.bound import Level, joint_of
from benchproof.audit.binding.context import Context, context_of
from benchproof.audit.binding.measured import MEASURE, STATISTIC, measure_key
from benchproof.audit.binding.outline import Outline, Prepared
from benchproof.audit.binding.sentence import Span, clause_at, sentence_at
from benchproof.audit.facts.cube import Cube, Limits, Value
from benchproof.audit.facts.fact import Dimension, Measure
from benchproof.audit.mention.mention import Mention, Role
from benchproof.audit.mention.units import PATTERN, UNITS

_HINTED = re.compile(
    rf"\b(?:in|of)\s(?P<said>{PATTERN})(?![A-Za-z0-9/])|"
    rf"(?:^\s*|[(\[/]|,\s|(?<=[a-z])\s)(?P<unit>{PATTERN})(?=\s*(?:$|[)\].,;:|/↓↑]|per\b|a\b))"
)
_AGAINST = re.compile(
    r"(?:\binstead\s+of|\b(?:down|up)\s+from|\brather\s+than|\bcompared\s+(?:to|with)|\bversus|"
    r"\bvs\.?|\bfrom|\bagainst)\s+(?:about\s+|~\s*)?$",
    re.IGNORECASE,
)
_RATIO = re.compile(
    r"\b(?:speed-?ups?|slow-?downs?|ratios?|factors?|(?:faster|slower)\s+by|gains?)\b",
    re.IGNORECASE,
)
_OVER = re.compile(r"^(?:/|÷|:|vs\.?|versus|over)$")
_BEHIND = re.compile(r"\s*(?:in|with|on|for|by|under|using|of)?\s*(?:the\s+)?$", re.IGNORECASE)
_UNIT_STATED = re.compile(
    r"\b(?:all|every|times?|latenc\w+|numbers?|values?|results?)\b[^.]{0,40}\bin\s", re.IGNORECASE
)
_THOUSANDS = (1.0, 1e-3, 1e-6, 1e3)
_SCALES = {Dimension.TIME: _THOUSANDS, Dimension.FLOPS_RATE: (1.0, 1e9, 1e12, 1e6),
           Dimension.BYTES: (1.0, 1e3, 1e6, 1e9)}  # fmt: skip
# What each key's values are held against where a text does not say: the plain one.
PLAIN = (("precision", "fp32"), ("quantization", "fp16"), ("variant", "eager"))
# Of measures that share a dimension, those that a text means where it names none.
_DEFAULT = (
    "latency", "throughput", "achieved FLOP/s", "arithmetic intensity", "roofline efficiency",
    "peak memory", "FLOPs per call", "parameters",
)  # fmt: skip

# Which measures of the samples a statistic asks for; of few samples the 95th percentile is the
# longest, and the least of several records is a text's minimum as well.
_FAMILY: dict[str, tuple[str, ...]] = {
    "median": ("latency",),
    "mean": ("mean latency",),
    "p95": ("95th percentile of the latency",),
    "stddev": ("standard deviation of the latency",),
    "min": ("shortest sample", "latency", "mean latency"),
    "max": ("longest sample", "95th percentile of the latency", "latency", "mean latency"),
}


class Scene(msgspec.Struct, frozen=True):
    """A number in its context; `mention` has the unit that the number itself or its head tells."""

    outline: Outline
    at: int
    mention: Mention
    context: Context
    cube: Cube
    scales: tuple[float, ...] = (1.0,)  # more than one where no text tells the unit

    @property
    def here(self) -> Prepared:
        """The passage that the number stands in."""
        return self.outline.prepared[self.at]

    @property
    def sentence(self) -> Span:
        """The number's sentence."""
        return sentence_at(self.here.passage.text, self.mention.start)

    @property
    def clause(self) -> Span:
        """The number's clause."""
        return clause_at(self.here.passage.text, self.sentence, self.mention.start)

    def around(self) -> Iterator[str]:
        """Texts about the number, the nearest first: clause, sentence, heads, caption, headings."""
        text = self.here.passage.text
        if self.here.passage.spot is None:
            yield text[slice(*self.clause)]
            yield text[slice(*self.sentence)]
        else:
            yield text
            yield from self._table_texts()
        for heading in reversed(self.here.passage.headings):
            yield self.outline.prepared[heading].passage.text

    def _table_texts(self) -> Iterator[str]:
        spot = self.here.passage.spot
        assert spot is not None
        table = self.outline.tables[spot.table]
        prepared = self.outline.prepared
        yield " ".join(prepared[at].passage.text for at in table.head(spot.column))
        row = [at for at in table.row(spot.row) if not prepared[at].mentions]
        yield " ".join(prepared[at].passage.text for at in row)
        if table.caption is not None:
            yield prepared[table.caption].passage.text

    def admits(self, value: float) -> bool:
        """Whether a value prints as the number, by the document's own way to round."""
        for scale in self.scales:
            there = value / scale
            cut = self.outline.truncates and self.mention.truncates(there)
            if cut or self.mention.admits(there):
                return True
        return False

    def beside_table(self) -> Iterator[str]:
        """The paragraphs right before and right after the table, if they speak of it."""
        spot = self.here.passage.spot
        if spot is None:
            return
        table = self.outline.tables[spot.table]
        for at in (table.before, table.after):
            if at is not None:
                yield self.outline.prepared[at].passage.text
        for earlier in range(min(table.cells.values()) - 1, -1, -1):
            text = self.outline.prepared[earlier].passage.text
            if _UNIT_STATED.search(text):
                yield text

    @property
    def counts_measure(self) -> bool:
        """Whether a noun follows that names a count: `1.1M parameters`, `40 timed samples`."""
        counts = self.here.by_key.get(measure_key(Dimension.COUNT), ())
        return any(0 <= hit.start - self.mention.end <= 2 for hit in counts)

    @property
    def limits(self) -> Limits:
        """What the context fixes, by key."""
        limits = {key: self.context[key].values for key in self.cube.keys if key in self.context}
        return _with_framework(self.cube, limits)

    def measures(self) -> list[Measure]:
        """The measures that the number may be of, those that the context names first of all."""
        known = self.cube.telemetry.measures
        fitting = [one for one in known.values() if one.dimension is self.mention.dimension]
        named = self.context.get(MEASURE)
        chosen = [one for one in fitting if named and one.name in named.values]
        default = [one for one in fitting if one.name in _DEFAULT] or fitting
        is_near = named is not None and (
            (named.level <= Level.SENTENCE and named.firm)
            or named.level in (Level.ROW, Level.COLUMN, Level.CAPTION, Level.HEADING, Level.TITLE)
        )
        if not chosen or not is_near:
            chosen += [one for one in default if one not in chosen]
        return self._of_statistic(chosen)

    def _of_statistic(self, chosen: Sequence[Measure]) -> list[Measure]:
        """With the mean beside the median where a text names neither, and a record has both."""
        known = self.cube.telemetry.measures
        if self.here.passage.text[: self.mention.start].rstrip().endswith("±"):
            return [one for one in known.values() if one.statistic == "stddev"]
        names = [one.name for one in chosen]
        if names != ["latency"]:
            return list(chosen)
        told = self.context.get(STATISTIC)
        statistics = told.values if told and told.level <= Level.HEADING else frozenset()
        asked = [_FAMILY[str(one)] for one in statistics if str(one) in _FAMILY]
        wanted = asked[0] if len(asked) == 1 else ("latency", "mean latency")
        return [known[name] for name in wanted if name in known]

    @property
    def statistic(self) -> str:
        """Which statistic over repeats the context names; empty where it names none or several."""
        told = self.context.get(STATISTIC)
        return str(next(iter(told.values))) if told and len(told.values) == 1 else ""


def scene_of(outline: Outline, at: int, mention: Mention, cube: Cube) -> Scene:
    """The scene of one number, its unit taken from its head where it has none of its own."""
    context = context_of(outline, at, mention, [*cube.keys, MEASURE, STATISTIC])
    bare = Scene(outline, at, mention, context, cube)
    if mention.dimension is Dimension.UNKNOWN:
        bare = _with_unit(bare)
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
    if any(bound.paired for bound in scene.context.values()) or _has_own_name(scene):
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


def _with_framework(cube: Cube, limits: dict[str, frozenset[Value]]) -> Limits:
    """The limits, with the framework that a variant belongs to: jax.jit is JAX's."""
    variants = limits.get("variant", frozenset()) - {"eager"}
    if not variants or "framework" in limits or "framework" not in cube.keys:
        return limits
    groups = cube.select({"variant": variants})
    return {**limits, "framework": frozenset(group.keys["framework"] for group in groups)}


def _with_unit(scene: Scene) -> Scene:
    """The scene with the unit that a head, a caption or a statement tells for a bare number.

    Where only the measure is told, its own unit is taken, and any other power of a thousand.
    """
    mention = scene.mention
    if scene.counts_measure:
        return _scaled(scene, Dimension.COUNT, "", 1.0)
    if mention.role in (Role.COUNT, Role.TOTAL):
        return scene
    if scene.here.passage.spot is None:
        return scene
    if _is_ratio(scene):
        return _scaled(scene, Dimension.RATIO, "", 1.0)
    place = _place_in_list(scene)
    for text in (*scene.around(), *scene.beside_table()):
        units = [UNITS[found["said"] or found["unit"]] for found in _HINTED.finditer(text)]
        if units:
            unit = units[place] if place < len(units) else units[0]
            return _scaled(scene, unit.dimension, unit.name, unit.factor)
    named = scene.context.get(MEASURE)
    known: Mapping[str, Measure] = scene.cube.telemetry.measures
    told = [known[str(name)] for name in named.values if str(name) in known] if named else []
    if len({(one.dimension, one.factor) for one in told}) == 1:
        found = _scaled(scene, told[0].dimension, told[0].unit, told[0].factor)
        return msgspec.structs.replace(found, scales=_SCALES.get(told[0].dimension, (1.0,)))
    return scene


def _is_ratio(scene: Scene) -> bool:
    """Whether the head says that a bare number is a ratio: `Speedup`, `JAX / PyTorch`."""
    spot = scene.here.passage.spot
    assert spot is not None
    heads = [
        scene.outline.prepared[at] for at in scene.outline.tables[spot.table].head(spot.column)
    ]
    if len(scene.here.mentions) > 1 or not heads or _HINTED.search(heads[-1].passage.text):
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


def narrowed(limits: Limits, key: str, values: frozenset[Value]) -> dict[str, frozenset[Value]]:
    """The limits with another choice for one key."""
    return {**limits, key: values}
