"""Latency and throughput against the batch: one small panel a model, all on the same axes."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from benchproof.figures.axes import (
    draw_columns,
    draw_lines,
    label_columns,
    label_lines,
    name_columns,
)
from benchproof.figures.evidence import Evidence, Series, device_name
from benchproof.figures.multiples import Small, draw_empty, small_panels
from benchproof.figures.numerals import tick_text
from benchproof.figures.page import (
    EDGE_PT,
    Drawing,
    Key,
    Page,
    framework_keys,
    variant_keys,
)
from benchproof.figures.palette import Colour
from benchproof.figures.rows import CellRow
from benchproof.figures.scale import LogScale, log_scale
from benchproof.figures.sheet import Dash, Point

PANEL_PT = 150.0
DEVICE_DASHES: tuple[Dash, ...] = ((), (5.0, 2.5), (1.5, 2.0), (7.0, 2.0, 1.5, 2.0))
GUIDE_DASH: Dash = (2.0, 3.0)
LEAST_TICK_GAP_PT = 22.0


class Quantity(NamedTuple):
    """What is drawn against the batch."""

    title: str
    axis: str
    guide: str
    per_s: bool

    def of(self, cell: CellRow) -> float | None:
        """The quantity of a cell in the axis' unit; None where there is no evidence."""
        if not cell.counts or cell.latency_s is None:
            return None
        return cell.throughput_per_s if self.per_s else cell.latency_s * 1e3


LATENCY = Quantity(
    "Latency against batch", "latency [ms]", "latency proportional to the batch", per_s=False
)
THROUGHPUT = Quantity(
    "Throughput against batch", "throughput [samples/s]", "throughput proportional to the batch",
    per_s=True,
)  # fmt: skip


class Track(NamedTuple):
    """The points of one series on one device, by batch."""

    series: Series
    dash: Dash
    points: tuple[tuple[int, float], ...]


def draw_batch_scaling(evidence: Evidence) -> Drawing:
    """Latency in ms against the batch."""
    return _draw(evidence, LATENCY)


def draw_throughput_scaling(evidence: Evidence) -> Drawing:
    """Samples/s against the batch."""
    return _draw(evidence, THROUGHPUT)


def _draw(evidence: Evidence, quantity: Quantity) -> Drawing:
    tracks = {model: _tracks(evidence, quantity, model) for model in evidence.models}
    points = [point for of_model in tracks.values() for track in of_model for point in track.points]
    batches = sorted({batch for batch, _ in points})
    page = Page(quantity.title, f"{_subtitle(quantity, batches)} {evidence.scope_text}")
    if not points:
        page.statement("Nothing was measured.")
        return page.finish()
    values = [value for _, value in points]
    page.sheet.text(EDGE_PT, page.y + 8, quantity.axis)
    page.y += 20
    for small in small_panels(page, evidence.models, PANEL_PT):
        x = log_scale(batches, small.frame.left, small.frame.right)
        y = log_scale(values, small.frame.bottom, small.frame.top)
        _draw_panel(page, small, tracks[small.model], x, y, batches)
    page.legend(_keys(evidence, quantity, batches, list(tracks.values())))
    return page.finish()


def _subtitle(quantity: Quantity, batches: Sequence[int]) -> str:
    if len(batches) == 1:
        return f"Only batch {batches[0]} was measured: growth is not known."
    better = "Higher" if quantity.per_s else "Lower"
    return f"{better} is better; both axes are logarithmic and the same in all panels."


def _tracks(evidence: Evidence, quantity: Quantity, model: str) -> list[Track]:
    cells = evidence.cells()
    tracks = []
    for number, device in enumerate(evidence.devices):
        dash = DEVICE_DASHES[number % len(DEVICE_DASHES)]
        for series in evidence.series:
            points = []
            for batch in evidence.batches:
                cell = cells.get((device, batch, model, series.framework, series.variant))
                value = quantity.of(cell) if cell else None
                if value is not None:
                    points.append((batch, value))
            if points:
                tracks.append(Track(series, dash, tuple(points)))
    return tracks


def _draw_panel(
    page: Page,
    small: Small,
    tracks: Sequence[Track],
    x: LogScale,
    y: LogScale,
    batches: Sequence[int],
) -> None:
    sheet, frame = page.sheet, small.frame
    columns, lines = _spaced(x, batches), y.ticks(6)
    draw_columns(sheet, frame, x, columns)
    draw_lines(sheet, frame, y, lines)
    if len(batches) > 1 and tracks:
        sheet.line(_guide(x, y, tracks), Colour.GUIDE, 1.4, GUIDE_DASH)
    for track in tracks:
        _draw_track(page, track, x, y, batches)
    if not tracks:
        draw_empty(page, frame)
    label_columns(sheet, frame, x, columns)
    name_columns(sheet, frame, "batch")
    if small.is_leftmost:
        label_lines(sheet, frame, y, lines)


def _spaced(x: LogScale, batches: Sequence[int]) -> list[float]:
    """The batches whose labels do not touch; the largest is always among them."""
    kept: list[float] = []
    for batch in sorted(batches, reverse=True):
        needed = max(LEAST_TICK_GAP_PT, 4 + 7 * len(tick_text(batch)))
        if not kept or x.place(kept[-1]) - x.place(batch) >= needed:
            kept.append(batch)
    return kept[::-1]


def _guide(x: LogScale, y: LogScale, tracks: Sequence[Track]) -> list[Point]:
    """A line of proportional growth through the panel's middle, cut at the panel's edges."""
    points = sorted(point for track in tracks for point in track.points)
    batch, value = points[len(points) // 2]
    factor = value / batch
    start, end = max(x.low, y.low / factor), min(x.high, y.high / factor)
    return [(x.place(batch), y.clamped(batch * factor)) for batch in (start, end)]


def _draw_track(page: Page, track: Track, x: LogScale, y: LogScale, batches: Sequence[int]) -> None:
    look = track.series.look
    places = [(x.place(batch), y.place(value)) for batch, value in track.points]

    def skips(index: int) -> bool:
        small, large = track.points[index][0], track.points[index + 1][0]
        return any(small < batch < large for batch in batches)

    for skipped, run in groupby(range(len(places) - 1), key=skips):
        steps = list(run)
        stretch = places[steps[0] : steps[-1] + 2]
        page.sheet.line(stretch, look.tint if skipped else look.colour, 1.6, track.dash)
    page.sheet.dots(places, look.marker, look.colour, track.series.fill, size_pt=6)


def _keys(
    evidence: Evidence, quantity: Quantity, batches: Sequence[int], tracks: list[list[Track]]
) -> list[Key]:
    keys = [*framework_keys(evidence.series), *variant_keys(evidence.series)]
    used = {track.dash for of_model in tracks for track in of_model}
    for number, device in enumerate(evidence.devices):
        dash = DEVICE_DASHES[number % len(DEVICE_DASHES)]
        if dash in used:
            keys.append(Key(device_name(device), Colour.SLATE, dash=dash, is_line=True))
    if len(batches) > 1:
        skipping = "pale: a batch in between was not measured"
        keys.append(Key(skipping, Colour.SLATE_TINT, is_line=True))
        keys.append(Key(quantity.guide, Colour.GUIDE, dash=GUIDE_DASH, is_line=True))
    return keys
