"""A/A controls: each cell that was measured twice in its own job, and whether the two agree."""

from benchproof.derive.grid import Grid
from benchproof.derive.judgement import is_conclusive, rounds_text, unstable_note
from benchproof.derive.results import describe
from benchproof.derive.rows import ControlRow
from benchproof.model.record import Record
from benchproof.records.controls import Control
from benchproof.records.study import Study
from benchproof.values.recomputed import Adjusted, What, family_of, recomputed
from benchproof.values.units import Unit
from benchproof.values.value import Value

SAME, DIFFERS = "same", "differs"


def control_rows(study: Study, models: tuple[str, ...]) -> list[ControlRow]:
    """Every control against its record, in the order of models; all judged as one family."""
    order = Grid(study.records, models).models
    controls = sorted(study.controls, key=lambda control: order.index(control.first.model))
    family = family_of(
        [recomputed(What.P, (one.second, one.first), study.threshold_percent) for one in controls]
    )
    return [
        _control_row(
            control,
            Value(Adjusted(family, index), Unit.PROBABILITY, "adjusted p-value of a difference"),
        )
        for index, control in enumerate(controls)
    ]


def _control_row(control: Control, adjusted_p: Value) -> ControlRow:
    first, second = control.first, control.second

    def ratio(what: What) -> Value:
        return Value(recomputed(what, (second, first)), Unit.RATIO, f"{what} of control over cell")

    return ControlRow(
        **describe(first, second),
        device=first.requested.value,
        framework=first.framework.value,
        variant=first.variant,
        batch=first.batch,
        verdict=DIFFERS if is_conclusive(adjusted_p) else SAME,
        between_rounds=rounds_text(first, second),
        note=unstable_note(first, second),
        first_s=_latency(first, "the cell in the control's rounds"),
        second_s=_latency(second, "the control"),
        ratio=ratio(What.ESTIMATE),
        low=ratio(What.LOW),
        high=ratio(What.HIGH),
        adjusted_p=adjusted_p,
    )


def _latency(record: Record, what: str) -> Value:
    """Median latency in seconds, from samples: queries read no controls, and every round."""
    return Value(recomputed(What.ESTIMATE, (record,)), Unit.SECOND, f"median latency of {what}")
