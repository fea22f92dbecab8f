"""Numbers that are settings: bare sizes in columns, heads and sentences name a key's value."""

import re
from collections.abc import Iterator, Sequence

from benchproof.audit.binding.table import Table
from benchproof.audit.binding.vocabulary import Hit, Vocabulary, number_of
from benchproof.audit.document.passage import Passage
from benchproof.audit.facts.cube import Value

_BARE = re.compile(
    r"^\s*(?:[×x]\s*)?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*([kK])?\s*(?:\([a-z ]+\))?\s*$"
)
_FROM_TO = re.compile(r"from|to|start|end|base(?:line)?|new|von|bis", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:,\s*(?:and|or)|,(?!\d{3}(?!\d))|\band\b|\bor\b|\bund\b|;|/|–)\s*")
_BARE_SIZE = re.compile(
    r"(?<![\w.])(?:at|for|with|of|by|and|to)\s+(?P<size>(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<suffix>[kK])?)"
    r"(?![\w%×]|[.,]\d|\s?(?:ms|µs|us|s|%|×|x|of|out)\b)"
)
_BARE_PAIR = re.compile(
    r"(?<![\w.,])(?P<first>\d[\d,]*)\s*(?:to|→|->|–|over|vs\.?|against|/)\s*(?P<second>\d[\d,]*)"
    r"(?![\w%×]|\.\d|\s?(?:ms|µs|us|s|%|×|x)\b)"
)


def bare_settings(
    passages: Sequence[Passage], table: Table, words: Vocabulary, hits: Sequence[Sequence[Hit]]
) -> Iterator[tuple[int, Hit]]:
    """Cells that are a key's number alone: a column of batches, or heads that are batches."""
    for column in range(table.columns):
        head = " ".join(passages[at].text for at in table.head(column))
        key = named_key(head, words)
        if _FROM_TO.fullmatch(head.strip()) and table.caption is not None:
            key = named_key(passages[table.caption].text, words)
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


def bare_sizes(text: str, hits: Sequence[Hit], words: Vocabulary) -> list[Hit]:
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


def bare_pairs(text: str, hits: Sequence[Hit], words: Vocabulary) -> Iterator[Hit]:
    """`GPU, 32 to 256`: two sizes of the one key that knows both."""
    for match in _BARE_PAIR.finditer(text):
        if any(match.start() < hit.end and hit.start < match.end() for hit in hits):
            continue
        pair = [number_of(match[side], "", set()) for side in ("first", "second")]
        fitting = [key for key, _, _ in words.numeric if set(pair) <= set(words.values[key])]
        if len(fitting) == 1:
            for side, value in zip(("first", "second"), pair, strict=True):
                yield Hit(*match.span(side), fitting[0], frozenset([value]))
