"""Panels of dots in rows: models as groups, series as rows, one logarithmic axis below."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from benchproof.figures.axes import NAME_PT, Frame, draw_columns, label_columns, name_columns
from benchproof.figures.evidence import Series
from benchproof.figures.lettering import clean, shorten, width_pt, wrap
from benchproof.figures.page import EDGE_PT, NOT_MEASURED, RIGHT_PT, Key, Page
from benchproof.figures.palette import Colour
from benchproof.figures.scale import LogScale, log_scale
from benchproof.figures.sheet import BASE_PT, SMALL_PT

ROOMY_ROW_PT, TIGHT_ROW_PT, ROOMY_ROWS = 13.0, 9.0, 100
LEAST_GROUP_PT = 22.0
GROUP_MARGIN_PT = 4.0
MOST_GUTTER_PT = 150.0
HEADING_PT = 19.0
LABEL_GAP_PT = 8.0
NOT_AT_BATCH = "–"
OTHER_BATCHES = Key("other batches", Colour.SLATE, "|", is_line=True)
INTERVAL = Key("95 % interval", Colour.INK, "|", is_line=True)


class Mark(NamedTuple):
    """One row: its marker's value, or a gap that says why there is none."""

    series: Series
    value: float | None
    gap: str = ""
    bar: tuple[float, float] | None = None
    whisker: tuple[float, float] | None = None
    interval: tuple[float, float] | None = None
    others: tuple[float, ...] = ()
    star: float | None = None
    label: str = ""

    def values(self) -> list[float]:
        """Everything that must fit on the axis."""
        told = [self.value, self.star, *self.others, *(self.bar or ()), *(self.whisker or ())]
        told += self.interval or ()
        return [value for value in told if value is not None]


class Group(NamedTuple):
    """The rows of one model."""

    name: str
    marks: tuple[Mark, ...]


class Panel(NamedTuple):
    """One heading with its groups."""

    heading: str
    groups: tuple[Group, ...]
    note: str = ""

    def values(self) -> list[float]:
        """Everything that must fit on the axis."""
        return [v for group in self.groups for mark in group.marks for v in mark.values()]


class Axis(NamedTuple):
    """What the axis shows; `line_at` draws a heavier line, such as at 1×."""

    name: str
    suffix: str = ""
    line_at: float | None = None
    below: str = ""
    above: str = ""


def gap_keys(panels: Sequence[Panel]) -> list[Key]:
    """The legend's key for gaps, where there is one."""
    marks = [mark for panel in panels for group in panel.groups for mark in group.marks]
    return [NOT_MEASURED] if any(mark.gap for mark in marks) else []


def other_batch_keys(panels: Sequence[Panel]) -> list[Key]:
    """The legend's key for the ticks of other batches, where there are any."""
    marks = [mark for panel in panels for group in panel.groups for mark in group.marks]
    return [OTHER_BATCHES] if any(mark.others for mark in marks) else []


def interval_keys(panels: Sequence[Panel]) -> list[Key]:
    """The legend's key for intervals, where there are any."""
    marks = [mark for panel in panels for group in panel.groups for mark in group.marks]
    return [INTERVAL] if any(mark.interval for mark in marks) else []


def draw_panels(page: Page, panels: Sequence[Panel], axis: Axis) -> None:
    """All panels below one another, on axes of the same range."""
    names = [clean(group.name) for panel in panels for group in panel.groups]
    widest = max((width_pt(name, BASE_PT) for name in names), default=0)
    left = EDGE_PT + min(widest, MOST_GUTTER_PT) + 10
    values = [value for panel in panels for value in panel.values()]
    anchor = [axis.line_at] if axis.line_at else []
    labels = [mark.label for p in panels for group in p.groups for mark in group.marks]
    room = max(width_pt(label, SMALL_PT) for label in ["", *labels])
    right = RIGHT_PT - room - (LABEL_GAP_PT if room else 0)
    scale = log_scale([*values, *anchor], left + 8, right - 12)
    rows = sum(len(group.marks) for panel in panels for group in panel.groups)
    row_pt = ROOMY_ROW_PT if rows <= ROOMY_ROWS or room else TIGHT_ROW_PT
    for panel in panels:
        _draw_panel(page, panel, axis, scale, left, row_pt)


