"""Visible characters in reading order, each with where it stands in the source."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

import msgspec

from benchproof.audit.document.passage import Piece, Place

# Marks nobody sees: soft hyphen, zero-width spaces and joiners of words, byte order mark.
_UNSEEN = "\u00ad\u200b\u2060\ufeff"
_SPACE = re.compile(r"\s+")
_WINDOW = 200  # characters that quotes, indentation and escapes before another may take
ENTITY = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,8}|#[0-9]{1,9}|[a-zA-Z][a-zA-Z0-9]{1,31});?")
_WORDS = rf"[^\s{_UNSEEN}]+"
_RUN = re.compile(rf"{_WORDS}(?: {_WORDS})*|\s+")  # words that one space parts stay together


class Part(NamedTuple):
    """Characters of one source line, standing there one after another.

    `strong` and `code` number the bold and code runs that it belongs to, 0 for none.
    """

    text: str
    line: int
    column: int
    strong: int = 0
    code: int = 0


class Inked(msgspec.Struct, frozen=True):
    """Text with its whitespace normalised, and what a passage tells about its characters."""

    text: str
    pieces: tuple[Piece, ...]
    strong: tuple[tuple[int, int], ...]
    code: tuple[tuple[int, int], ...]


class Ink:
    """Collects the characters of one passage."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def add(self, text: str, line: int, column: int, strong: int = 0, code: int = 0) -> None:
        """Append characters that stand in the source as they are, over any number of lines."""
        first, *others = text.split("\n")
        if first:
            self.parts.append(Part(first, line, column, strong, code))
        end = column + len(first)
        for down, other in enumerate(others, 1):
            self.parts.append(Part(" ", line + down - 1, end, strong, code))
            if other:
                self.parts.append(Part(other, line + down, 1, strong, code))
            end = 1 + len(other)

    def sign(self, text: str, line: int, column: int, strong: int = 0, code: int = 0) -> None:
        """Append characters that something else in the source, at this place, stands for."""
        self.parts += [Part(char, line, column, strong, code) for char in text]

    def dry(self) -> Inked | None:
        """The text so far, whitespace runs one space and none at its ends; None without text."""
        inked = _Setter().set(self.parts) if self.parts else None
        return inked if inked is not None and inked.text else None


class _Setter:
    """Sets parts one after another into a normalised text."""

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self._length = 0
        self._pieces: list[Piece] = []
        self._next = (0, 0)
        self._space: tuple[int, int] | None = None
        self._runs: tuple[list[tuple[int, int, int]], ...] = ([], [])

    def set(self, parts: list[Part]) -> Inked:
        for text, line, column, strong, code in parts:
            for run in _RUN.finditer(text):
                at = column + run.start()
                if run.group()[0].isspace():
                    self._space = self._space or (line, at)
                else:
                    self._words(run.group(), line, at, (strong, code))
        bold, typed = (tuple((start, end) for start, end, _ in run) for run in self._runs)
        return Inked("".join(self._chunks), tuple(self._pieces), bold, typed)

    def _words(self, text: str, line: int, column: int, styles: tuple[int, int]) -> None:
        if self._space is not None and self._length:
            self._put(" ", *self._space)
        self._space = None
        start = self._length
        self._put(text, line, column)
        for runs, number in zip(self._runs, styles, strict=True):
            if number:
                _extend(runs, start, self._length, number)

    def _put(self, text: str, line: int, column: int) -> None:
        if (line, column) != self._next:
            self._pieces.append(Piece(self._length, line, column))
        self._chunks.append(text)
        self._length += len(text)
        self._next = (line, column + len(text))


def _extend(runs: list[tuple[int, int, int]], start: int, end: int, number: int) -> None:
    """Lengthen the last run when it has the same number, else begin a new one."""
    if runs and runs[-1][2] == number:
        runs[-1] = (runs[-1][0], end, number)
    else:
        runs.append((start, end, number))


def further(place: Place, text: str, end: int, start: int = 0) -> Place:
    """The place of the character at `end` of a text whose character at `start` is at `place`."""
    last = text.rfind("\n", start, end)
    if last < 0:
        return Place(place.line, place.column + end - start)
    return Place(place.line + text.count("\n", start, end), end - last)


def aligned(value: str, raw: str, place: Place) -> Iterator[tuple[str, Place]]:
    """Characters of `value` with their places in `raw`, which starts at `place`.

    `raw` writes the value with quotes, entities or escapes. A character that is not found there is
    told at the place where the search stood.
    """
    at = 0
    for char in value:
        start, end = _written(char, raw, at)
        place = further(place, raw, start, at)
        yield char, place
        place = further(place, raw, end, start)
        at = end


def _written(char: str, raw: str, at: int) -> tuple[int, int]:
    """Where a text, from an offset on, writes a character: start and end, equal when it doesn't."""
    space = _SPACE.match(raw, at)
    if char.isspace():
        return at, space.end() if space is not None else at
    start = space.end() if space is not None else at
    entity = ENTITY.match(raw, start)
    if entity is not None and unescape(entity.group()) == char:
        return start, entity.end()
    found = raw.find(char, start, start + _WINDOW)
    return (found, found + 1) if found >= 0 else (start, start)
