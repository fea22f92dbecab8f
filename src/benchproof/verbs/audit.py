"""`benchproof audit POST --data FILE…`: what is wrong in a post, by the telemetry it cites."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from benchproof.audit.explain.rules import RULES
from benchproof.audit.facts.propose import propose
from benchproof.audit.run import Options, run
from benchproof.errors import InputError


def audit(
    post: Annotated[
        Path | None, typer.Argument(metavar="POST", help="Markdown, HTML or plain text.")
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data", metavar="FILE", help="Telemetry: JSON or CSV, a folder, a glob; repeatable."
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Write benchproof/audit@1 to standard output.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write the post with its numbers marked."),
    ] = None,
    sarif: Annotated[
        Path | None,
        typer.Option(
            "--sarif", metavar="FILE", help="Write SARIF 2.1.0 for code hosts and editors."
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Tell of every number, the right ones too; fold nothing.")
    ] = False,
    rulings: Annotated[
        Path | None,
        typer.Option(
            "--rulings", metavar="FILE", help="What was ruled by hand, if not in POST.audit.yaml."
        ),
    ] = None,
    no_rulings: Annotated[
        bool, typer.Option("--no-rulings", help="Pass over POST.audit.yaml.")
    ] = False,
    mapping: Annotated[
        Path | None,
        typer.Option("--mapping", metavar="FILE", help="What the fields of the data are."),
    ] = None,
    propose_mapping: Annotated[
        bool, typer.Option("--propose-mapping", help="Print a mapping file for the data and stop.")
    ] = False,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules and stop.")] = False,
    root: Annotated[
        Path, typer.Option("--root", help="The project that benchproof's own raw files lie in.")
    ] = Path(),
) -> int:
    """Say which numbers of a post its telemetry contradicts.

    Each number is bound to records by the words around it: its column, row,
    sentence, caption and section. Only then is it compared with what they
    hold. What is wrong with the data itself comes first.

    Exit status 0: no number is contradicted, no finding about the data is
    an error. 1: something is. 2: it could not run; one line says why.

    For example: benchproof audit post.md --data results/ --html audit.html
    """
    if rules:
        _list_rules()
        return 0
    if propose_mapping and data:
        sys.stdout.write(propose(data, root))
        return 0
    if post is None or not data:
        missing = "--data" if post else "POST"
        raise InputError(missing, "is missing", "benchproof audit POST --data FILE_OR_FOLDER")
    return run(
        Options(
            post, data, json=json, html=html, sarif=sarif, everything=everything, rulings=rulings,
            no_rulings=no_rulings, mapping=mapping, root=root,
        )
    )  # fmt: skip


def _list_rules() -> None:
    for name, rule in RULES.items():
        print(f"{name}: {rule.says}; for example, {rule.example}")
