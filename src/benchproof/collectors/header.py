"""What all raw files of a job share: run, framework, machine, protocol."""

from typing import Any

from benchproof.collectors.machine.datasheets import datasheet_ceilings
from benchproof.collectors.machine.identity import machine
from benchproof.collectors.plan import Job
from benchproof.collectors.profiles import Protocol
from benchproof.collectors.provenance import command, git_state
from benchproof.model.keys import Device

Told = dict[str, Any]


def header(job: Job, hello: Told | None) -> Told:
    """The shared part; `hello` is the worker's introduction, None where no worker came so far."""
    known = hello or {
        "framework": {"name": job.framework},
        "machine": machine(Device.CPU, None),
        "threads": None,
        "synchronisation": None,
    }
    return {
        "run": {"command": command(), **git_state()},
        "framework": known["framework"],
        "machine": _with_ceilings(job, known["machine"]),
        "protocol": _protocol(job, known),
    }


def _with_ceilings(job: Job, here: Told) -> Told:
    ceilings = [*datasheet_ceilings(here["chip"], job.device, here.get("cores")), *job.ceilings]
    return here | {"ceilings": ceilings}


def _protocol(job: Job, known: Told) -> Told:
    told = {
        "sampling_rule": _sampling_rule(job.protocol),
        "clock": "time.perf_counter_ns",
        "synchronisation": known["synchronisation"],
        "threads": known["threads"],
        "seed": job.seed,
    }
    return job.settings | {name: value for name, value in told.items() if value is not None}


def _sampling_rule(asked: Protocol) -> str:
    again = "once" if asked.retries == 1 else f"{asked.retries} times"
    return (
        f"blocks of the group's cells in random order, at least {asked.blocks}, until the 95 % "
        f"interval of the median is within {asked.interval_percent:g} % or {asked.budget_s:g} s "
        f"are sampled; disturbed cells again, at most {again} and {asked.retry_s:g} s a job; a "
        f"sample is calibrated to take {asked.minimum_sample_ns:,} ns or more"
    )
