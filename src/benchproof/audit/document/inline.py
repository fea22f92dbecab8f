"""Markdown inside a block, told to a page with the place of every character."""

import re
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from benchproof.audit.document import tex

ATTRIBUTES = re.compile(
    r"\{\s*(?:(?:[#.][\w:.-]+|[\w:-]+=(?:\"[^\"]*\"|'[^']*'|[^\s\"'{}]+)|=\w+|-)\s*){0,50}\}"
)
_SHORTCODE = re.compile(r"\{\{[<%].{0,2000}?[>%]\}\}", re.DOTALL)
_NOTE = re.compile(r"\[\^[^\]\s]{1,200}\]")
_RAISED = re.compile(r"\^((?:\\.|[^\s^\\]){1,40})\^")


class PlacedInline(ParserInline):
    """Parses inline Markdown into tokens that know where they start: `meta["at"]`."""

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        """Tokens of the text, in reading order."""
        state = _PlacedState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _PlacedState(StateInline):
    """Notes the position at which each token was pushed and each run of plain text began."""

    def __init__(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self._text_at = 0
        self._pushed: tuple[int, int] = (-1, 0)

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self._text_at = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802
        token = super().pushPending()
        token.meta = {"at": self._text_at}
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        # A run of asterisks is pushed one by one, or two by two for tildes, from one position.
        before = self._pushed[1] if self._pushed[0] == self.pos and ttype == "text" else 0
        token.meta = {"at": self.pos + before}
        step = 2 if self.src[self.pos : self.pos + 1] == "~" else 1
        self._pushed = (self.pos, before + step if ttype == "text" else 0)
        return token


def install(md: MarkdownIt) -> None:
    """Make a parser place its inline tokens, and read what pandoc and Quarto add."""
    enabled = md.get_active_rules()
    md.inline = PlacedInline()
    md.inline.ruler.enableOnly(enabled["inline"])
    md.inline.ruler2.enableOnly([rule for rule in enabled["inline2"] if rule != "fragments_join"])
    md.inline.ruler.before("link", "span", _span)
    md.inline.ruler.before("span", "note", _note)
    md.inline.ruler.before("link", "braces", _braces)
    md.inline.ruler.before("link", "formula", _formula)
    md.inline.ruler.before("link", "raised", _raised)


def _span(state: StateInline, silent: bool) -> bool:
    """`[text]{.class}`: only the text is seen."""
    if state.src[state.pos] != "[":
        return False
    end = state.md.helpers.parseLinkLabel(state, state.pos)
    attributes = ATTRIBUTES.match(state.src, end + 1) if end >= 0 else None
    if attributes is None or attributes.end() > state.posMax:
        return False
    if not silent:
        _within(state, "span", state.pos + 1, end)
    state.pos = attributes.end()
    return True


def _note(state: StateInline, silent: bool) -> bool:
    """`[^1]` leads to a note that exists: nothing of it is seen. `^[text]` is a note itself."""
    if state.src.startswith("^[", state.pos):
        start = state.pos + 1
        end = state.md.helpers.parseLinkLabel(state, start)
        if end < 0:
            return False
        if not silent:
            _within(state, "note", start + 1, end)
        state.pos = end + 1
        return True
    match = _NOTE.match(state.src, state.pos)
    notes = state.env.get("footnotes", {}).get("refs", {})
    if match is None or f":{match.group()[2:-1]}" not in notes:
        return False
    if not silent:
        state.push("note_mark", "", 0)  # the text around it does not stand together
    state.pos = match.end()
    return True


def _within(state: StateInline, name: str, start: int, end: int) -> None:
    """Push an element that holds what is read between two positions."""
    furthest = state.posMax
    state.pos, state.posMax = start, end
    state.push(f"{name}_open", name, 1)
    state.md.inline.tokenize(state)
    state.push(f"{name}_close", name, -1)
    state.posMax = furthest


def _braces(state: StateInline, silent: bool) -> bool:
    """Shortcodes, and attributes behind a link, an image or code: nothing of them is seen."""
    if state.src[state.pos] != "{":
        return False
    match = _SHORTCODE.match(state.src, state.pos)
    if match is None and not state.pending and state.tokens and _takes_attributes(state):
        match = ATTRIBUTES.match(state.src, state.pos)
    if match is None or match.end() > state.posMax:
        return False
    if not silent:
        state.push("attributes", "", 0).content = match.group()
    state.pos = match.end()
    return True


def _takes_attributes(state: StateInline) -> bool:
    return state.tokens[-1].type in ("link_close", "image", "code_inline", "span_close")


def _formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    match = tex.INLINE.match(state.src, state.pos, state.posMax)
    if match is None:
        if not silent:
            state.append_pending("$")
        state.pos += 1
        return True
    if not silent:
        group = match.lastgroup or "inline"
        token = state.push("formula", "", 0)
        token.content = match.group(group)
        token.meta["at"] = match.start(group)
    state.pos = match.end()
    return True


def _raised(state: StateInline, silent: bool) -> bool:
    """`10^6^` is a raised 6."""
    match = _RAISED.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        _within(state, "sup", match.start(1), match.end(1))
    state.pos = match.end()
    return True
