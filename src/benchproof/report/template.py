"""Rendering a post's template: the text, or one error that names template, line and expression."""

import re
from collections.abc import Mapping
from pathlib import Path

import jinja2

from benchproof.errors import BenchproofError, TemplateError
from benchproof.report.environment import PostEnvironment
from benchproof.report.lint import lint_template

_LITERAL = 'bind it to a value, or mark it: literal("...", reason="...")'

# What a wrong expression in a template can raise besides our own errors.
_OF_EXPRESSIONS = (
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RuntimeError,
)


def render_template(
    environment: PostEnvironment, folder: Path, name: str, context: Mapping[str, object]
) -> str:
    """The rendered text of a template; TemplateError where anything in it is not as it must be."""
    try:
        _lint_all(environment, folder, name)
        return environment.get_template(name).render(context)
    except jinja2.TemplateNotFound as bad:
        raise TemplateError(
            str(folder / name), f"template {bad} not found", "check its name"
        ) from None
    except jinja2.TemplateSyntaxError as bad:
        where = f"{bad.filename or folder / name}:{bad.lineno}"
        raise TemplateError(where, f"{bad.message}", "correct the template") from None
    except (BenchproofError, jinja2.TemplateError, *_OF_EXPRESSIONS) as bad:
        if isinstance(bad, TemplateError):
            raise
        where, expression = _place(bad, folder)
        raise TemplateError(where, f"{bad} (in: {expression})", _remedy(bad)) from None


def _lint_all(environment: PostEnvironment, folder: Path, name: str) -> None:
    """Refuse stray numbers in the template and in every template that it may load."""
    for each in _reachable(environment, name):
        source, path, _ = environment.loader.get_source(environment, each)  # type: ignore[union-attr]
        strays = lint_template(source, environment)
        if strays:
            told = "; ".join(f"line {stray.line}: {stray.text!r}" for stray in strays[:10])
            more = f" and {len(strays) - 10} more" if len(strays) > 10 else ""
            first = _around(source.split("\n")[strays[0].line - 1], strays[0].text)
            raise TemplateError(
                f"{path or folder / each}:{strays[0].line}",
                f"number in the text that nothing binds: {told}{more} (in: {first})",
                _LITERAL,
            )


def _around(line: str, text: str, width: int = 60) -> str:
    """The part of a line around a piece of text."""
    start = max(line.find(text), 0)
    return line[max(start - width, 0) : start + len(text) + width].strip()


def _reachable(environment: PostEnvironment, name: str) -> list[str]:
    """The template and those it includes, imports or extends, by the names it writes."""
    found = [name]
    for each in found:
        source, _, _ = environment.loader.get_source(environment, each)  # type: ignore[union-attr]
        named = re.findall(r"\{%-?\s*(?:include|import|from|extends)\s+[\"']([^\"']+)[\"']", source)
        found += [other for other in named if other not in found]
    return found


def _place(bad: Exception, folder: Path) -> tuple[str, str]:
    """Template and line of the innermost template frame, and what stands there."""
    place, expression = str(folder), ""
    traceback = bad.__traceback__
    while traceback is not None:
        path = Path(traceback.tb_frame.f_code.co_filename)
        if path.is_relative_to(folder) and path.is_file():
            lines = path.read_text(encoding="utf-8").split("\n")
            line = lines[traceback.tb_lineno - 1].strip()
            place, expression = f"{path}:{traceback.tb_lineno}", _expression(line)
        traceback = traceback.tb_next
    return place, expression


def _expression(line: str) -> str:
    found = re.findall(r"\{[{%].*?[}%]\}", line)
    return " ".join(found)[:300] or line[:300]


def _remedy(bad: Exception) -> str:
    return {
        "SelectionError": "name every key that is left open",
        "ClaimError": "correct the sentence to what the values say",
        "UnboundError": _LITERAL,
        "UnequalWorkError": "compare records of equal work, or show the pair as unlike",
        "DeviceTruthError": "show the record as what it is",
        "UnitError": "choose values and a unit that fit",
    }.get(type(bad).__name__, "correct the expression")
