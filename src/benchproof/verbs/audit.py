"""`benchproof audit POST --data FILE…`: what is wrong in a post, by the telemetry it cites."""

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from benchproof.audit.audit import Audit
from benchproof.audit.audit import audit as audited
from benchproof.audit.document.read import read_document
from benchproof.audit.explain.rules import RULES
from benchproof.audit.facts.mapping import read_mapping
from benchproof.audit.facts.propose import propose
from benchproof.audit.facts.read import read_telemetry
from benchproof.audit.print import WIDTH, coloured, lines, plain
from benchproof.audit.rulings import aliases, beside, read_rulings, ruled
from benchproof.audit.told import encode, told
from benchproof.errors import InputError
from benchproof.files import write_atomically


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
    path = None if no_rulings else rulings or _present(beside(post))
    made = _made(post, data, mapping, root, path)
    if html is not None:
        from benchproof.audit.page import page

        write_atomically(html, page(made))
    if sarif is not None:
        from benchproof.audit.sarif import sarif as to_sarif

        write_atomically(sarif, to_sarif(made, everything=everything))
    if json:
        sys.stdout.write(encode(told(made)).decode())
    else:
        _print(made, path, everything)
    return 0 if told(made).is_clean else 1


def _made(
    post: Path, data: list[str], mapping: Path | None, root: Path, rulings: Path | None
) -> Audit:
    """The audit, under the rulings of a file if there is one."""
    # Its faults come before the work.
    given = read_rulings(rulings) if rulings is not None else None
    fields = read_mapping(mapping) if mapping is not None else None
    names = aliases(given) if given is not None else None
    made = audited(read_document(post), read_telemetry(data, fields, root), names)
    return ruled(made, given, str(rulings)) if given is not None else made


def _present(path: Path) -> Path | None:
    return path if path.is_file() else None


def _print(made: Audit, path: Path | None, everything: bool) -> None:
    terminal = sys.stdout.isatty()
    colours = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size((WIDTH, 24)).columns if terminal else WIDTH
    if path is not None:
        print(f"Ruled by hand in {path}; --no-rulings shows the audit without\n")
    for line in lines(
        made, width=width, paint=coloured if colours else plain, everything=everything
    ):
        print(line)


def _list_rules() -> None:
    for name, rule in RULES.items():
        print(f"{name}: {rule.says}; for example, {rule.example}")
