"""How many samples stand behind an import's summary: what its own arithmetic allows (gate 7).

The mean of n integer-nanosecond samples times n is an integer, and so is the sum of squares
(n - 1) s^2 + n m^2. Floats resolve the first up to about a second, the second only for short
times; a record that cannot be resolved does not vote.
"""

from collections.abc import Iterable, Sequence

import msgspec

from benchproof.model.record import Record
from benchproof.records.findings import DataFinding, Level

MAX_SAMPLES = 1000
MIN_SAMPLES = 2
RELATIVE_ERROR = 1e-15  # a few units in the last place of a double
LARGEST_RESOLVED = 0.01  # an integer test with a wider tolerance would pass by chance
CV_LIMIT_PERCENT = 50.0


class SampleFit(msgspec.Struct, frozen=True):
    """The number of samples that fits the means of one source file, and how well.

    `fitting` of `records` means fit `samples`; `declared` is what the file's protocol states;
    `fitting_declared` counts the means that would fit that.
    """

    file: str
    samples: int | None
    records: int
    fitting: int
    squares: int
    declared: int | None = None
    fitting_declared: int | None = None


def mean_fits(record: Record, samples: int) -> bool | None:
    """Whether mean x n is an integer; None where the record's mean cannot resolve it."""
    summary = record.summary
    if summary is None or summary.mean_ns is None:
        return None
    return _is_integer(summary.mean_ns * samples, steps=2)


def squares_fit(record: Record, samples: int) -> bool | None:
    """Whether (n - 1) s^2 + n m^2 is an integer; None where it cannot be resolved."""
    summary = record.summary
    if summary is None or summary.mean_ns is None or summary.stddev_ns is None:
        return None
    total = (samples - 1) * summary.stddev_ns**2 + samples * summary.mean_ns**2
    return _is_integer(total, steps=8)


def _is_integer(product: float, steps: int) -> bool | None:
    tolerance = steps * RELATIVE_ERROR * product + 1e-6
    if tolerance > LARGEST_RESOLVED:
        return None
    return abs(product - round(product)) <= tolerance


def fit_samples(file: str, records: Sequence[Record]) -> SampleFit:
    """The smallest n that fits every mean of one source file that resolves it."""
    usable = [record for record in records if mean_fits(record, MIN_SAMPLES) is not None]
    declared = next((r.protocol.samples for r in usable if r.protocol.samples), None)
    found = next(
        (n for n in range(MIN_SAMPLES, MAX_SAMPLES + 1) if _all_fit(usable, n)),
        None,
    )
    return SampleFit(
        file=file,
        samples=found,
        records=len(usable),
        fitting=_count(mean_fits(r, found) for r in usable) if found else 0,
        squares=_count(squares_fit(r, found) for r in usable) if found else 0,
        declared=declared,
        fitting_declared=_count(mean_fits(r, declared) for r in usable) if declared else None,
    )


def _all_fit(records: Sequence[Record], samples: int) -> bool:
    """Whether every mean that resolves this n fits it, and there is one that does."""
    votes = {mean_fits(record, samples) for record in records}
    return True in votes and False not in votes


def _count(votes: Iterable[bool | None]) -> int:
    return sum(vote is True for vote in votes)


def by_source_file(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Records that carry summaries, by the file they were imported from.

    Files of one name and different bytes are told apart by their digest: `data.json (3f2a...)`.
    """
    summarised = [record for record in records if record.summary is not None]
    sources = {record.source for record in summarised if record.source is not None}
    names = [source.file for source in sources]
    groups: dict[str, list[Record]] = {}
    for record in summarised:
        if record.source is not None:
            file, digest = record.source.file, record.source.sha256[:12]
            label = file if names.count(file) == 1 else f"{file} ({digest})"
            groups.setdefault(label, []).append(record)
    return groups


def sample_fits(records: Iterable[Record]) -> list[SampleFit]:
    """A fit for every source file whose records have summaries, in the order of file names."""
    groups = by_source_file(records)
    return [fit_samples(file, groups[file]) for file in sorted(groups)]


def sampling_findings(records: Sequence[Record]) -> list[DataFinding]:
    """What the means say against the number of samples, by source file (gate 7)."""
    fits = sample_fits(records)
    return [finding for fit in fits for finding in _fit_findings(fit, records)]


def spread_findings(records: Iterable[Record]) -> list[DataFinding]:
    """Records whose samples scatter so much that their mean says nothing (gate 7)."""
    wide = (record for record in records if (cv_percent(record) or 0) > CV_LIMIT_PERCENT)
    return [_spread_finding(record) for record in wide]


def _fit_findings(fit: SampleFit, records: Sequence[Record]) -> list[DataFinding]:
    group = by_source_file(records)[fit.file]
    places = tuple(str(place) for record in group for place in record.places)
    found = []
    if fit.declared is not None and fit.declared != fit.samples:
        found.append(
            DataFinding(
                "sample-count",
                Level.ERROR,
                places,
                f"{fit.file}: {fit.declared} samples are declared, but only {fit.fitting_declared} "
                f"of {fit.records} means fit that; all fit n = {fit.samples}",
            )
        )
    if fit.samples is not None and fit.samples < 20:
        found.append(
            DataFinding(
                "p95-is-maximum",
                Level.WARNING,
                places,
                f"{fit.file}: with n = {fit.samples} the 95th percentile is the largest sample",
            )
        )
    return found


def cv_percent(record: Record) -> float | None:
    """Coefficient of variation in percent: standard deviation over mean."""
    if record.stddev_s is None or record.mean_s is None:
        return None
    return 100 * record.stddev_s / record.mean_s


def _spread_finding(record: Record) -> DataFinding:
    return DataFinding(
        "meaningless-mean",
        Level.WARNING,
        tuple(map(str, record.places)),
        f"{record.name}: the coefficient of variation is {cv_percent(record):.0f} %, "
        "so its mean says nothing; use the median",
    )
