"""The command line: `benchproof VERB`."""

import functools
import sys
from collections.abc import Callable

import typer

from benchproof import __version__
from benchproof.verbs.audit import audit
from benchproof.verbs.check import check
from benchproof.verbs.derive import derive
from benchproof.verbs.figures import figures
from benchproof.verbs.import_ import import_
from benchproof.verbs.install import install
from benchproof.verbs.render import render
from benchproof.verbs.run import guarded
from benchproof.verbs.schema import schema
from benchproof.verbs.to_gfm import to_gfm
from benchproof.verbs.to_html import to_html
from benchproof.verbs.verify import verify

VERBS: dict[str, Callable[..., int | None]] = {
    "import": import_,
    "check": check,
    "audit": audit,
    "derive": derive,
    "figures": figures,
    "render": render,
    "to-html": to_html,
    "to-gfm": to_gfm,
    "install": install,
    "verify": verify,
    "schema": schema,
}


def application() -> typer.Typer:
    """The application with all its verbs."""
    app = typer.Typer(
        name="benchproof",
        help="Benchmark posts whose every number is bound to raw telemetry.",
        add_completion=False,
        pretty_exceptions_enable=False,
    )

    @app.callback(invoke_without_command=True)
    def top(
        context: typer.Context,
        version: bool = typer.Option(False, "--version", help="Print the version and stop."),
    ) -> None:
        if version:
            print(__version__)
        elif context.invoked_subcommand is None:
            print(context.get_help())

    for name, verb in VERBS.items():
        app.command(name)(_with_status(verb))
    return app


def _with_status(verb: Callable[..., int | None]) -> Callable[..., None]:
    """The verb as typer wants it: what it returns, and what it raises, is an exit status."""

    @functools.wraps(verb)
    def command(*args: object, **options: object) -> None:
        raise typer.Exit(guarded(lambda: verb(*args, **options)))

    return command


def main(*verb: str) -> None:
    """Run the command line, or one VERB of it; exit status 2 for anything that a user can mend."""
    application()([*verb, *sys.argv[1:]])
