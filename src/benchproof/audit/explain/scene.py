"""Everything that reading one number needs: the number, its words, its limits, the data."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from benchproof.audit.binding.bound import Level
from benchproof.audit.binding.context import Context
from benchproof.audit.binding.measured import MEASURE, STATISTIC, measure_key
from benchproof.audit.binding.outline import Outline, Prepared
from benchproof.audit.binding.sentence import Span, clause_at, sentence_at
from benchproof.audit.document.passage import Kind, Passage
from benchproof.audit.facts.cube import Cube, Limits, Value
from benchproof.audit.facts.fact import Dimension, Measure
from benchproof.audit.mention.mention import Mention

_UNIT_STATED = re.compile(
    r"\b(?:all|every|times?|latenc\w+|numbers?|values?|results?)\b[^.]{0,40}\bin\s", re.IGNORECASE
)
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
    def partner(self) -> Mention | None:
        """The other number of its range, change or count."""
        own = self.mention.partner
        return next((one for one in self.here.mentions if one.start == own), None)

    @property
    def own_words(self) -> str:
        """What says of what kind the number is: its column's head, or its clause."""
        return list(self.around())[1 if self.here.passage.spot is not None else 0]

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
        yield self.outline.head_text(table, spot.column)
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

    def leads(self) -> Iterator[str]:
        """What leads to a number: its table's caption and paragraphs, its list's first line."""
        prepared = self.outline.prepared
        for heading in self.here.passage.headings[-1:]:
            yield prepared[heading].passage.text
        spot = self.here.passage.spot
        if spot is not None:
            table = self.outline.tables[spot.table]
            told = (at for at in (table.caption, table.before, table.after) if at is not None)
            yield from (prepared[at].passage.text for at in told)
        elif self.here.passage.kind is Kind.ITEM:
            earlier = (prepared[at].passage for at in range(self.at - 1, -1, -1))
            yield from (one.text for one in islice(_not_items(earlier), 1))

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


def _not_items(passages: Iterable[Passage]) -> Iterator[Passage]:
    return (one for one in passages if one.kind is not Kind.ITEM)


def _with_framework(cube: Cube, limits: dict[str, frozenset[Value]]) -> Limits:
    """The limits, with the framework that a variant belongs to: jax.jit is JAX's."""
    variants = limits.get("variant", frozenset()) - {"eager"}
    if not variants or "framework" in limits or "framework" not in cube.keys:
        return limits
    groups = cube.select({"variant": variants})
    return {**limits, "framework": frozenset(group.keys["framework"] for group in groups)}


def narrowed(limits: Limits, key: str, values: frozenset[Value]) -> dict[str, frozenset[Value]]:
    """The limits with another choice for one key."""
    return {**limits, key: values}
