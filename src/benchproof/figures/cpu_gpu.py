"""CPU against GPU: latencies of one framework's fastest variants at batches both measured."""

import re
from collections.abc import Sequence

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
from benchproof.figures.page import Drawing, Page, framework_keys
from benchproof.figures.palette import Fill
from benchproof.figures.rows import DeviceRow

TITLE = "CPU against GPU at shared batches"
SAME_FRAMEWORK = "same framework"
MOST_NOTES = 8
_BATCH_NOTE = re.compile(r"batch (\d+) was (not measured on .+)")


def draw_cpu_gpu(evidence: Evidence) -> Drawing:
    """CPU latency over GPU latency in ×: one panel a GPU, with everything that is left out."""
    rows = [row for row in evidence.tables.cpu_gpu if row.basis == SAME_FRAMEWORK]
    compared = [row for row in rows if row.speedup is not None]
    page = Page(TITLE, f"{_subtitle(compared)} {evidence.scope_text}")
    if compared:
        _draw_compared(page, evidence, compared, rows)
    else:
        page.statement(_why_nothing(evidence, rows))
    page.notes(_left_out(rows))
    return page.finish()


def _subtitle(compared: Sequence[DeviceRow]) -> str:
    rules = sorted({row.rule for row in compared if row.rule})
    rule = f" Fastest by the rule: {', '.join(rules)}." if rules else ""
    return f"CPU latency over GPU latency, the same framework on both sides.{rule}"


def _draw_compared(
    page: Page, evidence: Evidence, compared: list[DeviceRow], rows: list[DeviceRow]
) -> None:
    panels = []
    for gpu in dict.fromkeys(row.gpu for row in compared):
        here = [row for row in rows if row.gpu == gpu]
        panels.append(_panel(evidence, gpu, here))
    axis = Axis("CPU latency / GPU latency [×]", "×", 1.0, "← CPU is faster", "GPU is faster →")
    draw_panels(page, panels, axis)
    shown = {row.framework for row in compared}
    keys = framework_keys([one for one in evidence.series if one.framework in shown])
    page.legend([*keys, *other_batch_keys(panels), *interval_keys(panels), *gap_keys(panels)])
    page.y += 4


def _panel(evidence: Evidence, gpu: str, rows: list[DeviceRow]) -> Panel:
    compared = [row for row in rows if row.speedup is not None]
    batch = max(row.batch for row in compared)
    shown = {row.framework for row in compared}
    frameworks = [name for name in evidence.frameworks if name in shown]
    groups = tuple(
        Group(model, tuple(_mark(evidence, rows, model, name, batch) for name in frameworks))
        for model in evidence.models
    )
    return Panel(f"{device_name(gpu)}, batch {batch}", groups)


def _mark(
    evidence: Evidence, rows: list[DeviceRow], model: str, framework: str, batch: int
) -> Mark:
    look = next(one.look for one in evidence.series if one.framework == framework)
    series = Series(framework, "", look, Fill.FULL)
    mine = [row for row in rows if (row.model, row.framework) == (model, framework)]
    others = tuple(row.speedup for row in mine if row.speedup and row.batch != batch)
    row = next((row for row in mine if row.batch == batch), None)
    if row is not None and row.speedup is not None:
        label = ratio_text(row.speedup)
        return Mark(series, row.speedup, interval=row.interval, others=others, label=label)
    if others:
        return Mark(series, None, others=others, label=NOT_AT_BATCH)
    return Mark(series, None, (row.note if row else "") or "not measured")


def _why_nothing(evidence: Evidence, rows: Sequence[DeviceRow]) -> str:
    if not rows:
        devices = ", ".join(map(device_name, evidence.devices))
        return f"Nothing could be compared: no GPU was measured, only {devices}."
    return "Nothing could be compared: no model has evidence on both devices at one batch."


def _left_out(rows: Sequence[DeviceRow]) -> list[str]:
    """One paragraph a framework: why rows of it have no ratio."""
    missing = [row for row in rows if row.speedup is None and row.note]
    paragraphs = []
    for framework in dict.fromkeys(row.framework for row in missing):
        told = [row for row in missing if row.framework == framework]
        reasons = _merged(told, len({row.model for row in rows}))
        if len(reasons) > MOST_NOTES:
            reasons[MOST_NOTES:] = [f"and {len(reasons) - MOST_NOTES} more reasons"]
        paragraphs.append(f"Left out, {framework}: {'; '.join(reasons)}.")
    return paragraphs


def _merged(rows: Sequence[DeviceRow], models: int) -> list[str]:
    """Each reason once, with the batches and the number of models that it is about."""
    about: dict[str, set[str]] = {}
    for row in rows:
        about.setdefault(row.note, set()).add(row.model)
    others: list[str] = []
    batches: dict[str, list[int]] = {}
    for note, named in about.items():
        some = f" ({len(named)} of {models} models)" if len(named) < models else ""
        told = _BATCH_NOTE.fullmatch(note)
        if told:
            batches.setdefault(told[2] + some, []).append(int(told[1]))
        else:
            others.append(note + some)
    for reason, numbers in batches.items():
        word = "batches" if len(numbers) > 1 else "batch"
        others.append(f"{word} {', '.join(map(str, sorted(numbers)))} {reason}")
    return others
