"""Each device's roof, and how far below it each model's cells lie at the largest batch."""

from collections.abc import Sequence
from typing import NamedTuple

from benchproof.figures.axes import (
    draw_columns,
    draw_lines,
    label_columns,
    label_lines,
    name_columns,
)
from benchproof.figures.evidence import Evidence, Place, Series
from benchproof.figures.multiples import Small, draw_empty, small_panels
from benchproof.figures.numerals import value_text
from benchproof.figures.page import EDGE_PT, Drawing, Key, Page, framework_keys, variant_keys
from benchproof.figures.palette import Colour
from benchproof.figures.rows import RoofRow
from benchproof.figures.scale import LogScale, log_scale

TITLE = "Roofline: achieved FLOP/s against arithmetic intensity"
SUBTITLE = (
    "The line is {roof}: memory bandwidth left of its bend, peak FLOP/s right of "
    "it. Frameworks that stand apart sideways did different work under one name, or count their "
    "traffic differently."
)
PANEL_PT = 120.0
PER_GIGA = 1e-9


class Roof(NamedTuple):
    """Peaks of one device, in GFLOP/s and GB/s."""

    gflops_per_s: float
    gbytes_per_s: float

    @property
    def ridge_flop_per_byte(self) -> float:
        """Intensity at which memory and compute limit alike."""
        return self.gflops_per_s / self.gbytes_per_s

    def at(self, intensity: float) -> float:
        """GFLOP/s that the roof allows at an intensity in FLOP/byte."""
        return min(self.gflops_per_s, self.gbytes_per_s * intensity)


class Spot(NamedTuple):
    """One cell below the roof."""

    model: str
    series: Series
    intensity_flop_per_byte: float
    gflops_per_s: float


def draw_roofline(evidence: Evidence) -> Drawing:
    """GFLOP/s against FLOP/byte: a block a device at its largest batch, a panel a model."""
    subtitle = SUBTITLE.format(roof=evidence.roof_name())
    page = Page(TITLE, f"{subtitle} {evidence.scope_text}")
    drawn = [_draw_block(page, evidence, place) for place in evidence.largest_places()]
    if any(drawn):
        keys = [*framework_keys(evidence.series), *variant_keys(evidence.series)]
        page.legend([*keys, Key("roof", Colour.INK, is_line=True)])
    else:
        page.statement("No ceiling of these devices is known, or the work was not told.")
    return page.finish()


def _draw_block(page: Page, evidence: Evidence, place: Place) -> bool:
    """Draw one device's panels; False where its roof or all of its work is unknown."""
    rows = [r for r in evidence.tables.roofline if (r.device, r.batch) == place]
    spots, roof = _spots(evidence, rows), _roof(rows)
    if roof is None or not spots:
        return False
    peaks = f"{value_text(roof.gbytes_per_s)} GB/s, {value_text(roof.gflops_per_s)} GFLOP/s"
    page.heading(f"{place.title}; roof {peaks}")
    page.sheet.text(EDGE_PT, page.y + 25, "achieved [GFLOP/s]")
    page.y += 37
    ridge = roof.ridge_flop_per_byte
    intensities = [*(spot.intensity_flop_per_byte for spot in spots), ridge / 2, ridge * 2]
    rates = [*(spot.gflops_per_s for spot in spots), roof.gflops_per_s]
    for small in small_panels(page, evidence.models, PANEL_PT):
        x = log_scale(intensities, small.frame.left, small.frame.right)
        y = log_scale(rates, small.frame.bottom, small.frame.top)
        _draw_panel(page, small, [spot for spot in spots if spot.model == small.model], roof, x, y)
    page.y += 4
    return True


def _spots(evidence: Evidence, rows: Sequence[RoofRow]) -> list[Spot]:
    series = {(one.framework, one.variant): one for one in evidence.series}
    return [
        Spot(
            row.model,
            series[row.framework, row.variant],
            row.intensity_flop_per_byte,
            row.achieved_flops_per_s * PER_GIGA,
        )
        for row in rows
        if row.intensity_flop_per_byte  # work without FLOPs has no place on logarithmic axes
        and row.achieved_flops_per_s
        and (row.framework, row.variant) in series
    ]


def _roof(rows: Sequence[RoofRow]) -> Roof | None:
    for row in rows:
        if row.peak_flops_per_s is not None and row.peak_bytes_per_s is not None:
            return Roof(row.peak_flops_per_s * PER_GIGA, row.peak_bytes_per_s * PER_GIGA)
    return None


def _draw_panel(
    page: Page, small: Small, spots: Sequence[Spot], roof: Roof, x: LogScale, y: LogScale
) -> None:
    sheet, frame = page.sheet, small.frame
    columns, lines = x.ticks(4), y.ticks(5)
    draw_columns(sheet, frame, x, columns)
    draw_lines(sheet, frame, y, lines)
    if spots:
        _draw_roof(page, roof, x, y)
        _draw_spots(page, spots, x, y)
    else:
        draw_empty(page, frame)
    label_columns(sheet, frame, x, columns)
    name_columns(sheet, frame, "intensity [FLOP/byte]")
    if small.is_leftmost:
        label_lines(sheet, frame, y, lines)


def _draw_roof(page: Page, roof: Roof, x: LogScale, y: LogScale) -> None:
    start = max(x.low, y.low / roof.gbytes_per_s)
    corners = (start, roof.ridge_flop_per_byte, x.high)
    page.sheet.line([(x.place(at), y.place(roof.at(at))) for at in corners], Colour.INK, 1.8)


def _draw_spots(page: Page, spots: Sequence[Spot], x: LogScale, y: LogScale) -> None:
    for series in dict.fromkeys(spot.series for spot in spots):
        places = [
            (x.place(spot.intensity_flop_per_byte), y.place(spot.gflops_per_s))
            for spot in spots
            if spot.series == series
        ]
        page.sheet.dots(places, series.look.marker, series.look.colour, series.fill)
