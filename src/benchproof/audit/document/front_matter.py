"""The strings of a front matter that readers see, with where they stand."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from benchproof.audit.document.passage import Place

_FRONT = re.compile(r"---[ \t]*\n(?P<yaml>.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_SHOWN = ("title", "subtitle", "description", "abstract")
_LONGEST = 100_000  # characters; a longer one is not read


class Entry(NamedTuple):
    """A key's string, as it is meant and as the source writes it from `place` on."""

    key: str
    value: str
    raw: str
    place: Place


class FrontMatter(NamedTuple):
    """How many lines it takes, its visible strings, and the language it tells."""

    lines: int
    entries: tuple[Entry, ...]
    language: str


def front_matter(source: str) -> FrontMatter:
    """What the front matter of a Markdown text says; nothing when there is none to be read."""
    match = _FRONT.match(source)
    if match is None:
        return FrontMatter(0, (), "")
    found = list(_entries(match.group("yaml") or ""))
    shown = tuple(entry for key in _SHOWN for entry in found if entry.key == key)
    languages = [entry.value for entry in found if entry.key in ("lang", "language")]
    return FrontMatter(match.group().count("\n"), shown, languages[0] if languages else "")


def _entries(text: str) -> Iterator[Entry]:
    """Keys of the outermost mapping whose value is a string."""
    import yaml  # most posts have no front matter, and need not wait for it

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader) if len(text) < _LONGEST else None
    except (yaml.YAMLError, RecursionError):
        return
    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode):
            start, end = value.start_mark, value.end_mark
            raw = text[start.index : end.index]
            yield Entry(key.value, value.value, raw, Place(start.line + 2, start.column + 1))
