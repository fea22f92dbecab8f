"""One `Telemetry` from all files that `--data` names, each recognised by its content."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from benchproof.audit.facts.assemble import assemble
from benchproof.audit.facts.delimited import read_delimited
from benchproof.audit.facts.doubts import doubts
from benchproof.audit.facts.duplicates import settle
from benchproof.audit.facts.fact import Fact, Measure, Telemetry
from benchproof.audit.facts.foreign_json import parse_json
from benchproof.audit.facts.mapping import DataMapping
from benchproof.audit.facts.measures import MEASURES
from benchproof.audit.facts.nested import read_nested
from benchproof.audit.facts.own_shape import is_neural_cost, is_raw
from benchproof.audit.facts.sheet import NoRecordsError, Sheet
from benchproof.audit.facts.sources import Content, Source, find_sources, read_content
from benchproof.errors import ImportFormatError, InputError
from benchproof.garbage import without_collection
from benchproof.records.findings import DataFinding, Level

if TYPE_CHECKING:
    from benchproof.audit.facts.own import Pool
    from benchproof.records.load import Loaded

_LINES = frozenset((".jsonl", ".ndjson"))


class Sorted(NamedTuple):
    """What each file turned out to be; `skipped` are those of a folder that hold no records."""

    files: tuple[tuple[str, str], ...]
    pools: tuple["Pool", ...]
    sheets: tuple[Sheet, ...]
    findings: tuple[DataFinding, ...]


class Piece(NamedTuple):
    """What one file holds: a raw file, records of neural-cost, or rows that nobody vouches for."""

    raw: "Loaded | None" = None
    pool: "Pool | None" = None
    sheet: Sheet | None = None
    findings: tuple[DataFinding, ...] = ()


class Own(NamedTuple):
    """What benchproof's own records say."""

    facts: tuple[Fact, ...] = ()
    measures: Mapping[str, Measure] = {}
    findings: tuple[DataFinding, ...] = ()


@without_collection()
def read_telemetry(paths: Sequence[str], mapping: DataMapping | None, root: Path) -> Telemetry:
    """All facts of files, folders and globs; places are named from `root`.

    InputError, one line, where a file cannot be read; ConfigError where the mapping does not fit.
    """
    told = sort_sources(find_sources(paths, root), root)
    reading = assemble(told.sheets, mapping or DataMapping())
    own = _own(told.pools)
    facts = tuple(_in_order([*own.facts, *reading.facts]))
    settled = settle(facts, reading.runs)
    measures = {**reading.measures, **own.measures}
    findings = (
        *told.findings,
        *own.findings,
        *reading.findings,
        *settled.findings,
        *doubts(settled.facts, measures),
    )
    return Telemetry(
        facts=settled.facts,
        measures=measures,
        files=told.files,
        repeats=reading.repeats,
        findings=tuple(dict.fromkeys(findings)),
    )


def read_sheets(paths: Sequence[str], root: Path) -> tuple[Sheet, ...]:
    """The foreign files among those that the arguments name, as sheets."""
    return sort_sources(find_sources(paths, root), root).sheets


def sort_sources(sources: Sequence[Source], root: Path) -> Sorted:
    """Every source by what it holds; InputError where none of them holds records."""
    files: list[tuple[str, str]] = []
    pieces: list[Piece] = []
    findings: list[DataFinding] = []
    for source in sources:
        content = read_content(source)
        try:
            piece = _piece(source, content, root)
        except NoRecordsError as bad:
            if source.named or len(sources) == 1:
                raise InputError(bad.where, bad.what, bad.remedy) from None
            findings.append(_skipped(source, bad))
            continue
        files.append((source.shown, content.sha256))
        pieces.append(piece)
        findings += piece.findings
    if not files:
        raise InputError(
            ", ".join(source.shown for source in sources[:3]), "data without records",
            "name the files that hold the measurements",
        )  # fmt: skip
    sheets = tuple(piece.sheet for piece in pieces if piece.sheet is not None)
    return Sorted(tuple(files), tuple(_pools(pieces)), sheets, tuple(findings))


def _pools(pieces: Sequence[Piece]) -> Iterator["Pool"]:
    """All records of benchproof's own, those of raw files first."""
    raw = [piece.raw for piece in pieces if piece.raw is not None]
    if raw:
        from benchproof.audit.facts.own import pool_raw

        yield from pool_raw(raw)
    yield from (piece.pool for piece in pieces if piece.pool is not None)


def _own(pools: Sequence["Pool"]) -> Own:
    if not pools:
        return Own()
    from benchproof.audit.facts.own import own_facts, own_findings

    measures = {measure.name: measure for measure in MEASURES} if any(pools) else {}
    return Own(own_facts(pools), measures, tuple(own_findings(pools)))


def _piece(source: Source, content: Content, root: Path) -> Piece:
    """What one file holds, and what is to be said about how it was read."""
    if not _is_json(source, content):
        return Piece(sheet=read_delimited(content.text, source.shown))
    lines = source.path.suffix.lower() in _LINES
    document = parse_json(content.text, source.shown, lines=lines)
    if is_raw(document):
        from benchproof.records.load import load_file

        return Piece(raw=load_file(source.path, root))
    if is_neural_cost(document):
        return _of_neural_cost(source, document)
    _refuse_other_schemas(document, source)
    by_line = lines or (not content.text.lstrip().startswith("[") and isinstance(document, list))
    return Piece(sheet=read_nested(document, source.shown, lines=by_line))


def _of_neural_cost(source: Source, document: Any) -> Piece:
    from benchproof.audit.facts.own import pool_neural_cost

    try:
        return Piece(pool=pool_neural_cost(source))
    except ImportFormatError as bad:
        sheet = read_nested(document, source.shown)
        return Piece(sheet=sheet, findings=(_ungated(source, bad),))


def _is_json(source: Source, content: Content) -> bool:
    """Whether a file is JSON: by its first character, where its name does not say CSV."""
    if source.path.suffix.lower() in (".json", *_LINES):
        return True
    return content.text.lstrip()[:1] in ("{", "[")


def _refuse_other_schemas(document: Any, source: Source) -> None:
    schema = document.get("schema") if isinstance(document, dict) else None
    if isinstance(schema, str) and schema.startswith("benchproof/"):
        raise NoRecordsError(
            f"{source.shown}#/schema",
            f"data without records: {schema} is no telemetry",
            "give the raw files that it was made from",
        )


def _skipped(source: Source, bad: InputError) -> DataFinding:
    return DataFinding("not-telemetry", Level.NOTE, (source.shown,), f"{source.shown}: {bad.what}")


def _ungated(source: Source, bad: InputError) -> DataFinding:
    return DataFinding(
        "ungated-records",
        Level.WARNING,
        (source.shown,),
        f"{source.shown} looks like neural-cost and is read as plain records, which pass no gates: "
        f"{bad.where.removeprefix(str(source.path))}: {bad.what}",
    )


def _in_order(facts: Sequence[Fact]) -> Iterator[Fact]:
    """The facts with their keys in one order: equal keys are equal whatever file has them."""
    layouts = dict.fromkeys(tuple(fact.keys) for fact in facts)  # few: the rows of a file are alike
    order: dict[str, int] = {}
    for layout in layouts:
        for key in layout:
            order.setdefault(key, len(order))
    ordered = {one for one in layouts if list(one) == sorted(one, key=order.__getitem__)}
    for fact in facts:
        if tuple(fact.keys) in ordered:
            yield fact
        else:
            keys = {key: fact.keys[key] for key in sorted(fact.keys, key=order.__getitem__)}
            yield msgspec.structs.replace(fact, keys=keys)
