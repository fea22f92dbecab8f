"""Whether a study's measurement can tell equals apart: A/A controls, the same cell twice."""

from collections.abc import Sequence

import msgspec

from benchproof.evidence.intervals import LARGEST_P, adjusted
from benchproof.evidence.sampled import has_spread, ratio_estimate
from benchproof.model.record import Record
from benchproof.records.findings import DataFinding, Level
from benchproof.records.gates import is_timed, ran_elsewhere
from benchproof.values.sql import key


class Control(msgspec.Struct, frozen=True):
    """A record and the second measurement of its cells: between the two there is no difference."""

    first: Record
    second: Record


def pair_controls(records: Sequence[Record], repeated: Sequence[Record]) -> tuple[Control, ...]:
    """Each control with the record of its key; a side without samples on its device leaves none."""
    by_key = {_where(record): record for record in records}
    pairs = (Control(by_key[where], one) for one in repeated if (where := _where(one)) in by_key)
    return tuple(pair for pair in pairs if _is_usable(pair.first) and _is_usable(pair.second))


def _where(record: Record) -> tuple[str, str]:
    return record.study, key(record)


def _is_usable(record: Record) -> bool:
    return is_timed(record) and not ran_elsewhere(record) and has_spread(record)


def control_findings(controls: Sequence[Control], threshold_percent: float) -> list[DataFinding]:
    """A finding for each control that differs from its record beyond the threshold.

    They are judged as one family: of hundreds of controls some would differ by chance.
    """
    ratios = [ratio_estimate(one.second, one.first) for one in controls]
    p_values = [
        min(ratio.p_above(threshold_percent), ratio.reversed.p_above(threshold_percent))
        for ratio in ratios
    ]
    judged = zip(controls, ratios, adjusted(p_values), strict=True)
    return [
        DataFinding(
            "control-differs",
            Level.WARNING,
            tuple(map(str, (*one.first.places, *one.second.places))),
            f"{one.first.name}: this job's measurement cannot tell equals apart: the same cell "
            f"measured twice differs by {100 * (ratio.value - 1):+.1f} % (95 % interval "
            f"{100 * (ratio.bounds.low - 1):+.1f} to {100 * (ratio.bounds.high - 1):+.1f} %); "
            "believe no difference of its size here",
        )
        for one, ratio, p in judged
        if p <= LARGEST_P
    ]
