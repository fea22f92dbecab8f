"""A document made ready for binding: each passage with its names, its numbers and its table."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchproof.audit.binding.measured import MeasureNames
from benchproof.audit.binding.vocabulary import Hit, Vocabulary, number_of
from benchproof.audit.document.passage import Document, Kind, Passage
from benchproof.audit.facts.cube import Value
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.extract import mentions_of
from benchproof.audit.mention.mention import Mention

_BARE = re.compile(
    r"^\s*(?:[×x]\s*)?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*([kK])?\s*(?:\([a-z ]+\))?\s*$"
)
_ASKED = re.compile(r"\b(?:asked\s+for|requested)\s*:?\s+(?:the\s+)?$", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:,\s*(?:and|or)|,(?!\d{3}(?!\d))|\band\b|\bor\b|\bund\b|;|/|–)\s*")
_BARE_SIZE = re.compile(
    r"(?<![\w.])(?:at|for|with|of|by|and|to)\s+(?P<size>(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<suffix>[kK])?)"
    r"(?![\w%×]|[.,]\d|\s?(?:ms|µs|us|s|%|×|x|of|out)\b)"
)
_BARE_PAIR = re.compile(
    r"(?<![\w.,])(?P<first>\d[\d,]*)\s*(?:to|→|->|–|over|vs\.?|against|/)\s*(?P<second>\d[\d,]*)"
    r"(?![\w%×]|\.\d|\s?(?:ms|µs|us|s|%|×|x)\b)"
)
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


class Table(msgspec.Struct, frozen=True):
    """A table's cells by their place: index of the passage in the document."""

    cells: Mapping[tuple[int, int], int]
    caption: int | None
    head_rows: int
    by_row: Mapping[int, tuple[int, ...]]
    before: int | None = None  # the paragraph that touches it, above
    after: int | None = None  # and below

    def row(self, row: int) -> tuple[int, ...]:
        """Passages of a row, from left to right, each once."""
        return self.by_row.get(row, ())

    def head(self, column: int) -> list[int]:
        """Passages that head a column, the uppermost first."""
        found = (self.cells.get((row, column)) for row in range(self.head_rows))
        return list(dict.fromkeys(at for at in found if at is not None))

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return 1 + max((row for row, _ in self.cells), default=-1)

    @property
    def columns(self) -> int:
        """How many columns it has."""
        return 1 + max((column for _, column in self.cells), default=-1)


class Outline(msgspec.Struct, frozen=True):
    """All passages of a document, prepared, and its tables by their number."""

    document: Document
    prepared: tuple[Prepared, ...]
    tables: Mapping[int, Table]
    titles: tuple[int, ...]  # front matter and the first heading
    with_key: Mapping[str, tuple[int, ...]]  # passages that name a key, in their order
    truncates: bool = False  # the document says that its numbers are cut, not rounded

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
            hits[at] += _bare_pairs(passage.text, hits[at], words)
        hits[at] += _bare_sizes(passage.text, hits[at], words)
        hits[at] = _asked(passage.text, hits[at])
    tables = dict(_tables(document.passages))
    for table in tables.values():
        settings: dict[int, list[Hit]] = {}
        for at, found in _bare_settings(document.passages, table, words, hits):
            settings.setdefault(at, []).append(found)
        for at, told in settings.items():
            hits[at] = told
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
        if not any(hit.start < name.end and name.start < hit.end for name in names):
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


def _bare_sizes(text: str, hits: Sequence[Hit], words: Vocabulary) -> list[Hit]:
    """`3.1 ms for one token, 9.3 ms for 16`: bare sizes of the one key that the data has."""
    if len(words.numeric) != 1:
        return []
    key = words.numeric[0][0]
    known: set[Value] = set(words.values[key])
    found: list[Hit] = []
    for match in _BARE_SIZE.finditer(text):
        span = match.span("size")
        if any(span[0] < hit.end and hit.start < span[1] for hit in hits):
            continue
        value = number_of(match["digits"], match["suffix"] or "", known)
        if value in known or match["suffix"]:
            found.append(Hit(*span, key, frozenset([value]), value in known))
    return found


