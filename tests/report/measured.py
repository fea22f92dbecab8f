"""Studies as collectors leave them, generated: what ran where, how fast, and how it ended."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import msgspec
import numpy as np
from factory import CEILINGS, make_cell, make_raw

from benchproof.model.keys import Framework
from benchproof.model.raw import FrameworkInfo, Machine, Protocol, RawFile

VARIANTS: Mapping[str, tuple[str, ...]] = {
    "PyTorch": ("eager", "torch.compile(inductor)"),
    "JAX": ("eager", "jax.jit"),
    "TensorFlow": ("eager", "tf.function"),
    "MLX": ("eager", "mx.compile"),
}
CHIPS = {"cpu": "AMD EPYC 9R14", "cuda": "NVIDIA H200", "mps": "Apple M3"}
SAMPLES = 30
MS = 1_000_000
MEASURED = tuple({**ceiling, "kind": "measured"} for ceiling in CEILINGS[:3])


class At(NamedTuple):
    """Where a cell stands in its study."""

    device: str
    framework: str
    variant: str
    model: str
    batch: int
    precision: str
    round: int

    @property
    def compiles(self) -> bool:
        return self.variant != "eager"


class Ended(NamedTuple):
    """How a cell ended that is not simply measured; `ms` is its median where it has one."""

    status: str
    reason: str
    ms: float | None = None


Speed = Callable[[At], float | Ended]


def study(
    speed: Speed,
    *,
    devices: Sequence[str] = ("cpu",),
    frameworks: Sequence[str] = ("PyTorch", "JAX"),
    models: Sequence[str] = ("CNN", "RNN"),
    batches: Sequence[int] = (1, 8),
    precisions: Sequence[str] = ("fp32",),
    rounds: int = 1,
    between: float = 0.0,
    spread: float = 0.01,
    ceilings: Sequence[Mapping[str, Any]] = MEASURED,
    twin: Callable[[At], float | None] = lambda at: 1.0 if at.batch == 8 else None,
    **cell: Any,
) -> list[RawFile]:
    """Raw files of a sweep; `speed` gives each cell's median in ms, or how it ended.

    Medians of rounds scatter by `between`, samples by `spread`. `twin` gives the ratio of an eager
    cell's A/A control to the cell, None where it has none. `cell` are more fields of each cell.
    """

    def raw(device: str, framework: str, model: str, number: int) -> RawFile:
        places = [
            At(device, framework, variant, model, batch, precision, number)
            for precision, batch, variant in product(precisions, batches, VARIANTS[framework])
        ]
        made = [_cell(at, speed(at), between, spread, cell) for at in places]
        twins = [
            _cell(at, speed(at) * ratio, between, spread, cell, salt=1)  # type: ignore[operator]
            for at in places
            if not at.compiles and isinstance(speed(at), float) and (ratio := twin(at))
        ]
        bare = make_raw(
            device=device, framework=framework, model=model, round=number,
            cells=[told for told in made if told], controls=twins,
        )  # fmt: skip
        return _by_a_collector(bare, ceilings)

    return [raw(*each) for each in product(devices, frameworks, models, range(1, rounds + 1))]


def on_chip(chip: str, raws: Sequence[RawFile]) -> list[RawFile]:
    """The same files of another chip."""
    renamed = msgspec.structs.replace
    return [renamed(raw, machine=renamed(raw.machine, chip=chip)) for raw in raws]


def _by_a_collector(raw: RawFile, ceilings: Sequence[Mapping[str, Any]]) -> RawFile:
    machine = {
        "chip": CHIPS[raw.device], "cores": 8, "memory_bytes": 2**35, "os": "Linux 6.1",
        "driver": None if raw.device == "cpu" else "driver 580", "ceilings": ceilings,
    }  # fmt: skip
    return msgspec.structs.replace(
        raw,
        machine=msgspec.convert(machine, Machine),
        framework=FrameworkInfo(name=raw.framework.name, version="2.1"),
        protocol=Protocol(
            warmup=15, samples=SAMPLES, sampling_rule="until the median is known", threads=8,
            clock="time.perf_counter_ns", synchronisation="block until ready",
        ),
    )  # fmt: skip


def _cell(
    at: At,
    told: float | Ended,
    between: float,
    spread: float,
    more: Mapping[str, Any],
    salt: int = 0,
) -> dict[str, Any]:
    key = {
        "variant": at.variant, "kind": "compiled" if at.compiles else "eager",
        "batch": at.batch, "precision": at.precision,
    }  # fmt: skip
    ended = Ended("ok", "", told) if isinstance(told, float | int) else told
    if ended.ms is None:
        return make_cell(**key, status=ended.status, reason=ended.reason)
    numbers = np.random.default_rng([salt, *map(ord, "/".join(map(str, at)))])
    logs = numbers.normal(0, between) + numbers.normal(0, spread, SAMPLES)
    return make_cell(
        **{
            **key,
            "status": ended.status,
            "reason": ended.reason or None,
            "actual_device": at.device,
            "samples_ns": tuple(np.rint(ended.ms * MS * np.exp(logs)).astype(int).tolist()),
            "first_call_ns": (300 if at.compiles else 30) * MS,
            "compile_cache": "warm" if at.compiles else None,
            "flops_per_call": 1_000_000 * at.batch,
            "bytes_per_call": 100_000 + 1_000 * at.batch,
            **more,
        }
    )


def random_study(seed: int) -> list[RawFile]:
    """A study of any shape: few or many frameworks, ties, failures, rounds, precisions."""
    chance = random.Random(seed)
    ends = [
        Ended("failed", "out of memory"),
        Ended("skipped", "torch.compile(inductor) compiled nothing (0 graphs): it ran eager"),
    ]
    trouble = chance.choice([0.0, 0.1, 0.5])

    def some(of: Sequence[Any]) -> list[Any]:
        kept = chance.sample(of, chance.randint(1, len(of)))
        return sorted(kept, key=of.index)

    levels = {key: chance.choice([1.0, 1.0, 1.02, 1.5, 4.0]) for key in _levels()}

    def speed(at: At) -> float | Ended:
        luck = random.Random(f"{seed} {at[:6]}")
        if luck.random() < trouble:
            return luck.choice(ends)
        ms = 5.0 * levels[at.device] * levels[at.framework] * levels[at.variant] * at.batch**0.5
        return Ended("unstable", "throttled", ms) if luck.random() < 0.2 else ms

    shape = {
        "devices": some(("cpu", chance.choice(("cuda", "mps")))),
        "frameworks": some(tuple(VARIANTS))[:3],
        "models": some(("CNN", "RNN")),
        "batches": some((1, 8)),
        "precisions": chance.choice((("fp32",), ("fp32",), ("fp32", "bf16"))),
    }
    return study(
        speed,
        **shape,
        rounds=chance.choice([1, 1, 3]),
        between=chance.choice([0.0, 0.05]),
        ceilings=chance.choice([(), CEILINGS, MEASURED]),
        twin=chance.choice([lambda at: None, lambda at: 1.0, lambda at: 1.0 + at.batch / 8]),
    )


def _levels() -> Iterator[str]:
    yield from ("cpu", "cuda", "mps", *Framework)
    yield from {variant for names in VARIANTS.values() for variant in names}
