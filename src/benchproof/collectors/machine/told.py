"""How a platform tells something: a file of /proc or /sys, or what a command prints."""

import os
import subprocess
import unicodedata
from pathlib import Path

LONGEST = 200  # characters of a name in raw telemetry


def one_line(text: str | None) -> str | None:
    """The text without control characters, at most 200 characters; None where nothing is left."""
    if text is None:
        return None
    printable = ("  " if unicodedata.category(c)[0] == "C" else c for c in text)
    line = " ".join("".join(printable).split())
    return line[:LONGEST].strip() or None


def file_text(path: Path) -> str | None:
    """What a file holds, stripped; None where it is missing, unreadable or empty."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def whole_number(text: str | None) -> int | None:
    """The integer that a text is; None where it is none."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def file_number(path: Path) -> int | None:
    """The integer that a file holds; None where there is none."""
    return whole_number(file_text(path))


def command_text(*command: str, timeout_s: float = 2.0) -> str | None:
    """What a command prints, stripped; None where it is missing, fails or takes too long."""
    try:
        done = subprocess.run(
            command, capture_output=True, check=True, timeout=timeout_s, stdin=subprocess.DEVNULL,
            encoding="utf-8", errors="replace", env=os.environ | {"LC_ALL": "C"},
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
