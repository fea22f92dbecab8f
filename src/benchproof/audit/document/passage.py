"""What a document says, and where: passages of visible text in reading order."""

from bisect import bisect_right
from enum import StrEnum

import msgspec


class Kind(StrEnum):
    """What a passage is in its document."""

    META = "meta"  # a string of the front matter, or of a page's title and description
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CAPTION = "caption"
    ALT = "alt"
    HEADER = "header"  # a cell that heads a column or a row
    CELL = "cell"
    CODE = "code"


class Piece(msgspec.Struct, frozen=True):
    """From `offset` in the text on, characters stand in the source one after another.

    `line` and `column` are where the first one stands, both counted from 1.
    """

    offset: int
    line: int
    column: int


class Place(msgspec.Struct, frozen=True, order=True):
    """A place in the source: line and column, counted from 1."""

    line: int
    column: int


class Spot(msgspec.Struct, frozen=True):
    """Where a cell stands in its table: its row and column, and how many of each it covers."""

    table: int
    row: int
    column: int
    rows: int = 1
    columns: int = 1


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A run of visible text without markup: entities resolved, whitespace runs made one space.

    `headings` are the headings above it, by their index in the document, the outermost first.
    `level` is a heading's own, 1 to 6. `strong` and `code` are the parts (start, end) set in bold
    and as code. `spot` is a cell's; a table's caption has a `table` too. `parent` is what an item
    of a list stands under: the item around its list, or the term that it defines.
    """

    kind: Kind
    text: str
    pieces: tuple[Piece, ...]
    headings: tuple[int, ...] = ()
    level: int = 0
    strong: tuple[tuple[int, int], ...] = ()
    code: tuple[tuple[int, int], ...] = ()
    spot: Spot | None = None
    table: int | None = None
    parent: int | None = None

    def place(self, offset: int) -> Place:
        """Line and column of the character at `offset` of the text."""
        at = bisect_right(self.pieces, offset, key=lambda piece: piece.offset) - 1
        piece = self.pieces[max(at, 0)]
        return Place(piece.line, piece.column + offset - piece.offset)


class Document(msgspec.Struct, frozen=True):
    """A document as its reader sees it; `language` is what it says of itself, "" if nothing."""

    path: str
    passages: tuple[Passage, ...]
    language: str = ""
