"""What may be compared with what: device truth, same work, same batch, limits, one rule."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

import msgspec

from benchproof.errors import BatchError, DeviceTruthError, RuleConflictError, UnequalWorkError
from benchproof.model.keys import CeilingKind, CeilingQuantity, Device, VariantKind
from benchproof.model.record import Record
from benchproof.records.findings import DataFinding, Level

T = TypeVar("T")
IMPORT_TOLERANCE = 0.02  # imports tell totals only, and count biases and buffers differently


class SelectionRule(StrEnum):
    """Which variants a "fastest" is chosen from."""

    ANY_VARIANT = "any variant"
    COMPILED_ONLY = "compiled only"
    EAGER_ONLY = "eager only"

    def admits(self, record: Record) -> bool:
        """Whether the record's variant may win under this rule."""
        if self is SelectionRule.EAGER_ONLY:
            return record.kind is VariantKind.EAGER
        return self is SelectionRule.ANY_VARIANT or record.kind is not VariantKind.EAGER


def ran_elsewhere(record: Record) -> bool:
    """Whether the record names another device than the one it was asked for (gate 1)."""
    return record.actual is not None and record.actual is not record.requested


def is_timed(record: Record) -> bool:
    """Whether the record holds a latency at all."""
    return record.is_timed


def require_device_truth(record: Record) -> None:
    """Raise DeviceTruthError when the record did not run where it was asked to (gate 1)."""
    if ran_elsewhere(record):
        raise DeviceTruthError(
            f"{record.places[0]}: {record.name}: asked for {record.requested}, ran on "
            f"{record.device_text}; show it as what it is, or collect again"
        )


def require_same_batch(left: Record, right: Record) -> None:
    """Raise BatchError when two records ran at different batch sizes (gate 3)."""
    if left.batch != right.batch:
        raise BatchError(
            f"{left.name} against {right.name}: batch {left.batch} and {right.batch}; "
            "compare at a shared batch, or compare throughput and say so"
        )


class Difference(msgspec.Struct, frozen=True):
    """A field of the work in which two records differ; totals in FLOP or bytes."""

    field: str
    left: str
    right: str

    def __str__(self) -> str:
        return f"{self.field} {self.left} against {self.right}"


def work_differences(left: Record, right: Record, *, same_batch: bool = True) -> list[Difference]:
    """Fields in which the work of two records differs (gate 2); empty means the same work.

    Totals of imports may differ by 2 %, measured telemetry may not differ at all. At different
    batches FLOPs are compared per item, and between frameworks only: within one, a part that
    does not grow with the batch makes them differ though the model is the same. There the name
    of the model is enough where no total is told.
    """
    tolerance = work_tolerance(left, right)
    named = [
        Difference(field, str(a), str(b))
        for field, a, b in (
            ("model", left.model, right.model),
            ("task", left.workload.task, right.workload.task),
            ("scale", left.workload.scale, right.workload.scale),
            ("input shape", left.workload.input_shape, right.workload.input_shape),
            ("precision", left.precision, right.precision),
            *_told_by_both("layers", left.workload.fingerprint, right.workload.fingerprint),
        )
        if a != b
    ]
    flops = (left.cell.flops_per_call, right.cell.flops_per_call)
    one_program = not same_batch and left.framework is right.framework
    if one_program:
        flops = (None, None)
    elif not same_batch:
        flops = (_per_item(left), _per_item(right))
    known = [
        *_told_by_both("FLOPs", *flops),
        *_told_by_both("parameter bytes", left.cell.parameter_bytes, right.cell.parameter_bytes),
        *_told_by_both("parameters", left.cell.parameter_count, right.cell.parameter_count),
    ]
    counted = [
        Difference(field, f"{a:,}", f"{b:,}")
        for field, a, b in known
        if abs(a - b) > tolerance * max(a, b)
    ]
    if not one_program:
        counted += _untold(known, one_framework=left.framework is right.framework)
    return named + counted


def _told_by_both(field: str, left: T | None, right: T | None) -> list[tuple[str, T, T]]:
    """A field with both its values, where both records tell it."""
    return [] if left is None or right is None else [(field, left, right)]


def _untold(known: Iterable[tuple[str, int, int]], *, one_framework: bool) -> list[Difference]:
    """Totals without which the work is not known to be the same.

    One framework's program is known by any of its totals; between frameworks it takes the FLOPs
    and the size of the model.
    """
    told = {field for field, _, _ in known}
    if one_framework:
        return [] if told else [Difference("FLOPs", "not told", "not told")]
    missing = [] if "FLOPs" in told else ["FLOPs"]
    missing += [] if told - {"FLOPs"} else ["parameters"]
    return [Difference(field, "not told", "not told") for field in missing]


def work_tolerance(left: Record, right: Record) -> float:
    """Share of the larger total by which two totals may differ."""
    measured = left.source is None and right.source is None
    return 0.0 if measured else IMPORT_TOLERANCE


