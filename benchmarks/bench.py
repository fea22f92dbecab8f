"""How fast is the build, next to a peer and to Snakemake itself, in one run and as ratios?

Three limits: the whole build of the post on committed telemetry from clean takes no longer than
neural-cost's own two report scripts do for the same telemetry; an up-to-date build takes at most
1.3 times as long as Snakemake's own no-op; no process of the build needs more than 400 MiB. Where
frameworks are installed, `collecting` adds what it measures of the collectors; `auditing` adds how
fast an audit is.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from auditing import audit_outcomes
from collecting import collection_outcomes, timer_outcomes
from outcome import BenchError, Outcome
from peer import NEURAL_COST, PeerUnavailableError, fetch_peer
from timed import Run, alternate, judge, run

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path("docs/performance.md")
CACHE = ROOT / ".cache" / "peer"
HELD = {True: "yes", False: "**no**", None: "not measured"}
REBUILT = ("results/tables", "results/figures", "results/render", "results/audit", ".snakemake")
# Raw telemetry, corrections and published snapshots are no outputs: `--forceall` could redo them.
RENDERED = ("report/*/index.*", "report/*/numbers.json")
LEFT_OUT = (".git", ".venv", ".cache", ".snakemake", "__pycache__", ".*_cache", ".hypothesis")
COMMITTED_POST = "results/render/apple-m3-gpu-vs-cpu/installed"  # the others measure first
BUILD_RATIO_LIMIT = 1.0
NO_OP_RATIO_LIMIT = 1.3
MEMORY_LIMIT_MIB = 400.0

NO_OP_SNAKEFILE = """\
rule all:
    output: "done.txt"
    shell: "echo done > {output}"
"""


def snakemake(*targets: str) -> list[str]:
    """The command that both sides of a comparison start Snakemake with."""
    return [sys.executable, "-m", "snakemake", "--cores", "1", *targets]


def copy_project(folder: Path) -> Path:
    """A copy of this project without what a fresh clone does not have."""
    copy = folder / "project"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return copy


def build_from_clean(project: Path) -> Run:
    """The whole build after everything that can be rebuilt is gone."""
    for name in REBUILT:
        shutil.rmtree(project / name, ignore_errors=True)
    for page in [page for pattern in RENDERED for page in project.glob(pattern)]:
        page.unlink()
    built = run(snakemake(COMMITTED_POST), project)
    if not list(project.glob("report/*/index.html")):
        raise BenchError(f"the build wrote no report/*/index.html:\n{built.output}")
    return built


def build_again(project: Path) -> Run:
    """The build with everything up to date."""
    built = run(snakemake(COMMITTED_POST), project)
    if "Nothing to be done" not in built.output:
        raise BenchError(f"an up-to-date build had something to do:\n{built.output}")
    return built


def run_peer(peer: Path) -> Run:
    """Both of neural-cost's report scripts, one after the other."""
    scripts = ("benchmarks/generate_report.py", "benchmarks/generate_gpu_report.py")
    runs = [run([sys.executable, script], peer) for script in scripts]
    return Run(sum(r.time_s for r in runs), max(r.memory_bytes for r in runs), "")


def compare_build(project: Path, peer: Path, rounds: int) -> tuple[Outcome, Outcome]:
    """The build against the peer, and the build's memory."""
    memory_bytes: list[int] = []

    def build() -> Run:
        built = build_from_clean(project)
        memory_bytes.append(built.memory_bytes)
        return built

    compared = alternate(build, lambda: run_peer(peer), rounds)
    peak_mib = max(memory_bytes) / 2**20
    memory = Outcome(
        "largest process of the build",
        f"{peak_mib:.0f} MiB",
        "",
        "",
        f"{MEMORY_LIMIT_MIB:.0f} MiB",
        peak_mib <= MEMORY_LIMIT_MIB,
    )
    return judge(
        "build from clean / neural-cost's two scripts", compared, BUILD_RATIO_LIMIT
    ), memory


def compare_no_op(project: Path, folder: Path, rounds: int) -> Outcome:
    """The up-to-date build against Snakemake's own no-op."""
    trivial = folder / "no-op"
    trivial.mkdir()
    (trivial / "Snakefile").write_text(NO_OP_SNAKEFILE, encoding="utf-8")
    run(snakemake(), trivial)
    compared = alternate(lambda: build_again(project), lambda: run(snakemake(), trivial), rounds)
    return judge("up-to-date build / Snakemake's no-op", compared, NO_OP_RATIO_LIMIT)


def tabulate(outcomes: Iterable[Outcome], rounds: int) -> str:
    """The outcomes as a Markdown table, with what they were measured on."""
    lines = [
        "| measured | benchproof | compared with | ratio (range) | limit | holds |",
        "|---|---:|---:|---:|---:|---|",
    ]
    lines += [
        f"| {o.what} | {o.ours} | {o.theirs} | {o.measured} | {o.limit} | {HELD[o.holds]} |"
        for o in outcomes
    ]
    machine = (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, Snakemake {version('snakemake')}"
    )
    lines += ["", f"Medians of {rounds} rounds in turn, after one warm-up: {machine}.", ""]
    return "\n".join(lines)


def write_page(table: str, suite: str, page: Path) -> None:
    """Put a suite's table between its two marks on the page; what stands around them stays."""
    begin, end = (f"<!-- bench {suite}: {mark} -->" for mark in ("begin", "end"))
    text = page.read_text(encoding="utf-8")
    if begin not in text or end not in text:
        raise BenchError(f"{page}: the marks {begin} and {end} are missing; put them back")
    before, after = text.split(begin)[0], text.split(end)[1]
    page.write_text(f"{before}{begin}\n{table}{end}{after}", encoding="utf-8")


def measure_posts(folder: Path, rounds: int) -> list[Outcome]:
    """The build of the posts and the collectors."""
    project = copy_project(folder)
    peer = fetch_peer(NEURAL_COST, CACHE, folder)
    return [
        *compare_build(project, peer, rounds),
        compare_no_op(project, folder, rounds),
        *timer_outcomes(),
        *collection_outcomes(),
    ]


def measure_audit(folder: Path, rounds: int) -> list[Outcome]:
    """The audit of posts that others wrote."""
    return audit_outcomes(copy_project(folder), CACHE, folder, rounds)


SUITES: Mapping[str, Callable[[Path, int], list[Outcome]]] = {
    "posts": measure_posts,
    "audit": measure_audit,
}


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line: `--rounds N`, `--only SUITE`, `--write`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="counted rounds (default: 5)")
    parser.add_argument("--only", choices=SUITES, help="measure one part alone")
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {PAGE}")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every limit holds, 1 when one does not, 2 when one could not be measured."""
    options = parse_arguments(arguments)
    outcomes: list[Outcome] = []
    try:
        for suite in [options.only] if options.only else SUITES:
            with tempfile.TemporaryDirectory(prefix="benchproof-bench-") as name:
                told = SUITES[suite](Path(name), options.rounds)
            table = tabulate(told, options.rounds)
            print(table)
            if options.write:
                write_page(table, suite, ROOT / PAGE)
            outcomes += told
    except (BenchError, PeerUnavailableError, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    return status_of(outcomes)


def status_of(outcomes: Iterable[Outcome]) -> int:
    """The exit status: a limit that does not hold comes before one that was not measured."""
    held = {outcome.holds for outcome in outcomes}
    return 1 if False in held else 2 if None in held else 0


if __name__ == "__main__":
    raise SystemExit(main())