def _bare_pairs(text: str, hits: Sequence[Hit], words: Vocabulary) -> Iterator[Hit]:
    """`GPU, 32 to 256`: two sizes of the one key that knows both."""
    for match in _BARE_PAIR.finditer(text):
        if any(match.start() < hit.end and hit.start < match.end() for hit in hits):
            continue
        pair = [number_of(match[side], "", set()) for side in ("first", "second")]
        fitting = [key for key, _, _ in words.numeric if set(pair) <= set(words.values[key])]
        if len(fitting) == 1:
            for side, value in zip(("first", "second"), pair, strict=True):
                yield Hit(*match.span(side), fitting[0], frozenset([value]))


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
    found = mentions_of(passage.text, comma_decimals=commas)
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


def _tables(passages: Sequence[Passage]) -> Iterator[tuple[int, Table]]:
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
            head = row + 1
        before, after = _touching(passages, found, captions.get(number))
        yield number, Table(found, captions.get(number), head, _by_row(found), before, after)


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


def _bare_settings(
    passages: Sequence[Passage], table: Table, words: Vocabulary, hits: Sequence[Sequence[Hit]]
) -> Iterator[tuple[int, Hit]]:
    """Cells that are a key's number alone: a column of batches, or heads that are batches."""
    for column in range(table.columns):
        head = " ".join(passages[at].text for at in table.head(column))
        key = named_key(head, words)
        # Under `Batch 32` stand measurements, under `Batch` batches.
        if key is None or any(hit.key == key for at in table.head(column) for hit in hits[at]):
            continue
        for row in range(table.head_rows, table.rows):
            at = table.cells.get((row, column))
            if at is not None:
                yield from ((at, hit) for hit in _bare_list(passages[at].text, key, words))
    yield from _bare_heads(passages, table, words, hits)


def _bare_heads(
    passages: Sequence[Passage], table: Table, words: Vocabulary, hits: Sequence[Sequence[Hit]]
) -> Iterator[tuple[int, Hit]]:
    """Heads that are numbers: of the key that a text over them names, or that knows them all."""
    bare = [
        at
        for row in range(table.head_rows)
        for at in table.row(row)
        if _BARE.match(passages[at].text) and not hits[at]
    ]
    if not bare:
        return
    around = [passages[at].text for row in range(table.head_rows) for at in table.row(row)]
    caption = passages[table.caption].text if table.caption is not None else ""
    key = named_key(" ".join(around), words) or named_key(caption, words)
    if key is None:
        fitting = [
            name
            for name, _, _ in words.numeric
            if all(_bare_hit(passages[at].text, name, words, strict=True) for at in bare)
        ]
        key = fitting[0] if len(fitting) == 1 else None
    if key is not None:
        for at in bare:
            hit = _bare_hit(passages[at].text, key, words)
            if hit:
                yield at, hit


def named_key(text: str, words: Vocabulary) -> str | None:
    """The numeric key that a head names: `Batch size` is `batch`; None where it names none."""
    found = [key for key, pattern in words.key_names.items() if pattern.search(text)]
    return found[0] if len(found) == 1 else None


def _bare_list(text: str, key: str, words: Vocabulary) -> Iterator[Hit]:
    """One size, or several: `1, 8, 32 and 128`."""
    start = 0
    for part in _LISTED.split(text):
        at = text.index(part, start)
        start = at + len(part)
        hit = _bare_hit(part, key, words)
        if hit is None:
            return
        yield hit._replace(start=at + hit.start, end=at + hit.end)


def _bare_hit(text: str, key: str, words: Vocabulary, *, strict: bool = False) -> Hit | None:
    match = _BARE.match(text)
    if match is None:
        return None
    known: set[Value] = set(words.values[key])
    value = number_of(match[1], match[2] or "", known)
    if strict and value not in known:
        return None
    return Hit(match.start(1), match.end(), key, frozenset([value]), value in known)
