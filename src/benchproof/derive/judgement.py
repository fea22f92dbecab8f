"""Values that say how sure a latency or a comparison is (gate 6): intervals, p-values, verdicts."""

from collections.abc import Sequence

import msgspec

from benchproof.derive import quantities as q
from benchproof.evidence.intervals import LARGEST_P, Verdict, judge
from benchproof.evidence.sampled import between_rounds_measured, has_spread
from benchproof.model.keys import Status
from benchproof.model.record import Record
from benchproof.records.study import Study
from benchproof.values.expression import Extreme
from benchproof.values.recomputed import Adjusted, What, family_of, recomputed
from benchproof.values.units import Unit
from benchproof.values.value import Truth, Value

Pair = tuple[Record, Record]
MEASURED, NOT_MEASURED = "measured", "not measured"


class Interval(msgspec.Struct, frozen=True):
    """The two ends of a 95 % interval."""

    low: Value
    high: Value


def latency_interval(record: Record) -> Interval | None:
    """Interval of the median latency in seconds; None where samples do not allow one."""
    if not has_spread(record):
        return None
    return Interval(
        *(
            Value(recomputed(what, (record,)), Unit.SECOND, f"{what} end of latency")
            for what in (What.LOW, What.HIGH)
        )
    )


def throughput_interval(record: Record) -> Interval | None:
    """Interval of the throughput in samples/s: the batch over the ends of the latency."""
    latency = latency_interval(record)
    if latency is None:
        return None
    batch = q.batch_size(record)
    return Interval(
        (batch / latency.high).named("low end of throughput"),
        (batch / latency.low).named("high end of throughput"),
    )


def ratio_interval(base: Record, other: Record) -> Interval | None:
    """Interval of the latency of `base` over that of `other`; same batch and work required."""
    q.ratio(base, other, "")
    if not (has_spread(base) and has_spread(other)):
        return None
    return Interval(
        *(
            Value(recomputed(what, (base, other)), Unit.RATIO, f"{what} end of latency ratio")
            for what in (What.LOW, What.HIGH)
        )
    )


class Judged(msgspec.Struct, frozen=True):
    """How a record stands against a base: `ratio` is base latency over its own latency.

    `adjusted_p` is the p-value of a difference beyond the threshold, adjusted for its family.
    """

    ratio: Value
    low: Value
    high: Value
    adjusted_p: Value
    p_faster: Value
    p_slower: Value

    @property
    def verdict(self) -> Verdict:
        """Faster, slower or inconclusive."""
        return judge(self.ratio.number, self.adjusted_p.number)

    @property
    def conclusive(self) -> Truth:
        """Whether there is a difference at all."""
        return is_conclusive(self.adjusted_p)

    @property
    def faster(self) -> Truth:
        """Whether the record is conclusively faster than its base."""
        return is_conclusive(largest_p((self.adjusted_p, self.p_faster)))

    @property
    def slower(self) -> Truth:
        """Whether the record is conclusively slower than its base."""
        return is_conclusive(largest_p((self.adjusted_p, self.p_slower)))


def judge_pairs(pairs: Sequence[Pair | None], study: Study) -> list[Judged | None]:
    """Each pair judged, all as one family; None where there is no pair, or no interval for it.

    Each has to differ by more than the study asks of its two records.
    """
    usable = [index for index, pair in enumerate(pairs) if pair and all(map(has_spread, pair))]
    of = [pair for index in usable if (pair := pairs[index])]
    family = family_of([recomputed(What.P, pair, study.threshold_of(*pair)) for pair in of])
    judged: list[Judged | None] = [None] * len(pairs)
    for position, (index, pair) in enumerate(zip(usable, of, strict=True)):
        p = Value(Adjusted(family, position), Unit.PROBABILITY, "adjusted p-value of a difference")
        judged[index] = _judged(pair, p, study)
    return judged


def _judged(pair: Pair, adjusted_p: Value, study: Study) -> Judged:
    def of_ratio(what: What) -> Value:
        return Value(recomputed(what, pair), Unit.RATIO, f"{what} end of latency ratio")

    return Judged(
        ratio=q.ratio(*pair, "latency ratio"),
        low=of_ratio(What.LOW),
        high=of_ratio(What.HIGH),
        adjusted_p=adjusted_p,
        p_faster=p_value(What.P_FASTER, pair, study),
        p_slower=p_value(What.P_SLOWER, pair, study),
    )


def p_value(what: What, pair: Pair, study: Study) -> Value:
    """The p-value of one pair, unadjusted."""
    about = {What.P_FASTER: "being faster", What.P_SLOWER: "being slower"}.get(what, "a difference")
    number = recomputed(what, pair, study.threshold_of(*pair))
    return Value(number, Unit.PROBABILITY, f"p-value of {about} by more than the threshold")


def largest_p(values: Sequence[Value]) -> Value:
    """The p-value of several statements that have to hold together."""
    if len(values) == 1:
        return values[0]
    largest = Extreme("greatest", tuple(value.expression for value in values))
    return Value(largest, Unit.PROBABILITY, f"largest of {len(values)} p-values")


def is_conclusive(p: Value) -> Truth:
    """Whether a p-value is small enough for a verdict."""
    return p <= LARGEST_P


def not_conclusive(p: Value) -> Truth:
    """Whether a p-value is too large for a verdict."""
    return p > LARGEST_P


def rounds_text(*records: Record) -> str:
    """Whether variation between rounds was measured; empty where there is no interval."""
    if not all(map(has_spread, records)):
        return ""
    return MEASURED if between_rounds_measured(*records) else NOT_MEASURED


def unstable_note(*records: Record) -> str:
    """What to say of records whose measurement did not settle; they stay, and are marked."""
    return "; ".join(
        dict.fromkeys(_unstable(record) for record in records if record.status is Status.UNSTABLE)
    )


def control_note(study: Study, *records: Record) -> str:
    """What to say where records have to differ by more than elsewhere, because of a control."""
    asked = study.threshold_of(*records)
    if asked <= study.threshold_percent:
        return ""
    return f"judged beyond {asked:g} %: an A/A control of its job differs by that"


def _unstable(record: Record) -> str:
    reason = "; ".join(record.reasons)
    what = f"{record.framework} {record.variant} on {record.requested}"
    return f"unstable: {what}" + (f" ({reason})" if reason else "")


def joined(*notes: str) -> str:
    """Notes of one row in one text."""
    return "; ".join(note for note in notes if note)
