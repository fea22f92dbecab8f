"""Documents of a few lines, and what their passages must always be like."""

from hypothesis import strategies as st

from benchproof.audit.document.html import read_html
from benchproof.audit.document.markdown import read_markdown
from benchproof.audit.document.passage import Document, Kind, Passage
from benchproof.audit.document.plain import read_plain

WORDS = st.lists(
    st.sampled_from(
        [
            "batch",
            "256",
            "4.81",
            "ms",
            "×",
            "8×",
            "GFLOP/s",
            "p95",
            "24.8",
            "%",
            "–",
            "ñandú",
            "2,048",
        ]
    ),
    min_size=1,
    max_size=5,
).map(" ".join)


def markdown(source: str) -> Document:
    return read_markdown(source, "post.md")


def html(source: str) -> Document:
    return read_html(source, "post.html")


def plain(source: str) -> Document:
    return read_plain(source, "post.txt")


def told(document: Document) -> list[tuple[str, str]]:
    return [(passage.kind.value, passage.text) for passage in document.passages]


def texts(document: Document) -> list[str]:
    return [passage.text for passage in document.passages]


def cells(document: Document) -> dict[tuple[int, int], str]:
    """Text of each cell by row and column, that of a header with a `#` before it."""
    return {
        (passage.spot.row, passage.spot.column): ("#" if passage.kind is Kind.HEADER else "")
        + passage.text
        for passage in document.passages
        if passage.spot is not None
    }


def part(passage: Passage, ranges: tuple[tuple[int, int], ...]) -> list[str]:
    return [passage.text[start:end] for start, end in ranges]


def misplaced(document: Document, source: str) -> list[str]:
    """Letters and digits of passages that do not stand in the source where they are said to."""
    lines = source.split("\n")
    wrong = []
    for passage in document.passages:
        for offset, char in enumerate(passage.text):
            place = passage.place(offset)
            line = lines[place.line - 1] if place.line <= len(lines) else ""
            if char.isalnum() and line[place.column - 1 : place.column] != char:
                wrong.append(f"{char} of {passage.text!r} at {place.line}:{place.column}")
    return wrong


def lost(document: Document, source: str) -> list[str]:
    """Words that the source has more or less often than the passages."""
    text = " ".join(texts(document))
    return [
        word
        for word in ("batch", "GFLOP/s", "24.8", "2,048", "p95", "ñandú")
        if source.count(word) != text.count(word)
    ]
