"""The command line: `benchproof VERB`."""

import typer

from benchproof import __version__
from benchproof.verbs.check import check
from benchproof.verbs.derive import derive
from benchproof.verbs.figures import figures
from benchproof.verbs.import_ import import_
from benchproof.verbs.install import install
from benchproof.verbs.render import render
from benchproof.verbs.run import guard
from benchproof.verbs.schema import schema
from benchproof.verbs.to_gfm import to_gfm
from benchproof.verbs.to_html import to_html

VERBS = {
    "import": import_,
    "check": check,
    "derive": derive,
    "figures": figures,
    "render": render,
    "to-html": to_html,
    "to-gfm": to_gfm,
    "install": install,
    "schema": schema,
}


def application() -> typer.Typer:
    """The application with all its verbs."""
    app = typer.Typer(
        name="benchproof",
        help="Benchmark posts whose every number is bound to raw telemetry.",
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )

    @app.callback(invoke_without_command=True)
    def version(
        show: bool = typer.Option(False, "--version", help="Print the version and stop."),
    ) -> None:
        if show:
            print(__version__)
            raise typer.Exit

    for name, verb in VERBS.items():
        app.command(name)(verb)
    return app


def main() -> None:
    """Run the command line; exit status 2 for anything that a user can mend."""
    guard(application())
