"""Compiled against eager, and one run against its repeat: like for like only."""

from collections.abc import Iterator

import msgspec

from benchproof.derive import quantities as q
from benchproof.derive.grid import Grid, work_of
from benchproof.derive.judgement import (
    Judged,
    control_note,
    joined,
    judge_pairs,
    rounds_text,
    unstable_note,
)
from benchproof.derive.results import describe
from benchproof.derive.rows import RepeatRow, SpeedupRow
from benchproof.errors import GateError
from benchproof.evidence.intervals import Verdict
from benchproof.model.keys import VariantKind
from benchproof.model.record import Record
from benchproof.records.gates import ran_elsewhere, work_differences
from benchproof.records.study import Study
from benchproof.values.expression import has_field
from benchproof.values.value import Value


class Sides(msgspec.Struct, frozen=True):
    """A compiled variant and its eager base; `absence` says why a side is missing."""

    eager: Record | None
    compiled: Record | None
    variant: str
    absence: str

    @property
    def measured(self) -> list[Record]:
        """The sides that were measured, one at least."""
        return [record for record in (self.eager, self.compiled) if record is not None]


def speedup_rows(study: Study, models: tuple[str, ...]) -> list[SpeedupRow]:
    """Every compiled variant against eager, wherever one of the two was measured.

    Quarantined records are compared among themselves, as what they are: `ran_on` says where. All
    speedups are judged as one family.
    """
    sides = list(_all_sides(study, models))
    speedups = [_speedup_or_why_not(one.eager, one.compiled) for one in sides]
    pairs = [
        (one.eager, one.compiled) if one.eager and one.compiled and speedup else None
        for one, (speedup, _) in zip(sides, speedups, strict=True)
    ]
    judged = judge_pairs(pairs, study)
    return [
        _speedup_row(one, speedup, refusal, found, study)
        for one, (speedup, refusal), found in zip(sides, speedups, judged, strict=True)
    ]


def _all_sides(study: Study, models: tuple[str, ...]) -> Iterator[Sides]:
    grid = Grid(study.records + study.quarantined, models)
    untimed = Grid(study.untimed, models)
    asked = Grid(study.everything, models)
    for device, framework, work, kind, variant, batch in asked.cells():
        if kind is VariantKind.EAGER:
            continue
        base = asked.eager(framework)
        eager = grid.find(device, framework, work, base, batch)
        compiled = grid.find(device, framework, work, variant, batch)
        if eager is not None or compiled is not None:
            absent = variant if eager is not None else base
            failed = untimed.find(device, framework, work, absent, batch)
            why = "; ".join(failed.reasons) if failed is not None else ""
            yield Sides(eager, compiled, variant, why or f"{absent} was not measured")


def _speedup_row(
    sides: Sides, speedup: Value | None, refusal: str, judged: Judged | None, study: Study
) -> SpeedupRow:
    both = sides.measured
    told = sides.compiled or both[0]
    missing = "" if len(both) == 2 else sides.absence
    ran_on = told.actual or told.requested
    elsewhere = f"ran on {ran_on}, not on {told.requested}" if ran_elsewhere(told) else ""
    return SpeedupRow(
        **describe(*both),
        device=told.requested.value,
        ran_on=ran_on.value,
        framework=told.framework.value,
        batch=told.batch,
        variant=sides.variant,
        note=joined(
            missing or refusal or elsewhere,
            control_note(study, *both) if judged else "",
            unstable_note(*both),
        ),
        verdict=judged.verdict.value if judged else "",
        between_rounds=rounds_text(*both) if judged else "",
        eager_s=q.latency(sides.eager) if sides.eager else None,
        compiled_s=q.latency(sides.compiled) if sides.compiled else None,
        speedup=speedup,
        first_call_s=_first_call(sides.compiled) if sides.compiled else None,
        break_even_calls=_break_even(sides, judged) if speedup else None,
        speedup_low=judged.low if judged else None,
        speedup_high=judged.high if judged else None,
        adjusted_p=judged.adjusted_p if judged else None,
    )


def _first_call(compiled: Record) -> Value | None:
    return q.first_call(compiled) if has_field(compiled, "first_call_s") else None


def _break_even(sides: Sides, judged: Judged | None) -> Value | None:
    """Calls until compiling has paid; None where the samples do not say that it saves anything."""
    if sides.eager is None or sides.compiled is None:
        return None
    if judged is not None and judged.verdict is not Verdict.FASTER:
        return None
    return q.break_even(sides.eager, sides.compiled)


def _speedup_or_why_not(eager: Record | None, compiled: Record | None) -> tuple[Value | None, str]:
    """The speedup where both were measured, or what the gates say against it."""
    if eager is None or compiled is None:
        return None, ""
    try:
        return q.speedup(eager, compiled), ""
    except GateError as refused:
        return None, str(refused)


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
