"""The frame of a panel: grid lines, ticks and the axes' names."""

from collections.abc import Sequence
from typing import NamedTuple

from benchproof.figures.numerals import tick_text
from benchproof.figures.palette import Colour
from benchproof.figures.scale import LogScale
from benchproof.figures.sheet import SMALL_PT, Sheet

TICK_LABEL_PT = 12.0
NAME_PT = 27.0


class Frame(NamedTuple):
    """A panel's rectangle in points."""

    left: float
    top: float
    right: float
    bottom: float


def draw_columns(sheet: Sheet, frame: Frame, scale: LogScale, ticks: Sequence[float]) -> None:
    """Vertical grid lines at the ticks of a horizontal axis."""
    places = [scale.place(tick) for tick in ticks]
    sheet.strokes([((x, frame.top), (x, frame.bottom)) for x in places], Colour.GRID)


def draw_lines(sheet: Sheet, frame: Frame, scale: LogScale, ticks: Sequence[float]) -> None:
    """Horizontal grid lines at the ticks of a vertical axis."""
    places = [scale.place(tick) for tick in ticks]
    sheet.strokes([((frame.left, y), (frame.right, y)) for y in places], Colour.GRID)


def label_columns(
    sheet: Sheet, frame: Frame, scale: LogScale, ticks: Sequence[float], suffix: str = ""
) -> None:
    """Numbers below a horizontal axis, and its line."""
    sheet.strokes([((frame.left, frame.bottom), (frame.right, frame.bottom))], Colour.AXIS)
    for tick in ticks:
        text = tick_text(tick) + suffix
        sheet.text(
            scale.place(tick), frame.bottom + TICK_LABEL_PT, text, colour=Colour.MUTED,
            align="center",
        )  # fmt: skip


def label_lines(sheet: Sheet, frame: Frame, scale: LogScale, ticks: Sequence[float]) -> None:
    """Numbers left of a vertical axis, and its line."""
    sheet.strokes([((frame.left, frame.top), (frame.left, frame.bottom))], Colour.AXIS)
    for tick in ticks:
        sheet.text(
            frame.left - 5, scale.place(tick), tick_text(tick), colour=Colour.MUTED,
            align="right",
        )  # fmt: skip


def name_columns(sheet: Sheet, frame: Frame, name: str) -> None:
    """What the horizontal axis shows, with its unit, below its numbers."""
    middle = (frame.left + frame.right) / 2
    sheet.text(middle, frame.bottom + NAME_PT, name, align="center", size_pt=SMALL_PT)
