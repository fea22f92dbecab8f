"""CPU against GPU at shared batches, like for like, and what was left out with the reason."""

from collections.abc import Iterator, Sequence

import msgspec

from benchproof.derive import quantities as q
from benchproof.derive.contests import best_of
from benchproof.derive.grid import Grid, Work, places_text
from benchproof.derive.judgement import (
    Judged,
    control_note,
    joined,
    judge_pairs,
    rounds_text,
    unstable_note,
)
from benchproof.derive.rows import DeviceRow
from benchproof.evidence.intervals import Verdict
from benchproof.model.keys import Device, Framework
from benchproof.model.record import Record
from benchproof.records.gates import (
    Difference,
    SelectionRule,
    is_timed,
    ran_elsewhere,
    work_differences,
)
from benchproof.records.study import Study
from benchproof.values.value import Value

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
    """CPU against each GPU at every batch, by framework, and against any CPU of equal work.

    All rows that compare something are judged as one family.
    """
    grid = Grid(study.records, models)
    asked = Grid(study.everything, models)
    sides = [side for meeting in _meetings(asked, rule) for side in _sides_of(meeting, grid, asked)]
    judged = judge_pairs([side.pair for side in sides], study)
    return [_device_row(side, found, study) for side, found in zip(sides, judged, strict=True)]


def _meetings(asked: Grid, rule: SelectionRule) -> Iterator[Meeting]:
    for gpu in (device for device in asked.devices if device.is_gpu):
        for framework in asked.frameworks:
            for work in asked.works:
                for batch in asked.batches(work):
                    yield Meeting(framework, gpu, work, batch, rule)


class Sides(msgspec.Struct, frozen=True):
    """The fastest record of each device in one meeting; `why` there is none, where that is so."""

    basis: str
    meeting: Meeting
    cpu: Record | None
    gpu: Record | None
    why: str

    @property
    def differences(self) -> list[Difference]:
        """Fields in which the work of the two differs."""
        return work_differences(self.cpu, self.gpu) if self.cpu and self.gpu else []

    @property
    def pair(self) -> tuple[Record, Record] | None:
        """Both records, CPU first, where they may be compared."""
        if self.cpu is None or self.gpu is None or self.differences:
            return None
        return self.cpu, self.gpu


def _sides_of(meeting: Meeting, grid: Grid, asked: Grid) -> Iterator[Sides]:
    cpu_side = meeting.records(grid, Device.CPU, meeting.framework)
    gpu_side = meeting.records(grid, meeting.gpu, meeting.framework)
    if cpu_side or gpu_side or meeting.asked(asked, meeting.gpu):
        why = _why_left_out(meeting, asked)
        yield Sides(SAME_FRAMEWORK, meeting, _best(cpu_side), _best(gpu_side), why)
    if gpu_side:
        others = meeting.records(grid, Device.CPU)
        rivals = [other for other in others if not work_differences(gpu_side[0], other)]
        none = "no CPU run of equal work at this batch"
        yield Sides(EQUAL_WORK, meeting, _best(rivals), _best(gpu_side), none)


def _best(records: Sequence[Record]) -> Record | None:
    return best_of(records) if records else None


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
        reason = "; ".join(record.reasons)
        return f"{record.status} on {record.requested}: {reason}"
    if ran_elsewhere(record):
        return f"asked for {record.requested}, ran on {record.device_text}"
    return "" if rule.admits(record) else f"{record.variant} on {record.requested} is not {rule}"


def _device_row(sides: Sides, judged: Judged | None, study: Study) -> DeviceRow:
    meeting, cpu, gpu, pair = sides.meeting, sides.cpu, sides.gpu, sides.pair
    measured = [record for record in (cpu, gpu) if record]
    speedup = q.ratio(*pair, "CPU latency over GPU latency") if pair else None
    note = "" if pair else "; ".join(map(str, sides.differences)) or sides.why
    return DeviceRow(
        model=meeting.work.model,
        task=meeting.work.task.value,
        scale=meeting.work.scale,
        precision=meeting.work.precision.value,
        records=places_text(measured),
        basis=sides.basis,
        framework=meeting.framework.value,
        batch=meeting.batch,
        rule=meeting.rule.value,
        gpu=meeting.gpu.value,
        cpu_framework=cpu.framework.value if cpu else None,
        cpu_variant=cpu.variant if cpu else None,
        gpu_variant=gpu.variant if gpu else None,
        faster=_faster(meeting.gpu, speedup, judged),
        note=joined(
            note, control_note(study, *pair) if judged and pair else "", unstable_note(*measured)
        ),
        verdict=judged.verdict.value if judged else "",
        between_rounds=rounds_text(*pair) if pair else "",
        cpu_s=q.latency(cpu) if cpu else None,
        gpu_s=q.latency(gpu) if gpu else None,
        speedup=speedup,
        speedup_low=judged.low if judged else None,
        speedup_high=judged.high if judged else None,
        adjusted_p=judged.adjusted_p if judged else None,
    )


def _faster(gpu: Device, speedup: Value | None, judged: Judged | None) -> str | None:
    """The device that is faster; None where nothing, or nothing conclusive, was compared."""
    if speedup is None or (judged and judged.verdict is Verdict.INCONCLUSIVE):
        return None
    return gpu.value if speedup.number > 1 else Device.CPU.value
