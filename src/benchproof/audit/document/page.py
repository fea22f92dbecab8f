"""What a reader sees of a page, from its elements and characters in source order.

Both readers of markup drive it: a page of HTML tells its own elements, Markdown tells those that
it stands for.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from benchproof.audit.document import element
from benchproof.audit.document.draft import Block, Sheet, assemble
from benchproof.audit.document.flow import Flow, Target, Undo
from benchproof.audit.document.grid import Grid
from benchproof.audit.document.ink import Part, further
from benchproof.audit.document.passage import Document, Kind, Place
from benchproof.audit.document.printed import language_of, printed

Attributes = Mapping[str, str]
_NOTHING: Attributes = {}
_NOTE_MARK = re.compile(r"[†‡*§¶]+")
_LINKED_MARK = re.compile(r"[†‡*§¶]+|\[?\w{1,3}\]?")
_ORDINAL = re.compile(r"st|nd|rd|th")
_MOST_RAISED = 4  # raised parts of raised parts
_FEW = 200  # elements that a search for an open element passes at most


class _Open(NamedTuple):
    tag: str
    undo: Undo | None


class Page(Flow):
    """Takes elements and characters one after another and keeps what is visible."""

    def __init__(self) -> None:
        super().__init__()
        self.language = ""
        self._stack: list[_Open] = []
        self._open: Counter[str] = Counter()
        self._grids: list[Grid] = []
        self._figures: list[tuple[list[Sheet], list[Block]]] = []
        self._links = 0
        self._term: Target | None = None  # the last one that a list defines

    def document(self, path: str) -> Document:
        """The document so far; whatever is still open ends here."""
        while self._stack:
            self._pop()
        return assemble(path, self._drafts, self.language)

    def open(self, tag: str, attributes: Attributes, place: Place, raw: str = "") -> None:
        """Begin an element; `raw` is its tag as the source writes it, from `place` on."""
        if not self._hidden:
            self._end_implied(tag)
            if tag in element.BLOCKS:
                self._break()
        hidden = self._hidden > 0 or element.is_hidden(tag, attributes)
        undo = self._hide() if hidden else self._begin(tag, attributes, place, raw)
        if tag in element.VOID:
            if hidden:
                self._show()
            return
        self._stack.append(_Open(tag, undo))
        self._open[tag] += 1

    def close(self, tag: str) -> None:
        """End an element and all that it holds; nothing when it is not open."""
        if not self._open[tag]:
            return
        for deep, entry in enumerate(reversed(self._stack), 1):
            if entry.tag == tag:
                for _ in range(deep):
                    self._pop()
                return
            if element.shields(entry.tag, tag) or deep > _FEW:
                return

    def _pop(self) -> None:
        entry = self._stack.pop()
        self._open[entry.tag] -= 1
        if not self._hidden and entry.tag in element.BLOCKS:
            self._break()
        if entry.undo is not None:
            entry.undo()

    def _end_implied(self, tag: str) -> None:
        """End what an element of this tag cannot stand in: a cell in a cell, a row in a row."""
        ended, within = element.implied_end(tag)
        if not any(self._open[other] for other in ended):
            return
        found = 0
        for deep, entry in enumerate(islice(reversed(self._stack), _FEW), 1):
            if entry.tag in within:
                break
            if entry.tag in ended:
                found = deep
        for _ in range(found):
            self._pop()

    def _begin(self, tag: str, attributes: Attributes, place: Place, raw: str) -> Undo | None:
        """Do what the tag means; returns what its end undoes."""
        if tag in element.STRONG:
            return self._run(self._strong)
        if tag in element.CODE:
            block = self._targets[-1].block
            if block is not None and block.kind is Kind.CODE and not block.language:
                block.language = language_of(attributes)
            return self._run(self._code)
        if tag in element.KINDS:
            return self._part(tag, element.KINDS[tag], attributes)
        if tag in ("td", "th"):
            return self._cell(tag, attributes)
        if element.is_formula(tag, attributes):
            return self._begin_formula()
        begin = {
            "a": self._link,
            "table": self._table,
            "caption": self._caption,
            "figure": self._figure,
            "figcaption": self._figure_caption,
        }.get(tag)
        if begin is not None:
            return begin()
        if tag in ("sup", "sub") and self._open["sup"] + self._open["sub"] < _MOST_RAISED:
            return self._raised("^" if tag == "sup" else "_", place)
        self._tell(tag, attributes, place, raw)
        return self._math(attributes, place, raw) if tag == "math" else None

    def _tell(self, tag: str, attributes: Attributes, place: Place, raw: str) -> None:
        """Keep what a tag says by itself: the row begins, the line breaks, an image's text."""
        if tag == "tr" and self._grids:
            self._grids[-1].start_row()
        elif tag == "br":
            self.sign(" ", place)
        elif tag == "img" and attributes.get("alt"):
            self._tell_attribute(Kind.ALT, "alt", attributes, place, raw)
        elif tag == "meta" and attributes.get("name", "").lower() == "description":
            self._tell_attribute(Kind.META, "content", attributes, place, raw)
        elif tag == "html":
            self.language = attributes.get("lang", "") or attributes.get("xml:lang", "")

    def _tell_attribute(
        self, kind: Kind, name: str, attributes: Attributes, place: Place, raw: str
    ) -> None:
        start = element.start_of_value(raw, name)
        self.aside(kind, attributes.get(name, ""), raw[start:], further(place, raw, start))

    def _link(self) -> Undo | None:
        self._links += 1
        return None

    def _part(self, tag: str, kind: Kind, attributes: Attributes = _NOTHING) -> Undo | None:
        if kind is Kind.ITEM and not self._targets[-1].whole:
            return self._item(tag)
        if self._targets[-1].whole and tag not in element.APART:
            return None
        block = Block(kind, element.level(tag))
        self._drafts.append(block)
        end = self._aim(Target(kind, block, whole=True))
        return self._output(block, attributes, end) if kind is Kind.CODE else end

    def _output(self, block: Block, attributes: Attributes, end: Undo) -> Undo:
        """What a program printed is read as lines and tables once the block is whole."""
        block.language = language_of(attributes)
        at = len(self._drafts) - 1

        def end_block() -> None:
            end()
            self._drafts[at : at + 1] = printed(block)

        return end_block

    def _item(self, tag: str) -> Undo:
        """An item stands under the one around its list, a definition under its term."""
        around = self._targets[-1]
        item = Target(Kind.ITEM)
        if tag == "dt":
            self._term = item
        under = self._term if tag == "dd" and self._term is not None else around
        item.lead = under.lead if under.kind is Kind.ITEM else None
        return self._aim(item)

    def _table(self) -> Undo:
        grid = Grid(Sheet())
        self._drafts.append(grid.sheet)
        self._grids.append(grid)
        if self._figures:
            self._figures[-1][0].append(grid.sheet)

        def end() -> None:
            self._grids.pop().finish()

        return end

    def _cell(self, tag: str, attributes: Attributes) -> Undo | None:
        if not self._grids:
            return None
        header = tag == "th" or any(entry.tag == "thead" for entry in self._stack[-3:])
        rows, columns = (element.span(attributes.get(name)) for name in ("rowspan", "colspan"))
        block = self._grids[-1].add(header, rows, columns)
        return self._aim(Target(block.kind, block, whole=True))

    def _caption(self) -> Undo | None:
        if not self._grids:
            return self._part("caption", Kind.CAPTION)
        block = self._grids[-1].sheet.caption or Block(Kind.CAPTION)
        self._grids[-1].sheet.caption = block
        return self._aim(Target(Kind.CAPTION, block, whole=True))

    def _figure(self) -> Undo:
        self._figures.append(([], []))

        def end() -> None:
            sheets, captions = self._figures.pop()
            if sheets and captions and sheets[0].caption is None:
                sheets[0].caption = captions[0]
                captions[0].placed = True

        return end

    def _figure_caption(self) -> Undo | None:
        undo = self._part("caption", Kind.CAPTION)
        block = self._targets[-1].block
        if undo is not None and self._figures and block is not None:
            self._figures[-1][1].append(block)
        return undo

    def _raised(self, sign: str, place: Place) -> Undo:
        block = self._targets[-1].block
        start = len(block.ink.parts) if block is not None else 0
        links = self._links - bool(self._open["a"])

        def end() -> None:
            if (block := self._targets[-1].block) is not None:
                raised = block.ink.parts[start:]
                del block.ink.parts[start:]
                if not _is_note(raised, sign, linked=self._links > links):
                    if _shows_level(raised):
                        block.ink.sign(sign, place.line, place.column, *self._styles())
                    block.ink.parts += raised

        return end

    def _math(self, attributes: Attributes, place: Place, raw: str) -> Undo | None:
        """MathML: its TeX when an attribute or an annotation holds it, else its own text."""
        alternative = attributes.get("alttext", "")
        if alternative:
            self._formula(alternative, further(place, raw, element.start_of_value(raw, "alttext")))
            return self._hide()
        if (block := self._block("x")) is not None:
            self._maths.append((block, len(block.ink.parts)))
        return None if block is None else self._end_math

    def _end_math(self) -> None:
        self._maths.pop()


def _is_note(raised: Sequence[Part], sign: str, *, linked: bool) -> bool:
    """Whether what is raised only leads to a footnote."""
    text = "".join(part.text for part in raised).strip()
    pattern = _LINKED_MARK if linked else _NOTE_MARK
    return sign == "^" and pattern.fullmatch(text) is not None


def _shows_level(raised: Sequence[Part]) -> bool:
    text = "".join(part.text for part in raised).strip()
    return bool(text) and not _ORDINAL.fullmatch(text)
