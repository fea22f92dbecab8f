"""`benchproof verify NUMBERS.json`: each number and claim again, by its query on the raw files."""

import contextlib
from pathlib import Path

import duckdb
import msgspec

from benchproof.errors import InputError
from benchproof.records.strict_json import read_json
from benchproof.report.registry import Numbers

TOLERANCE = 1e-9


def verify(numbers: Path, root: Path = Path()) -> int:
    """Run every query of a post's numbers.json from the project's ROOT with DuckDB.

    Exit status 1 when a number, or a claim, is not what its query gives.
    """
    document, _ = read_json(numbers, str(numbers))
    try:
        bound = msgspec.convert(document, Numbers)
    except msgspec.ValidationError as bad:
        raise InputError(str(numbers), str(bad), "render the post again") from None
    expected = [(number.id, number.text, number.value, number.query) for number in bound.numbers]
    expected += [(claim.id, claim.text, float(claim.holds), claim.query) for claim in bound.claims]
    with contextlib.chdir(root), duckdb.connect() as connection:
        wrong = [
            f"{name}: {text!r} stands for {value!r}, its query gives {found!r}"
            for name, text, value, query in expected
            if not _agrees(value, found := _one(connection, query, f"{numbers}#{name}"))
        ]
    for line in wrong:
        print(line)
    right = len(expected) - len(wrong)
    print(f"{right} of {len(expected)} numbers and claims agree with the raw files")
    return int(bool(wrong))


def _one(connection: duckdb.DuckDBPyConnection, query: str, where: str) -> object:
    """What a query gives when it gives one row with one column; else all that it gives."""
    try:
        rows = connection.execute(query).fetchall()
    except duckdb.Error as bad:
        first = str(bad).splitlines()[0]
        raise InputError(
            where, first, "run it from the project's root, with its raw files"
        ) from None
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else rows


def _agrees(value: float, found: object) -> bool:
    if not isinstance(found, int | float):
        return False
    return abs(found - value) <= TOLERANCE * abs(value)
