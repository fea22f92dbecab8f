"""What an expression of a template prints: bound values, text of the data, text without numbers."""

import re

import jinja2
from markupsafe import Markup

from benchproof.errors import BenchproofError
from benchproof.report.lint import stray_numbers
from benchproof.report.registry import Registry
from benchproof.report.seals import Seals
from benchproof.report.text import DataText, escape, one_line
from benchproof.values.rounding import Style, show
from benchproof.values.value import Value

_ADDRESS = re.compile(r"https://[\w./~%-]+")
_NO_MARK = re.compile(r"[^\w\s*_~^.,;:/–-]|\n")


class UnboundError(BenchproofError):
    """An expression prints a number, or text with one, that no record stands behind."""


class Styled:
    """A value together with how it is to be printed."""

    def __init__(self, value: Value, style: Style, *, bare: bool = False) -> None:
        self.value = value
        self.style = style
        self.bare = bare


def told(given: object) -> str:
    """What a template gave, short enough for an error."""
    if isinstance(given, str | int | float | None):
        return repr(given) if len(repr(given)) <= 80 else repr(given)[:80] + "..."
    if isinstance(given, Value):
        return f"the value {given.derivation!r}"
    return f"a {type(given).__name__}"


class Printer:
    """Turns what an expression gives into Markdown; numbers only when they are bound."""

    def __init__(self, registry: Registry, seals: Seals) -> None:
        self.registry = registry
        self.seals = seals

    def __call__(self, given: object) -> Markup:  # noqa: D102 - the class says it
        if isinstance(given, Markup):
            return self.free(given)
        if isinstance(given, Value | Styled):
            return self.number(given)
        if isinstance(given, DataText):
            return self.seals.seal(escape(given))
        if isinstance(given, str):
            return Markup(escape(self.free(given)))
        if isinstance(given, jinja2.Undefined):
            str(given)  # raises with the name that is undefined
        raise UnboundError(f"{told(given)} is no value: print a value of a selection, or text")

    def number(self, given: Value | Styled) -> Markup:
        """A bound number as a span; `bare` ones as text, where no span can stand."""
        styled = given if isinstance(given, Styled) else Styled(given, Style())
        value = styled.value.named(self.seals.open(styled.value.derivation))
        if not value.records:
            raise UnboundError(f"the value {value.derivation!r} stands on no record")
        printed = show(value, styled.style)
        name = self.registry.bind(value, printed)
        if styled.bare:
            return self.seals.seal(printed.text)
        return self.seals.seal(f'[{printed.text}]{{.bp data-bp="{name}"}}')

    def free(self, text: str) -> Markup:
        """Text that a template made itself, which has to be free of numbers."""
        stray = next(stray_numbers(text), None)
        if stray is not None:
            raise UnboundError(f"{told(text)} holds {stray.text!r}, which no record stands behind")
        return Markup(text)

    def markup(self, text: object) -> Markup:
        """Markdown that a template chose by a condition, such as bold marks: no more than that."""
        if isinstance(text, DataText) or not isinstance(text, str) or _NO_MARK.search(text):
            raise UnboundError(f"{told(text)} is more than words and marks: write it as text")
        return self.free(text)

    def code(self, text: object) -> Markup:
        """Text from the data as code: fenced so that no backtick inside ends it."""
        if not isinstance(text, DataText):
            raise UnboundError(f"{told(text)} is not from the data: write it as code yourself")
        shown = one_line(text)
        longest = max((len(run) for run in re.findall("`+", shown)), default=0)
        fence = "`" * (longest + 1)
        pad = " " if longest else ""
        return self.seals.seal(f"{fence}{pad}{shown}{pad}{fence}" if shown else "")

    def address(self, text: object) -> Markup:
        """An address from the data as a link's target: https, and no mark that could end it."""
        if not isinstance(text, DataText) or not _ADDRESS.fullmatch(text):
            raise UnboundError(f"{told(text)} is no https address from the data")
        return self.seals.seal(str(text))

    def literal(self, text: str, reason: str) -> Markup:
        """Text with a number that no record stands behind, and the reason why it may stand."""
        if not reason.strip():
            raise UnboundError(f"literal {text!r} has no reason")
        shown = one_line(self.seals.open(text))
        self.registry.literal(shown, one_line(self.seals.open(reason)))
        return self.seals.seal(escape(shown))
