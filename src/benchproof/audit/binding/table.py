"""The tables of a document: their cells by place, their heads, and what stands around them."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchproof.audit.document.passage import Kind, Passage


class Table(msgspec.Struct, frozen=True, eq=False):
    """A table's cells by their place: index of the passage in the document."""

    cells: Mapping[tuple[int, int], int]
    caption: int | None
    head_rows: int
    by_row: Mapping[int, tuple[int, ...]]
    heads: tuple[tuple[int, ...], ...]  # of each column, the uppermost first
    lone: tuple[int, ...] = ()  # rows of one cell, which may title those below
    before: int | None = None  # the paragraph that touches it, above
    after: int | None = None  # and below

    def row(self, row: int) -> tuple[int, ...]:
        """Passages of a row, from left to right, each once."""
        return self.by_row.get(row, ())

    def head(self, column: int) -> tuple[int, ...]:
        """Passages that head a column, the uppermost first."""
        return self.heads[column] if column < len(self.heads) else ()

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return 1 + max(self.by_row, default=-1)

    @property
    def columns(self) -> int:
        """How many columns it has."""
        return len(self.heads)


def tables_of(passages: Sequence[Passage]) -> Iterator[tuple[int, Table]]:
    """Every table of a document by its number."""
    cells: dict[int, dict[tuple[int, int], int]] = {}
    captions: dict[int, int] = {}
    for at, passage in enumerate(passages):
        if passage.spot is None:
            if passage.table is not None:
                captions.setdefault(passage.table, at)
            continue
        spot = passage.spot
        for row in range(spot.row, spot.row + spot.rows):
            for column in range(spot.column, spot.column + spot.columns):
                cells.setdefault(spot.table, {})[row, column] = at
    for number, found in cells.items():
        head = 0
        for row, inside in _by_row(found).items():
            if {passages[at].kind for at in inside} != {Kind.HEADER}:
                break
            if row and len(inside) == 1 and _width(passages, inside[0]) > 1:
                break  # it titles the rows below it, as others further down may
            head = row + 1
        before, after = _touching(passages, found, captions.get(number))
        rows, heads = _by_row(found), tuple(_heads(found, head))
        lone = tuple(row for row, inside in rows.items() if len(inside) == 1 and row >= head)
        yield number, Table(found, captions.get(number), head, rows, heads, lone, before, after)


def _heads(cells: Mapping[tuple[int, int], int], head_rows: int) -> Iterator[tuple[int, ...]]:
    for column in range(1 + max(column for _, column in cells)):
        found = (cells.get((row, column)) for row in range(head_rows))
        yield tuple(dict.fromkeys(at for at in found if at is not None))


def _width(passages: Sequence[Passage], at: int) -> int:
    spot = passages[at].spot
    return spot.columns if spot is not None else 1


def _touching(
    passages: Sequence[Passage], cells: Mapping[tuple[int, int], int], caption: int | None
) -> tuple[int | None, int | None]:
    """The paragraphs right before and right after a table."""
    first, last = min(cells.values()), max(cells.values())
    above = first - 1 if first - 1 != caption else first - 2
    found = (
        at if 0 <= at < len(passages) and passages[at].kind is Kind.PARAGRAPH else None
        for at in (above, last + 1)
    )
    return next(found), next(found)


def _by_row(cells: Mapping[tuple[int, int], int]) -> dict[int, tuple[int, ...]]:
    rows: dict[int, dict[int, None]] = {}
    for (row, _), at in sorted(cells.items()):
        rows.setdefault(row, {})[at] = None
    return {row: tuple(found) for row, found in rows.items()}
