"""How a number is quoted with its surroundings: its sentence, or its row and its column's head."""

import re
import unicodedata

import msgspec

from benchproof.audit.audit import Audited
from benchproof.audit.explain.scene import Scene

_CELLS = " | "
_MOST_HEAD = 80
_ELLIPSIS = "…"
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


class Quote(msgspec.Struct, frozen=True):
    """A number between what stands before and after it; `head` is that of its column."""

    before: str
    text: str
    after: str
    head: str = ""

    def __str__(self) -> str:
        return f"{self.before}{self.text}{self.after}"


def quote(one: Audited) -> Quote:
    """A number in its sentence; in a table in its row, with what heads its column."""
    scene = one.scene
    text, mention = scene.here.passage.text, scene.mention
    if scene.here.passage.spot is not None:
        return _in_row(scene)
    start, end = scene.sentence
    return Quote(
        text[start : mention.start].lstrip(),
        text[mention.start : mention.end],
        text[mention.end : end].rstrip(),
    )


def _in_row(scene: Scene) -> Quote:
    passage, mention, prepared = scene.here.passage, scene.mention, scene.outline.prepared
    spot = passage.spot
    assert spot is not None
    table = scene.outline.tables[spot.table]
    row = table.row(spot.row)
    at = row.index(scene.at) if scene.at in row else 0
    left = [prepared[cell].passage.text for cell in row[:at]]
    right = [prepared[cell].passage.text for cell in row[at + 1 :]]
    heads = [prepared[cell].passage.text for cell in table.head(spot.column) if cell != scene.at]
    return Quote(
        _CELLS.join([*left, passage.text[: mention.start]]),
        passage.text[mention.start : mention.end],
        _CELLS.join([passage.text[mention.end :], *right]),
        cut(" ".join(heads), _MOST_HEAD),
    )


def fitted(told: Quote, width: int) -> Quote:
    """The quote in so many columns: the number whole, and of what is beside it the nearest."""
    room = max(0, width - columns(told.text))
    before, after = columns(told.before), columns(told.after)
    left = min(before, max(room // 2, room - after))
    return Quote(_last(told.before, left), told.text, cut(told.after, room - left), told.head)


def cut(text: str, width: int) -> str:
    """A text in so many columns; an ellipsis where it was cut."""
    if columns(text) <= width:
        return text
    kept, used = "", 1
    for one in text:
        used += columns(one)
        if used > width:
            break
        kept += one
    return kept + _ELLIPSIS if width > 0 else ""


def _last(text: str, width: int) -> str:
    return cut(text[::-1], width)[::-1]


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    combining = sum(unicodedata.combining(one) > 0 for one in text)
    return len(text) + wide - combining


def visible(text: str) -> str:
    """A text of somebody else's without what steers a terminal, or turns its reading direction."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)
