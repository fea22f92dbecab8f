"""A record: a validated cell, its rounds pooled, and where each of them lies on disk."""

import math
from collections.abc import Iterable
from statistics import fmean, median, stdev

import msgspec

from benchproof.model.keys import (
    CeilingKind,
    CeilingQuantity,
    Device,
    Framework,
    Precision,
    Status,
    VariantKind,
)
from benchproof.model.raw import Ceiling, Cell, Machine, Protocol, Source, Summary, Workload


class Place(msgspec.Struct, frozen=True, order=True):
    """Where one round of a record lies: file (from the project's root), JSON pointer, SHA-256."""

    file: str
    pointer: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.file}#{self.pointer}"


class Record(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One cell with the evidence of all its rounds; `cells` and `places` run in step."""

    study: str
    requested: Device
    framework: Framework
    framework_version: str | None
    workload: Workload
    machine: Machine
    protocol: Protocol
    source: Source | None
    cells: tuple[Cell, ...]
    places: tuple[Place, ...]

    @property
    def cell(self) -> Cell:
        """The first round's cell: key and work are the same in every round."""
        return self.cells[0]

    @property
    def actual(self) -> Device | None:
        """Device where the output lived; None where the source does not tell.

        A round that ran elsewhere than it was asked to decides for the whole record.
        """
        return self._telling_cell.actual_device

    @property
    def device_text(self) -> str | None:
        """The actual device as the output or the source named it."""
        cell = self._telling_cell
        return cell.device_text or (cell.actual_device.value if cell.actual_device else None)

    @property
    def _telling_cell(self) -> Cell:
        told = [cell for cell in self.cells if cell.actual_device is not None]
        elsewhere = [cell for cell in told if cell.actual_device is not self.requested]
        return next(iter((*elsewhere, *told, *self.cells)))

    @property
    def model(self) -> str:
        """Name of the model."""
        return self.workload.model

    @property
    def variant(self) -> str:
        """Name of the variant, for example `torch.compile`."""
        return self.cell.variant

    @property
    def kind(self) -> VariantKind:
        """Kind of the variant."""
        return self.cell.kind

    @property
    def batch(self) -> int:
        """Batch size."""
        return self.cell.batch

    @property
    def precision(self) -> Precision:
        """Number format of the arithmetic."""
        return self.cell.precision

    @property
    def status(self) -> Status:
        """Worst status of the rounds: one failed round fails the record."""
        order = (Status.FAILED, Status.SKIPPED, Status.UNSTABLE, Status.OK)
        return min((cell.status for cell in self.cells), key=order.index)

    @property
    def is_timed(self) -> bool:
        """Whether the record holds a latency at all: no round of it failed or was skipped."""
        return self.status in (Status.OK, Status.UNSTABLE)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the record has its status, each reason once: what the rounds of that status say."""
        told = (cell.reason for cell in self.cells if cell.status is self.status and cell.reason)
        return tuple(dict.fromkeys(told))

    @property
    def name(self) -> str:
        """The key as a reader says it: `PyTorch torch.compile LSTM on mps, batch 256, fp32`."""
        scale = f" ({self.workload.scale})" if self.workload.scale else ""
        task = "" if self.workload.task.value == "inference" else f" {self.workload.task}"
        return (
            f"{self.framework} {self.variant} {self.model}{scale}{task} on {self.requested}, "
            f"batch {self.batch}, {self.precision}"
        )

    @property
    def samples_ns(self) -> tuple[int, ...]:
        """Every timed sample of all rounds, in nanoseconds; empty where only a summary is kept."""
        return tuple(sample for samples in self.rounds_ns for sample in samples)

    @property
    def rounds_ns(self) -> tuple[tuple[int, ...], ...]:
        """The timed samples of each round, in nanoseconds, in step with `cells`.

        A record that failed or was skipped has none, though a round of it may: half of what was
        asked for would stand for the whole.
        """
        is_timed = self.is_timed
        return tuple(cell.samples_ns if is_timed else () for cell in self.cells)

    @property
    def between_rounds(self) -> float | None:
        """Standard deviation of the rounds' medians over their mean; None below two rounds."""
        medians = [median(samples) for samples in self.rounds_ns if samples]
        return stdev(medians) / fmean(medians) if len(medians) > 1 else None

    @property
    def summary(self) -> Summary | None:
        """The import's summary; None where samples are kept."""
        return None if self.samples_ns or not self.is_timed else self.cell.summary

    @property
    def median_s(self) -> float | None:
        """Median latency in seconds; samples of all rounds pooled."""
        if self.samples_ns:
            return median(self.samples_ns) / 1e9
        return _seconds(self.summary.median_ns if self.summary else None)

    @property
    def mean_s(self) -> float | None:
        """Mean latency in seconds."""
        if self.samples_ns:
            return fmean(self.samples_ns) / 1e9
        return _seconds(self.summary.mean_ns if self.summary else None)

    @property
    def stddev_s(self) -> float | None:
        """Sample standard deviation of the latency in seconds (n - 1 in the denominator)."""
        if len(self.samples_ns) > 1:
            return stdev(self.samples_ns) / 1e9
        return _seconds(self.summary.stddev_ns if self.summary else None)

    @property
    def p95_s(self) -> float | None:
        """95th percentile of the latency in seconds, nearest rank; an import's own where told."""
        if self.samples_ns:
            ordered = sorted(self.samples_ns)
            return ordered[math.ceil(0.95 * len(ordered)) - 1] / 1e9
        return _seconds(self.summary.p95_ns if self.summary else None)

    @property
    def first_call_s(self) -> float | None:
        """Longest first call of any round in seconds: the one with the coldest cache."""
        told = [cell.first_call_ns for cell in self.cells if cell.first_call_ns is not None]
        return _seconds(max(told, default=None))

    @property
    def device_median_s(self) -> float | None:
        """Median time of a call by the device's own clock in seconds; all rounds pooled."""
        told = [sample for cell in self.cells for sample in cell.device_samples_ns]
        return _seconds(median(told)) if told and self.is_timed else None

    def ceiling(self, quantity: CeilingQuantity, kind: CeilingKind) -> Ceiling | None:
        """The machine's ceiling that applies to this record; None where none is known.

        A FLOP/s ceiling applies only to its own precision: fp16 work is never held against an
        fp32 peak.
        """
        fitting = (c for c in self.machine.ceilings if c.quantity is quantity and c.kind is kind)
        if quantity is CeilingQuantity.FLOPS_PER_S:
            fitting = (c for c in fitting if c.precision is self.precision)
        return max(fitting, key=lambda c: c.value, default=None)


def _seconds(nanoseconds: float | None) -> float | None:
    return None if nanoseconds is None else nanoseconds / 1e9


class Citation(msgspec.Struct, frozen=True, order=True):
    """A place as a reader is told of it: file, JSON pointer, SHA-256, and the record in words."""

    file: str
    pointer: str
    sha256: str
    name: str


def citations(records: Iterable[Record]) -> tuple[Citation, ...]:
    """All rounds of the records, each once, ordered by file and position in the file."""
    told = {
        Citation(place.file, place.pointer, place.sha256, record.name)
        for record in records
        for place in record.places
    }
    return tuple(sorted(told, key=lambda one: (one.file, _position(one.pointer))))


def _position(pointer: str) -> tuple[int, str]:
    tail = pointer.rsplit("/", 1)[-1]
    return (int(tail), pointer) if tail.isdigit() else (-1, pointer)