def _per_item(record: Record) -> int | None:
    flops = record.cell.flops_per_call
    return None if flops is None else flops // record.batch


def require_same_work(left: Record, right: Record, *, same_batch: bool = True) -> None:
    """Raise UnequalWorkError, naming every field that differs and both values (gate 2).

    When the totals differ, all of them are named, so that a reader sees the size of it.
    """
    differences = work_differences(left, right, same_batch=same_batch)
    if differences:
        raise UnequalWorkError(
            f"{left.name} against {right.name}: not the same work: "
            f"{'; '.join(map(str, differences))}; show the pair only as not like for like"
        )


def require_comparable(left: Record, right: Record) -> None:
    """Raise the first gate's error that forbids comparing two records' latencies (gates 1-3)."""
    require_device_truth(left)
    require_device_truth(right)
    require_same_batch(left, right)
    require_same_work(left, right)


def require_one_rule(uses: Iterable[tuple[SelectionRule, str]]) -> None:
    """Raise RuleConflictError when counts in one post follow different rules (gate 5).

    `uses` are the rules of a post's counts, each with where it is used.
    """
    first: dict[SelectionRule, str] = {}
    for rule, where in uses:
        first.setdefault(rule, where)
    if len(first) > 1:
        told = "; ".join(f"{rule.value!r} at {where}" for rule, where in first.items())
        raise RuleConflictError(
            f"counts under different selection rules in one post: {told}; "
            "choose one rule; `labelled_wins` shows what another one counts"
        )


def device_findings(records: Iterable[Record]) -> list[DataFinding]:
    """One finding per framework and device whose records ran elsewhere (gate 1)."""
    groups: dict[tuple[str, Device, str], list[Record]] = {}
    for record in filter(ran_elsewhere, records):
        actual = str(record.device_text)
        groups.setdefault((record.framework, record.requested, actual), []).append(record)
    return [
        DataFinding(
            "device-truth",
            Level.ERROR,
            tuple(str(place) for record in group for place in record.places),
            f"{len(group)} {framework} records asked for {requested} ran on {actual}; "
            f"they are no evidence about {requested}",
        )
        for (framework, requested, actual), group in groups.items()
    ]


def machine_findings(records: Iterable[Record]) -> list[DataFinding]:
    """A finding for each device that is one chip in some records of a study, another in others.

    A GPU is another chip than its host's CPU; two CPUs are two machines.
    """
    devices: dict[Device, dict[str, list[str]]] = {}
    for record in records:
        chips = devices.setdefault(record.requested, {})
        chips.setdefault(record.machine.chip, []).extend(map(str, record.places))
    return [finding for chips in devices.values() for finding in _chip_findings(chips)]


def _chip_findings(chips: dict[str, list[str]]) -> list[DataFinding]:
    if len(chips) < 2:
        return []
    told = ", ".join(f"{chip} ({len(places)})" for chip, places in chips.items())
    return [
        DataFinding(
            "mixed-machines",
            Level.ERROR,
            tuple(place for places in chips.values() for place in places),
            f"records of different chips in one study: {told}; give each machine its own study",
        )
    ]


def limit_findings(records: Iterable[Record]) -> list[DataFinding]:
    """Records whose achieved rate lies above a ceiling of their device (gate 4).

    Above a datasheet ceiling is an error in time, work or ceiling; above a measured one says
    that the measurement of the ceiling, or the count of traffic, is not what it is named.
    """
    return [
        finding
        for record in records
        if is_timed(record)
        for quantity in CeilingQuantity
        for kind in CeilingKind
        if (finding := _limit_finding(record, quantity, kind))
    ]


def _limit_finding(
    record: Record, quantity: CeilingQuantity, kind: CeilingKind
) -> DataFinding | None:
    flops = quantity is CeilingQuantity.FLOPS_PER_S
    work = record.cell.flops_per_call if flops else record.cell.bytes_per_call
    ceiling = record.ceiling(quantity, kind)
    if work is None or record.median_s is None or ceiling is None:
        return None
    achieved = work / record.median_s
    if achieved <= ceiling.value:
        return None
    unit = "GFLOP/s" if flops else "GB/s"
    # A memory's ceiling says nothing of data that never leaves the cache.
    cache = None if flops else record.machine.cache_bytes
    cached = cache is not None and work <= cache
    return DataFinding(
        "physical-limit",
        Level.ERROR if kind is CeilingKind.DATASHEET and not cached else Level.WARNING,
        tuple(map(str, record.places)),
        f"{record.name}: {achieved / 1e9:.4g} {unit} is above the {kind} ceiling of "
        f"{ceiling.value / 1e9:.4g} {unit} ({ceiling.source})"
        + ("; its data fits the last-level cache" if cached else ""),
    )
