"""Which numbers stand in a template as text: digits and number words that nothing binds."""

import re
import unicodedata
from collections.abc import Iterator

import jinja2
import msgspec

from benchproof.errors import TemplateError
from benchproof.report.seals import Seals, foreign

LITERAL = 'bind it to a value, or mark it: literal("...", reason="...")'

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
_ORDINALS = "third|fourth|fifth|sixth|seventh|eighth|ninth"
_WORDS = "|".join(f"{_UNITS} {_TEENS} {_LARGE} {_PARTS}".split())
_NUMBER_WORD = re.compile(
    rf"(?<![^\W_])(?:{_WORDS}|(?:a|one)[ -](?:{_ORDINALS})|[^\W_]+fold)(?![^\W_])", re.IGNORECASE
)
_NOT_FOLDS = frozenset({"unfold", "scaffold", "manifold", "blindfold", "fold", "threshold"})


class Stray(msgspec.Struct, frozen=True):
    """A number in a template's text: its line and what stands there."""

    line: int
    text: str


def stray_numbers(text: str, first_line: int = 1) -> Iterator[Stray]:
    """Digits (of any script) and number words in a piece of text, in their order."""
    for offset, written in enumerate(text.split("\n")):
        line = written if written.isascii() else _plain(written)
        found = [(m.start(), m.group()) for m in _NUMBER_WORD.finditer(line)]
        found = [(start, word) for start, word in found if word.lower() not in _NOT_FOLDS]
        found += [(m.start(), m.group()) for m in re.finditer(r"[^\W\d_]*\d(?:[\w.,]*\w)?", line)]
        found += [
            (i, c)
            for i, c in enumerate(line)
            if not c.isascii() and not c.isdecimal() and _is_numeric(c)
        ]
        for _, word in sorted(found):
            yield Stray(first_line + offset, word)


def _plain(line: str) -> str:
    """The line as a reader sees it: no invisible characters, ligatures and wide letters plain."""
    seen = "".join(c for c in line if unicodedata.category(c) != "Cf")
    return "".join(c if _is_numeric(c) else unicodedata.normalize("NFKC", c) for c in seen)


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


def refuse_strays(source: str, environment: jinja2.Environment, path: str) -> None:
    """Raise TemplateError that names every stray number in a template's text, by its line."""
    private = foreign(source)
    if private:
        line = source[: source.index(private)].count("\n") + 1
        raise TemplateError(f"{path}:{line}", f"private character {private!r}", "remove it")
    strays = lint_template(source, environment)
    if strays:
        told = "; ".join(f"line {stray.line}: {stray.text!r}" for stray in strays[:10])
        more = f" and {len(strays) - 10} more" if len(strays) > 10 else ""
        first = around(source.split("\n")[strays[0].line - 1], strays[0].text)
        raise TemplateError(
            f"{path}:{strays[0].line}",
            f"number in the text that nothing binds: {told}{more} (in: {first})",
            LITERAL,
        )


def refuse_unbound(rendered: str, seals: Seals, path: str) -> None:
    """Raise TemplateError for a number in rendered text that came in pieces, or round a check."""
    stray = next(stray_numbers(rendered), None)
    found = stray.text if stray else seals.forged(rendered)
    if found is None:
        return
    line = rendered.split("\n")[stray.line - 1] if stray else ""
    where = seals.open(around(line, found))
    raise TemplateError(
        path, f"number in the rendered text that nothing binds: {found!r} (in: {where})", LITERAL
    )


def around(line: str, text: str, width: int = 60) -> str:
    """The part of a line around a piece of text."""
    start = max(line.find(text), 0)
    return line[max(start - width, 0) : start + len(text) + width].strip()
