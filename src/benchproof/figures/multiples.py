"""Small panels side by side, one a model: where each lies, and its head."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchproof.figures.axes import NAME_PT, Frame
from benchproof.figures.lettering import BOLD_FACTOR, clean, wrap
from benchproof.figures.page import EDGE_PT, RIGHT_PT, Page
from benchproof.figures.palette import Colour
from benchproof.figures.sheet import BASE_PT

MOST_COLUMNS = 3
GUTTER_PT, BETWEEN_PT, HEAD_PT = 50.0, 16.0, 22.0


class Small(NamedTuple):
    """One small panel; the leftmost ones carry the numbers of the vertical axis."""

    model: str
    frame: Frame
    is_leftmost: bool


def small_panels(page: Page, models: Sequence[str], height_pt: float) -> Iterator[Small]:
    """Each model's panel with its name written above it; moves `y` below each finished row."""
    columns = min(MOST_COLUMNS, len(models))
    for first in range(0, len(models), columns):
        for column, model in enumerate(models[first : first + columns]):
            frame = _frame(page.y, column, columns, height_pt)
            name = wrap(
                clean(model), BASE_PT * BOLD_FACTOR, frame.right - frame.left, most_lines=1
            )[0]
            page.sheet.text(frame.left, page.y + 9, name, size_pt=BASE_PT, bold=True)
            yield Small(model, frame, column == 0)
        page.y += HEAD_PT + height_pt + NAME_PT + 16


def _frame(top: float, column: int, columns: int, height_pt: float) -> Frame:
    room = RIGHT_PT - EDGE_PT - GUTTER_PT
    # A lone panel stays as wide as two, so that its slope can be compared with other figures.
    width = (room - BETWEEN_PT * (max(columns, 2) - 1)) / max(columns, 2)
    left = EDGE_PT + GUTTER_PT + column * (width + BETWEEN_PT)
    return Frame(left, top + HEAD_PT, left + width, top + HEAD_PT + height_pt)


def draw_empty(page: Page, frame: Frame) -> None:
    """Hatch a panel that has nothing to show."""
    width, height = frame.right - frame.left, frame.bottom - frame.top
    middle = ((frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2)
    page.sheet.box(frame.left, frame.top, width, height, Colour.HATCH, hatch=True)
    page.sheet.box(middle[0] - 48, middle[1] - 9, 96, 18, Colour.PAPER)
    page.sheet.text(*middle, "not measured", colour=Colour.MUTED, align="center")
