"""All results, throughput and stability: one row per cell, the missing ones included."""

from typing import TypedDict

from benchproof.derive import quantities as q
from benchproof.derive.grid import Grid, places_text
from benchproof.derive.judgement import joined, latency_interval, unstable_note
from benchproof.derive.rows import (
    BestThroughputRow,
    ResultRow,
    StabilityRow,
    ThroughputRow,
)
from benchproof.model.record import Record
from benchproof.records.gates import ran_elsewhere, work_differences
from benchproof.records.sampling import CV_LIMIT_PERCENT
from benchproof.records.study import Study
from benchproof.values.expression import has_field
from benchproof.values.units import Unit
from benchproof.values.value import Value


class Described(TypedDict):
    """The fields that every row has, as `describe` gives them."""

    model: str
    task: str
    scale: str | None
    precision: str
    records: str


def describe(record: Record, *others: Record) -> Described:
    """The fields of a row that say what was computed, and where the evidence lies."""
    return {
        "model": record.model,
        "task": record.workload.task.value,
        "scale": record.workload.scale,
        "precision": record.precision.value,
        "records": places_text((record, *others)),
    }


def known(record: Record, field: str, unit: Unit, derivation: str) -> Value | None:
    """A field of a record as a value; None where it was not measured."""
    return q.field(record, field, unit, derivation) if has_field(record, field) else None


def result_rows(study: Study, models: tuple[str, ...]) -> list[ResultRow]:
    """Every cell of the study's grid."""
    grid = Grid(study.everything, models)
    rows = []
    for device, framework, work, kind, variant, batch in grid.cells():
        record = grid.find(device, framework, work, variant, batch)
        if record is not None:
            rows.append(_measured(record))
            continue
        rows.append(
            ResultRow(
                model=work.model,
                task=work.task.value,
                scale=work.scale,
                precision=work.precision.value,
                records="",
                device=device.value,
                ran_on=None,
                framework=framework.value,
                variant=variant,
                kind=kind.value,
                batch=batch,
                status="not measured",
                note="",
            )
        )
    return rows


def _measured(record: Record) -> ResultRow:
    quarantined = ran_elsewhere(record)
    note = f"asked for {record.requested}, ran on {record.device_text}" if quarantined else ""
    note = note or unstable_note(record)
    timed = record.median_s is not None
    interval = latency_interval(record) if timed else None
    return ResultRow(
        **describe(record),
        device=record.requested.value,
        ran_on=record.actual.value if record.actual else None,
        framework=record.framework.value,
        variant=record.variant,
        kind=record.kind.value,
        batch=record.batch,
        status="quarantined" if quarantined else record.status.value,
        note=note or "; ".join(record.reasons),
        latency_s=q.latency(record) if timed else None,
        latency_low_s=interval.low if interval else None,
        latency_high_s=interval.high if interval else None,
        rounds=known(record, "rounds", Unit.COUNT, "rounds"),
        samples=known(record, "samples", Unit.COUNT, "timed samples"),
        mean_s=known(record, "mean_s", Unit.SECOND, "mean latency"),
        stddev_s=known(record, "stddev_s", Unit.SECOND, "standard deviation of latency"),
        p95_s=known(record, "p95_s", Unit.SECOND, "95th percentile of latency"),
        throughput_per_s=q.throughput(record) if timed else None,
        flops=known(record, "flops", Unit.FLOP, "FLOPs per call"),
        bytes=known(record, "bytes", Unit.BYTE, "bytes per call"),
        parameter_bytes=known(record, "parameter_bytes", Unit.BYTE, "parameter bytes"),
    )


def throughput_rows(study: Study) -> list[ThroughputRow]:
    """Throughput of every record that may be compared."""
    return [
        ThroughputRow(
            **describe(record),
            device=record.requested.value,
            framework=record.framework.value,
            variant=record.variant,
            batch=record.batch,
            throughput_per_s=q.throughput(record),
            achieved_flops_per_s=q.achieved_flops(record) if has_field(record, "flops") else None,
        )
        for record in study.records
    ]


def best_throughput_rows(study: Study, models: tuple[str, ...]) -> list[BestThroughputRow]:
    """The best throughput of each device, among records of equal work per item."""
    grid = Grid(study.records, models)
    rows = []
    for device in grid.devices:
        for work in grid.works:
            candidates = [
                r for batch in grid.batches(work) for r in grid.select(device, work, batch)
            ]
            for group in equal_work_groups(candidates, same_batch=False):
                best = max(group, key=lambda r: q.throughput(r).number)
                met = ", ".join(dict.fromkeys(r.framework.value for r in group))
                rows.append(
                    BestThroughputRow(
                        **describe(best),
                        device=device.value,
                        framework=best.framework.value,
                        variant=best.variant,
                        batch=best.batch,
                        contest=met,
                        throughput_per_s=q.throughput(best),
                    )
                )
    return rows


def equal_work_groups(records: list[Record], *, same_batch: bool = True) -> list[list[Record]]:
    """Records sorted into groups that did the same work: each member agrees with all others."""
    groups: list[list[Record]] = []
    for record in records:
        for group in groups:
            if not any(work_differences(record, member, same_batch=same_batch) for member in group):
                group.append(record)
                break
        else:
            groups.append([record])
    return groups


def stability_rows(study: Study) -> list[StabilityRow]:
    """Spread within and between the rounds of every record, quarantined ones left out."""
    rows = []
    for record in study.records:
        spread = has_field(record, "stddev_s") and has_field(record, "mean_s")
        cv = q.variation(record) if spread else None
        p95 = has_field(record, "p95_s")
        rounds = has_field(record, "between_rounds")
        wide = cv is not None and cv.number > CV_LIMIT_PERCENT
        rows.append(
            StabilityRow(
                **describe(record),
                device=record.requested.value,
                framework=record.framework.value,
                variant=record.variant,
                batch=record.batch,
                note=joined("the mean says nothing" if wide else "", unstable_note(record)),
                latency_s=q.latency(record),
                cv_percent=cv,
                p95_s=q.p95_latency(record) if p95 else None,
                p95_over_median=q.tail(record) if p95 else None,
                rounds=known(record, "rounds", Unit.COUNT, "rounds"),
                between_rounds_percent=q.between_rounds(record) if rounds else None,
            )
        )
    return rows
