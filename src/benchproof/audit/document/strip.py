"""A block's text as a Markdown parser gives it, tied to the source lines that it was cut from."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from benchproof.audit.document.passage import Piece, Place

_CLOSED = re.compile(r"[\s#]*$")


class Strip:
    """Text whose characters stand in the source where its pieces say."""

    def __init__(self, text: str, pieces: Sequence[Piece]) -> None:
        self.text = text
        self._pieces = pieces
        self._offsets = [piece.offset for piece in pieces]

    def place(self, at: int) -> Place:
        """Where the character at `at` stands."""
        piece = self._pieces[max(bisect_right(self._offsets, at) - 1, 0)]
        return Place(piece.line, piece.column + at - piece.offset)

    def runs(self, start: int, end: int) -> Iterator[tuple[str, Place]]:
        """The text between two offsets, in runs that stand in one source line each."""
        first = max(bisect_right(self._offsets, start) - 1, 0)
        while start < end:
            first += 1
            stop = min(self._offsets[first] if first < len(self._offsets) else end, end)
            if start < stop:
                yield self.text[start:stop], self.place(start)
            start = max(start, stop)


def cut_lines(text: str, lines: Sequence[str], first: int) -> Strip:
    """A text whose lines are the ends of source lines, from the one at index `first` on.

    What stands before them there (marks of lists and quotes, indentation) is no part of it, nor
    are spaces and closing `#` behind them.
    """
    pieces: list[Piece] = []
    offset = 0
    for down, line in enumerate(text.split("\n")):
        source = lines[first + down].rstrip() if first + down < len(lines) else ""
        kept = line.strip()
        if not source.endswith(kept):
            source = _CLOSED.sub("", source)
        column = max(len(source) - len(kept), 0) + 1
        pieces.append(Piece(offset + len(line) - len(line.lstrip()), first + down + 1, column))
        offset += len(line) + 1
    return Strip(text, pieces)


def cut_cells(line: str, number: int) -> list[Strip]:
    """The cells of a pipe table's row that stands in source line `number`, counted from 1.

    A pipe behind a backslash is a character of its cell, without the backslash.
    """
    start = len(line) - len(line.lstrip(" \t>"))
    body = line.rstrip()
    if body.startswith("|", start):
        start += 1
    cells: list[Strip] = []
    while start < len(body):
        end = start
        while end < len(body) and not (body[end] == "|" and body[end - 1 : end] != "\\"):
            end += 1
        cells.append(_cell(body[start:end], number, start + 1))
        start = end + 1
    return cells


def _cell(written: str, line: int, column: int) -> Strip:
    lead = len(written) - len(written.lstrip())
    text = ""
    pieces = []
    at = lead
    for part in re.split(r"\\(?=\|)", written.strip()):
        pieces.append(Piece(len(text), line, column + at))
        text += part
        at += len(part) + 1
    return Strip(text, pieces)
