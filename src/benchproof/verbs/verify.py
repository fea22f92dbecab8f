"""`benchproof verify NUMBERS.json`: each number and claim again, by its query on the raw files."""

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

import duckdb
import msgspec

from benchproof.config import inside
from benchproof.errors import InputError
from benchproof.records.strict_json import read_bounded, read_json
from benchproof.report.registry import Numbers
from benchproof.values.rounding import printings
from benchproof.values.sql import text as literal

TOLERANCE = 1e-9


def verify(numbers: Path, root: Path = Path()) -> int:
    """Run every query of a post's numbers.json from the project's ROOT with DuckDB.

    Exit status 1 when a number, or a claim, is not what its query gives, when a text is not what
    its number rounds to, or when a raw file is not the one that the post cites.
    """
    document, _ = read_json(numbers, str(numbers))
    try:
        bound = msgspec.convert(document, Numbers)
    except msgspec.ValidationError as bad:
        raise InputError(str(numbers), str(bad), "render the post again") from None
    expected = [(number.id, number.text, number.value, number.query) for number in bound.numbers]
    expected += [(claim.id, claim.text, float(claim.holds), claim.query) for claim in bound.claims]
    with _reader(root) as connection:
        wrong = [
            f"{name}: {text!r} stands for {value!r}, its query gives {found!r}"
            for name, text, value, query in expected
            if not _agrees(value, found := _one(connection, query, f"{numbers}#{name}"))
        ]
    right = len(expected) - len(wrong)
    wrong += [
        f"{number.id}: {number.text!r} is not how {number.value!r} {number.unit} is printed"
        for number in bound.numbers
        if number.text not in printings(number.value, number.unit, number.digits)
    ]
    wrong += _changed_files(bound, root)
    for line in wrong:
        print(line)
    print(f"{right} of {len(expected)} numbers and claims agree with the raw files")
    return int(bool(wrong))


@contextlib.contextmanager
def _reader(root: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB in the project's root, shut off from everything outside it."""
    with contextlib.chdir(root), duckdb.connect() as connection:
        connection.execute(f"SET allowed_directories = [{literal(f'{Path.cwd()}/')}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection


def _changed_files(bound: Numbers, root: Path) -> list[str]:
    """What to say of each cited file whose bytes are not those that the post was made from."""
    cited = {(place.file, place.sha256) for number in bound.numbers for place in number.records}
    return [
        f"{file}: is not the file that the post cites; its SHA-256 differs"
        for file, sha256 in sorted(cited)
        if hashlib.sha256(read_bounded(inside(root, file), file)).hexdigest() != sha256
    ]


def _one(connection: duckdb.DuckDBPyConnection, query: str, where: str) -> object:
    """What a query gives when it gives one row with one column; else all that it gives.

    Nothing but a single SELECT is run: numbers.json may be a stranger's, and COPY writes files.
    """
    try:
        statements = connection.extract_statements(query)
        if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
            raise InputError(where, "the query is no single SELECT", "render the post again")
        rows = connection.execute(statements[0]).fetchall()
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
