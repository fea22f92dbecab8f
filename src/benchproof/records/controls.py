"""Whether a study's measurement can tell equals apart: A/A controls, the same cell twice."""

import math
from collections.abc import Sequence

import msgspec

from benchproof.evidence.intervals import LARGEST_P, Estimate, adjusted
from benchproof.evidence.sampled import has_spread, ratio_estimate
from benchproof.model.keys import Device, Framework
from benchproof.model.record import Record
from benchproof.records.findings import DataFinding, Level
from benchproof.records.gates import is_timed, ran_elsewhere
from benchproof.values.sql import key

Job = tuple[Device, Framework]


class Control(msgspec.Struct, frozen=True):
    """A record and the second measurement of its cells: between the two there is no difference."""

    first: Record
    second: Record


def pair_controls(records: Sequence[Record], repeated: Sequence[Record]) -> tuple[Control, ...]:
    """Each control with the record of its key, in the rounds that measured both.

    A side without samples on its device leaves none.
    """
    by_key = {_where(record): record for record in records}
    pairs = (
        Control(_of_its_jobs(by_key[where], one), one)
        for one in repeated
        if (where := _where(one)) in by_key
    )
    return tuple(pair for pair in pairs if _is_usable(pair.first) and _is_usable(pair.second))


def _of_its_jobs(record: Record, control: Record) -> Record:
    """The rounds of a record that its control was measured in: only there the two are a pair."""
    files = {place.file for place in control.places}
    rounds = [
        (cell, place)
        for cell, place in zip(record.cells, record.places, strict=True)
        if place.file in files
    ]
    if not rounds:
        return record
    cells, places = zip(*rounds, strict=True)
    return msgspec.structs.replace(record, cells=cells, places=places)


def _where(record: Record) -> tuple[str, str]:
    return record.study, key(record)


def _is_usable(record: Record) -> bool:
    return is_timed(record) and not ran_elsewhere(record) and has_spread(record)


class Differing(msgspec.Struct, frozen=True):
    """A control that conclusively differs from its record; `ratio` is its latency over that."""

    control: Control
    ratio: Estimate

    @property
    def percent(self) -> float:
        """How far the slower of the two lies above the faster, rounded up to a tenth."""
        return math.ceil(1000 * math.expm1(abs(self.ratio.log))) / 10


def differing_controls(
    controls: Sequence[Control], threshold_percent: float
) -> tuple[Differing, ...]:
    """The controls that differ from their records beyond the threshold.

    They are judged as one family: of hundreds of controls some would differ by chance.
    """
    ratios = [ratio_estimate(one.second, one.first) for one in controls]
    p_values = [
        min(ratio.p_above(threshold_percent), ratio.reversed.p_above(threshold_percent))
        for ratio in ratios
    ]
    judged = zip(controls, ratios, adjusted(p_values), strict=True)
    return tuple(Differing(one, ratio) for one, ratio, p in judged if p <= LARGEST_P)


def job_thresholds(found: Sequence[Differing]) -> dict[Job, float]:
    """What a difference has to exceed, in percent, in jobs that cannot tell equals apart."""
    told: dict[Job, float] = {}
    for one in found:
        job = job_of(one.control.first)
        told[job] = max(one.percent, told.get(job, 0.0))
    return told


def job_of(record: Record) -> Job:
    """The jobs that measured a record, one a round: each is of one framework on one device."""
    return record.requested, record.framework


def control_findings(found: Sequence[Differing]) -> list[DataFinding]:
    """A finding for each control that differs."""
    return [
        DataFinding(
            "control-differs",
            Level.WARNING,
            tuple(map(str, (*control.first.places, *control.second.places))),
            f"{control.first.name}: this job's measurement cannot tell equals apart: the same cell "
            f"measured twice differs by {100 * (ratio.value - 1):+.1f} % (95 % interval "
            f"{100 * (ratio.bounds.low - 1):+.1f} to {100 * (ratio.bounds.high - 1):+.1f} %); "
            f"no smaller difference of {control.first.framework} on {control.first.requested} "
            "counts here",
        )
        for control, ratio in ((one.control, one.ratio) for one in found)
    ]
