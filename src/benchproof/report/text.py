"""Text from outside, made safe to stand in Markdown."""

import re

_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~^$@\"'&=:.-])")
_LIST = re.compile(r"^(\w{1,9})([.)])(?=\s|$)")  # at the start of a line, "1." and "a)" open a list
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)


class DataText(str):
    """A string that comes from telemetry: a name, a version, a digest; it may hold digits."""

    __slots__ = ()


def one_line(text: str) -> str:
    """The text on one line, without control characters or marks that turn its direction."""
    return " ".join(_UNPRINTABLE.sub("", " ".join(text.split())).split())


def escape(text: str) -> str:
    """The text as Markdown that shows exactly it: every mark of pandoc's syntax is escaped.

    Hyphens and dots inside a word stay as they are, so that names remain readable in the source.
    """
    return _LIST.sub(r"\1\\\2", _MARKUP.sub(_escape_mark, one_line(text)))


def _escape_mark(match: re.Match[str]) -> str:
    mark = match.group(1)
    if mark in "-:=()." and match.start() > 0 and match.string[match.start() - 1] != mark:
        return mark
    return f"\\{mark}"
