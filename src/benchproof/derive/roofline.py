"""Each record against its device's roof, and growth with the batch."""

from itertools import pairwise

from benchproof.derive import quantities as q
from benchproof.derive.grid import Grid
from benchproof.derive.results import describe
from benchproof.derive.rows import RooflineRow, ScalingRow
from benchproof.model.record import Record
from benchproof.records.study import Study


def roofline_rows(study: Study) -> list[RooflineRow]:
    """Every record that may be compared; without ceilings or traffic its roof is missing."""
    return [_roofline_row(record) for record in study.records]


def _roofline_row(record: Record) -> RooflineRow:
    roof = q.has_roof(record)
    kind = q.ceilings_kind(record)
    bound = ("compute" if q.is_compute_bound(record) else "memory") if roof else None
    return RooflineRow(
        **describe(record),
        device=record.requested.value,
        framework=record.framework.value,
        variant=record.variant,
        kind=record.kind.value,
        batch=record.batch,
        bound=bound,
        note="" if roof else f"no {record.precision} ceiling, or work not told",
        ceilings=kind.value if roof and kind else "",
        intensity_flop_per_byte=q.intensity(record) if roof else None,
        ridge_flop_per_byte=q.ridge(record) if roof else None,
        attainable_flops_per_s=q.attainable(record) if roof else None,
        achieved_flops_per_s=q.achieved_flops(record) if roof else None,
        efficiency_percent=q.efficiency(record) if roof else None,
        peak_flops_per_s=q.peak_flops(record) if roof else None,
        peak_bytes_per_s=q.peak_bandwidth(record) if roof else None,
    )


def scaling_rows(study: Study, models: tuple[str, ...]) -> list[ScalingRow]:
    """Growth between neighbouring batches, and from the smallest batch to the largest."""
    rows = []
    for series in Grid(study.records, models).series():
        pairs = list(pairwise(series))
        if len(pairs) > 1:
            pairs.append((series[0], series[-1]))
        rows += [_scaling_row(small, large) for small, large in pairs]
    return rows


def _scaling_row(small: Record, large: Record) -> ScalingRow:
    return ScalingRow(
        **describe(small, large),
        device=small.requested.value,
        framework=small.framework.value,
        variant=small.variant,
        kind=small.kind.value,
        small_batch=small.batch,
        large_batch=large.batch,
        batch_growth=q.batch_growth(small, large),
        latency_growth=q.latency_growth(small, large),
        throughput_growth=q.throughput_growth(small, large),
    )
