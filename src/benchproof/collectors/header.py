"""What all raw files of a job share: run, framework, machine, protocol."""

from typing import Any

from benchproof.collectors.machine.datasheets import datasheet_ceilings
from benchproof.collectors.machine.identity import machine
from benchproof.collectors.plan import Job
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
    asked = job.protocol
    told = {
        "sampling_rule": (
            f"blocks of the group's cells in random order, at least {asked.blocks}, until the "
            f"95 % interval of the median is within {asked.interval_percent:g} % or "
            f"{asked.budget_s:g} s are sampled; disturbed cells again, at most {asked.retries} "
            f"times and {asked.retry_s:g} s a job; a sample takes at least "
            f"{asked.minimum_sample_ns:,} ns"
        ),
        "clock": "time.perf_counter_ns",
        "synchronisation": known["synchronisation"],
        "threads": known["threads"],
        "seed": job.seed,
    }
    return job.settings | {name: value for name, value in told.items() if value is not None}
