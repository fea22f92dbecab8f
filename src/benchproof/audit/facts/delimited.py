"""Rows of CSV files of any origin: commas, semicolons or tabs, with notes and comments between."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from benchproof.audit.facts.sheet import Cell, NoRecordsError, Sheet
from benchproof.errors import InputError

# A row that is padded to the table's width is a note where it reads as one.
_NOTE = re.compile(
    r"\s*(?:\*|(?:notes?|sources?|remarks?|legend)\b|\S+(?:\s+\S+){3})", re.IGNORECASE
)
_DELIMITERS = ",;\t"
Numbered = tuple[int, list[str]]


def read_delimited(text: str, file: str) -> Sheet:
    """The rows of a CSV file; places name lines. InputError gives the line of what is wrong."""
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter, file)
    header, body = _header(rows, file)
    names = _names(header, file)
    width = len(names)
    kept = [row for row in body if not _is_note(row[1], width)]
    for line, cells in kept:
        if len(cells) > width:
            _check_width(line, cells, names, file)
    if not kept:
        raise NoRecordsError(file, "data without records: no row below the header", "add the rows")
    columns = _columns(names, [cells for _, cells in kept])
    places = [f"{file}#/line/{line}" for line, _ in kept]
    return Sheet(file, columns, places, decimal_comma=delimiter != ",")


def _delimiter(text: str) -> str:
    """The delimiter that splits the most of the first lines alike; a comma where none does."""
    lines = [line for line in text[:20_000].splitlines() if line.strip() and line[0] != "#"][:20]
    counts = {one: [_outside_quotes(line, one) for line in lines] for one in _DELIMITERS}

    def splits(one: str) -> tuple[int, int]:
        most = max(counts[one], default=0)
        return (sum(count == most for count in counts[one]) if most else 0, most)

    return max(_DELIMITERS, key=splits)


def _outside_quotes(line: str, delimiter: str) -> int:
    return sum(part.count(delimiter) for part in line.split('"')[::2])


def _rows(text: str, delimiter: str, file: str) -> list[Numbered]:
    """All rows that say something, with the line where each ends; comments are left out."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    try:
        return [
            (reader.line_num, cells)
            for cells in reader
            if any(map(str.strip, cells)) and not cells[0].startswith("#")
        ]
    except csv.Error as bad:
        raise InputError(
            f"{file}#/line/{reader.line_num}", f"not CSV ({bad})", "correct the line"
        ) from None


def _header(rows: Sequence[Numbered], file: str) -> tuple[Numbered, Sequence[Numbered]]:
    """The first row that is as wide as the table, and those below it; above it stand titles."""
    if not rows:
        raise NoRecordsError(file, "data without records", "give a table with a header")
    several = any(_filled(cells) > 1 for _, cells in rows)
    at = next(at for at, (_, cells) in enumerate(rows) if _filled(cells) > 1 or not several)
    return rows[at], rows[at + 1 :]


def _filled(cells: Iterable[str]) -> int:
    return sum(bool(cell.strip()) for cell in cells)


def _names(header: Numbered, file: str) -> list[str]:
    """The header's names without empty ones at its end; InputError where it is none."""
    line, cells = header
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    where = f"{file}#/line/{line}"
    # An index that was written without a name heads the first column with nothing.
    names = [name or ("index" if at == 1 else f"column {at}") for at, name in enumerate(names, 1)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(where, f"two columns are named {twice!r}", "give each its own name")
    if all(_is_number(name) for name in names):
        raise InputError(where, "numbers where a header should be", "name the columns")
    return names


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_note(cells: Sequence[str], width: int) -> bool:
    """Whether a row is text about the table: words in its first cell and nothing beside."""
    if width < 2 or not cells[0].strip() or any(map(str.strip, cells[1:])):
        return False
    is_short = len(cells) < width and not _is_number(cells[0].strip())
    return is_short or _NOTE.match(cells[0]) is not None


def _check_width(line: int, cells: Sequence[str], names: Sequence[str], file: str) -> None:
    if any(cell.strip() for cell in cells[len(names) :]):
        raise InputError(
            f"{file}#/line/{line}",
            f"{len(cells)} columns, but the header has {len(names)}",
            "quote cells that hold the delimiter, or name the columns",
        )


def _columns(names: Sequence[str], rows: Sequence[list[str]]) -> dict[str, list[Cell]]:
    width = len(names)
    filled: Iterator[Sequence[str | None]] = (
        row if len(row) == width else [*row[:width], *[None] * (width - len(row))] for row in rows
    )
    return {
        name: list(column) for name, column in zip(names, zip(*filled, strict=True), strict=True)
    }
