"""What a reader sees of HTML, even of broken HTML, as far as it goes."""

import re
from html import unescape
from html.parser import HTMLParser

from benchproof.audit.document.ink import ENTITY, further
from benchproof.audit.document.page import Page
from benchproof.audit.document.passage import Document, Place

# The parser of the standard library gives up on a page at a broken entity, so that it never sees
# one: while it reads, this character of the private area stands for every ampersand.
_TAG = re.compile(r"<[a-zA-Z/!?]")
_AMPERSAND = "\ue000"


def read_html(source: str, path: str) -> Document:
    """The document of an HTML page; `path` is how it names itself."""
    page = Page()
    HtmlReader(page).read(source, Place(1, 1))
    return page.document(path)


def looks_like_html(source: str) -> bool:
    """Whether a text starts as a page of HTML does."""
    return (
        re.match(
            r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b",
            source[:4096],
            re.IGNORECASE | re.DOTALL,
        )
        is not None
    )


class HtmlReader(HTMLParser):
    """Tells a page the elements and characters of HTML, of a whole one or of pieces of it."""

    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=False)
        self._page = page
        self._in_comment = False

    def read(self, source: str, place: Place) -> None:
        """Read a piece that stands at `place`; what it leaves open stays open."""
        self.reset()
        self._in_comment = False
        self.lineno, self.offset = place.line, place.column - 1
        # No tag ends behind the last `>`; to look for its end from each `<` would take too long.
        end = source.rfind(">") + 1
        self.feed(source[:end].replace("&", _AMPERSAND))
        self.close()
        rest = _TAG.split(source[end:], maxsplit=1)[0].replace("&", _AMPERSAND)
        if rest and self.cdata_elem is None and not self._in_comment:
            self.handle_data(rest)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        attributes = {
            name: unescape((value or "").replace(_AMPERSAND, "&"))
            for name, value in reversed(attrs)
        }
        raw = (self.get_starttag_text() or "").replace(_AMPERSAND, "&")
        self._page.open(tag, attributes, self._place(), raw)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element; a slash ends it in SVG and MathML alone, but nobody else writes it."""
        self.handle_starttag(tag, attrs)
        self._page.close(tag)

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        self._page.close(tag)

    def handle_data(self, data: str) -> None:
        """Characters between tags."""
        tell_text(self._page, data.replace(_AMPERSAND, "&"), self._place())

    def parse_comment(self, i: int, report: bool = True) -> int:  # noqa: ARG002 - inherited
        """Skip a comment; one that does not end goes to the end of the page."""
        if self.rawdata.startswith(("<!-->", "<!--->"), i):
            return self.rawdata.index(">", i) + 1
        end = self.rawdata.find("-->", i + 4)
        self._in_comment = end < 0
        return end + 3 if end >= 0 else len(self.rawdata)

    def parse_html_declaration(self, i: int) -> int:
        """Skip a document type, or anything else that is written like one."""
        if self.rawdata.startswith("<!--", i):
            return self.parse_comment(i)
        return self.rawdata.find(">", i) + 1 or len(self.rawdata)

    def _place(self) -> Place:
        return Place(self.lineno, self.offset + 1)


def tell_text(page: Page, text: str, place: Place) -> None:
    """Tell a page characters in which entities may stand."""
    if "&" not in text:
        page.text(text, place)
        return
    at = 0
    for match in ENTITY.finditer(text):
        meaning = unescape(match.group())
        if meaning == match.group():
            continue
        page.text(text[at : match.start()], further(place, text, at))
        _tell_entity(page, match.group(), meaning, further(place, text, match.start()))
        at = match.end()
    page.text(text[at:], further(place, text, at))


def _tell_entity(page: Page, written: str, meaning: str, place: Place) -> None:
    """Tell what an entity means; `&ltx` without a semicolon means `<` and an `x`."""
    rest = 0
    while rest < len(meaning) and meaning[len(meaning) - 1 - rest] == written[-1 - rest]:
        rest += 1
    sign, kept = meaning[: len(meaning) - rest], meaning[len(meaning) - rest :]
    page.sign(sign, place)
    if kept:
        page.text(kept, Place(place.line, place.column + len(written) - rest))
