"""How fast is the build, next to a peer and to Snakemake itself, in one run and as ratios?

Three limits: the whole build of the post on committed telemetry from clean takes no longer than
neural-cost's own two report scripts do for the same telemetry; an up-to-date build takes at most
1.3 times as long as Snakemake's own no-op; no process of the build needs more than 400 MiB. Where
frameworks are installed, `collecting` adds what it measures of the collectors.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from collecting import collection_outcomes, timer_outcomes
from outcome import BenchError, Outcome
from peer import PeerUnavailableError, fetch_peer

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path("docs/performance.md")
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
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


def run(command: Sequence[str], folder: Path) -> Run:
    """What `command` took in `folder`; the command's own output is shown only if it fails."""
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))),
        "PYTHONPATH": str(folder / "src"),
    }
    environment.pop("SNAKEMAKE_PROFILE", None)
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        # wait4, because it tells the peak of this tree alone, not of all that ran so far.
        _, status, usage = os.wait4(process.pid, 0)
        time_s = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if process.returncode:
        raise BenchError(f"{' '.join(command)} ended with {process.returncode}:\n{text}")
    return Run(time_s, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024), text)


def snakemake(*targets: str) -> list[str]:
    """The command that both sides of a comparison start Snakemake with."""
    return [sys.executable, "-m", "snakemake", "--cores", "1", *targets]


def alternate(ours: Callable[[], Run], theirs: Callable[[], Run], rounds: int) -> Comparison:
    """Both sides in turn, after a round that warms the caches and is not counted."""
    pairs = [(ours().time_s, theirs().time_s) for _ in range(rounds + 1)][1:]
    ours_s, theirs_s = zip(*pairs, strict=True)
    return Comparison(ours_s, theirs_s)


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


def tabulate(outcomes: Iterable[Outcome], rounds: int) -> str:
    """The outcomes as a Markdown table, with what they were measured on."""
    lines = [
        "| measured | benchproof | compared with | ratio (range) | limit | holds |",
        "|---|---:|---:|---:|---:|---|",
    ]
    lines += [
        f"| {o.what} | {o.ours} | {o.theirs} | {o.measured} | {o.limit} "
        f"| {'yes' if o.holds else '**no**'} |"
        for o in outcomes
    ]
    machine = (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, Snakemake {version('snakemake')}"
    )
    lines += ["", f"Medians of {rounds} rounds in turn, after one warm-up: {machine}.", ""]
    return "\n".join(lines)


def write_page(table: str, page: Path) -> None:
    """Put the table between the page's two marks; what stands around them stays."""
    text = page.read_text(encoding="utf-8") if page.exists() else f"# Speed\n\n{BEGIN}\n{END}\n"
    if BEGIN not in text or END not in text:
        raise BenchError(f"{page}: the marks {BEGIN} and {END} are missing; put them back")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f"{before}{BEGIN}\n{table}{END}{after}", encoding="utf-8")


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line: `--rounds N`, `--write`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="counted rounds (default: 5)")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {PAGE}")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every limit holds, 1 when one does not, 2 when it could not be measured."""
    options = parse_arguments(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="benchproof-bench-") as name:
            folder = Path(name)
            project = copy_project(folder)
            peer = fetch_peer(ROOT / ".cache" / "peer", folder)
            outcomes = [
                *compare_build(project, peer, options.rounds),
                compare_no_op(project, folder, options.rounds),
                *timer_outcomes(),
                *collection_outcomes(),
            ]
        table = tabulate(outcomes, options.rounds)
        print(table)
        if options.write:
            write_page(table, ROOT / PAGE)
    except (BenchError, PeerUnavailableError, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    return 0 if all(outcome.holds for outcome in outcomes) else 1


if __name__ == "__main__":
    raise SystemExit(main())
