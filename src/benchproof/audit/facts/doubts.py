"""What is doubtful in foreign data: means of what scatters, percentiles of few samples."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from benchproof.audit.facts.fact import Dimension, Fact, Measure
from benchproof.audit.facts.field_names import SAMPLE_COUNTS, plain_name
from benchproof.records.findings import DataFinding, Level

_TAILS: Mapping[str, int] = {"p95": 20, "p99": 100}
_COUNT_NAMES = SAMPLE_COUNTS | {"n"}


def doubts(facts: Sequence[Fact], measures: Mapping[str, Measure]) -> Iterator[DataFinding]:
    """Findings about facts that are no records, one for each measure that is doubtful."""
    foreign = [fact for fact in facts if fact.record is None]
    used = {name for fact in foreign for name in fact.values}
    for name, measure in measures.items():
        if name in used:
            yield from _variation(foreign, measure)
            yield from _tail(foreign, measure)


def _variation(facts: Sequence[Fact], measure: Measure) -> Iterator[DataFinding]:
    words = plain_name(measure.name).split("_")
    named = "cv" in words or "variation" in words
    if not named or measure.dimension is not Dimension.PERCENT:
        return
    from benchproof.records.sampling import CV_LIMIT_PERCENT

    wide = [fact for fact in facts if fact.values.get(measure.name, 0) > CV_LIMIT_PERCENT]
    if wide:
        most = max(fact.values[measure.name] for fact in wide)
        yield DataFinding(
            "meaningless-mean",
            Level.WARNING,
            tuple(fact.place for fact in wide),
            f"{measure.name} is above {CV_LIMIT_PERCENT:.0f} % in {len(wide)} rows, up to "
            f"{most:.0f} %: a mean says nothing there; use the median",
        )


def _tail(facts: Sequence[Fact], measure: Measure) -> Iterator[DataFinding]:
    least = _TAILS.get(measure.statistic)
    if least is None:
        return
    few = [
        (fact, n)
        for fact in facts
        if measure.name in fact.values and (n := _samples(fact)) is not None and n < least
    ]
    if few:
        low = min(n for _, n in few)
        yield DataFinding(
            f"{measure.statistic}-is-maximum",
            Level.WARNING,
            tuple(fact.place for fact, _ in few),
            f"{measure.name}: with n = {low:g} samples the {measure.statistic[1:]}th percentile is "
            f"the largest sample ({len(few)} rows)",
        )


def _samples(fact: Fact) -> float | None:
    """How many samples the row says that stand behind it."""
    for name, value in (*fact.values.items(), *fact.keys.items()):
        if _counts_samples(name) and not isinstance(value, str):
            return value
    return None


@lru_cache(maxsize=1024)
def _counts_samples(name: str) -> bool:
    return plain_name(name) in _COUNT_NAMES
