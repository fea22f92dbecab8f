"""Which numbers stand in a template as text: digits and number words that nothing binds."""

import re
import unicodedata
from collections.abc import Iterator

import jinja2
import msgspec

_UNITS = "one two three four five six seven eight nine"
_TEENS = (
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
    "twenty thirty forty fifty sixty seventy eighty ninety"
)
_LARGE = (
    "zero hundred hundreds thousand thousands million millions billion billions trillion "
    "dozen dozens"
)
_PARTS = (
    "half halves halved thirds quarter quarters fifths tenth tenths hundredth thousandth "
    "once twice thrice double doubles doubled doubling triple triples tripled quadruple quadrupled"
)
_WORDS = "|".join(f"{_UNITS} {_TEENS} {_LARGE} {_PARTS}".split())
_NUMBER_WORD = re.compile(
    rf"(?<![\w-])(?:(?:{_WORDS})|(?:a|one)[ -]third|\w+fold)(?![\w])", re.IGNORECASE
)
_NOT_FOLDS = frozenset({"unfold", "scaffold", "manifold", "blindfold", "fold", "threshold"})


class Stray(msgspec.Struct, frozen=True):
    """A number in a template's text: its line and what stands there."""

    line: int
    text: str


def stray_numbers(text: str, first_line: int = 1) -> Iterator[Stray]:
    """Digits (of any script) and number words in a piece of text, in their order."""
    for offset, line in enumerate(text.split("\n")):
        found = [(m.start(), m.group()) for m in _NUMBER_WORD.finditer(line)]
        found = [(start, word) for start, word in found if word.lower() not in _NOT_FOLDS]
        found += [(m.start(), m.group()) for m in re.finditer(r"[^\W\d_]*\d[\w.,]*", line)]
        found += [
            (i, c)
            for i, c in enumerate(line)
            if not c.isascii() and not c.isdecimal() and _is_numeric(c)
        ]
        for _, word in sorted(found):
            yield Stray(first_line + offset, word)


def _is_numeric(character: str) -> bool:
    return unicodedata.numeric(character, None) is not None


def lint_template(source: str, environment: jinja2.Environment) -> list[Stray]:
    """Stray numbers in the text of a template, outside its expressions and comments."""
    return [
        stray
        for line, kind, text in environment.lex(source)
        if kind == "data"
        for stray in stray_numbers(text, line)
    ]