def _draw_panel(
    page: Page, panel: Panel, axis: Axis, scale: LogScale, left: float, row_pt: float
) -> None:
    page.heading(panel.heading)
    page.y += HEADING_PT
    if panel.note:
        page.notes([panel.note])
    page.y += 5
    if axis.above:
        _draw_sides(page, axis, scale)
    heights = [
        max(len(group.marks) * row_pt + 2 * GROUP_MARGIN_PT, LEAST_GROUP_PT)
        for group in panel.groups
    ]
    frame = Frame(left, page.y, RIGHT_PT, page.y + sum(heights))
    _draw_bands(page, frame, heights)
    ticks = scale.ticks()
    draw_columns(page.sheet, frame, scale, ticks)
    if axis.line_at:
        x = scale.place(axis.line_at)
        page.sheet.line([(x, frame.top), (x, frame.bottom)], Colour.GUIDE, 1.6)
    for group, height in zip(panel.groups, heights, strict=True):
        _draw_group(page, group, height, frame, scale, row_pt)
    label_columns(page.sheet, frame, scale, ticks, axis.suffix)
    name_columns(page.sheet, frame, axis.name)
    page.y = frame.bottom + NAME_PT + 20


def _draw_sides(page: Page, axis: Axis, scale: LogScale) -> None:
    """What lies left and right of the line at 1×; a side that has no room needs no words."""
    middle = scale.place(axis.line_at or 1.0)
    if middle - 8 - width_pt(axis.below, SMALL_PT) >= EDGE_PT:
        page.sheet.text(middle - 8, page.y + 5, axis.below, colour=Colour.MUTED, align="right")
    if middle + 8 + width_pt(axis.above, SMALL_PT) <= RIGHT_PT:
        page.sheet.text(middle + 8, page.y + 5, axis.above, colour=Colour.MUTED)
    page.y += 16


def _draw_bands(page: Page, frame: Frame, heights: Sequence[float]) -> None:
    top = frame.top
    for index, height in enumerate(heights):
        if index % 2 == 0:
            page.sheet.box(EDGE_PT, top, RIGHT_PT - EDGE_PT, height, Colour.BAND)
        top += height


def _draw_group(
    page: Page, group: Group, height: float, frame: Frame, scale: LogScale, row_pt: float
) -> None:
    middle = page.y + height / 2
    room = frame.left - EDGE_PT - 8
    lines = wrap(clean(group.name), BASE_PT, room, most_lines=2 if height > 34 else 1)
    for index, line in enumerate(lines):
        y = middle + (index - (len(lines) - 1) / 2) * (BASE_PT + 3)
        page.sheet.text(EDGE_PT + 4, y, shorten(line, BASE_PT, room), size_pt=BASE_PT)
    row_y = middle - (len(group.marks) - 1) / 2 * row_pt
    for gap, marks in groupby(group.marks, key=lambda mark: mark.gap):
        count = len(list(marks))
        if gap:
            _draw_gap(page, gap, frame, row_y - row_pt / 2, count * row_pt)
        row_y += count * row_pt
    row_y = middle - (len(group.marks) - 1) / 2 * row_pt
    for mark in group.marks:
        _draw_mark(page, mark, row_y, scale)
        row_y += row_pt
    page.y += height


def _draw_gap(page: Page, gap: str, frame: Frame, top: float, height: float) -> None:
    page.sheet.box(frame.left + 2, top + 1, frame.right - frame.left - 4, height - 2, Colour.HATCH,
                   hatch=True)  # fmt: skip
    if height < ROOMY_ROW_PT - 1:
        return
    text = shorten(clean(gap), SMALL_PT, frame.right - frame.left - 30)
    width = width_pt(text, SMALL_PT) + 10
    y = top + height / 2
    page.sheet.box(frame.left + 8, y - 6.5, width, 13, Colour.PAPER)
    page.sheet.text(frame.left + 13, y, text, colour=Colour.MUTED)


def _draw_mark(page: Page, mark: Mark, y: float, scale: LogScale) -> None:
    look, sheet = mark.series.look, page.sheet
    if mark.bar:
        low, high = map(scale.clamped, mark.bar)
        sheet.line([(low, y), (high, y)], look.tint, 7)
    if mark.whisker:
        start, end = map(scale.place, mark.whisker)
        cap = ((end, y - 3.5), (end, y + 3.5))
        sheet.strokes([((start, y), (end, y)), cap], look.colour, 1.3)
    if mark.interval:
        start, end = map(scale.place, mark.interval)
        caps = [((x, y - 3), (x, y + 3)) for x in (start, end)]
        sheet.strokes([((start, y), (end, y)), *caps], Colour.INK, 0.8)
    if mark.others:
        places = [scale.place(other) for other in mark.others]
        sheet.line([(min(places), y), (max(places), y)], look.tint, 2)
        sheet.strokes([((x, y - 3.5), (x, y + 3.5)) for x in places], look.colour, 1.2)
    if mark.star is not None:
        sheet.dots([(scale.place(mark.star), y)], "*", Colour.INK, size_pt=10)
    if mark.value is not None:
        sheet.dots([(scale.place(mark.value), y)], look.marker, look.colour, mark.series.fill)
    if mark.label:
        sheet.text(RIGHT_PT - 4, y, mark.label, align="right")
