"""What commands take, and two of them side by side, in turn."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from outcome import BenchError, Outcome

LAUNCHER = Path(__file__).resolve().parent / "launch.py"


@dataclass(frozen=True)
class Run:
    """One command that ended well: wall time, the largest process of its tree, its output."""

    time_s: float
    memory_bytes: int
    output: str


@dataclass(frozen=True)
class Comparison:
    """Wall times of ours and of what it is compared with, paired by round."""

    ours_s: tuple[float, ...]
    theirs_s: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """Ours over theirs, one a round."""
        return tuple(ours / theirs for ours, theirs in zip(self.ours_s, self.theirs_s, strict=True))


def run(
    command: Sequence[str],
    folder: Path,
    *,
    source: str = "src",
    statuses: Collection[int] = (0,),
) -> Run:
    """What `command` took in `folder`, whose `source` Python imports from.

    The command's own output is shown only if it ends with none of the `statuses`.
    """
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))),
        "PYTHONPATH": str(folder / source),
    }
    # What is installed has its bytecode: without it each start would compile every module again.
    for name in ("SNAKEMAKE_PROFILE", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    with tempfile.TemporaryFile() as output, tempfile.TemporaryDirectory() as place:
        told = Path(place, "told.json")
        launcher = [sys.executable, "-I", "-S", str(LAUNCHER), str(told)]
        subprocess.run(
            [*launcher, *command], cwd=folder, env=environment, check=False,
            stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
        output.seek(0)
        text = output.read().decode(errors="replace")
        if not told.exists():
            raise BenchError(f"{' '.join(command)} could not be started:\n{text}")
        time_s, memory_bytes, status = json.loads(told.read_text(encoding="utf-8"))
    if status not in statuses:
        raise BenchError(f"{' '.join(command)} ended with {status}:\n{text}")
    return Run(time_s, memory_bytes, text)


def alternate(ours: Callable[[], Run], theirs: Callable[[], Run], rounds: int) -> Comparison:
    """Both sides in turn, after a round that warms the caches and is not counted."""
    pairs = [(ours().time_s, theirs().time_s) for _ in range(rounds + 1)][1:]
    ours_s, theirs_s = zip(*pairs, strict=True)
    return Comparison(ours_s, theirs_s)


def judge(what: str, compared: Comparison, limit: float) -> Outcome:
    """The median of the paired ratios, with its range, against its limit."""
    ratios = compared.ratios
    ratio = statistics.median(ratios)
    return Outcome(
        what,
        f"{statistics.median(compared.ours_s):.2f} s",
        f"{statistics.median(compared.theirs_s):.2f} s",
        f"{ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
        f"{limit:.1f}",
        ratio <= limit,
    )
