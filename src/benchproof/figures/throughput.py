"""Samples per second: each device at its largest batch, and at its best one."""

from functools import partial

from benchproof.figures.dotrows import Axis, Mark, Panel, draw_panels, gap_keys
from benchproof.figures.evidence import Evidence, Place, Series, gap_text
from benchproof.figures.numerals import value_text
from benchproof.figures.page import (
    Drawing,
    Key,
    Page,
    framework_keys,
    variant_keys,
)
from benchproof.figures.palette import Colour
from benchproof.figures.placepanel import place_panel
from benchproof.figures.rows import BestRow, CellRow

TITLE = "Throughput at the largest batch"
SUBTITLE = (
    "Higher is better. A star is the best that a device reached for a model at any batch, among "
    "records that did the same work per sample."
)
STAR = Key("best of the device", Colour.INK, "*")

Best = dict[tuple[str, str, str], BestRow]


def draw_throughput(evidence: Evidence) -> Drawing:
    """Samples/s: one panel a device, the best of each device as a star."""
    page = Page(TITLE, f"{SUBTITLE} {evidence.scope_text}")
    panels = [_panel(evidence, place) for place in evidence.largest_places()]
    if panels:
        draw_panels(page, panels, Axis("throughput [samples/s]"))
        keys = [*framework_keys(evidence.series), *variant_keys(evidence.series), STAR]
        page.legend([*keys, *gap_keys(panels)])
    else:
        page.statement("No throughput was measured.")
    return page.finish()


def _panel(evidence: Evidence, place: Place) -> Panel:
    best = {
        (row.model, row.framework, row.variant): row
        for row in evidence.tables.best_throughput
        if row.device == place.device
    }
    return place_panel(evidence, place, partial(_mark, best))


def _mark(best: Best, series: Series, cell: CellRow | None) -> Mark:
    if cell is None or cell.throughput_per_s is None or cell.quarantined:
        return Mark(series, None, gap_text(cell))
    top = best.get((cell.model, series.framework, series.variant))
    if top is None:
        return Mark(series, cell.throughput_per_s)
    best_text = value_text(top.throughput_per_s)
    if top.batch == cell.batch:
        return Mark(series, cell.throughput_per_s, label=f"★ {best_text}")
    label = f"{best_text} at batch {top.batch}"
    return Mark(series, cell.throughput_per_s, star=top.throughput_per_s, label=label)
