"""How fast is an audit? Next to numaudit, and as telemetry grows.

Two limits: a post with 400 numbers against 320 records takes at most three times as long as
numaudit takes for the same files, though that only looks whether a number stands anywhere in the
data; from 10,000 to 100,000 records time and memory grow no faster than the records, measurement
error aside.
"""

from __future__ import annotations

import math
import re
import statistics
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from outcome import BenchError, Outcome
from peer import NUMAUDIT, PeerUnavailableError, fetch_peer
from sweep import MODELS, Record, post, records, write_csv, write_json
from timed import Run, alternate, judge, run

RATIO_LIMIT = 3.0
GROWTH_LIMIT = 1.1
NUMBERS, RECORDS = 400, 320
SIZES = (1_000, 10_000, 100_000)
GROWTH_ROUNDS = 3  # a round takes a quarter of a minute
WRITERS: Mapping[str, Callable[[Sequence[Record], Path], Path]] = {
    "csv": write_csv,
    "json": write_json,
}
_SUMMARY = re.compile(r": (\d+) numbers: 0 contradicted, (\d+) verified,")


@dataclass(frozen=True)
class Case:
    """A post and its telemetry; all of its numbers are true."""

    post: Path
    data: Path
    numbers: int


def audit_outcomes(project: Path, cache: Path, folder: Path, rounds: int) -> list[Outcome]:
    """An audit beside numaudit's, and what growing telemetry costs it."""
    return [
        *(beside_numaudit(project, cache, folder, kind, rounds) for kind in WRITERS),
        *(outcome for kind in WRITERS for outcome in _growth(project, folder, kind, rounds)),
    ]


def _case(folder: Path, kind: str, count: int, about: Sequence[str]) -> Case:
    told = records(count)
    text = folder / f"post-{count}.md"
    text.write_text(post(told, about), encoding="utf-8")
    data = WRITERS[kind](told, folder / f"sweep-{count}.{kind}")
    return Case(text, data, NUMBERS * len(about) // len(MODELS))


def beside_numaudit(project: Path, cache: Path, folder: Path, kind: str, rounds: int) -> Outcome:
    """An audit's time over numaudit's; not measured where numaudit can't be had."""
    what = f"audit of {NUMBERS} numbers against {RECORDS} records ({kind.upper()}) / numaudit"
    try:
        peer = fetch_peer(NUMAUDIT, cache, folder)
    except PeerUnavailableError as missing:
        print(f"bench: {what}: {missing}", file=sys.stderr)
        return Outcome(what, "", "", "", f"{RATIO_LIMIT:.1f}", None)
    case = _case(folder, kind, RECORDS, MODELS)
    compared = alternate(lambda: audit(project, case), lambda: run_numaudit(peer, case), rounds)
    return judge(what, compared, RATIO_LIMIT)


def audit(project: Path, case: Case) -> Run:
    """An audit as a shell would start it."""
    module, _, name = _entry(project).partition(":")
    told = run(_started(module, name, "audit", case), project)
    found = _SUMMARY.search(told.output)
    if found is None or [int(count) for count in found.groups()] != [case.numbers] * 2:
        raise BenchError(f"the audit did not verify {case.numbers} numbers:\n{told.output[-500:]}")
    return told


def _entry(project: Path) -> str:
    """What the command `benchproof` calls."""
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    return str(told["project"]["scripts"]["benchproof"])


def run_numaudit(peer: Path, case: Case) -> Run:
    """What numaudit takes, started as a shell would; it has to find every number as well."""
    told = run(_started("numaudit.cli", "main", "", case), peer, source="")
    if "Every number has a source" not in told.output:
        raise BenchError(f"numaudit did not find every number:\n{told.output[-500:]}")
    return told


def _started(module: str, name: str, verb: str, case: Case) -> list[str]:
    """What the script does that an installation makes for a command."""
    script = f"import sys; from {module} import {name}; sys.exit({name}())"
    words = [verb] if verb else []
    return [sys.executable, "-c", script, *words, str(case.post), "--data", str(case.data)]


def _growth(project: Path, folder: Path, kind: str, rounds: int) -> tuple[Outcome, Outcome]:
    """How time and memory grow with the number of records."""
    cases = [_case(folder, kind, size, MODELS[:1]) for size in SIZES]
    runs: list[list[Run]] = [[] for _ in SIZES]
    for _ in range(min(rounds, GROWTH_ROUNDS)):
        for case, told in zip(cases, runs, strict=True):
            told.append(audit(project, case))
    times_s = [statistics.median(one.time_s for one in told) for told in runs]
    peaks_mib = [max(one.memory_bytes for one in told) / 2**20 for told in runs]
    sizes = ", ".join(f"{size:,}" for size in SIZES)
    what = f"audit of {cases[0].numbers} numbers against {sizes} records ({kind.upper()})"
    return (
        _judged(f"{what}: time", times_s, "{:.2f}", "s"),
        _judged(f"{what}: peak memory", peaks_mib, "{:.0f}", "MiB"),
    )


def _judged(what: str, values: Sequence[float], form: str, unit: str) -> Outcome:
    exponent = growth(SIZES[-2:], values[-2:])
    shown = ", ".join(map(form.format, values))
    measured = f"exponent {exponent:.2f}"
    limit = f"exponent {GROWTH_LIMIT:.1f}"
    return Outcome(what, f"{shown} {unit}", "", measured, limit, exponent <= GROWTH_LIMIT)


def growth(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The exponent k of a growth as size to the power of k, between the first and the last."""
    return math.log(values[-1] / values[0]) / math.log(sizes[-1] / sizes[0])
