"""Pieces of text that may hold numbers, kept out of a template's reach until it is rendered.

While a template renders, each such piece is one character of Unicode's private planes. So every
digit and every number word that shows up in the text, whatever way it took, is one that nothing
binds; and a template can neither cut, change nor forge a piece.
"""

import re

from markupsafe import Markup

_FIRST = 0xF0000
_LAST = 0x10FFFF
_SEAL = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")


class Seals:
    """The sealed pieces of one rendering."""

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}
        self._texts: list[str] = []

    def seal(self, text: str) -> Markup:
        """One character that stands for the text, seals inside it opened."""
        opened = self.open(text)
        if opened not in self._pieces:
            self._pieces[opened] = len(self._texts)
            self._texts.append(opened)
        return Markup(chr(_FIRST + self._pieces[opened]))

    def open(self, text: str) -> str:
        """The text with every seal replaced by its piece; a character that is no seal stays."""
        return _SEAL.sub(lambda match: self._piece(match.group()), str(text))

    def _piece(self, character: str) -> str:
        position = ord(character) - _FIRST
        return self._texts[position] if position < len(self._texts) else character

    def forged(self, text: str) -> str | None:
        """A private character in the text that stands for no piece."""
        found = (match.group() for match in _SEAL.finditer(text))
        return next((mark for mark in found if self._piece(mark) is mark), None)

    def open_source(self, text: str) -> str:
        """A whole document opened: inside a quoted scalar of its front matter, as YAML wants it."""
        front, rest = _front_matter(text)
        return "".join(map(self._open_yaml, front.splitlines(keepends=True))) + self.open(rest)

    def _open_yaml(self, line: str) -> str:
        if not _QUOTED.match(line):
            return self.open(line)
        return _SEAL.sub(lambda match: _quoted(self._piece(match.group())), line)


_QUOTED = re.compile(r'^[\s-]*(?:[\w-]+:\s*)?".*"\s*$')


def _quoted(piece: str) -> str:
    """A piece as it stands inside the double quotes of YAML."""
    return piece.replace("\\", "\\\\").replace('"', '\\"')


def _front_matter(text: str) -> tuple[str, str]:
    """The document's front matter and what follows it."""
    found = re.match(r"---\n.*?\n---\n", text, re.DOTALL)
    return (text[: found.end()], text[found.end() :]) if found else ("", text)


def foreign(text: str) -> str | None:
    """A character of the private planes in a text that should hold none."""
    found = _SEAL.search(text)
    return found.group() if found else None
