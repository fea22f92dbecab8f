"""`benchproof verify NUMBERS.json`: each number and claim again, by its query on the raw files."""

import contextlib
import hashlib
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import msgspec

from benchproof.config import inside
from benchproof.errors import InputError
from benchproof.model.record import Place
from benchproof.records.strict_json import read_bounded, read_json
from benchproof.report.registry import Numbers, parameters
from benchproof.values.rounding import printings
from benchproof.values.sql import text as literal
from benchproof.verbs.recompute import Recomputer

TOLERANCE = 1e-9


def verify(numbers: Path, root: Path = Path()) -> int:
    """Run every query of a post's numbers.json from the project's ROOT with DuckDB.

    Exit status 1 when a number, or a claim, is not what its query gives, when a text is not what
    its number rounds to, when a raw file is not the one that the post cites, when a query does not
    read the files that its number cites, or when index.html prints another number. Bounds of
    intervals and p-values, the queries' parameters, are computed again from the samples.
    """
    document, _ = read_json(numbers, str(numbers))
    try:
        bound = msgspec.convert(document, Numbers)
    except msgspec.ValidationError as bad:
        raise InputError(str(numbers), str(bad), "render the post again") from None
    expected = [(number.id, number.text, number.value, number.query) for number in bound.numbers]
    expected += [(claim.id, claim.text, float(claim.holds), claim.query) for claim in bound.claims]
    given = Recomputer(root).numbers(bound.recomputations, str(numbers))
    with _reader(root) as connection:
        wrong = [
            f"{name}: {text!r} stands for {value!r}, its query gives {found!r}"
            for name, text, value, query in expected
            if not _agrees(value, found := _one(connection, query, given, f"{numbers}#{name}"))
        ]
    right = len(expected) - len(wrong)
    wrong += _elsewhere(bound)
    wrong += _misprinted(bound, numbers.with_name("index.html"))
    wrong += [
        f"{number.id}: {number.text!r} is not how {number.value!r} {number.unit} is printed"
        for number in bound.numbers
        if number.text not in printings(number.value, number.unit, number.digits)
    ]
    wrong += _changed_files(bound, root)
    for line in wrong:
        print(line)
    others = len(wrong) - (len(expected) - right)
    print(
        f"{right} of {len(expected)} queries give the post's numbers and claims"
        + (f"; other faults: {others}" if others else "")
    )
    return int(bool(wrong))


def _elsewhere(bound: Numbers) -> list[str]:
    """Numbers whose query, with its parameters, does not read every raw file that they cite."""
    return [
        f"{number.id}: {number.text!r} cites {place.file}, which its query does not read"
        for number in bound.numbers
        for place in number.records
        if literal(place.file) not in number.query
        and not any(place.file == round_.file for round_ in _rounds(bound, number.query))
    ] + [
        f"{number.id}: {number.text!r} cites no record"
        for number in bound.numbers
        if not number.records
    ]


def _rounds(bound: Numbers, query: str) -> list[Place]:
    """Places of the samples behind the parameters of a query."""
    known = bound.recomputations
    told = [known[name] for name in parameters(query) if name in known]
    return [place for one in told for sampled in one.of for place in sampled.rounds]


def _misprinted(bound: Numbers, page: Path) -> list[str]:
    """Bound numbers that the page beside numbers.json prints as something else."""
    if not page.is_file():
        return []
    reader = Spans()
    reader.feed(read_bounded(page, str(page)).decode("utf-8", "replace"))
    texts = {number.id: number.text for number in bound.numbers}
    return [
        f"{name}: {page.name} prints {shown!r}, numbers.json has {texts.get(name)!r}"
        for name, shown in dict.fromkeys(reader.found)
        if texts.get(name) != " ".join(shown.split())
    ]


class Spans(HTMLParser):
    """Texts of the bound numbers of a page, with their ids, in document order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._open: list[tuple[str, list[str]] | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a span; a bound number is one with an id."""
        if tag == "span":
            name = dict(attrs).get("data-bp")
            self._open.append((name, []) if name else None)

    def handle_data(self, data: str) -> None:
        """Text inside the open numbers."""
        for number in self._open:
            if number:
                number[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        """Close a span and keep its number."""
        if tag == "span" and self._open:
            number = self._open.pop()
            if number:
                self.found.append((number[0], "".join(number[1])))


@contextlib.contextmanager
def _reader(root: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB in the project's root, shut off from everything outside it."""
    with contextlib.chdir(root), duckdb.connect(config={"threads": 1}) as connection:
        # A query's files are read in milliseconds; to plan the best way to join the hundreds of
        # subqueries that a claim may have takes a minute.
        connection.execute("PRAGMA disable_optimizer")
        connection.execute(f"SET allowed_directories = [{literal(f'{Path.cwd()}/')}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection


def _changed_files(bound: Numbers, root: Path) -> list[str]:
    """What to say of each cited file whose bytes are not those that the post was made from."""
    cited = {(place.file, place.sha256) for number in bound.numbers for place in number.records}
    cited |= {
        (place.file, place.sha256)
        for told in bound.recomputations.values()
        for sampled in told.of
        for place in sampled.rounds
    }
    return [
        f"{file}: is not the file that the post cites; its SHA-256 differs"
        for file, sha256 in sorted(cited)
        if hashlib.sha256(read_bounded(inside(root, file), file)).hexdigest() != sha256
    ]


def _one(
    connection: duckdb.DuckDBPyConnection, query: str, given: Mapping[str, float], where: str
) -> object:
    """What a query gives when it gives one row with one column; else all that it gives.

    `given` are the numbers that its parameters may name.

    Nothing but a single SELECT is run: numbers.json may be a stranger's, and COPY writes files.
    """
    try:
        statements = connection.extract_statements(query)
        if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
            raise InputError(where, "the query is no single SELECT", "render the post again")
        used = {name: given[name] for name in statements[0].named_parameters if name in given}
        rows = connection.execute(statements[0], used).fetchall()
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
