"""What a template can say of a difference: its interval, its verdict, and claims about it."""

from collections.abc import Callable, Sequence

import msgspec

from benchproof.derive import judgement
from benchproof.derive import quantities as q
from benchproof.derive.judgement import Interval, Judged, is_conclusive, not_conclusive
from benchproof.errors import SelectionError
from benchproof.evidence.sampled import has_spread
from benchproof.model.record import Record
from benchproof.records.gates import require_comparable
from benchproof.records.study import Study
from benchproof.report.selection import Cells
from benchproof.report.text import DataText
from benchproof.values.recomputed import What
from benchproof.values.value import Truth, Value


def ratio_interval(base: Cells, other: Cells) -> Interval:
    """The 95 % interval of the latency of `base` over that of `other`: `low` and `high`."""
    found = judgement.ratio_interval(*_pair(base, other))
    assert found is not None
    return found


class Verdicts(msgspec.Struct, frozen=True):
    """Verdicts on pairs of records, beyond the study's threshold; `other` against `base`."""

    study: Study

    @property
    def threshold(self) -> DataText:
        """How large a difference has to be to count, in percent."""
        return DataText(f"{self.study.threshold_percent:g} %")

    def verdict(self, base: Cells, other: Cells) -> str:
        """`faster`, `slower` or `inconclusive`, of this one pair."""
        (judged,) = self.family([(base, other)])
        return judged.verdict.value

    def faster(self, base: Cells, other: Cells) -> Truth:
        """Whether `other` is conclusively faster than `base`."""
        return is_conclusive(self._p(What.P_FASTER, base, other))

    def slower(self, base: Cells, other: Cells) -> Truth:
        """Whether `other` is conclusively slower than `base`."""
        return is_conclusive(self._p(What.P_SLOWER, base, other))

    def conclusive(self, base: Cells, other: Cells) -> Truth:
        """Whether the two conclusively differ."""
        return is_conclusive(self._p(What.P, base, other))

    def inconclusive(self, base: Cells, other: Cells) -> Truth:
        """Whether the evidence leaves open which of the two is faster."""
        return not_conclusive(self._p(What.P, base, other))

    def family(self, pairs: Sequence[tuple[Cells, Cells]]) -> list[Judged]:
        """Several pairs, judged together: p-values are adjusted for their number."""
        judged = judgement.judge_pairs([_pair(base, other) for base, other in pairs], self.study)
        return [one for one in judged if one]

    def _p(self, what: What, base: Cells, other: Cells) -> Value:
        return judgement.p_value(what, _pair(base, other), self.study)

    def functions(self) -> dict[str, Callable[..., object] | DataText]:
        """What templates call, by name."""
        return {
            "threshold": self.threshold,
            "verdict": self.verdict,
            "faster": self.faster,
            "slower": self.slower,
            "conclusive": self.conclusive,
            "inconclusive": self.inconclusive,
            "family": self.family,
        }


def _pair(base: Cells, other: Cells) -> tuple[Record, Record]:
    """Two records whose latencies may be compared, and whose samples allow it.

    On one kind of device they may be what was published there; across devices each has to have
    run where it was asked to.
    """
    pair = base.record, other.record
    if len({record.actual or record.requested for record in pair}) > 1:
        require_comparable(*pair)
    q.ratio(*pair, "latency ratio")
    for selection in (base, other):
        if not has_spread(selection.record):
            raise SelectionError(f"{selection}: no interval without two timed samples")
    return pair
