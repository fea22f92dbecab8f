"""The text of an audited document as HTML, each number marked by its verdict."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

import msgspec
from markupsafe import Markup, escape

from benchproof.audit.audit import Audited
from benchproof.audit.document.passage import Document, Kind, Passage
from benchproof.audit.explain.verdict import Verdict

SIGNS = {
    Verdict.CONTRADICTED: "✗",
    Verdict.AMBIGUOUS: "?",
    Verdict.UNBOUND: "○",
    Verdict.NOT_A_CLAIM: "–",
    Verdict.VERIFIED: "✓",
}
WORDS = {verdict: verdict.value.replace("_", " ") for verdict in Verdict}
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Marked(msgspec.Struct, frozen=True):
    """A number of a passage, from `start` to `end`, with its note's number in the document."""

    number: int
    start: int
    end: int
    verdict: Verdict
    rule: str


def shown(text: str) -> Markup:
    """A stranger's text, escaped; without what is not seen, or turns the reading direction."""
    return escape(_HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text))


def marked(document: Document, mentions: Sequence[Audited]) -> Markup:
    """The whole document; `mentions` are numbered in their order, as their notes are."""
    by_passage: dict[int, list[Marked]] = {}
    for number, one in enumerate(mentions):
        told = one.scene.mention
        mark = Marked(number, told.start, told.end, one.judgement.verdict, one.judgement.rule)
        by_passage.setdefault(one.scene.at, []).append(mark)
    texts = [_text(passage, by_passage.get(at, ())) for at, passage in enumerate(document.passages)]
    return Markup("\n").join(_blocks(document.passages, texts))


def _blocks(passages: Sequence[Passage], texts: Sequence[Markup]) -> Iterator[Markup]:
    """Passages as blocks: a list's items together, and each table where its first part stands."""
    pairs = list(zip(passages, texts, strict=True))
    tables: dict[int, list[tuple[Passage, Markup]]] = {}
    for passage, text in pairs:
        if (number := _table(passage)) is not None:
            tables.setdefault(number, []).append((passage, text))
    for (table, kind), group in groupby(pairs, lambda pair: (_table(pair[0]), pair[0].kind)):
        if table is not None:
            if table in tables:
                yield _as_table(tables.pop(table))
        elif kind is Kind.ITEM:
            yield Markup("<ul>{}</ul>").format(Markup().join(_block(*pair) for pair in group))
        elif kind is Kind.META:
            inner = Markup().join(Markup("<p>{}</p>").format(text) for _, text in group)
            yield Markup('<div class="meta">{}</div>').format(inner)
        else:
            yield from (_block(*pair) for pair in group)


def _table(passage: Passage) -> int | None:
    return passage.spot.table if passage.spot is not None else passage.table


def _block(passage: Passage, text: Markup) -> Markup:
    if passage.kind is Kind.HEADING:
        # The page has a heading of its own above the post's.
        return Markup("<h{0}>{1}</h{0}>").format(min(passage.level + 1, 6), text)
    if passage.kind is Kind.ALT:
        return Markup('<p class="alt"><span>Image:</span> {}</p>').format(text)
    if passage.kind is Kind.CAPTION:
        return Markup('<p class="caption">{}</p>').format(text)
    if passage.kind is Kind.CODE:
        return Markup('<pre tabindex="0">{}</pre>').format(text)
    return Markup("<{0}>{1}</{0}>").format("li" if passage.kind is Kind.ITEM else "p", text)


def _as_table(parts: Sequence[tuple[Passage, Markup]]) -> Markup:
    caption = Markup().join(
        Markup("<caption>{}</caption>").format(text) for passage, text in parts if not passage.spot
    )
    cells = [(passage.spot, passage.kind, text) for passage, text in parts if passage.spot]
    cells.sort(key=lambda cell: (cell[0].row, cell[0].column))
    rows = Markup("\n").join(
        Markup("<tr>{}</tr>").format(
            Markup().join(
                Markup("<{0}{1}{2}>{3}</{0}>").format(
                    "th" if kind is Kind.HEADER else "td",
                    _covers("rowspan", spot.rows),
                    _covers("colspan", spot.columns),
                    text,
                )
                for spot, kind, text in row
            )
        )
        for _, row in groupby(cells, lambda cell: cell[0].row)
    )
    table = Markup("<table>{}<tbody>{}</tbody></table>").format(caption, rows)
    return Markup(
        '<div class="scroll" tabindex="0" role="region" aria-label="Table">{}</div>'
    ).format(table)


def _covers(name: str, count: int) -> Markup:
    return Markup(' {}="{}"').format(name, min(count, 1000)) if count > 1 else Markup()


def _text(passage: Passage, marks: Sequence[Marked]) -> Markup:
    """A passage's text; of numbers that overlap the longer one is around the shorter."""
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.end))
    return _span(passage, ordered, 0, len(passage.text))


def _span(passage: Passage, marks: Sequence[Marked], start: int, end: int) -> Markup:
    parts: list[Markup] = []
    at = 0
    while at < len(marks):
        mark = marks[at]
        inside = at + 1
        while inside < len(marks) and marks[inside].start < mark.end:
            inside += 1
        first, last = max(mark.start, start), min(mark.end, end)
        parts.append(_styled(passage, start, first))
        inner = _span(passage, marks[at + 1 : inside], first, last)
        parts.append(_mark(mark, inner, has_inner=inside > at + 1))
        start, at = max(last, start), inside
    parts.append(_styled(passage, start, end))
    return Markup().join(parts)


def _mark(mark: Marked, inner: Markup, *, has_inner: bool) -> Markup:
    """A link to the number's note; a claim around other numbers has it behind its last word."""
    sign = Markup(  # behind a word joiner: it never begins a line
        '\N{WORD JOINER}<span class="sign" aria-hidden="true">{}</span>'
        '<span class="vh"> ({})</span>'
    ).format(SIGNS[mark.verdict], WORDS[mark.verdict])
    link = Markup(
        '<a class="mark v-{verdict}" id="m{number}" href="#n{number}" '
        'aria-describedby="n{number}">{inner}</a>'
    )
    told = {"verdict": mark.verdict.value, "number": mark.number}
    if has_inner:
        words = Markup('<span class="around v-{}">{}</span>').format(mark.verdict.value, inner)
        return words + link.format(inner=sign, **told)
    return link.format(inner=inner + sign, **told)


def _styled(passage: Passage, start: int, end: int) -> Markup:
    """A part of the text with what is set in bold or as code."""
    styles = [("strong", one) for one in passage.strong] + [("code", one) for one in passage.code]
    edges = {start, end} | {edge for _, span in styles for edge in span if start < edge < end}
    ordered = sorted(edges)
    parts: list[Markup] = []
    for first, last in pairwise(ordered):
        part = shown(passage.text[first:last])
        for tag, span in styles:
            if span[0] <= first and last <= span[1]:
                part = Markup("<{0}>{1}</{0}>").format(tag, part)
        parts.append(part)
    return Markup().join(parts)
