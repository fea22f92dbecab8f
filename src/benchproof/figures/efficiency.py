"""How much of its roof each cell reaches: a table of shaded percentages a device and batch."""

from bisect import bisect_right
from collections.abc import Sequence

from benchproof.figures.evidence import Evidence, Place, Series, gap_text
from benchproof.figures.lettering import clean, width_pt, wrap
from benchproof.figures.numerals import percent_text, tick_text
from benchproof.figures.page import EDGE_PT, NOT_MEASURED, RIGHT_PT, Drawing, Page
from benchproof.figures.palette import FIRST_STRONG_STEP, STEPS, Colour
from benchproof.figures.sheet import BASE_PT, SMALL_PT

TITLE = "Share of the roofline that each cell reaches"
SUBTITLE = "Achieved FLOP/s in percent of what the datasheet's roof allows."
EDGES_PERCENT = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
ROW_PT = 24.0
MOST_GUTTER_PT = 150.0


def draw_efficiency(evidence: Evidence) -> Drawing:
    """Roofline efficiency in percent: rows are models, columns are series, a panel a place."""
    page = Page(TITLE, f"{SUBTITLE} {evidence.scope_text}")
    if not any(row.efficiency_percent for row in evidence.tables.roofline):
        page.statement("No ceiling of these devices is known, or the work was not told.")
        return page.finish()
    widest = max(width_pt(clean(model), BASE_PT) for model in evidence.models)
    left = EDGE_PT + min(widest, MOST_GUTTER_PT) + 10
    _draw_column_heads(page, evidence.series, left)
    for place in evidence.places_that_matter():
        _draw_panel(page, evidence, place, left)
    _draw_scale(page)
    page.legend([NOT_MEASURED])
    return page.finish()


def _column_pt(series: Sequence[Series], left: float) -> float:
    return (RIGHT_PT - left) / len(series)


def _draw_column_heads(page: Page, series: Sequence[Series], left: float) -> None:
    width = _column_pt(series, left)
    tops = {one: wrap(clean(one.framework), SMALL_PT, width - 2, 1)[0] for one in series}
    heads = {one: _variant_lines(one.variant, width - 2) for one in series}
    deepest = max(map(len, heads.values()))
    for index, one in enumerate(series):
        x = left + (index + 0.5) * width
        page.sheet.text(x, page.y + 8, tops[one], colour=one.look.colour, align="center", bold=True)
        for number, line in enumerate(heads[one]):
            page.sheet.text(x, page.y + 22 + 13 * number, line, align="center")
    page.y += 24 + 13 * deepest


def _variant_lines(variant: str, room_pt: float) -> list[str]:
    """A variant's name, broken after its point where it is too wide."""
    text = clean(variant)
    if width_pt(text, SMALL_PT) > room_pt:
        text = text.replace(".", ". ")
    return wrap(text, SMALL_PT, room_pt, most_lines=2)


def _draw_panel(page: Page, evidence: Evidence, place: Place, left: float) -> None:
    page.heading(place.title)
    page.y += 22
    for model in evidence.models:
        room = left - EDGE_PT - 8
        name = wrap(clean(model), BASE_PT, room, most_lines=1)[0]
        page.sheet.text(EDGE_PT + 4, page.y + ROW_PT / 2, name, size_pt=BASE_PT)
        _draw_row(page, evidence, place, model, left)
        page.y += ROW_PT
    page.y += 12


def _draw_row(page: Page, evidence: Evidence, place: Place, model: str, left: float) -> None:
    cells, roofs = evidence.cells(), evidence.roofs()
    width = _column_pt(evidence.series, left)
    gaps: list[tuple[float, str]] = []
    for index, series in enumerate(evidence.series):
        x = left + index * width
        key = (place.device, place.batch, model, series.framework, series.variant)
        roof = roofs.get(key)
        if roof is not None and roof.efficiency_percent is not None:
            _draw_cell(page, roof.efficiency_percent, x, width)
        else:
            gaps.append((x, (roof.note if roof else "") or gap_text(cells.get(key))))
    _draw_gaps(page, gaps, width)


def _draw_cell(page: Page, percent: float, x: float, width: float) -> None:
    step = bisect_right(EDGES_PERCENT, percent)
    ink = Colour.STRONG_TEXT if step >= FIRST_STRONG_STEP else Colour.INK
    page.sheet.box(x + 1, page.y + 1, width - 2, ROW_PT - 2, STEPS[step])
    size = SMALL_PT if width > 44 else 9.0
    text = percent_text(percent)
    page.sheet.text(x + width / 2, page.y + ROW_PT / 2, text, colour=ink, align="center",
                    size_pt=size)  # fmt: skip


def _draw_gaps(page: Page, gaps: Sequence[tuple[float, str]], width: float) -> None:
    """Hatch what is missing; neighbours with the same reason share one box and one text."""
    merged: list[tuple[float, float, str]] = []
    for x, reason in gaps:
        if merged and merged[-1][2] == reason and abs(merged[-1][1] - x) < 0.01:
            merged[-1] = (merged[-1][0], x + width, reason)
        else:
            merged.append((x, x + width, reason))
    for start, end, reason in merged:
        page.sheet.box(start + 1, page.y + 1, end - start - 2, ROW_PT - 2, Colour.HATCH, hatch=True)
        text_width = width_pt(clean(reason), SMALL_PT)
        if text_width < end - start - 12:
            middle = ((start + end) / 2, page.y + ROW_PT / 2)
            page.sheet.box(middle[0] - text_width / 2 - 4, middle[1] - 7, text_width + 8, 14,
                           Colour.PAPER)  # fmt: skip
            page.sheet.text(*middle, clean(reason), colour=Colour.MUTED, align="center")


def _draw_scale(page: Page) -> None:
    """The shades with their limits in percent."""
    width = (RIGHT_PT - EDGE_PT - 150) / len(STEPS)
    page.sheet.text(EDGE_PT, page.y + 8, "efficiency [%]")
    for index, step in enumerate(STEPS):
        page.sheet.box(EDGE_PT + 110 + index * width, page.y, width, 14, step)
    for index, edge in enumerate(EDGES_PERCENT):
        x = EDGE_PT + 110 + (index + 1) * width
        page.sheet.text(x, page.y + 24, tick_text(edge), colour=Colour.MUTED, align="center")
    page.y += 40
