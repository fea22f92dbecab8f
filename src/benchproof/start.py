"""How the command starts: a plain audit goes without the command line library.

Importing typer and every verb takes ten times as long as an audit does. Whatever is not plain, an
error among it, is left to `benchproof.cli`, which explains it.
"""

import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

FLAGS = {"--json": "json", "--all": "everything", "--no-rulings": "no_rulings"}
PATHS = {
    "--html": "html",
    "--sarif": "sarif",
    "--rulings": "rulings",
    "--mapping": "mapping",
    "--root": "root",
}


def main() -> None:
    """Run the command line, the short way where that is enough."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started it
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - to the process's end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = plain_audit(sys.argv[1:])
    if options is None:
        from benchproof.cli import main as whole

        whole()
    else:
        gc.disable()  # it would be looked for cycles in what the process keeps to its end
        from benchproof.audit.run import Options, run
        from benchproof.verbs.run import guarded

        sys.exit(guarded(lambda: run(Options(**options))))


def plain_audit(words: Sequence[str]) -> dict[str, Any] | None:
    """Options of `audit POST --data FILE…`; None where there is more to it."""
    if words[:1] != ["audit"]:
        return None
    options: dict[str, Any] = {"data": []}
    left = iter(words[1:])
    for word in left:
        if not _take(word, left, options):
            return None
    return options if options["data"] and "post" in options else None


def _take(word: str, left: Iterator[str], options: dict[str, Any]) -> bool:
    """Whether a word, with the value that follows it, was an option or the post."""
    if word in FLAGS:
        options[FLAGS[word]] = True
        return True
    is_post = not word.startswith("-") and "post" not in options
    if not is_post and word not in PATHS and word != "--data":
        return False
    value = word if is_post else next(left, "-")
    if value.startswith("-") or not value:
        return False
    if word == "--data" and not is_post:
        options["data"].append(value)
    else:
        options["post" if is_post else PATHS[word]] = Path(value)
    return True
