"""The Jinja2 environment of posts: it prints bound values, and refuses every other number."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from benchproof.errors import BenchproofError
from benchproof.report import claims
from benchproof.report.lint import stray_numbers
from benchproof.report.registry import Registry
from benchproof.report.text import DataText, escape, one_line
from benchproof.values.rounding import Form, Style, show
from benchproof.values.value import Truth, Value


class UnboundError(BenchproofError):
    """An expression prints a number, or text with one, that no record stands behind."""


class Styled:
    """A value together with how it is to be printed."""

    def __init__(self, value: Value, style: Style, *, bare: bool = False) -> None:
        self.value = value
        self.style = style
        self.bare = bare


def _styled(given: object, bare: bool | None = None, **changes: Any) -> Styled:
    if isinstance(given, Value):
        given = Styled(given, Style())
    if not isinstance(given, Styled):
        raise UnboundError(f"{given!r} is not a value: only values can be formatted")
    fields = {name: getattr(given.style, name) for name in given.style.__struct_fields__}
    return Styled(
        given.value, Style(**{**fields, **changes}), bare=given.bare if bare is None else bare
    )


FILTERS: dict[str, Callable[..., Styled]] = {
    "significant": lambda value, count: _styled(value, significant=count),
    "places": lambda value, count: _styled(value, places=count),
    "unit": lambda value, name: _styled(value, unit=name),
    "without_unit": lambda value: _styled(value, show_unit=False),
    "signed": lambda value: _styled(value, signed=True),
    "word": lambda value: _styled(value, form=Form.WORD),
    "capital": lambda value: _styled(value, form=Form.CAPITAL),
    "bare": lambda value: _styled(value, bare=True),
}


def code(text: str) -> Markup:
    """Text from the data as code: fenced so that no backtick inside ends it."""
    if not isinstance(text, DataText):
        raise UnboundError(f"{text!r} is not from the data: write it as code yourself")
    shown = one_line(text)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return Markup(f"{fence}{pad}{shown}{pad}{fence}")


def above_one(value: Value) -> Truth:
    """Whether a ratio lies above the neutral one."""
    return value > 1.0


def grouped(rows: Iterable[object], *fields: str) -> list[list[object]]:
    """Rows grouped by equal fields, groups and rows in the order in which they first stand."""
    groups: dict[tuple[object, ...], list[object]] = {}
    for row in rows:
        groups.setdefault(tuple(getattr(row, field) for field in fields), []).append(row)
    return list(groups.values())


class Printer:
    """Turns what an expression gives into Markdown; numbers only when they are bound."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def __call__(self, given: object) -> Markup:  # noqa: D102 - the class says it
        if isinstance(given, Markup):
            return given
        if isinstance(given, Value | Styled):
            return self.number(given)
        if isinstance(given, DataText):
            return Markup(escape(given))
        if isinstance(given, str):
            return self.plain(given)
        if isinstance(given, jinja2.Undefined):
            str(given)  # raises with the name that is undefined
        raise UnboundError(f"{given!r} is no value: print a value of a selection, or text")

    def number(self, given: Value | Styled) -> Markup:
        """A bound number as a span; `bare` ones as text, where no span can stand."""
        styled = given if isinstance(given, Styled) else Styled(given, Style())
        printed = show(styled.value, styled.style)
        name = self.registry.bind(styled.value, printed)
        if styled.bare:
            return Markup(printed.text)
        return Markup(f'[{printed.text}]{{.bp data-bp="{name}"}}')

    def plain(self, text: str) -> Markup:
        """Text that a template made itself: escaped, and free of numbers."""
        stray = next(stray_numbers(text), None)
        if stray is not None:
            raise UnboundError(f"{text!r} holds {stray.text!r}, which no record stands behind")
        return Markup(escape(text))

    def markup(self, text: str) -> Markup:
        """Markdown that a template chose by a condition, such as bold marks: free of numbers."""
        self.plain(text)
        return Markup(text)

    def literal(self, text: str, reason: str) -> Markup:
        """Text with a number that no record stands behind, and the reason why it may stand."""
        if not reason.strip():
            raise UnboundError(f"literal {text!r} has no reason")
        self.registry.literal(one_line(text), one_line(reason))
        return Markup(escape(text))


class PostEnvironment(jinja2.Environment):
    """An environment that remembers its templates' sources, for errors and claims."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        printer = Printer(registry)
        super().__init__(
            loader=jinja2.FileSystemLoader(folder),
            undefined=jinja2.StrictUndefined,
            autoescape=True,  # with finalize below, this only keeps rendered blocks apart from text
            finalize=printer,
            extensions=[claims.ClaimTag, "jinja2.ext.do"],
            comment_start_string="{##",  # "{#" opens an identifier in pandoc's Markdown
            comment_end_string="##}",
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.bp_sources: dict[str | None, str] = {}
        self.filters.update(FILTERS)
        self.filters["above_one"] = above_one
        self.filters["markup"] = printer.markup
        self.filters["code"] = code
        self.globals.update(
            literal=printer.literal,
            grouped=grouped,
            all_of=claims.all_of,
            any_of=claims.any_of,
            none_of=claims.none_of,
            _claim=claims.tag_function(registry),
        )

    def _parse(self, source: str, name: str | None, filename: str | None) -> Any:
        self.bp_sources[name] = source
        return super()._parse(source, name, filename)
