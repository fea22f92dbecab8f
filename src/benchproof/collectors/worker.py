"""The process that measures one job: `python -m benchproof.collectors.worker`.

It reads its job from standard input and tells the supervisor what it is about to do, and each
cell when it has been measured. It writes no files.
"""

import os
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from benchproof.collectors.frameworks.base import (
    Adapter,
    MissingFrameworkError,
    UnsupportedError,
    load,
)
from benchproof.collectors.machine.ceilings import measure_ceilings
from benchproof.collectors.machine.conditions import Watch, disturbance
from benchproof.collectors.machine.identity import machine
from benchproof.collectors.measure import Bench, Candidate
from benchproof.collectors.messages import Line
from benchproof.collectors.plan import CellKey, Job, cell_keys, grouped
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.model.keys import VariantKind

CEILING_TRIES = 3  # beside other processes a ceiling comes out too low


def main() -> None:
    """Measure the job that the supervisor sends."""
    # With several cards of different kinds, CUDA's own order is not that of NVIDIA's tools.
    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    line = Line()
    told = line.hear()
    job = Job.from_json(told["job"])
    try:
        adapter = load(job.framework)
    except MissingFrameworkError as bad:
        line.say(missing=str(bad))
        return
    if job.device not in adapter.devices():
        seen = ", ".join(adapter.devices().values())
        version = next(iter(adapter.versions().values()))
        line.say(missing=f"{job.framework} {version} sees no {job.device} here, only {seen}")
        return
    try:
        if job.threads is not None:
            adapter.limit_threads(job.threads)
    except UnsupportedError as bad:
        line.say(missing=str(bad))
        return
    if told["what"] == "ceilings":
        _measure_ceilings(line, job, adapter)
    else:
        _measure_cells(line, job, adapter)


def _measure_ceilings(line: Line, job: Job, adapter: Adapter) -> None:
    cores = int(machine(job.device, None).get("cores") or 1)
    watch = Watch(job.device)
    best: dict[tuple[str, str | None], dict[str, Any]] = {}
    for _ in range(CEILING_TRIES):
        line.say(at={"stage": "ceilings"})
        before = watch.read()
        for found in measure_ceilings(adapter, job.device, job.protocol.ceilings_s):
            name = (found["quantity"], found.get("precision"))
            if name not in best or found["value"] > best[name]["value"]:
                best[name] = found
        if disturbance(before, watch.read(), cores, job.device) is None:
            break
    line.ask(ceilings=list(best.values()))


def _measure_cells(line: Line, job: Job, adapter: Adapter) -> None:
    here = machine(job.device, adapter.driver(job.device))
    keys = cell_keys(job, adapter.variants(job.device), adapter.precisions(job.device))
    if not keys:
        named = ", ".join(variant.name for variant in adapter.variants(job.device))
        asked = ", ".join(job.variants)
        line.say(missing=f"{job.framework} has no variant {asked} on {job.device}; it has {named}")
        return
    answer = line.ask(hello=_introduction(job, adapter, here), cells=[asdict(key) for key in keys])
    done = {CellKey(**key) for key in answer["done"]}
    kinds = {variant.name: variant.kind for variant in adapter.variants(job.device)}
    known = {precision.value for precision in adapter.precisions(job.device)}
    able = [key for key in keys if key.precision in known] or keys
    eager = [key for key in able if kinds[key.variant] is VariantKind.EAGER] or able
    control = _choose(job, eager) if not answer["has_control"] else None

    def at(candidate: Candidate, stage: str) -> None:
        line.say(at={"stage": stage, "key": asdict(candidate.key), "control": candidate.is_control})

    bench = Bench(job, adapter, int(here.get("cores") or 1), at)
    groups = list(grouped(keys))
    for position, group in enumerate(groups, start=1):
        left = [key for key in group if key not in done]
        with_control = control if control in group else None
        if not left and with_control is None:
            continue
        for candidate in bench.measure(left, with_control):
            if candidate.is_control and "samples_ns" not in candidate.told:
                later = [key for each in groups[position:] for key in each if key in eager]
                control = _choose(job, later)
                if control is not None:
                    continue  # a control that failed controls nothing: another one is taken
            line.ask(cell=_cell(candidate), key=asdict(candidate.key), control=candidate.is_control)


def _choose(job: Job, keys: Sequence[CellKey]) -> CellKey | None:
    """The cell that is measured twice: of the lightest workload, another batch in each round.

    Noise that does not come from the work itself weighs most where there is least work.
    """
    lightest = min((WORKLOADS[key.workload].flops(1) for key in keys), default=0)
    light = [key for key in keys if WORKLOADS[key.workload].flops(1) == lightest]
    return random.Random(f"control {job.seed} {job.name}").choice(light) if light else None


def _introduction(job: Job, adapter: Adapter, here: dict[str, Any]) -> dict[str, Any]:
    versions = adapter.versions()
    return {
        "machine": here,
        "framework": {
            "name": job.framework,
            "version": next(iter(versions.values())),
            "packages": versions,
        },
        "threads": adapter.threads(),
        "synchronisation": adapter.synchronisation(job.device),
        "kinds": {variant.name: variant.kind for variant in adapter.variants(job.device)},
    }


def _cell(candidate: Candidate) -> dict[str, Any]:
    """The cell as a raw file holds it; what was not measured is left out."""
    key, variant = candidate.key, candidate.variant
    named = {
        "variant": key.variant,
        "kind": variant.kind,
        "batch": key.batch,
        "precision": key.precision,
    }
    return named | _known(candidate.told.items())


def _known(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value for name, value in items if value is not None}


if __name__ == "__main__":
    main()
