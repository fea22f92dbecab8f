"""`python -m benchproof.collectors`: measure a study's cells, with a framework and NumPy alone."""

import argparse
import json
import signal
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from benchproof.collectors.exclusive import measuring_alone
from benchproof.collectors.plan import SLUGS, Job
from benchproof.collectors.presence import PACKAGES, installed_frameworks
from benchproof.collectors.profiles import PROFILES, Protocol
from benchproof.collectors.progress import Progress
from benchproof.collectors.store import RawFiles, begin_from, move_to, require_one_study
from benchproof.collectors.supervisor import measure_ceilings, run_job
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.errors import InputError
from benchproof.files import write_atomically
from benchproof.model.keys import Device, Framework, Precision

INTERRUPTED = 130
Ceilings = tuple[dict[str, Any], ...]


def parser() -> argparse.ArgumentParser:
    """The options; each of a profile's can be given by itself."""
    made = argparse.ArgumentParser(
        prog="python -m benchproof.collectors",
        description="Measure workloads and write raw telemetry (benchproof/raw@1) into "
        "OUTPUT/DEVICE-FRAMEWORK-rROUND/WORKLOAD.json. A killed run goes on with the same command.",
        allow_abbrev=False,
    )
    add = made.add_argument
    add("-o", "--output", type=Path, required=True, help="folder of the study's raw files")
    add("--study", help="the study's name; the output folder's if left out")
    add("--profile", choices=PROFILES, default="quick", help="size of the sweep (quick)")
    add("--device", choices=list(Device), type=Device, action="append", help="cpu if left out")
    add("--framework", choices=SLUGS, action="append", help="those installed if left out")
    add("--workload", choices=WORKLOADS, action="append", help="the profile's if left out")
    add("--batch", type=_count, action="append", help="the profile's if left out")
    add("--precision", choices=list(Precision), type=Precision, action="append", help="fp32")
    add("--variant", action="append", help="all that the framework has if left out")
    rounds = made.add_mutually_exclusive_group().add_argument
    rounds("--rounds", type=_count, help="process launches of each job (the profile's)")
    rounds("--round", type=_count, help="only this round")
    add("--threads", type=_count, help="CPU threads of the frameworks (their own choice)")
    add("--budget-s", type=float, help="seconds of samples a cell, at most (the profile's)")
    add("--time-limit-s", type=float, help="seconds without a sign of life that end a cell")
    add("--ceilings", type=Path, help="file to keep measured ceilings in, or to take them from")
    add("--ceilings-only", action="store_true", help="measure the ceilings and nothing else")
    add("--work", type=Path, help="measure in this folder, move finished jobs to OUTPUT")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 measured, 2 bad input, 130 interrupted; failed cells are in the files."""
    signal.signal(signal.SIGTERM, _interrupt)
    options = parser().parse_args(arguments)
    progress = Progress()
    try:
        jobs = planned_jobs(options)
        progress.jobs_left = len(jobs)
        _tell_missing(options, progress)
        with measuring_alone(progress.tell):
            collect(jobs, options, progress)
    except KeyboardInterrupt:
        progress.tell("interrupted; what was measured is kept, the same command goes on")
        return INTERRUPTED
    except InputError as bad:
        progress.tell(f"benchproof: {bad}")
        return 2
    except OSError as bad:
        where = bad.filename or options.output
        progress.tell(f"benchproof: {where}: {bad.strerror}; check the place, what is there stays")
        return 2
    return 0


def planned_jobs(options: argparse.Namespace) -> list[Job]:
    """The jobs that the options ask for, round by round, so that a drift meets all of them."""
    profile = PROFILES[options.profile]
    protocol = profile.protocol
    for name in ("budget_s", "time_limit_s"):
        told = getattr(options, name)
        if told is not None:
            protocol = _with(protocol, name, told)
    rounds = [options.round] if options.round else range(1, (options.rounds or profile.rounds) + 1)
    return [
        Job(
            study=options.study or options.output.resolve().name,
            device=device,
            framework=framework,
            round=number,
            workloads=_once(options.workload or profile.workloads),
            batches=_once(options.batch or profile.batches),
            protocol=protocol,
            precisions=_once(options.precision or ()),
            variants=_once(options.variant or ()),
            threads=options.threads,
        )
        for number in rounds
        for device in _once(options.device or (Device.CPU,))
        for framework in _frameworks(options)
    ]


def _with(protocol: Protocol, name: str, value: float) -> Protocol:
    told: dict[str, Any] = {name: value}
    try:
        return replace(protocol, **told)
    except ValueError as bad:
        option = f"--{name.replace('_', '-')}"
        raise InputError(option, str(bad), "give a positive number") from None


def _frameworks(options: argparse.Namespace) -> tuple[Framework, ...]:
    asked = tuple(SLUGS[slug] for slug in _once(options.framework or ()))
    found = asked or tuple(installed_frameworks())
    if not found:
        packages = ", ".join(PACKAGES.values())
        raise InputError(
            "--framework", "no framework is installed here", f"install one of {packages}"
        )
    return found


def _tell_missing(options: argparse.Namespace, progress: Progress) -> None:
    """Say which frameworks are not installed, where none was named."""
    if not options.framework:
        installed = installed_frameworks()
        for framework, package in PACKAGES.items():
            if framework not in installed:
                progress.tell(f"{framework}: skipped, {package} is not installed")


def collect(jobs: Sequence[Job], options: argparse.Namespace, progress: Progress) -> None:
    """Measure the ceilings of each device that a job needs, then the jobs."""
    most = PROFILES[options.profile].ceiling_frameworks
    work = options.work or options.output
    require_one_study(options.output, {job.study for job in jobs})
    ceilings: dict[Device, Ceilings] = {}
    for job in jobs:
        done = RawFiles(job, options.output / job.name)
        done.require_asked()
        if done.is_complete and not options.ceilings_only:
            progress.tell(f"{job.name}: already measured, in {done.folder}")
            progress.jobs_left -= 1
            continue
        if job.device not in ceilings:
            path = options.ceilings or work / "ceilings" / f"{job.device}.ceilings"
            same = {each.framework: each for each in jobs if each.device is job.device}
            ceilings[job.device] = _ceilings(list(same.values())[:most], path, progress)
        if not options.ceilings_only:
            begin_from(done, work)
            run_job(replace(job, ceilings=ceilings[job.device]), work, progress)
            move_to(RawFiles(job, work / job.name), options.output)


def _ceilings(jobs: Sequence[Job], path: Path, progress: Progress) -> Ceilings:
    """Ceilings of one device by each of its frameworks, from `path` where they are kept."""
    if path.exists():
        return _kept_ceilings(path)
    found: list[dict[str, Any]] = []
    for job in jobs:
        progress.tell(f"{job.device} {job.framework}: measuring the device's ceilings")
        told = measure_ceilings(job)
        if not told:
            progress.tell(f"{job.device} {job.framework}: no ceilings were measured")
        found += told
    write_atomically(path, json.dumps(found, indent=1) + "\n")
    return tuple(found)


def _kept_ceilings(path: Path) -> Ceilings:
    """Ceilings from a file; InputError where it holds anything else."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        told = None
    needed = {"quantity", "value", "kind", "source"}
    if not isinstance(told, list) or not all(
        isinstance(each, dict) and needed <= each.keys() for each in told
    ):
        raise InputError(str(path), "holds no ceilings", "delete it, and they are measured again")
    return tuple(told)


def _once(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))


def _count(text: str) -> int:
    """A count that raw telemetry can hold."""
    number = int(text)
    if not 1 <= number < 2**63:
        raise argparse.ArgumentTypeError(f"{text} is not positive, or too large")
    return number


def _interrupt(signum: int, frame: object) -> NoReturn:
    del signum, frame
    raise KeyboardInterrupt
