"""What the elements of HTML mean for a reader: blocks, hidden ones, and which ends which."""

import re
from collections.abc import Mapping

from benchproof.audit.document.passage import Kind

STRONG = frozenset({"b", "strong"})
CODE = frozenset({"code", "kbd", "samp", "tt", "var"})
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source"}
) | {"track", "wbr"}
_HIDDEN = frozenset(
    {"annotation-xml", "audio", "canvas", "datalist", "iframe", "noscript", "object", "script"}
) | {"style", "svg", "template", "video"}
_CELLS = frozenset({"td", "th"})
_ROWS = frozenset({"tr"}) | _CELLS
_GROUPS = frozenset({"thead", "tbody", "tfoot"}) | _ROWS
_SECTIONS = frozenset(
    {"address", "article", "aside", "body", "center", "details", "dialog", "div", "fieldset"}
) | {"footer", "form", "head", "header", "html", "main", "nav", "search", "section"}
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_LISTS = frozenset({"dd", "dir", "dl", "dt", "li", "menu", "ol", "ul"})
_TEXTS = frozenset(
    {"blockquote", "button", "caption", "figcaption", "figure", "hr", "legend", "option", "p"}
) | {"pre", "select", "summary", "title"}
BLOCKS = _SECTIONS | _HEADINGS | _LISTS | _TEXTS | _GROUPS | {"table"}
APART = frozenset({"alt", "note"})  # not HTML's: passages apart from the text they stand in
KINDS = {
    **dict.fromkeys(_HEADINGS, Kind.HEADING),
    "alt": Kind.ALT,
    "note": Kind.PARAGRAPH,
    "dd": Kind.ITEM,
    "dt": Kind.ITEM,
    "li": Kind.ITEM,
    "pre": Kind.CODE,
    "title": Kind.META,
}
_ENDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu", "dir", "table"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl", "table"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl", "table"})),
    "option": (frozenset({"option"}), frozenset({"select"})),
    **dict.fromkeys(_CELLS, (_CELLS | {"caption"}, frozenset({"table"}))),
    "tr": (_ROWS | {"caption"}, frozenset({"table"})),
    **dict.fromkeys(_GROUPS - _ROWS, (_GROUPS | {"caption"}, frozenset({"table"}))),
}
_NOTHING: frozenset[str] = frozenset()
_PARAGRAPH = (frozenset({"p"}), BLOCKS - {"p"})
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DIGITS = re.compile(r"\s*(\d{1,6})")


def level(tag: str) -> int:
    """A heading's level, 0 for any other element."""
    return int(tag[1]) if KINDS.get(tag) is Kind.HEADING else 0


def span(value: str | None) -> int:
    """How many rows or columns an attribute says, 1 when it says nothing that can be read."""
    match = _DIGITS.match(value or "")
    return int(match.group(1)) if match else 1


def start_of_value(raw: str, name: str) -> int:
    """Where the value of an attribute starts in a tag as the source writes it."""
    match = re.search(rf"\s{name}\s*=\s*[\"']?", raw, re.IGNORECASE)
    return match.end() if match is not None else 0


def is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether nobody sees the element on the page as it is first shown."""
    classes = attributes.get("class", "").split()
    return (
        tag in _HIDDEN
        or "hidden" in attributes
        or "popover" in attributes
        or (tag == "dialog" and "open" not in attributes)
        or (tag == "annotation" and not is_formula(tag, attributes))
        or "katex-html" in classes  # KaTeX writes each formula twice
        or attributes.get("role") == "doc-backlink"
        or _INVISIBLE.search(attributes.get("style", "")) is not None
    )


def is_formula(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether the element's text is TeX."""
    if tag == "annotation":
        return "tex" in attributes.get("encoding", "").lower()
    classes = attributes.get("class", "").split()
    return tag in ("span", "div") and "math" in classes and bool({"inline", "display"} & {*classes})


def implied_end(tag: str) -> tuple[frozenset[str], frozenset[str]]:
    """Tags that an element of this tag ends, and those that the search does not leave."""
    if tag in _ENDS:
        return _ENDS[tag]
    return _PARAGRAPH if tag in BLOCKS else (_NOTHING, _NOTHING)


def shields(inside: str, tag: str) -> bool:
    """Whether an open element keeps an end tag from ending what is around it."""
    if tag in BLOCKS:
        return inside == "table" or (inside in _CELLS and tag not in _GROUPS | {"table"})
    return inside in BLOCKS
