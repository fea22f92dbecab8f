"""How many samples an import's own figures allow, and when its statistics say nothing."""

from statistics import mean, stdev

import msgspec
import pytest
from factory import committed_study, make_record
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchproof.model.record import Record
from benchproof.records.findings import Level
from benchproof.records.sampling import (
    cv_percent,
    fit_samples,
    mean_fits,
    sample_fits,
    sampling_findings,
    spread_findings,
    squares_fit,
)

CPU, GPU = "benchmark_data.json", "benchmark_gpu_data.json"


def summarised(mean_ns: float, stddev_ns: float | None = None, **changes: object) -> Record:
    summary = {"median_ns": mean_ns, "mean_ns": mean_ns, "stddev_ns": stddev_ns}
    return make_record(imported=True, summary=summary, **changes)


def of_file(name: str) -> list[Record]:
    return [r for r in committed_study().everything if r.source and r.source.file == name]


def test_the_means_of_the_public_telemetry_fit_25_and_15_samples() -> None:
    fits = {fit.file: fit for fit in sample_fits(committed_study().everything)}
    assert {file: fit.samples for file, fit in fits.items()} == {CPU: 25, GPU: 15}
    assert (fits[CPU].fitting, fits[CPU].records) == (120, 120)
    assert (fits[GPU].fitting, fits[GPU].records) == (40, 40)


def test_the_forty_samples_that_were_published_do_not_fit() -> None:
    fitting = {
        file: sum(mean_fits(record, 40) is True for record in of_file(file)) for file in (CPU, GPU)
    }
    assert fitting == {GPU: 19, CPU: 14}


def test_squares_speak_for_the_same_samples_where_they_can_be_resolved() -> None:
    for file, samples in ((CPU, 25), (GPU, 15)):
        votes = [squares_fit(record, samples) for record in of_file(file)]
        assert False not in votes
        assert True in votes


def test_a_declared_number_that_does_not_fit_is_an_error() -> None:
    records = [summarised(n / 15, declared_samples=40) for n in (10_000_001, 10_000_004, 3_000_007)]
    findings = sampling_findings(records)
    assert [(f.rule, f.level, f.message) for f in findings] == [
        (
            "sample-count",
            Level.ERROR,
            "data.json: 40 samples are declared, but only 0 of 3 means fit that; all fit n = 15",
        ),
        (
            "p95-is-maximum",
            Level.WARNING,
            "data.json: with n = 15 the 95th percentile is the largest sample",
        ),
    ]


def test_a_declared_number_that_fits_is_no_finding() -> None:
    records = [summarised(n / 25, declared_samples=25) for n in (10_000_001, 10_000_004)]
    assert sampling_findings(records) == []


def test_p95_of_fewer_than_twenty_samples_is_told_to_be_the_maximum() -> None:
    found = [f for f in committed_study().findings if f.rule == "p95-is-maximum"]
    assert [f.message for f in found] == [
        f"{GPU}: with n = 15 the 95th percentile is the largest sample"
    ]
    assert len(found[0].records) == 40
    assert make_record(samples_ns=tuple(range(1, 20))).p95_s == 19e-9
    assert make_record(samples_ns=tuple(range(1, 21))).p95_s == 19e-9


def test_a_spread_over_half_the_mean_makes_the_mean_meaningless() -> None:
    wide = {r.places[0] for r in committed_study().records if (cv_percent(r) or 0) > 50}
    found = [f for f in committed_study().findings if f.rule == "meaningless-mean"]
    assert {f.records[0] for f in found} >= {str(place) for place in wide}
    assert len(found) == len({f.records for f in found}) > 0
    for finding in found:
        assert finding.level is Level.WARNING


def test_the_spread_that_the_source_reports_is_ours() -> None:
    for record in committed_study().everything:
        reported = record.cell.reported["latency_cv_pct"]
        assert cv_percent(record) == pytest.approx(reported, rel=1e-9)


def test_the_spread_message_names_the_record() -> None:
    (finding,) = [
        f
        for f in spread_findings([summarised(1_000_000.0, 577_215.0)])
        if f.rule == "meaningless-mean"
    ]
    assert finding.message == (
        "PyTorch eager CNN on cpu, batch 32, fp32: the coefficient of variation is 58 %, "
        "so its mean says nothing; use the median"
    )
    assert spread_findings([summarised(1e6, 5e5)]) == []


def test_samples_have_a_spread_too() -> None:
    record = make_record(samples_ns=(1_000, 1_000, 10_000))
    assert cv_percent(record) == pytest.approx(100 * stdev([1, 1, 10]) / mean([1, 1, 10]))
    assert [f.rule for f in spread_findings([record])] == ["meaningless-mean"]
    assert cv_percent(make_record(samples_ns=(5,))) is None


def test_records_with_samples_or_without_a_mean_do_not_vote() -> None:
    assert mean_fits(make_record(), 15) is None
    assert squares_fit(make_record(), 15) is None
    assert mean_fits(make_record(summary={"median_ns": 5.0}), 15) is None
    assert squares_fit(summarised(5.0), 15) is None


def test_a_mean_too_long_to_resolve_does_not_vote() -> None:
    ten_seconds = summarised(1e10 + 0.123456)
    assert mean_fits(ten_seconds, 10) is False
    assert mean_fits(ten_seconds, 900) is None


def test_a_number_of_samples_is_never_found_where_no_mean_votes_for_it() -> None:
    resolves_two_only = summarised(2e12 + 0.25)
    assert [mean_fits(resolves_two_only, n) for n in (2, 3)] == [False, None]
    fit = fit_samples("data.json", [resolves_two_only])
    assert fit.samples is None
    assert fit.fitting == 0


def test_without_usable_means_there_is_no_fit() -> None:
    fit = fit_samples("data.json", [make_record(imported=True, summary={"median_ns": 5.0})])
    assert (fit.samples, fit.records, fit.fitting) == (None, 0, 0)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 120),
    st.lists(st.integers(10_000, 50_000_000), min_size=6, max_size=12, unique=True),
    st.randoms(use_true_random=False),
)
def test_the_true_number_of_samples_always_fits_the_means_it_made(
    n: int, levels: list[int], random: object
) -> None:
    records = []
    for level in levels:
        samples = [level + random.randrange(level) for _ in range(n)]  # type: ignore[attr-defined]
        average = float(mean(samples))
        records.append(summarised(average, float(stdev(samples))))
        assert mean_fits(records[-1], n) is True
        assert squares_fit(records[-1], n) in (True, None)
    fit = fit_samples("data.json", records)
    assert fit.samples is not None
    assert fit.samples <= n
    assert fit.fitting == len(records)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 900), st.integers(1_000, 100_000_000))
def test_a_mean_fits_exactly_the_multiples_of_its_denominator(n: int, total: int) -> None:
    assume(total % n)
    record = summarised(total / n)
    fits = [k for k in range(2, 41) if mean_fits(record, k)]
    assert fits == [k for k in range(2, 41) if total * k % n == 0]


def test_two_sources_of_one_name_do_not_vote_together() -> None:
    one = summarised(10_000_001 / 15)
    source = one.source
    assert source is not None
    other = msgspec.structs.replace(
        summarised(10_000_003 / 7), source=msgspec.structs.replace(source, sha256="f" * 64)
    )
    fits = sample_fits([one, other])
    assert sorted(fit.samples or 0 for fit in fits) == [7, 15]
    assert len({fit.file for fit in fits}) == 2
