"""What a reader sees of Markdown: CommonMark, GFM, and what pandoc and Quarto add."""

import re
from collections.abc import Mapping, Sequence

from markdown_it.token import Token

from benchproof.audit.document.blocks import CAPTION, markdown_parser
from benchproof.audit.document.front_matter import front_matter
from benchproof.audit.document.html import HtmlReader
from benchproof.audit.document.inline import ATTRIBUTES
from benchproof.audit.document.page import Page
from benchproof.audit.document.passage import Document, Kind, Place
from benchproof.audit.document.span import SpanTeller
from benchproof.audit.document.strip import Strip, cut_cells, cut_lines

_ALERT = re.compile(r"\[!\w+\][-+]?[ \t]*(?:\n|$)")
_FIGURE = re.compile(r"#(?:fig|tbl)-")
_DEEP = re.compile(r"^((?:[ \t]*>){30})[ \t>]*", re.MULTILINE)  # quotes deeper than parsers read
_ROW = re.compile(r"[ \t>]*\|.*\|[ \t]*")
_NO_ATTRIBUTES: Mapping[str, str] = {}


def read_markdown(source: str, path: str) -> Document:
    """The document of a Markdown text; `path` is how it names itself."""
    front = front_matter(source)
    lines = source.split("\n")
    lines[: front.lines] = [""] * front.lines
    page = Page()
    page.language = front.language
    for entry in front.entries:
        page.aside(Kind.META, entry.value, entry.raw, entry.place)
    _Teller(page, lines).tell()
    return page.document(path)


