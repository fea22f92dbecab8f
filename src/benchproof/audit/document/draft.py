"""A document while it is read: blocks and tables, and how they become passages."""

import re
from collections.abc import Iterator, Sequence

from benchproof.audit.document.ink import Ink, Inked
from benchproof.audit.document.passage import Document, Kind, Passage, Spot

_TABLE_CAPTION = re.compile(r"Tab(?:le|\.)\s+[\dA-Z][\w.]*(?:\s*[:.|—–-]|$)")
_FIGURE_CAPTION = re.compile(r"Fig(?:ure|\.)\s+[\dA-Z][\w.]*(?:\s*[:.|—–-]|$)")


class Block:
    """A passage that is still being written."""

    def __init__(self, kind: Kind, level: int = 0) -> None:
        self.kind = kind
        self.level = level
        self.ink = Ink()
        self.placed = False  # stands as a table's caption, not where it was read
        self.language = ""  # of a program
        self.parent: Block | None = None  # what an item of a list stands under


class Cell:
    """A cell, the row and column of its upper left corner, and how many it covers."""

    def __init__(self, block: Block, row: int, column: int, rows: int, columns: int) -> None:
        self.block = block
        self.row, self.column, self.rows, self.columns = row, column, rows, columns


class Sheet:
    """A table that is still being written."""

    def __init__(self) -> None:
        self.caption: Block | None = None
        self.cells: list[Cell] = []


def assemble(path: str, drafts: Sequence[Block | Sheet], language: str = "") -> Document:
    """The document of these drafts: empty ones dropped, tables numbered, headings followed."""
    passages: list[Passage] = []
    headings: list[tuple[int, int]] = []  # level and index of those above
    tables = 0
    indexes: dict[int, int] = {}  # of blocks, by their identity
    for draft in _captioned(drafts):
        if isinstance(draft, Sheet):
            found = list(_sheet(draft, tables, _indexes(headings)))
            tables += any(passage.spot is not None for passage in found)
            passages += found
        elif inked := draft.ink.dry():
            if draft.kind is Kind.HEADING:
                headings = [above for above in headings if above[0] < draft.level]
            parent = indexes.get(id(draft.parent))
            indexes[id(draft)] = len(passages)
            passages.append(_passage(draft, inked, _indexes(headings), parent=parent))
            if draft.kind is Kind.HEADING:
                headings.append((draft.level, len(passages) - 1))
    return Document(path, tuple(passages), language)


def _indexes(headings: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(index for _, index in headings)


def _passage(
    block: Block,
    inked: Inked,
    above: tuple[int, ...],
    spot: Spot | None = None,
    table: int | None = None,
    parent: int | None = None,
) -> Passage:
    return Passage(
        kind=block.kind,
        text=inked.text,
        pieces=inked.pieces,
        headings=above,
        level=block.level,
        strong=inked.strong,
        code=inked.code,
        spot=spot,
        table=table,
        parent=parent,
    )


def _sheet(sheet: Sheet, number: int, above: tuple[int, ...]) -> Iterator[Passage]:
    """The caption of a table that holds anything, and its cells that do."""
    filled = [(cell, inked) for cell in sheet.cells if (inked := cell.block.ink.dry())]
    if sheet.caption is not None and (inked := sheet.caption.ink.dry()):
        yield _passage(sheet.caption, inked, above, table=number if filled else None)
    for cell, inked in filled:
        spot = Spot(number, cell.row, cell.column, cell.rows, cell.columns)
        yield _passage(cell.block, inked, above, spot)


def _captioned(drafts: Sequence[Block | Sheet]) -> list[Block | Sheet]:
    """The drafts that hold anything, with paragraphs that are captions made so."""
    written = [
        draft
        for draft in drafts
        if isinstance(draft, Sheet) or (not draft.placed and draft.ink.parts)
    ]
    for at, draft in enumerate(written):
        if isinstance(draft, Sheet):
            _adopt(draft, written[at - 1 : at], written[at + 1 : at + 3])
        elif draft.kind is Kind.PARAGRAPH and _starts(draft, _FIGURE_CAPTION):
            draft.kind = Kind.CAPTION
    return [draft for draft in written if isinstance(draft, Sheet) or not draft.placed]


def _adopt(sheet: Sheet, before: Sequence[Block | Sheet], after: Sequence[Block | Sheet]) -> None:
    """Make "Table 3: ..." beside a table its caption: above it, or below when no other follows."""
    if sheet.caption is not None:
        return
    belongs = [*before]
    if after and not any(isinstance(draft, Sheet) for draft in after):
        belongs.append(after[0])
    for draft in belongs:
        if (
            isinstance(draft, Block)
            and draft.kind in (Kind.PARAGRAPH, Kind.CAPTION)
            and not draft.placed
            and _starts(draft, _TABLE_CAPTION)
        ):
            draft.placed = True
            draft.kind = Kind.CAPTION
            sheet.caption = draft
            return


def _starts(block: Block, pattern: re.Pattern[str]) -> bool:
    start = "".join(part.text for part in block.ink.parts[:12])
    return pattern.match(start.strip()) is not None
