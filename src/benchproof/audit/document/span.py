"""Tells a page the inline Markdown of one block."""

import re
from collections.abc import Mapping, Sequence
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchproof.audit.document.html import HtmlReader
from benchproof.audit.document.page import Page
from benchproof.audit.document.passage import Kind
from benchproof.audit.document.strip import Strip

_ALTERNATIVE = re.compile(r"\bfig-alt\s*=\s*(\"[^\"]*\"|'[^']*')")
_MARKUP = re.compile(r"[\n!$&*<\[\]\\^_`{~]")
_NO_ATTRIBUTES: Mapping[str, str] = {}


class SpanTeller:
    """Parses the text of blocks and tells a page what is seen of it."""

    def __init__(
        self, page: Page, html: HtmlReader, parser: MarkdownIt, environment: dict[str, object]
    ) -> None:
        self._page = page
        self._html = html
        self._parser = parser
        self._environment = environment

    def tell(self, strip: Strip, start: int = 0, end: int | None = None) -> None:
        """Tell the part of a block's text between two offsets."""
        text = strip.text[start:end]
        if not _MARKUP.search(text):
            self._literal(strip, start, start + len(text))
            return
        tokens = self._parser.inline.parse(text, self._parser, self._environment, [])
        self._tell_all(tokens, strip, start)

    def _tell_all(self, tokens: Sequence[Token], strip: Strip, base: int) -> None:
        for index, token in enumerate(tokens):
            at = base + int(token.meta.get("at", 0))
            before = tokens[index - 1] if index else None
            if token.type == "image":
                follower = tokens[index + 1] if index + 1 < len(tokens) else None
                self._tell_image(token, follower, strip, at, base)
            elif before is not None and before.type == "link_open" and before.info == "auto":
                start = base + int(before.meta["at"]) + 1
                self._literal(strip, start, strip.text.index(">", start))
            else:
                self._tell(token, strip, at)

    def _tell(self, token: Token, strip: Strip, at: int) -> None:
        page, place = self._page, strip.place(at)
        if token.nesting > 0:
            page.open(token.tag, _NO_ATTRIBUTES, place)
        elif token.nesting < 0:
            page.close(token.tag)
        elif token.type == "text":
            self._literal(strip, at, at + len(token.content))
        elif token.type in ("softbreak", "hardbreak"):
            page.sign(" ", place)
        elif token.type == "text_special":
            self._tell_special(token, strip, at)
        elif token.type == "code_inline":
            self._tell_code(token, strip, at)
        elif token.type == "html_inline":
            self._html.read(token.content, place)
        elif token.type == "formula":
            for text, where in strip.runs(at, at + len(token.content)):
                page.formula(text, where)

    def _literal(self, strip: Strip, start: int, end: int) -> None:
        for text, place in strip.runs(start, end):
            self._page.text(text, place)

    def _tell_special(self, token: Token, strip: Strip, at: int) -> None:
        """An escaped character stands behind its backslash; an entity stands for another."""
        if token.content == token.markup:
            self._literal(strip, at, at + len(token.markup))
        elif token.info == "escape":
            self._page.sign(token.content, strip.place(at + 1))
        else:
            self._page.sign(token.content, strip.place(at))

    def _tell_code(self, token: Token, strip: Strip, at: int) -> None:
        start = at + len(token.markup)
        same = strip.text[start : start + len(token.content)].replace("\n", " ") == token.content
        start += not same  # one space on either side was no part of it
        self._page.open("code", _NO_ATTRIBUTES, strip.place(at))
        for text, place in strip.runs(start, start + len(token.content)):
            self._page.text(text, place)
        self._page.close("code")

    def _tell_image(
        self, token: Token, follower: Token | None, strip: Strip, at: int, base: int
    ) -> None:
        """An image's text; a caption when attributes tell another text for those who can't see."""
        attributes = follower if follower is not None and follower.type == "attributes" else None
        match = _ALTERNATIVE.search(attributes.content) if attributes is not None else None
        if attributes is not None and match is not None:
            written = match.group(1)
            start = base + int(attributes.meta["at"]) + match.start(1)
            self._page.aside(Kind.ALT, unescape(written[1:-1]), written, strip.place(start))
        figure = match is not None or (attributes is not None and "#fig-" in attributes.content)
        tag = "figcaption" if figure else "alt"
        self._page.open(tag, _NO_ATTRIBUTES, strip.place(at))
        self._tell_all(token.children or [], strip, at + 2)
        self._page.close(tag)
