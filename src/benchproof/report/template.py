"""Rendering a post's template: the text, or one error that names template, line and expression."""

import contextlib
import re
import signal
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import jinja2

from benchproof.errors import BenchproofError, TemplateError
from benchproof.report.environment import PostEnvironment
from benchproof.report.lint import LITERAL, refuse_unbound

# What a wrong expression in a template can raise besides our own errors.
_OF_EXPRESSIONS = (
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RuntimeError,
)


LIMIT_S = 60


class TemplateTimeError(BenchproofError):
    """A template that does not come to an end."""


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TemplateTimeError after some seconds, where the platform has alarms for it."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TemplateTimeError(f"not done after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def render_template(
    environment: PostEnvironment, folder: Path, name: str, context: Mapping[str, object]
) -> str:
    """The rendered text of a template; TemplateError where anything in it is not as it must be."""
    try:
        with time_limit(LIMIT_S):
            text = environment.get_template(name).render(context)
    except jinja2.TemplateSyntaxError as bad:
        where = f"{bad.filename or folder / name}:{bad.lineno}"
        line = (bad.source or "").split("\n")[bad.lineno - 1 : bad.lineno]
        expression = _expression(line[0].strip()) if line else ""
        raise TemplateError(
            where, f"{bad.message} (in: {expression})", "correct the template"
        ) from None
    except (BenchproofError, jinja2.TemplateError, *_OF_EXPRESSIONS) as bad:
        if isinstance(bad, TemplateError):
            raise
        where, expression = _place(bad, folder, name)
        what = environment.seals.open(_told(bad))
        raise TemplateError(where, f"{what} (in: {expression})", _remedy(bad)) from None
    refuse_unbound(text, environment.seals, str(folder / name))
    return environment.seals.open_source(text)


def _place(bad: Exception, folder: Path, name: str) -> tuple[str, str]:
    """Innermost template line of an error; what stands there, and which line brought it in."""
    places: list[tuple[str, str]] = []
    traceback = bad.__traceback__
    while traceback is not None:
        path = Path(traceback.tb_frame.f_code.co_filename)
        if path.is_relative_to(folder) and path.is_file():
            lines = path.read_text(encoding="utf-8").split("\n")
            line = lines[traceback.tb_lineno - 1].strip()
            places.append((f"{path}:{traceback.tb_lineno}", _expression(line)))
        traceback = traceback.tb_next
    if not places:
        return str(folder / name), "the whole template"
    (outer, caller), (where, expression) = places[0], places[-1]
    return where, expression if outer == where else f"{expression}; from {outer}: {caller}"


def _expression(line: str) -> str:
    found = re.findall(r"\{[{%].*?[}%]\}", line)
    return " ".join(found)[:300] or line[:300]


def _told(bad: Exception) -> str:
    if isinstance(bad, jinja2.TemplatesNotFound):
        return f"no template {' or '.join(map(repr, bad.templates))}"
    if isinstance(bad, jinja2.TemplateNotFound):
        return f"no template {bad.name!r}"
    return str(bad)


def _remedy(bad: Exception) -> str:
    return {
        "SelectionError": "name one record, by keys and values that there are",
        "ClaimError": "correct the sentence to what the values say",
        "UnboundError": LITERAL,
        "UnequalWorkError": "compare records of equal work, or show the pair as unlike",
        "DeviceTruthError": "show the record as what it is",
        "FigureError": "draw it, or name another",
        "TemplateNotFound": "check its name",
        "TemplateTimeError": "shorten its loops",
        "UnitError": "choose values and a unit that fit",
    }.get(type(bad).__name__, "correct the expression")
