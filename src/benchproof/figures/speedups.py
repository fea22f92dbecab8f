"""Compiled over eager: one panel a device, and one for what ran elsewhere than it was asked."""

from typing import NamedTuple

from benchproof.figures.dotrows import (
    NOT_AT_BATCH,
    Axis,
    Group,
    Mark,
    Panel,
    draw_panels,
    gap_keys,
    interval_keys,
    other_batch_keys,
)
from benchproof.figures.evidence import Evidence, Series, device_name
from benchproof.figures.numerals import ratio_text
from benchproof.figures.page import (
    Drawing,
    Page,
    framework_keys,
    variant_keys,
)
from benchproof.figures.rows import SpeedupRow

TITLE = "Speedup of compiled over eager"
SUBTITLE = "Eager latency over compiled latency; right of 1× compiling pays off."
AXIS = Axis("speedup [×]", "×", 1.0, "← eager is faster", "compiled is faster →")


class Where(NamedTuple):
    """The device that rows were asked for, and the one they ran on."""

    device: str
    ran_on: str


def draw_speedups(evidence: Evidence) -> Drawing:
    """Speedup in ×: a marker at the largest batch, ticks at the others."""
    page = Page(TITLE, f"{SUBTITLE} {evidence.scope_text}")
    rows = evidence.tables.compile_speedup
    places = dict.fromkeys(_where(row) for row in rows if row.speedup is not None)
    if not places:
        page.statement("No model was measured both eager and compiled.")
        return page.finish()
    panels = [_panel(evidence, where) for where in sorted(places, key=_is_elsewhere)]
    draw_panels(page, panels, AXIS)
    shown = {(row.framework, row.variant) for row in rows if row.speedup is not None}
    series = [one for one in evidence.series if (one.framework, one.variant) in shown]
    keys = [
        *framework_keys(series),
        *variant_keys(series),
        *other_batch_keys(panels),
        *interval_keys(panels),
    ]
    page.legend([*keys, *gap_keys(panels)])
    return page.finish()


def _where(row: SpeedupRow) -> Where:
    return Where(row.device, row.ran_on or row.device)


def _is_elsewhere(where: Where) -> bool:
    return where.device != where.ran_on


def _panel(evidence: Evidence, where: Where) -> Panel:
    rows = [row for row in evidence.tables.compile_speedup if _where(row) == where]
    told = [row for row in rows if row.speedup is not None]
    batch = max(row.batch for row in told)
    pairs = {(row.framework, row.variant) for row in told}
    series = [one for one in evidence.series if (one.framework, one.variant) in pairs]
    groups = tuple(
        Group(model, tuple(_mark(rows, model, one, batch) for one in series))
        for model in evidence.models
    )
    return Panel(_heading(where, batch), groups, _note(where))


def _heading(where: Where, batch: int) -> str:
    if not _is_elsewhere(where):
        return f"{device_name(where.device)}, batch {batch}"
    asked, ran = device_name(where.device), device_name(where.ran_on)
    return f"Asked for {asked}, ran on the {ran}, batch {batch}"


def _note(where: Where) -> str:
    if not _is_elsewhere(where):
        return ""
    return f"These records are no evidence about the {device_name(where.device)}."


def _mark(rows: list[SpeedupRow], model: str, series: Series, batch: int) -> Mark:
    of_series = [
        row for row in rows
        if (row.model, row.framework, row.variant) == (model, series.framework, series.variant)
    ]  # fmt: skip
    at_batch = next((row for row in of_series if row.batch == batch), None)
    others = tuple(row.speedup for row in of_series if row.speedup and row.batch != batch)
    if at_batch is None or at_batch.speedup is None:
        if others:
            return Mark(series, None, others=others, label=NOT_AT_BATCH)
        return Mark(series, None, (at_batch.note if at_batch else "") or "not measured")
    label = ratio_text(at_batch.speedup)
    return Mark(series, at_batch.speedup, interval=at_batch.interval, others=others, label=label)
