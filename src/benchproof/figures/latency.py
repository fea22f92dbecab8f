"""Latency by model, each device at its largest batch, with its spread within the run."""

from benchproof.figures.dotrows import Axis, Mark, draw_panels, gap_keys, interval_keys
from benchproof.figures.evidence import Evidence, Series, gap_text
from benchproof.figures.page import (
    Drawing,
    Key,
    Page,
    framework_keys,
    variant_keys,
)
from benchproof.figures.palette import Colour
from benchproof.figures.placepanel import place_panel
from benchproof.figures.rows import CellRow, ends

TITLE = "Latency by model, with its spread"
MS_PER_S = 1e3
CUT_SHARE = 0.5
CUT_NOTE = "A bar that would reach below half of the median ends there."
SPREAD_KEYS = (
    Key("mean ± one standard deviation", Colour.SLATE_TINT, is_bar=True),
    Key("up to the 95th percentile", Colour.SLATE, is_line=True),
)


def draw_latency(evidence: Evidence) -> Drawing:
    """Median, deviation and 95th percentile in ms: one panel a device."""
    page = Page(TITLE, f"Markers are medians; lower is better. {evidence.scope_text}")
    panels = [place_panel(evidence, place, _mark) for place in evidence.largest_places()]
    if panels:
        draw_panels(page, panels, Axis("latency of one call [ms]"))
        keys = [*framework_keys(evidence.series), *variant_keys(evidence.series), *SPREAD_KEYS]
        page.legend([*keys, *interval_keys(panels), *gap_keys(panels)])
        marks = [mark for panel in panels for group in panel.groups for mark in group.marks]
        if any(_is_cut(mark) for mark in marks):
            page.notes([CUT_NOTE])
    else:
        page.statement("No latency was measured.")
    return page.finish()


def _is_cut(mark: Mark) -> bool:
    return mark.bar is not None and mark.value is not None and mark.bar[0] == mark.value * CUT_SHARE


def _mark(series: Series, cell: CellRow | None) -> Mark:
    if cell is None or cell.latency_s is None or cell.quarantined:
        return Mark(series, None, gap_text(cell))
    median = cell.latency_s * MS_PER_S
    bar = None
    if cell.mean_s is not None and cell.stddev_s is not None:
        mean, deviation = cell.mean_s * MS_PER_S, cell.stddev_s * MS_PER_S
        # On a logarithmic axis zero is infinitely far away: the bar ends at half the median.
        bar = (max(mean - deviation, median * CUT_SHARE), mean + deviation)
    whisker = (median, cell.p95_s * MS_PER_S) if cell.p95_s is not None else None
    found = ends(cell.latency_low_s, cell.latency_high_s)
    interval = (found[0] * MS_PER_S, found[1] * MS_PER_S) if found else None
    return Mark(series, median, bar=bar, whisker=whisker, interval=interval)
