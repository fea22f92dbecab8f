"""How a verb runs: its errors become one line on standard error and exit status 2."""

import sys
from collections.abc import Callable
from typing import Any

import typer

from benchproof.errors import BenchproofError


def run(verb: Callable[..., Any]) -> None:
    """Run one verb as a program of its own."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(verb)
    guard(app)


def guard(app: typer.Typer) -> None:
    """Run an application; an error that a user can mend is told in one line."""
    try:
        app()
    except BenchproofError as bad:
        print(f"benchproof: {bad}", file=sys.stderr)
        sys.exit(2)
    except OSError as bad:
        print(f"benchproof: {bad.filename}: {bad.strerror}; check the path and its rights", file=sys.stderr)
        sys.exit(2)
