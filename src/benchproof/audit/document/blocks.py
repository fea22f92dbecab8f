"""What pandoc and Quarto add to Markdown's blocks: divs, captions of tables, definitions."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, paragraph
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from benchproof.audit.document.inline import install

CAPTION = re.compile(r"(?:[Tt]able)?:[ \t]+(?=\S)")
_DIV = re.compile(r":{3,}\s*(?:\{[^{}]*\}|[\w.-]+)?\s*:*\s*")
_RULE = re.compile(r"[ |:+=-]*-{2,}[ |:+=-]*")
_MOST_NESTED = 50
_LONGEST_CAPTION = 20  # lines


def markdown_parser() -> MarkdownIt:
    """A parser whose block tokens are those of CommonMark, GFM and pandoc.

    Inline Markdown is left for later, when the places of a block's lines are known.
    """
    md = MarkdownIt("commonmark", {"maxNesting": _MOST_NESTED})
    md.enable(["table", "strikethrough"])
    footnote_plugin(md, inline=False, move_to_end=False)
    md.inline.ruler.disable("footnote_ref")
    deflist_plugin(md)
    md.block.ruler.before(
        "table", "div", _div, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    md.block.ruler.before("deflist", "above_caption", _above_caption)
    md.core.ruler.disable(["inline", "text_join"])
    install(md)
    return md


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _div(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """`::: {.note}` and `:::`: the line vanishes; a token `div` holds it."""
    if state.is_code_block(start) or not _DIV.fullmatch(_line(state, start)):
        return False
    if not silent:
        token = state.push("div", "", 0)
        token.content = _line(state, start)
        token.map = [start, start + 1]
        state.line = start + 1
    return True


def _above_caption(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line above a table's caption is a paragraph, not the term of a definition."""
    caption = start + 1
    if not silent and caption < end and state.isEmpty(caption):
        caption += 1
    if silent or caption >= end or not CAPTION.match(_line(state, caption)):
        return False
    below = caption
    while below < min(end, caption + _LONGEST_CAPTION) and not state.isEmpty(below):
        below += 1
    below = state.skipEmptyLines(below)
    if below + 1 >= end or not any(_RULE.fullmatch(_line(state, at)) for at in (below, below + 1)):
        return False
    return paragraph(state, start, end, silent)
