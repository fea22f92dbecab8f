"""Named sizes of a sweep and how their cells are sampled; imports nothing that takes time."""

from dataclasses import dataclass, fields

from benchproof.model.keys import Framework

# Workloads by their slugs, as benchproof.collectors.workloads.catalogue defines them.
SMALL = ("ff-dnn", "cnn", "rnn", "lstm", "transformer")
LARGE = ("vit-tiny", "convnext-tiny")
MOST = 1_000_000  # of anything in a protocol: seconds, samples, nanoseconds of a sample


@dataclass(frozen=True)
class Protocol:
    """How a cell is sampled; see docs/collecting.md for the reasons.

    `warmup` and `samples` are the least of each. Sampling goes on until the 95 % interval of the
    median lies within `interval_percent` of it, or `budget_s` seconds of samples are taken.
    Samples come in at least `blocks` blocks, between which the other cells of a group have their
    turn. A step of a cell that gives no sign for `time_limit_s` is ended. A disturbed cell is
    measured again at most `retries` times, as long as a job spends no more than `retry_s` on that.
    """

    warmup: int = 15
    samples: int = 40
    blocks: int = 5
    interval_percent: float = 1.0
    budget_s: float = 10.0
    time_limit_s: float = 600.0
    ceilings_s: float = 3.0
    retries: int = 2
    retry_s: float = 300.0
    minimum_sample_ns: int = 500_000

    def __post_init__(self) -> None:
        for each in fields(self):
            least = 0 if each.name == "retries" else 1e-9
            if not least <= getattr(self, each.name) <= MOST:
                raise ValueError(f"protocol: {each.name} has to be positive, at most {MOST:,}")


@dataclass(frozen=True)
class Profile:
    """A named size of sweep; `ceiling_frameworks` are how many measure the device's ceilings."""

    workloads: tuple[str, ...]
    batches: tuple[int, ...]
    rounds: int
    protocol: Protocol
    ceiling_frameworks: int = len(Framework)


PROFILES = {
    "quick": Profile(
        SMALL,
        (1, 8),
        rounds=1,
        protocol=Protocol(budget_s=0.5, time_limit_s=180.0, ceilings_s=1.5, retries=1, retry_s=5.0),
        ceiling_frameworks=1,
    ),
    "standard": Profile(SMALL, (1, 8, 32, 128, 256, 512), 3, Protocol()),
    "large": Profile(LARGE, (1, 8, 32, 128), 3, Protocol()),
}
