"""One `Telemetry` from all files that `--data` names, each recognised by its content."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchproof.audit.facts.assemble import Reading, assemble
from benchproof.audit.facts.delimited import read_delimited
from benchproof.audit.facts.doubts import doubts
from benchproof.audit.facts.duplicates import settle
from benchproof.audit.facts.fact import Fact, Telemetry
from benchproof.audit.facts.foreign_json import parse_json
from benchproof.audit.facts.mapping import DataMapping
from benchproof.audit.facts.measures import MEASURES
from benchproof.audit.facts.nested import read_nested
from benchproof.audit.facts.own import (
    Pool,
    is_neural_cost,
    is_raw,
    own_facts,
    own_findings,
    pool_neural_cost,
    pool_raw,
)
from benchproof.audit.facts.sheet import NoRecordsError, Sheet
from benchproof.audit.facts.sources import Content, Source, find_sources, read_content
from benchproof.errors import ImportFormatError, InputError
from benchproof.records.findings import DataFinding, Level
from benchproof.records.load import Loaded, load_file

_LINES = frozenset((".jsonl", ".ndjson"))


class Sorted(NamedTuple):
    """What each file turned out to be; `skipped` are those of a folder that hold no records."""

    files: tuple[tuple[str, str], ...]
    pools: tuple[Pool, ...]
    sheets: tuple[Sheet, ...]
    findings: tuple[DataFinding, ...]


def read_telemetry(paths: Sequence[str], mapping: DataMapping | None, root: Path) -> Telemetry:
    """All facts of files, folders and globs; places are named from `root`.

    InputError, one line, where a file cannot be read; ConfigError where the mapping does not fit.
    """
    told = sort_sources(find_sources(paths, root), root)
    reading = assemble(told.sheets, mapping or DataMapping())
    facts = tuple(_in_order([*own_facts(told.pools), *reading.facts]))
    settled = settle(facts, reading.runs)
    measures = _measures(told.pools, reading)
    findings = (
        *told.findings,
        *own_findings(told.pools),
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
    raw: list[Loaded] = []
    pools: list[Pool] = []
    sheets: list[Sheet] = []
    findings: list[DataFinding] = []
    for source in sources:
        content = read_content(source)
        files.append((source.shown, content.sha256))
        try:
            piece, finding = _piece(source, content, root)
        except NoRecordsError as bad:
            if source.named or len(sources) == 1:
                raise InputError(bad.where, bad.what, bad.remedy) from None
            findings.append(_skipped(source, bad))
            files.pop()
            continue
        findings += finding
        _append(piece, raw, pools, sheets)
    if not files:
        raise InputError(
            ", ".join(source.shown for source in sources[:3]), "data without records",
            "name the files that hold the measurements",
        )  # fmt: skip
    return Sorted(tuple(files), (*pool_raw(raw), *pools), tuple(sheets), tuple(findings))


def _append(
    piece: Loaded | Pool | Sheet, raw: list[Loaded], pools: list[Pool], sheets: list[Sheet]
) -> None:
    if isinstance(piece, Sheet):
        sheets.append(piece)
    elif isinstance(piece, Pool):
        pools.append(piece)
    else:
        raw.append(piece)


def _piece(
    source: Source, content: Content, root: Path
) -> tuple[Loaded | Pool | Sheet, Sequence[DataFinding]]:
    """What one file holds, and what is to be said about how it was read."""
    if not _is_json(source, content):
        return read_delimited(content.text, source.shown), ()
    lines = source.path.suffix.lower() in _LINES
    document = parse_json(content.text, source.shown, lines=lines)
    if is_raw(document):
        return load_file(source.path, root), ()
    if is_neural_cost(document):
        try:
            return pool_neural_cost(source), ()
        except ImportFormatError as bad:
            findings = (_ungated(source, bad),)
            return read_nested(document, source.shown), findings
    _refuse_other_schemas(document, source)
    by_line = lines or (not content.text.lstrip().startswith("[") and isinstance(document, list))
    return read_nested(document, source.shown, lines=by_line), ()


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


def _measures(pools: Iterable[Pool], reading: Reading) -> Mapping[str, Any]:
    own = {measure.name: measure for measure in MEASURES} if any(pools) else {}
    return {**reading.measures, **own}


def _in_order(facts: Sequence[Fact]) -> Iterator[Fact]:
    """The facts with their keys in one order: equal keys are equal whatever file has them."""
    order: dict[str, int] = {}
    for fact in facts:
        for key in fact.keys:
            order.setdefault(key, len(order))
    for fact in facts:
        places = [order[key] for key in fact.keys]
        if places == sorted(places):
            yield fact
        else:
            keys = {key: fact.keys[key] for key in sorted(fact.keys, key=order.__getitem__)}
            yield msgspec.structs.replace(fact, keys=keys)
