"""What is to be measured: jobs and their cells, and the order in which they run."""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from benchproof.collectors.frameworks.base import Variant
from benchproof.collectors.profiles import Protocol
from benchproof.model.keys import Device, Framework, Precision

SEED = 20_261_201
SLUGS = {framework.value.lower(): framework for framework in Framework}


@dataclass(frozen=True, order=True)
class CellKey:
    """One cell of a job: workload (by its slug), batch, precision and variant."""

    workload: str
    batch: int
    precision: str
    variant: str

    def __str__(self) -> str:
        return f"{self.variant} {self.workload} batch {self.batch} {self.precision}"


@dataclass(frozen=True)
class Job:
    """One process launch: a round of one framework on one device, over workloads and batches.

    Empty `precisions` and `variants` leave the choice to the framework: fp32, and all variants.
    """

    study: str
    device: Device
    framework: Framework
    round: int
    workloads: tuple[str, ...]
    batches: tuple[int, ...]
    protocol: Protocol
    precisions: tuple[Precision, ...] = ()
    variants: tuple[str, ...] = ()
    threads: int | None = None
    ceilings: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """Folder of the job's raw files: `cpu-pytorch-r1`."""
        return f"{self.device}-{self.framework.value.lower()}-r{self.round}"

    @property
    def seed(self) -> int:
        """Seed of the order of cells: another one in each round."""
        return SEED + self.round

    @property
    def settings(self) -> dict[str, Any]:
        """What raw files tell of how the job measures: none that goes on may differ in it."""
        asked = self.protocol
        told = {
            "warmup": asked.warmup,
            "samples": asked.samples,
            "interval_percent": asked.interval_percent,
            "budget_s": asked.budget_s,
            "time_limit_s": asked.time_limit_s,
            "threads": self.threads,
            "variants": sorted(self.variants) or None,
        }
        return {name: value for name, value in told.items() if value is not None}

    def to_json(self) -> dict[str, Any]:
        """The job as plain JSON, for the worker's process."""
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> "Job":
        """The job that `to_json` wrote."""
        lists = {
            name: tuple(told[name]) for name in ("workloads", "batches", "variants", "ceilings")
        }
        kinds = {
            "device": Device(told["device"]),
            "framework": Framework(told["framework"]),
            "precisions": tuple(map(Precision, told["precisions"])),
            "protocol": Protocol(**told["protocol"]),
        }
        return cls(**{**told, **lists, **kinds})


def cell_keys(
    job: Job, variants: Iterable[Variant], precisions: Iterable[Precision]
) -> list[CellKey]:
    """Cells of a job, group by group (one workload, batch and precision), in random order.

    Cells of a group stay together: they share inputs, and their samples are interleaved.
    """
    known = list(variants)
    names = [v.name for v in known if not job.variants or _matches(v.name, job.variants)]
    chosen = job.precisions or tuple(p for p in precisions if p is Precision.FP32)
    groups = [
        (workload, batch, precision.value)
        for workload in job.workloads
        for batch in job.batches
        for precision in chosen
    ]
    order = random.Random(f"{job.seed} {job.name}")
    order.shuffle(groups)
    return [CellKey(*group, name) for group in groups for name in names]


def _matches(name: str, wanted: Iterable[str]) -> bool:
    return any(name.lower() == each.lower() for each in wanted)


def grouped(keys: Iterable[CellKey]) -> Iterator[list[CellKey]]:
    """Neighbouring cells of one workload, batch and precision."""
    group: list[CellKey] = []
    for key in keys:
        if group and _group(group[0]) != _group(key):
            yield group
            group = []
        group.append(key)
    if group:
        yield group


def _group(key: CellKey) -> tuple[str, int, str]:
    return (key.workload, key.batch, key.precision)
