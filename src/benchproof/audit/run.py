"""What `benchproof audit` does: reads, audits, writes, prints; its exit status says how it went."""

import io
import os
import shutil
import sys
from pathlib import Path

import msgspec

from benchproof.audit.audit import Audit
from benchproof.audit.audit import audit as audited
from benchproof.audit.document.read import read_document
from benchproof.audit.facts.mapping import read_mapping
from benchproof.audit.facts.read import read_telemetry
from benchproof.audit.facts.sources import find_sources
from benchproof.audit.told import encode, told
from benchproof.errors import InputError


class Options(msgspec.Struct, frozen=True):
    """What is audited against what, and where the report goes."""

    post: Path
    data: list[str]
    json: bool = False
    html: Path | None = None
    sarif: Path | None = None
    everything: bool = False
    rulings: Path | None = None
    no_rulings: bool = False
    mapping: Path | None = None
    root: Path = Path()


def run(options: Options) -> int:
    """0: nothing is contradicted, and no finding about the data is an error; 1: something is."""
    path = None if options.no_rulings else options.rulings or _beside(options.post)
    _refuse_clashes(options, path)
    made = _made(options, path)
    if options.html is not None:
        from benchproof.audit.page import page
        from benchproof.files import write_atomically

        write_atomically(options.html, page(made))
    if options.sarif is not None:
        from benchproof.audit.sarif import sarif as to_sarif
        from benchproof.files import write_atomically

        write_atomically(options.sarif, to_sarif(made, everything=options.everything))
    report = told(made)
    if options.json:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # as JSON is, whatever the terminal takes
        sys.stdout.write(encode(report).decode())
    else:
        _print(made, path, options.everything)
    return 0 if report.is_clean else 1


def _refuse_clashes(options: Options, rulings: Path | None) -> None:
    """InputError where an output would replace what is read, the other output, or no file."""
    if options.html is None and options.sarif is None:
        return
    sources = find_sources(options.data, options.root)
    read = [options.post, *(source.path for source in sources)]
    read += [one for one in (options.mapping, rulings) if one is not None]
    taken = {one.resolve() for one in read}
    for name, output in (("--html", options.html), ("--sarif", options.sarif)):
        if output is None:
            continue
        if output.resolve() in taken:
            raise InputError(
                str(output), f"is read by this audit, or written twice, and cannot be {name}",
                "name another file",
            )  # fmt: skip
        if output.exists() and not output.is_file():
            raise InputError(str(output), "is no regular file", f"name a file for {name}")
        taken.add(output.resolve())


def _beside(post: Path) -> Path | None:
    if not post.name:
        return None  # `.` or `/`: reading it tells what is wrong
    path = post.with_name(f"{post.name}.audit.yaml")
    return path if path.is_file() else None


def _made(options: Options, rulings: Path | None) -> Audit:
    """The audit, under the rulings of a file if there is one."""
    fields = read_mapping(options.mapping) if options.mapping is not None else None
    if rulings is None:
        return audited(
            read_document(options.post), read_telemetry(options.data, fields, options.root)
        )
    from benchproof.audit.rulings import aliases, read_rulings, ruled

    given = read_rulings(rulings)  # its faults come before the work
    post, telemetry = (
        read_document(options.post),
        read_telemetry(options.data, fields, options.root),
    )
    return ruled(audited(post, telemetry, aliases(given)), given, str(rulings))


def _print(made: Audit, path: Path | None, everything: bool) -> None:
    from benchproof.audit.print import WIDTH, coloured, lines, plain

    terminal = sys.stdout.isatty()
    colours = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size((WIDTH, 24)).columns if terminal else WIDTH
    if path is not None:
        print(f"Ruled by hand in {path}; --no-rulings shows the audit without\n")
    for line in lines(
        made, width=width, paint=coloured if colours else plain, everything=everything
    ):
        print(line)
