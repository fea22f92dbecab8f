"""A figure from top to bottom: title, subtitle, panels, legend, notes."""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple

from benchproof.figures.evidence import Series
from benchproof.figures.lettering import BOLD_FACTOR, clean, width_pt, wrap
from benchproof.figures.palette import Colour, Fill, Look
from benchproof.figures.sheet import BASE_PT, SMALL_PT, TITLE_PT, WIDTH_PT, Dash, Sheet

EDGE_PT = 10.0
RIGHT_PT = WIDTH_PT - EDGE_PT
LINE_PT = 15.0
KEY_PT = 20.0
GAP_PT = 18.0


class Drawing(NamedTuple):
    """A finished figure in its light colours."""

    title: str
    svg: str
    height_pt: float


class Key(NamedTuple):
    """One entry of a legend: a marker, a line or a hatched box, and what it means."""

    text: str
    colour: Colour = Colour.INK
    marker: str = ""
    fill: Fill = Fill.FULL
    dash: Dash = ()
    is_line: bool = False
    is_bar: bool = False
    is_hatch: bool = False


class Page:
    """A sheet that is filled downwards; `y` is where the next part starts, in points."""

    def __init__(self, title: str, subtitle: str) -> None:
        self.sheet = Sheet()
        self.title = title
        self.y = EDGE_PT
        self._lines([title], TITLE_PT, Colour.INK, bold=True)
        self._lines([subtitle], SMALL_PT, Colour.MUTED)
        self.y += 8

    def heading(self, text: str, x: float = EDGE_PT, room_pt: float = RIGHT_PT - EDGE_PT) -> None:
        """Head a panel; does not move `y`."""
        line = wrap(clean(text), BASE_PT * BOLD_FACTOR, room_pt, most_lines=1)[0]
        self.sheet.text(x, self.y + 8, line, size_pt=BASE_PT, bold=True)

    def notes(self, notes: Iterable[str]) -> None:
        """Small text over the full width, one paragraph a note."""
        self._lines(notes, SMALL_PT, Colour.MUTED)

    def statement(self, text: str) -> None:
        """A plain panel that says why there is nothing to show."""
        room = RIGHT_PT - EDGE_PT - 40
        lines = wrap(clean(text), BASE_PT, room)
        height = 50 + 18 * len(lines)
        self.sheet.box(EDGE_PT, self.y, RIGHT_PT - EDGE_PT, height, Colour.BAND)
        for index, line in enumerate(lines):
            middle = self.y + 34 + 18 * index
            self.sheet.text(WIDTH_PT / 2, middle, line, size_pt=BASE_PT, align="center")
        self.y += height + 10

    def legend(self, keys: Sequence[Key]) -> None:
        """All keys, in as many lines as they need."""
        x = EDGE_PT
        for key in keys:
            text = wrap(clean(key.text), SMALL_PT, RIGHT_PT - EDGE_PT - KEY_PT, most_lines=1)[0]
            width = KEY_PT + 4 + width_pt(text, SMALL_PT)
            if x > EDGE_PT and x + width > RIGHT_PT:
                x, self.y = EDGE_PT, self.y + LINE_PT + 1
            self._key(key, x, self.y + 8)
            self.sheet.text(x + KEY_PT + 4, self.y + 8, text)
            x += width + GAP_PT
        self.y += LINE_PT + 4

    def finish(self) -> Drawing:
        """The finished figure."""
        # A multiple of 3 pt is a whole number of pixels, in the page and in the PNG.
        height = 3.0 * ceil((self.y + EDGE_PT) / 3)
        return Drawing(self.title, self.sheet.svg(self.title, height), height)

    def _lines(
        self, paragraphs: Iterable[str], size_pt: float, colour: Colour, *, bold: bool = False
    ) -> None:
        step = size_pt + 4
        room = (RIGHT_PT - EDGE_PT) / (BOLD_FACTOR if bold else 1.0)
        for paragraph in paragraphs:
            for line in wrap(clean(paragraph), size_pt, room):
                self.sheet.text(
                    EDGE_PT, self.y + step / 2, line, size_pt=size_pt, colour=colour, bold=bold
                )
                self.y += step

    def _key(self, key: Key, x: float, y: float) -> None:
        middle = (x + KEY_PT / 2, y)
        if key.is_hatch:
            self.sheet.box(x, y - 5, KEY_PT, 10, Colour.HATCH, hatch=True)
        if key.is_bar:
            self.sheet.line([(x, y), (x + KEY_PT, y)], key.colour, 6)
        if key.is_line:
            self.sheet.line([(x, y), (x + KEY_PT, y)], key.colour, 1.6, key.dash)
        if key.marker:
            self.sheet.dots([middle], key.marker, key.colour, key.fill)


NOT_MEASURED = Key("not measured, or no evidence", is_hatch=True)


def framework_keys(series: Sequence[Series]) -> list[Key]:
    """One key a framework."""
    looks: dict[str, Look] = {one.framework: one.look for one in series}
    return [Key(name, look.colour, look.marker) for name, look in looks.items()]


def variant_keys(series: Sequence[Series]) -> list[Key]:
    """One key a fill: hollow for eager, filled for what compiles."""
    names: dict[Fill, list[str]] = {}
    for one in series:
        known = names.setdefault(one.fill, [])
        if one.variant not in known:
            known.append(one.variant)
    return [
        Key(" / ".join(variants), Colour.GUIDE, "o", fill)
        for fill, variants in sorted(names.items(), key=lambda item: list(Fill).index(item[0]))
    ]
