"""Visible characters as they come, put into the passage that is open, formulas read."""

from collections.abc import Callable

from benchproof.audit.document import tex
from benchproof.audit.document.draft import Block, Sheet
from benchproof.audit.document.ink import aligned, further
from benchproof.audit.document.passage import Kind, Place

Undo = Callable[[], None]


class Target:
    """Where characters go: `whole` when all of an element's text is one passage."""

    def __init__(self, kind: Kind, block: Block | None = None, *, whole: bool = False) -> None:
        self.kind = kind
        self.block = block
        self.whole = whole
        self.lead: Block | None = None  # an item's first passage, else what it stands under
        self.led = False

    def begin(self) -> Block:
        """A new passage, under the item's first one where it has one."""
        self.block = Block(self.kind)
        if self.kind is Kind.ITEM:
            self.block.parent = self.lead
            if not self.led:
                self.lead, self.led = self.block, True
        return self.block


class Flow:
    """Keeps the passages of a page, the one that is open, and how its characters are set."""

    def __init__(self) -> None:
        self._drafts: list[Block | Sheet] = []
        self._targets = [Target(Kind.PARAGRAPH)]
        self._hidden = 0
        self._tex = 0
        self._maths: list[tuple[Block, int]] = []  # where the text of open formulas starts
        self._runs = 0  # bold and code runs so far
        self._strong: list[int] = []
        self._code: list[int] = []

    def text(self, text: str, place: Place) -> None:
        """Characters that stand in the source as they are."""
        if self._hidden:
            return
        if self._tex:
            self._formula(text, place)
        elif "$" in text and not self._code and self._targets[-1].kind is not Kind.CODE:
            self._with_formulas(text, place)
        else:
            self._put(text, place)

    def sign(self, text: str, place: Place) -> None:
        """Characters that an entity or a break at this place stands for."""
        if not self._hidden and (block := self._block(text)) is not None:
            block.ink.sign(text, place.line, place.column, *self._styles())

    def formula(self, text: str, place: Place) -> None:
        """TeX mathematics."""
        if not self._hidden:
            self._formula(text, place)

    def aside(self, kind: Kind, text: str, raw: str, place: Place) -> None:
        """A passage of its own: text that an attribute or the front matter holds, as `raw`."""
        if self._hidden:
            return
        block = Block(kind)
        self._drafts.append(block)
        for char, where in aligned(text, raw, place):
            block.ink.sign(char, where.line, where.column)

    def _put(self, text: str, place: Place) -> None:
        if (block := self._block(text)) is not None:
            block.ink.add(text, place.line, place.column, *self._styles())

    def _with_formulas(self, text: str, place: Place) -> None:
        at = 0
        for match in tex.INLINE.finditer(text):
            self._put(text[at : match.start()], further(place, text, at))
            group = match.lastgroup or "inline"
            self._formula(match.group(group), further(place, text, match.start(group)))
            at = match.end()
        self._put(text[at:], further(place, text, at))

    def _formula(self, text: str, place: Place) -> None:
        for seen in tex.visible(text):
            there = further(place, text, seen.at)
            if seen.literal:
                self._put(seen.text, there)
            else:
                self.sign(seen.text, there)

    def _block(self, text: str) -> Block | None:
        """The block that these characters go to; space alone begins none."""
        target = self._targets[-1]
        if target.block is None and text and not text.isspace():
            self._drafts.append(target.begin())
        return target.block

    def _styles(self) -> tuple[int, int]:
        return self._strong[-1] if self._strong else 0, self._code[-1] if self._code else 0

    def _break(self) -> None:
        """End the passage at the edge of a block, or set a space where it goes on."""
        target = self._targets[-1]
        if not target.whole:
            target.block = None
        elif target.block is not None and target.block.ink.parts:
            last = target.block.ink.parts[-1]
            target.block.ink.sign(" ", last.line, last.column + len(last.text))

    def _hide(self) -> Undo:
        self._hidden += 1
        return self._show

    def _show(self) -> None:
        self._hidden -= 1

    def _aim(self, target: Target) -> Undo:
        """Send the characters to a target until its element ends."""
        self._targets.append(target)

        def end() -> None:
            self._targets.pop()

        return end

    def _begin_formula(self) -> Undo:
        self._tex += 1
        if self._maths:  # an annotation: it stands for what was read of the formula so far
            block, start = self._maths[-1]
            del block.ink.parts[start:]

        def end() -> None:
            self._tex -= 1

        return end

    def _run(self, runs: list[int]) -> Undo:
        self._runs += 1
        runs.append(runs[-1] if runs else self._runs)

        def end() -> None:
            runs.pop()

        return end
