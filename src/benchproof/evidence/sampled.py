"""The spread of a record: from its samples by round, with the seed that its key gives."""

import hashlib
from functools import lru_cache

from benchproof.evidence.intervals import Bounds, Estimate, estimate_of, estimate_ratio
from benchproof.evidence.levels import Spread
from benchproof.model.record import Record
from benchproof.values.sql import key

# The fewest whose range holds their median with 95 %, whatever their distribution is.
LEAST_SAMPLES = 6


def has_spread(record: Record) -> bool:
    """Whether the record's samples can tell how sure its median is: enough, and no summary."""
    return len(record.samples_ns) >= LEAST_SAMPLES


@lru_cache(maxsize=8192)
def spread_of(record: Record) -> Spread:
    """The spread of a record that has one (`has_spread`); computed once a record."""
    # NumPy takes longer to import than an imported study, which has no samples, to derive.
    from benchproof.evidence.spread import spread_of_rounds

    return spread_of_rounds([one for one in record.rounds_ns if one], seed_of(record))


def seed_of(record: Record) -> int:
    """Seed of a record's resamples: the first 32 bits of the SHA-256 of its study and key."""
    part = record.places[0].pointer.split("/")[1]
    name = f"{record.study}/{key(record)}" + ("" if part == "cells" else f"/{part}")
    return int(hashlib.sha256(name.encode()).hexdigest()[:8], 16)


def interval(record: Record) -> Bounds:
    """95 % interval of the median latency, in seconds."""
    return estimate_of(spread_of(record)).bounds


def ratio_estimate(above: Record, below: Record) -> Estimate:
    """The estimate of the latency of the first over the latency of the second."""
    return estimate_ratio(spread_of(above), spread_of(below))


def between_rounds_measured(*records: Record) -> bool:
    """Whether each of the records has rounds that can differ: two or more with samples."""
    return all(sum(map(bool, record.rounds_ns)) > 1 for record in records)
