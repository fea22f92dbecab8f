"""Which code measured: the command, the commit, and whether the checkout had been changed."""

import shlex
import subprocess
import sys
from pathlib import Path

LIMIT_S = 10


def command() -> str:
    """The command line of this process, its interpreter by name only."""
    interpreter, *rest = sys.orig_argv
    return shlex.join([Path(interpreter).name, *rest])[:10_000]


def git_state() -> dict[str, str | bool]:
    """`git_commit` and `git_dirty` of the checkout that this package lies in; empty without one."""
    commit = _git("rev-parse", "HEAD")
    if commit is None:
        return {}
    changes = _git("status", "--porcelain", "--untracked-files=no")
    state: dict[str, str | bool] = {"git_commit": commit}
    return state if changes is None else state | {"git_dirty": bool(changes)}


def _git(*arguments: str) -> str | None:
    folder = Path(__file__).resolve().parent
    try:
        ran = subprocess.run(
            ["git", *arguments],
            cwd=folder, capture_output=True, text=True, timeout=LIMIT_S, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout.strip()
