"""CPU against GPU: latencies of one framework's fastest variants at batches both measured."""

import re
from collections.abc import Sequence

from benchproof.figures.dotrows import Axis, Group, Mark, Panel, draw_panels, gap_keys
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
    page.legend([*keys, *gap_keys(panels)])
    page.y += 4


def _panel(evidence: Evidence, gpu: str, rows: list[DeviceRow]) -> Panel:
    compared = [row for row in rows if row.speedup is not None]
    batches = sorted({row.batch for row in compared})
    pairs = [
        (framework, batch)
        for framework in evidence.frameworks
        for batch in batches
        if any((row.framework, row.batch) == (framework, batch) for row in compared)
    ]
    groups = tuple(
        Group(model, tuple(_mark(evidence, rows, model, *pair, len(batches)) for pair in pairs))
        for model in evidence.models
    )
    told = ", ".join(map(str, batches))
    heading = f"{device_name(gpu)}, batch{'es' if len(batches) > 1 else ''} {told}"
    return Panel(heading, groups)


def _mark(
    evidence: Evidence, rows: list[DeviceRow], model: str, framework: str, batch: int, batches: int
) -> Mark:
    look = next(one.look for one in evidence.series if one.framework == framework)
    series = Series(framework, "", look, Fill.FULL)
    wanted = (model, framework, batch)
    row = next((r for r in rows if (r.model, r.framework, r.batch) == wanted), None)
    if row is None or row.speedup is None:
        return Mark(series, None, (row.note if row else "") or "not measured")
    where = f", batch {batch}" if batches > 1 else ""
    return Mark(series, row.speedup, label=ratio_text(row.speedup) + where)


def _why_nothing(evidence: Evidence, rows: Sequence[DeviceRow]) -> str:
    if not rows:
        devices = ", ".join(map(device_name, evidence.devices))
        return f"Nothing could be compared: only {devices} was measured."
    return "Nothing could be compared: no model has evidence on both devices at one batch."


def _left_out(rows: Sequence[DeviceRow]) -> list[str]:
    """One paragraph a framework: why rows of it have no ratio."""
    missing = [row for row in rows if row.speedup is None and row.note]
    paragraphs = []
    for framework in dict.fromkeys(row.framework for row in missing):
        notes = list(dict.fromkeys(row.note for row in missing if row.framework == framework))
        reasons = _merged(notes)
        if len(reasons) > MOST_NOTES:
            reasons[MOST_NOTES:] = [f"and {len(reasons) - MOST_NOTES} more reasons"]
        paragraphs.append(f"Left out, {framework}: {'; '.join(reasons)}.")
    return paragraphs


def _merged(notes: Sequence[str]) -> list[str]:
    """Notes about one batch each become one note about all of them; other notes come first."""
    others, batches = [], dict[str, list[int]]()
    for note in notes:
        told = _BATCH_NOTE.fullmatch(note)
        if told:
            batches.setdefault(told[2], []).append(int(told[1]))
        else:
            others.append(note)
    for reason, numbers in batches.items():
        word = "batches" if len(numbers) > 1 else "batch"
        others.append(f"{word} {', '.join(map(str, sorted(numbers)))} {reason}")
    return others