class _Teller:
    """Tells a page the blocks of a Markdown text."""

    def __init__(self, page: Page, lines: Sequence[str]) -> None:
        self._page = page
        self._lines = lines
        self._html = HtmlReader(page)
        parser = markdown_parser()
        environment: dict[str, object] = {}
        shallow = _DEEP.sub(r"\1", "\n".join(lines))
        self._tokens = parser.parse(shallow, environment)
        self._spans = SpanTeller(page, self._html, parser, environment)
        self._told: set[int] = set()  # tokens that were told before their turn
        self._divs: list[str] = []  # the elements that open divs stand for
        self._cells: list[Strip] = []  # of this row, those to come

    def tell(self) -> None:
        """Tell every block in source order."""
        for at, token in enumerate(self._tokens):
            if at not in self._told:
                self._tell(at, token)

    def _tell(self, at: int, token: Token) -> None:
        tell = {
            "code_block": self._tell_code,
            "div": self._tell_div,
            "fence": self._tell_code,
            "html_block": self._tell_html,
            "tr_open": self._tell_row,
        }.get(token.type)
        if tell is not None:
            tell(token)
        elif token.type == "inline":
            self._tell_inline(at, token)
        elif token.type == "table_open":
            self._open_table(at)
        elif token.type == "paragraph_open":
            self._tell_paragraph(at, token)
        elif token.nesting > 0:
            self._open(token.tag or "div", token)
        elif token.nesting < 0:
            self._page.close(token.tag or "div")

    def _tell_paragraph(self, at: int, token: Token) -> None:
        if self._ends_figure(at):
            self._open("figcaption", token)
            self._spans.tell(self._strip(self._tokens[at + 1]))
            self._page.close("figcaption")
            self._told.update((at, at + 1, at + 2))
        elif self._belongs_to_table(at):
            self._told.update((at, at + 1, at + 2))
        else:
            self._open("p", token)

    def _tell_row(self, token: Token) -> None:
        self._open("tr", token)
        line = _first_line(token)
        self._cells = cut_cells(self._lines[line], line + 1)[::-1]

    def _open(self, tag: str, token: Token) -> None:
        self._page.open(tag, _NO_ATTRIBUTES, Place(_first_line(token) + 1, 1))

    def _strip(self, token: Token) -> Strip:
        return cut_lines(token.content, self._lines, _first_line(token))

    def _tell_div(self, token: Token) -> None:
        """Begin a div or end the innermost one; figures and tables with a name are figures."""
        if "{" in token.content or token.content.strip(": \t"):
            self._divs.append("figure" if _FIGURE.search(token.content) else "")
            if self._divs[-1]:
                self._open("figure", token)
        elif self._divs and self._divs.pop():
            self._page.close("figure")

    def _ends_figure(self, at: int) -> bool:
        """Whether a paragraph is the last of a div that is a figure: then it is its caption."""
        follower = self._tokens[at + 3] if at + 3 < len(self._tokens) else None
        ends = follower is not None and not follower.content.strip(": \t")
        image = self._tokens[at + 1].content.startswith("![")
        return bool(self._divs and self._divs[-1]) and ends and _is(follower, "div") and not image

    def _tell_inline(self, at: int, token: Token) -> None:
        holder = self._tokens[at - 1].type
        if holder in ("th_open", "td_open"):
            if self._cells:
                self._spans.tell(self._cells.pop())
            return
        strip = self._strip(token)
        alert = _ALERT.match(token.content) if holder == "paragraph_open" else None
        start = alert.end() if alert is not None else 0
        end = _before_attributes(strip.text) if holder == "heading_open" else len(strip.text)
        self._spans.tell(strip, start, end)

    def _tell_code(self, token: Token) -> None:
        first = _first_line(token) + (token.type == "fence")
        strip = cut_lines(token.content, self._lines, first)
        if token.info.strip() in ("{=html}", "{=html5}"):
            for text, place in strip.runs(0, len(strip.text)):
                self._html.read(text, place)
            return
        named = token.info.strip(" {.").split(maxsplit=1)
        attributes = {"class": f"language-{named[0].rstrip('}')}"} if named else _NO_ATTRIBUTES
        self._page.open("pre", attributes, Place(_first_line(token) + 1, 1))
        for text, place in strip.runs(0, len(strip.text)):
            self._page.text(text, place)
        self._page.close("pre")

    def _tell_html(self, token: Token) -> None:
        """Raw HTML, with spaces for the marks of lists and quotes before its lines."""
        first = _first_line(token)
        strip = cut_lines(token.content.rstrip("\n"), self._lines, first)
        text = "".join(
            " " * (place.column - 1) + run for run, place in strip.runs(0, len(strip.text))
        )
        self._html.read(text, Place(first + 1, 1))

    def _belongs_to_table(self, at: int) -> bool:
        """Whether a paragraph is a table's caption or its upper header rows; then it is told."""
        below = at + 3
        if below >= len(self._tokens) or self._tokens[below].type != "table_open":
            return False
        token, table = self._tokens[at + 1], self._tokens[below]
        lines = [*range(*(token.map or (0, 0)))]
        if CAPTION.match(token.content):
            self._open_table(below, at + 1)
        elif lines[-1] + 1 == _first_line(table) and all(
            _ROW.fullmatch(self._lines[line]) for line in lines
        ):
            self._open_table(below)
            self._tell_rows(lines)
        else:
            return False
        self._told.add(below)
        return True

    def _open_table(self, at: int, caption: int | None = None) -> None:
        """Open the table at a token, and tell its caption, which may stand below it."""
        token = self._tokens[at]
        self._open("table", token)
        if caption is None:
            below = self._end_of_table(at) + 2
            if below < len(self._tokens) and self._tokens[below - 1].type == "paragraph_open":
                caption = below if CAPTION.match(self._tokens[below].content) else None
        if caption is None:
            return
        self._told.update((caption - 1, caption, caption + 1))
        content = self._tokens[caption]
        match = CAPTION.match(content.content)
        self._open("caption", content)
        self._spans.tell(
            self._strip(content),
            match.end() if match is not None else 0,
            _before_attributes(content.content),
        )
        self._page.close("caption")

    def _end_of_table(self, at: int) -> int:
        while self._tokens[at].type != "table_close":
            at += 1
        return at

    def _tell_rows(self, lines: Sequence[int]) -> None:
        place = Place(lines[0] + 1, 1)
        self._page.open("thead", _NO_ATTRIBUTES, place)
        for line in lines:
            self._page.open("tr", _NO_ATTRIBUTES, place)
            for cell in cut_cells(self._lines[line], line + 1):
                self._page.open("th", _NO_ATTRIBUTES, place)
                self._spans.tell(cell)
                self._page.close("th")
            self._page.close("tr")
        self._page.close("thead")


def _is(token: Token | None, kind: str) -> bool:
    return token is not None and token.type == kind


def _first_line(token: Token) -> int:
    return token.map[0] if token.map else 0


def _before_attributes(text: str) -> int:
    """Where a heading's or a caption's text ends and its `{#name}` begins."""
    end = len(text.rstrip())
    start = text.rfind("{", 0, end)
    if start >= 0 and ATTRIBUTES.fullmatch(text, start, end):
        return start
    return len(text)
