"""A document made ready for binding: each passage with its names, its numbers and its table."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchproof.audit.binding.measured import STATISTIC, MeasureNames
from benchproof.audit.binding.settings import bare_pairs, bare_settings, bare_sizes
from benchproof.audit.binding.table import Table, tables_of
from benchproof.audit.binding.vocabulary import Hit, Vocabulary
from benchproof.audit.document.passage import Document, Kind, Passage
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.extract import mentions_of
from benchproof.audit.mention.mention import Mention

_ASKED = re.compile(r"\b(?:asked\s+for|requested)\s*:?\s+(?:the\s+)?$", re.IGNORECASE)
_SIZED = re.compile(r"\s(?:level|depth|step)s?[\s-]\d")  # "compression level 6"
_TRUNCATES = re.compile(
    r"\btruncated?\b|\bcut(?:\s+off)?,?\s+(?:and\s+)?not\s+rounded|\brounded\s+down\b|"
    r"\bwithout\s+rounding\b|\bnot\s+rounded\b",
    re.IGNORECASE,
)
_COMMA_DECIMAL = re.compile(r"(?<![\d.,])\d+,\d{1,2}(?![\d,])")
_POINT_DECIMAL = re.compile(r"(?<![\d.,])\d+\.\d+(?![\d.])")


class Prepared(msgspec.Struct, frozen=True):
    """A passage with the names of keys in it and the numbers that are no part of such a name.

    `by_key` has the same names by their key.
    """

    passage: Passage
    hits: tuple[Hit, ...]
    mentions: tuple[Mention, ...]
    by_key: Mapping[str, tuple[Hit, ...]]


class Outline(msgspec.Struct, frozen=True, eq=False):
    """All passages of a document, prepared, and its tables by their number."""

    document: Document
    prepared: tuple[Prepared, ...]
    tables: Mapping[int, Table]
    titles: tuple[int, ...]  # front matter and the first heading
    with_key: Mapping[str, tuple[int, ...]]  # passages that name a key, in their order
    truncates: bool = False  # the document says that its numbers are cut, not rounded

    def head_text(self, table: Table, column: int) -> str:
        """What heads a column, from the uppermost down."""
        return " ".join(self.prepared[at].passage.text for at in table.head(column))

    def earlier_with(self, key: str, at: int) -> Iterator[int]:
        """Passages before `at` that name a key, the nearest first."""
        known = self.with_key.get(key, ())
        for position in range(bisect_left(known, at) - 1, -1, -1):
            yield known[position]


def outline(document: Document, words: Vocabulary, measures: MeasureNames) -> Outline:
    """The document with every name and number found; numbers that are settings are names."""
    commas = _writes_commas(document)
    hits = [words.hits(passage.text) for passage in document.passages]
    for at, passage in enumerate(document.passages):
        if passage.kind in (Kind.HEADER, Kind.CAPTION, Kind.HEADING):
            hits[at] += bare_pairs(passage.text, hits[at], words)
        hits[at] += bare_sizes(passage.text, hits[at], words)
        hits[at] = _asked(passage.text, hits[at])
    tables = dict(tables_of(document.passages))
    for table in tables.values():
        settings: dict[int, list[Hit]] = {}
        for at, hit in bare_settings(document.passages, table, words, hits):
            settings.setdefault(at, []).append(hit)
        for at, named in settings.items():
            hits[at] = named
    prepared = tuple(
        _prepared(
            passage, (*found, *_apart(measures, passage, found)), _free(passage, found, commas)
        )
        for passage, found in zip(document.passages, hits, strict=True)
    )
    with_key: dict[str, list[int]] = {}
    for at, one in enumerate(prepared):
        for key in one.by_key:
            with_key.setdefault(key, []).append(at)
    told = {key: tuple(found) for key, found in with_key.items()}
    cut = any(_TRUNCATES.search(passage.text) for passage in document.passages)
    return Outline(document, prepared, tables, tuple(_titles(document.passages)), told, cut)


def _apart(measures: MeasureNames, passage: Passage, names: Sequence[Hit]) -> Iterator[Hit]:
    """Names of measures and statistics that are no part of another name, as `M3 Max` has."""
    for hit in measures.hits(passage.text):
        is_part = any(hit.start < name.end and name.start < hit.end for name in names)
        is_size = hit.key != STATISTIC and _SIZED.match(passage.text, hit.end)
        if not is_part and not is_size:
            yield hit


def _asked(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """`cpu (asked for mps)` is a record of the device that was asked for."""
    asked = {hit.key: hit for hit in hits if _ASKED.search(text[: hit.start])}
    return [hit for hit in hits if hit.key not in asked or hit == asked[hit.key]]


def _titles(passages: Sequence[Passage]) -> Iterator[int]:
    yield from (at for at, one in enumerate(passages) if one.kind is Kind.META)
    first = next((at for at, one in enumerate(passages) if one.kind is Kind.HEADING), None)
    if first is not None:
        yield first


def _prepared(passage: Passage, hits: Sequence[Hit], mentions: Iterator[Mention]) -> Prepared:
    ordered = tuple(sorted(hits, key=lambda hit: hit.start))
    by_key: dict[str, list[Hit]] = {}
    for hit in ordered:
        by_key.setdefault(hit.key, []).append(hit)
    told = {key: tuple(found) for key, found in by_key.items()}
    return Prepared(passage, ordered, tuple(mentions), told)


def _writes_commas(document: Document) -> bool:
    """Whether the document writes 4,81 where others write 4.81."""
    if document.language.lower()[:2] in {"de", "fr", "es", "it", "pt", "nl", "pl", "ru"}:
        return True
    texts = [passage.text for passage in document.passages if passage.kind is not Kind.CODE]
    commas = sum(len(_COMMA_DECIMAL.findall(text)) for text in texts)
    points = sum(len(_POINT_DECIMAL.findall(text)) for text in texts)
    return commas > 2 and commas > 2 * points


def _free(passage: Passage, hits: Sequence[Hit], commas: bool) -> Iterator[Mention]:
    if passage.kind is Kind.CODE:
        return
    is_cell = passage.kind is Kind.CELL
    found = mentions_of(passage.text, comma_decimals=commas, in_cell=is_cell)
    typed = [run for run in passage.code if not _is_amount(passage.text, run, found)]
    for one in found:
        in_name = any(one.start < hit.end and hit.start < one.end for hit in hits)
        in_code = any(start <= one.start < end for start, end in typed)
        if not in_name and not in_code:
            yield one


def _is_amount(text: str, run: tuple[int, int], found: Sequence[Mention]) -> bool:
    """Whether a code run is set so for its look alone: it holds nothing but numbers."""
    start, end = run
    inside = [one for one in found if start <= one.start and one.end <= end]
    for one in inside:
        between, start = text[start : one.start], one.end
        if any(character.isalnum() or character in "_=(" for character in between):
            return False
    is_plain = not any(character.isalnum() for character in text[start:end])
    return is_plain and any(one.dimension is not Dimension.UNKNOWN for one in inside)
