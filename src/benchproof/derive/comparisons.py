"""Compiled against eager, framework against framework, CPU against GPU: like for like only."""

from collections.abc import Sequence

from benchproof.derive import quantities as q
from benchproof.derive.grid import Grid, Work, places_text, work_of
from benchproof.derive.results import describe, equal_work_groups
from benchproof.derive.rows import DeviceRow, RepeatRow, SpeedupRow, WinnerRow
from benchproof.errors import GateError
from benchproof.model.keys import Device, Framework, VariantKind
from benchproof.model.record import Record
from benchproof.records.gates import (
    SelectionRule,
    is_timed,
    ran_elsewhere,
    work_differences,
)
from benchproof.records.study import Study
from benchproof.values.value import Value

SAME_FRAMEWORK = "same framework"
EQUAL_WORK = "any framework, equal work"


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


def device_rows(study: Study, models: tuple[str, ...], rule: SelectionRule) -> list[DeviceRow]:
    """CPU against each GPU at every batch, by framework, and against any CPU of equal work."""
    grid = Grid(study.records, models)
    asked = Grid(study.everything, models)
    rows = []
    for gpu in (device for device in asked.devices if device.is_gpu):
        for framework in asked.frameworks:
            for work in asked.works:
                for batch in asked.batches(work):
                    cpu_side = _admitted(grid, Device.CPU, work, batch, rule, framework)
                    gpu_side = _admitted(grid, gpu, work, batch, rule, framework)
                    if cpu_side or gpu_side or _was_asked(asked, gpu, framework, work, batch):
                        why = _why_left_out(asked, gpu, framework, work, batch, rule)
                        rows.append(
                            _device_row(
                                SAME_FRAMEWORK,
                                framework,
                                gpu,
                                work,
                                batch,
                                rule,
                                cpu_side,
                                gpu_side,
                                why,
                            )
                        )
                    if gpu_side:
                        rivals = _equal_to(
                            gpu_side[0], _admitted(grid, Device.CPU, work, batch, rule)
                        )
                        rows.append(
                            _device_row(
                                EQUAL_WORK,
                                framework,
                                gpu,
                                work,
                                batch,
                                rule,
                                rivals,
                                gpu_side,
                                "no CPU run of equal work at this batch",
                            )
                        )
    return rows


def _admitted(
    grid: Grid,
    device: Device,
    work: Work,
    batch: int,
    rule: SelectionRule,
    framework: Framework | None = None,
) -> list[Record]:
    return [r for r in grid.select(device, work, batch, framework) if rule.admits(r)]


def _was_asked(grid: Grid, gpu: Device, framework: Framework, work: Work, batch: int) -> bool:
    return bool(grid.select(gpu, work, batch, framework))


def _equal_to(record: Record, others: Sequence[Record]) -> list[Record]:
    return [other for other in others if not work_differences(record, other)]


def _why_left_out(
    asked: Grid,
    gpu: Device,
    framework: Framework,
    work: Work,
    batch: int,
    rule: SelectionRule,
) -> str:
    """Why a framework has no side on the GPU or, where it has one there, none on the CPU."""
    on_gpu = asked.select(gpu, work, batch, framework)
    on_cpu = asked.select(Device.CPU, work, batch, framework)
    ever = any(r.requested is gpu and r.framework is framework for r in asked.records)
    if not on_gpu:
        return f"not measured on {gpu} at this batch" if ever else f"not measured on {gpu} at all"
    why_no_gpu = _why_unusable(on_gpu, rule)
    if why_no_gpu or on_cpu:
        return why_no_gpu or _why_unusable(on_cpu, rule)
    return "not measured on the CPU at this batch"


def _why_unusable(records: Sequence[Record], rule: SelectionRule) -> str:
    """Why none of the records can stand for their device; empty where one can."""
    reasons = [_why_not(record, rule) for record in records]
    return "" if "" in reasons else "; ".join(dict.fromkeys(reasons))


def _why_not(record: Record, rule: SelectionRule) -> str:
    if not is_timed(record):
        reason = next((cell.reason for cell in record.cells if cell.reason), "no reason told")
        return f"{record.status} on {record.requested}: {reason}"
    if ran_elsewhere(record):
        return f"asked for {record.requested}, ran on {record.device_text}"
    return "" if rule.admits(record) else f"{record.variant} on {record.requested} is not {rule}"


def _device_row(
    basis: str,
    framework: Framework,
    gpu: Device,
    work: Work,
    batch: int,
    rule: SelectionRule,
    cpu_side: list[Record],
    gpu_side: list[Record],
    why: str,
) -> DeviceRow:
    cpu = best_of(cpu_side) if cpu_side else None
    best = best_of(gpu_side) if gpu_side else None
    differences = work_differences(cpu, best) if cpu and best else []
    like = cpu is not None and best is not None and not differences
    speedup = q.ratio(cpu, best, "CPU latency over GPU latency") if cpu and best and like else None
    note = "; ".join(map(str, differences)) if differences else ("" if like else why)
    return DeviceRow(
        model=work.model,
        task=work.task.value,
        scale=work.scale,
        precision=work.precision.value,
        records=places_text([r for r in (cpu, best) if r]),
        basis=basis,
        framework=framework.value,
        batch=batch,
        rule=rule.value,
        gpu=gpu.value,
        cpu_framework=cpu.framework.value if cpu else None,
        cpu_variant=cpu.variant if cpu else None,
        gpu_variant=best.variant if best else None,
        faster=(gpu.value if speedup.number > 1 else "cpu") if speedup else None,
        note=note,
        cpu_s=q.latency(cpu) if cpu else None,
        gpu_s=q.latency(best) if best else None,
        speedup=speedup,
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
