"""How much of its roof each cell reaches: a table of shaded percentages a device and batch."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby

from benchproof.figures.evidence import Evidence, Place, Series, gap_text
from benchproof.figures.lettering import BOLD_FACTOR, clean, shorten, width_pt, wrap
from benchproof.figures.numerals import percent_text, tick_text
from benchproof.figures.page import EDGE_PT, NOT_MEASURED, RIGHT_PT, Drawing, Page
from benchproof.figures.palette import FIRST_STRONG_STEP, STEPS, Colour
from benchproof.figures.sheet import BASE_PT, SMALL_PT

TITLE = "Share of the roofline that each cell reaches"
SUBTITLE = "Achieved FLOP/s in percent of what {roof} allows."
EDGES_PERCENT = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
ROW_PT = 24.0
MOST_GUTTER_PT = 150.0
MOST_UPRIGHT_PT = 130.0


def draw_efficiency(evidence: Evidence) -> Drawing:
    """Roofline efficiency in percent: rows are models, columns are series, a panel a place."""
    subtitle = SUBTITLE.format(roof=evidence.roof_name())
    page = Page(TITLE, f"{subtitle} {evidence.scope_text}")
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
    """Each framework above its columns, each variant above its own."""
    width = _column_pt(series, left)
    start = left
    for framework, columns in groupby(series, key=lambda one: one.framework):
        group = list(columns)
        end = start + width * len(group)
        name = wrap(clean(framework), SMALL_PT * BOLD_FACTOR, end - start - 4, most_lines=1)[0]
        middle, colour = (start + end) / 2, group[0].look.colour
        page.sheet.text(middle, page.y + 8, name, colour=colour, align="center", bold=True)
        page.sheet.strokes([((start + 2, page.y + 17), (end - 2, page.y + 17))], colour, 1.2)
        start = end
    page.y += 20
    _draw_variants(page, [clean(one.variant) for one in series], left, width)


def _draw_variants(page: Page, variants: Sequence[str], left: float, width: float) -> None:
    """Names above the columns; upright where a column is too narrow for one of them."""
    widest = max(width_pt(name, SMALL_PT) for name in variants)
    upright = widest > width - 2
    depth = min(widest, MOST_UPRIGHT_PT) + 6 if upright else 16
    for index, variant in enumerate(variants):
        x = left + (index + 0.5) * width
        name = shorten(variant, SMALL_PT, MOST_UPRIGHT_PT if upright else width)
        if upright:
            page.sheet.text(x, page.y + depth - 2, name, degrees=90)
        else:
            page.sheet.text(x, page.y + 8, name, align="center")
    page.y += depth + 6


def _draw_panel(page: Page, evidence: Evidence, place: Place, left: float) -> None:
    page.heading(place.title)
    page.y += 22
    rows = _rows(evidence, place)
    for model in evidence.models:
        room = left - EDGE_PT - 8
        name = shorten(clean(model), BASE_PT, room)
        page.sheet.text(EDGE_PT + 4, page.y + ROW_PT / 2, name, size_pt=BASE_PT)
        _draw_row(page, rows[model], left)
        page.y += ROW_PT
    page.y += 12


def _rows(evidence: Evidence, place: Place) -> dict[str, list[float | str]]:
    """By model: each series' efficiency in percent, or why there is none."""
    cells, roofs = evidence.cells(), evidence.roofs()

    def told(model: str, series: Series) -> float | str:
        key = (place.device, place.batch, model, series.framework, series.variant)
        roof = roofs.get(key)
        if roof is None:
            return gap_text(cells.get(key))
        return roof.efficiency_percent or roof.note or "no roof"

    return {model: [told(model, one) for one in evidence.series] for model in evidence.models}


def _draw_row(page: Page, row: Sequence[float | str], left: float) -> None:
    width = (RIGHT_PT - left) / len(row)
    x = left
    for told, run in groupby(row):
        count = len(list(run))
        if isinstance(told, str):
            _draw_gap(page, told, x, count * width)
        else:
            for index in range(count):
                _draw_cell(page, told, x + index * width, width)
        x += count * width


def _draw_cell(page: Page, percent: float, x: float, width: float) -> None:
    step = bisect_right(EDGES_PERCENT, percent)
    ink = Colour.STRONG_TEXT if step >= FIRST_STRONG_STEP else Colour.INK
    page.sheet.box(x + 1, page.y + 1, width - 2, ROW_PT - 2, STEPS[step])
    size = SMALL_PT if width > 44 else 9.0
    text = percent_text(percent)
    page.sheet.text(x + width / 2, page.y + ROW_PT / 2, text, colour=ink, align="center",
                    size_pt=size)  # fmt: skip


def _draw_gap(page: Page, reason: str, x: float, width: float) -> None:
    """Hatch what is missing; neighbours with the same reason share one box and one text."""
    page.sheet.box(x + 1, page.y + 1, width - 2, ROW_PT - 2, Colour.HATCH, hatch=True)
    text = clean(reason)
    needed = width_pt(text, SMALL_PT)
    if needed < width - 12:
        middle = (x + width / 2, page.y + ROW_PT / 2)
        page.sheet.box(middle[0] - needed / 2 - 4, middle[1] - 7, needed + 8, 14, Colour.PAPER)
        page.sheet.text(*middle, text, colour=Colour.MUTED, align="center")


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
