"""CPU against GPU at shared batches, like for like, and what was left out with the reason."""

from collections.abc import Iterator, Sequence

import msgspec

from benchproof.derive import quantities as q
from benchproof.derive.comparisons import best_of
from benchproof.derive.grid import Grid, Work, places_text
from benchproof.derive.rows import DeviceRow
from benchproof.model.keys import Device, Framework
from benchproof.model.record import Record
from benchproof.records.gates import (
    SelectionRule,
    is_timed,
    ran_elsewhere,
    work_differences,
)
from benchproof.records.study import Study

SAME_FRAMEWORK = "same framework"
EQUAL_WORK = "any framework, equal work"


class Meeting(msgspec.Struct, frozen=True):
    """What a comparison of devices is about: one framework, GPU, work and batch, under a rule."""

    framework: Framework
    gpu: Device
    work: Work
    batch: int
    rule: SelectionRule

    def records(
        self, grid: Grid, device: Device, framework: Framework | None = None
    ) -> list[Record]:
        """Records of one device that the rule admits; of any framework where none is named."""
        found = grid.select(device, self.work, self.batch, framework)
        return [record for record in found if self.rule.admits(record)]

    def asked(self, grid: Grid, device: Device) -> list[Record]:
        """Everything that was asked of one device in this meeting."""
        return grid.select(device, self.work, self.batch, self.framework)


def device_rows(study: Study, models: tuple[str, ...], rule: SelectionRule) -> list[DeviceRow]:
    """CPU against each GPU at every batch, by framework, and against any CPU of equal work."""
    grid = Grid(study.records, models)
    asked = Grid(study.everything, models)
    return [row for meeting in _meetings(asked, rule) for row in _rows_of(meeting, grid, asked)]


def _meetings(asked: Grid, rule: SelectionRule) -> Iterator[Meeting]:
    for gpu in (device for device in asked.devices if device.is_gpu):
        for framework in asked.frameworks:
            for work in asked.works:
                for batch in asked.batches(work):
                    yield Meeting(framework, gpu, work, batch, rule)


def _rows_of(meeting: Meeting, grid: Grid, asked: Grid) -> Iterator[DeviceRow]:
    cpu_side = meeting.records(grid, Device.CPU, meeting.framework)
    gpu_side = meeting.records(grid, meeting.gpu, meeting.framework)
    if cpu_side or gpu_side or meeting.asked(asked, meeting.gpu):
        why = _why_left_out(meeting, asked)
        yield _device_row(SAME_FRAMEWORK, meeting, cpu_side, gpu_side, why)
    if gpu_side:
        others = meeting.records(grid, Device.CPU)
        rivals = [other for other in others if not work_differences(gpu_side[0], other)]
        none = "no CPU run of equal work at this batch"
        yield _device_row(EQUAL_WORK, meeting, rivals, gpu_side, none)


def _why_left_out(meeting: Meeting, asked: Grid) -> str:
    """Why a framework has no side on the GPU or, where it has one there, none on the CPU."""
    gpu, framework = meeting.gpu, meeting.framework
    on_gpu, on_cpu = meeting.asked(asked, gpu), meeting.asked(asked, Device.CPU)
    ever = any(r.requested is gpu and r.framework is framework for r in asked.records)
    if not on_gpu:
        return f"not measured on {gpu} at this batch" if ever else f"not measured on {gpu} at all"
    why_no_gpu = _why_unusable(on_gpu, meeting.rule)
    if why_no_gpu or on_cpu:
        return why_no_gpu or _why_unusable(on_cpu, meeting.rule)
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
    basis: str, meeting: Meeting, cpu_side: list[Record], gpu_side: list[Record], why: str
) -> DeviceRow:
    work, gpu = meeting.work, meeting.gpu
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
        framework=meeting.framework.value,
        batch=meeting.batch,
        rule=meeting.rule.value,
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
