"""All tables of a study."""

import msgspec

from benchproof.derive.comparisons import repeat_rows, speedup_rows
from benchproof.derive.contests import winner_rows
from benchproof.derive.controls import control_rows
from benchproof.derive.devices import device_rows
from benchproof.derive.results import (
    best_throughput_rows,
    result_rows,
    stability_rows,
    throughput_rows,
)
from benchproof.derive.roofline import roofline_rows, scaling_rows
from benchproof.derive.rows import (
    BestThroughputRow,
    ControlRow,
    DeviceRow,
    FindingRow,
    RepeatRow,
    ResultRow,
    RooflineRow,
    ScalingRow,
    SpeedupRow,
    StabilityRow,
    ThroughputRow,
    WinnerRow,
)
from benchproof.records.gates import SelectionRule
from benchproof.records.study import Study


class Tables(msgspec.Struct, frozen=True):
    """Rows of every table; the field's name is the table's name."""

    results: list[ResultRow]
    compile_speedup: list[SpeedupRow]
    winners: list[WinnerRow]
    cpu_gpu: list[DeviceRow]
    throughput: list[ThroughputRow]
    best_throughput: list[BestThroughputRow]
    roofline: list[RooflineRow]
    batch_scaling: list[ScalingRow]
    stability: list[StabilityRow]
    repeats: list[RepeatRow]
    controls: list[ControlRow]
    findings: list[FindingRow]


def derive(study: Study, models: tuple[str, ...], rule: SelectionRule) -> Tables:
    """All tables of a gated study; `rule` selects the fastest, `models` orders the rows."""
    return Tables(
        results=result_rows(study, models),
        compile_speedup=speedup_rows(study, models),
        winners=winner_rows(study, models, rule),
        cpu_gpu=device_rows(study, models, rule),
        throughput=throughput_rows(study),
        best_throughput=best_throughput_rows(study, models),
        roofline=roofline_rows(study),
        batch_scaling=scaling_rows(study, models),
        stability=stability_rows(study),
        repeats=repeat_rows(study, models),
        controls=control_rows(study, models),
        findings=[
            FindingRow(
                rule=finding.rule,
                level=finding.level.value,
                message=finding.message,
                records=" ".join(finding.records),
            )
            for finding in study.findings
        ],
    )
