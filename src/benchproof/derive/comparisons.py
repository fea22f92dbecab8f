"""Compiled against eager, framework against framework, CPU against GPU: like for like only."""

from collections.abc import Sequence

from benchproof.derive import quantities as q
from benchproof.derive.grid import Grid, Work, work_of
from benchproof.derive.results import describe, equal_work_groups
from benchproof.derive.rows import RepeatRow, SpeedupRow, WinnerRow
from benchproof.errors import GateError
from benchproof.model.keys import Device, VariantKind
from benchproof.model.record import Record
from benchproof.records.gates import (
    SelectionRule,
    ran_elsewhere,
    work_differences,
)
from benchproof.records.study import Study
from benchproof.values.value import Value


def speedup_rows(study: Study, models: tuple[str, ...]) -> list[SpeedupRow]:
    """Every compiled variant against eager, wherever one of the two was measured.

    Quarantined records are compared among themselves, as what they are: `ran_on` says where.
    """
    grid = Grid(study.records + study.quarantined, models)
    untimed = Grid(study.untimed, models)
    asked = Grid(study.everything, models)
    rows = []
    for device, framework, work, kind, variant, batch in asked.cells():
        if kind is VariantKind.EAGER:
            continue
        base = asked.eager(framework)
        eager = grid.find(device, framework, work, base, batch)
        compiled = grid.find(device, framework, work, variant, batch)
        if eager is not None or compiled is not None:
            absent = variant if eager is not None else base
            failed = untimed.find(device, framework, work, absent, batch)
            why = failed.cell.reason if failed is not None else None
            rows.append(_speedup_row(eager, compiled, variant, why or f"{absent} was not measured"))
    return rows


def _speedup_row(
    eager: Record | None, compiled: Record | None, variant: str, absence: str
) -> SpeedupRow:
    """One row; `absence` says why a side is missing, where one is."""
    told = compiled or eager
    assert told is not None
    both = [record for record in (eager, compiled) if record is not None]
    missing = "" if len(both) == 2 else absence
    ran_on = told.actual or told.requested
    elsewhere = f"ran on {ran_on}, not on {told.requested}" if ran_elsewhere(told) else ""
    speedup, refusal = _speedup_or_why_not(eager, compiled)
    return SpeedupRow(
        **describe(*both),
        device=told.requested.value,
        ran_on=ran_on.value,
        framework=told.framework.value,
        batch=told.batch,
        variant=variant,
        note=missing or refusal or elsewhere,
        eager_s=q.latency(eager) if eager else None,
        compiled_s=q.latency(compiled) if compiled else None,
        speedup=speedup,
    )


def _speedup_or_why_not(eager: Record | None, compiled: Record | None) -> tuple[Value | None, str]:
    """The speedup where both were measured, or what the gates say against it."""
    if eager is None or compiled is None:
        return None, ""
    try:
        return q.speedup(eager, compiled), ""
    except GateError as refused:
        return None, str(refused)


def winner_rows(study: Study, models: tuple[str, ...], rule: SelectionRule) -> list[WinnerRow]:
    """The fastest of each contest: one row per device, work, batch and group of equal work."""
    grid = Grid(study.records, models)
    return [
        _winner_row(group, rule)
        for device in grid.devices
        for work in grid.works
        for batch in grid.batches(work)
        for group in contests(grid, device, work, batch, rule)
    ]


def contests(
    grid: Grid, device: Device, work: Work, batch: int, rule: SelectionRule
) -> list[list[Record]]:
    """Records that may meet under the rule, in groups of equal work."""
    admitted = [record for record in grid.select(device, work, batch) if rule.admits(record)]
    return equal_work_groups(admitted)


def best_of(records: Sequence[Record]) -> Record:
    """The record with the shortest median latency."""
    return min(records, key=lambda record: q.latency(record).number)


def _winner_row(group: list[Record], rule: SelectionRule) -> WinnerRow:
    winner = best_of(group)
    others = [record for record in group if record.framework is not winner.framework]
    second = best_of(others) if others else None
    frameworks = list(dict.fromkeys(record.framework.value for record in group))
    alone = "" if second else "no other framework did the same work"
    return WinnerRow(
        **describe(winner, *(record for record in group if record is not winner)),
        device=winner.requested.value,
        batch=winner.batch,
        rule=rule.value,
        contest=", ".join(frameworks),
        winner=winner.framework.value if second else None,
        variant=winner.variant,
        runner_up=second.framework.value if second else None,
        runner_up_variant=second.variant if second else None,
        note=alone,
        latency_s=q.latency(winner),
        margin=q.ratio(second, winner, "margin over the runner-up") if second else None,
    )


def repeat_rows(study: Study, models: tuple[str, ...]) -> list[RepeatRow]:
    """Cells that ran on one kind of device in two sweeps, because one of them fell back to it."""
    grid = Grid(study.records, models)
    rows = []
    for second in Grid(study.quarantined, models).records:
        if second.actual is None:
            continue
        first = grid.find(
            second.actual, second.framework, work_of(second), second.variant, second.batch
        )
        if first is None or work_differences(first, second):
            continue
        rows.append(
            RepeatRow(
                **describe(first, second),
                ran_on=second.actual.value,
                framework=second.framework.value,
                variant=second.variant,
                batch=second.batch,
                first_s=q.latency(first),
                second_s=q.latency(second),
                change_percent=q.change(first, second),
            )
        )
    return sorted(rows, key=lambda row: grid.models.index(row.model))
