"""Gate 6 in the tables: intervals, verdicts adjusted for their family, ties and controls."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from factory import committed_tables, make_cell, make_raw, make_record, make_study

from benchproof.derive.comparisons import speedup_rows
from benchproof.derive.contests import judged_contests, winner_rows
from benchproof.derive.controls import control_rows
from benchproof.derive.devices import device_rows
from benchproof.derive.judgement import judge_pairs, latency_interval
from benchproof.derive.results import result_rows, stability_rows
from benchproof.derive.rows import WinnerRow
from benchproof.evidence.intervals import Verdict, adjusted
from benchproof.model.raw import RawFile
from benchproof.model.record import Record
from benchproof.records.gates import SelectionRule
from benchproof.records.load import pool_rounds
from benchproof.records.study import load_study

ANY = SelectionRule.ANY_VARIANT
MS = 1_000_000
COMPILED = {"variant": "torch.compile", "kind": "compiled"}


def noisy(ms: float, seed: int, within: float = 0.01, count: int = 30) -> tuple[int, ...]:
    random = np.random.default_rng(seed)
    return tuple(np.rint(ms * MS * np.exp(random.normal(0, within, count))).astype(int).tolist())


def rounds(*ms: float, seed: int = 1, **changes: Any) -> list[RawFile]:
    """One cell in a round for each of its median latencies."""
    raw = {name: changes.pop(name) for name in ("device", "framework", "model") if name in changes}
    return [
        make_raw(round=n, **raw, cells=[make_cell(samples_ns=noisy(each, seed + n), **changes)])
        for n, each in enumerate(ms, start=1)
    ]


def winners(folder: Path, *raws: RawFile) -> list[WinnerRow]:
    return winner_rows(make_study(folder, raws), (), ANY)


# --- intervals -----------------------------------------------------------------------------


def test_every_result_has_an_interval_around_its_median(tmp_path: Path) -> None:
    (row,) = result_rows(make_study(tmp_path, rounds(5.0, 5.1, 4.9)), ())
    assert row.latency_s is not None
    assert row.latency_low_s is not None
    assert row.latency_high_s is not None
    assert row.latency_low_s.number < row.latency_s.number < row.latency_high_s.number
    assert (row.rounds.number, row.samples.number) == (3, 90)  # type: ignore[union-attr]


def test_rounds_that_differ_widen_the_interval() -> None:
    def width(record: Record) -> float:
        found = latency_interval(record)
        assert found is not None
        return found.high.number / found.low.number

    near, far = ((5.0, 5.01, 4.99), (5.0, 6.0, 4.0))
    records = [_pooled(*each) for each in (near, far)]
    assert width(records[1]) > 2 * width(records[0])


def _pooled(*ms: float) -> Record:
    files = [(f"{n}.json", raw, "0" * 64) for n, raw in enumerate(rounds(*ms))]
    return pool_rounds(files)[0]


@pytest.mark.parametrize("samples", [{"samples_ns": (5,)}, {"summary": {"median_ns": 5.0}}])
def test_one_sample_or_a_summary_has_no_interval(samples: dict[str, Any]) -> None:
    assert latency_interval(make_record(**samples)) is None


def test_samples_that_are_all_the_same_have_the_clocks_interval() -> None:
    found = latency_interval(make_record(samples_ns=(1000,) * 10))
    assert found is not None
    assert 1e-6 * (1 - 1e-3) < found.low.number < 1e-6 < found.high.number < 1e-6 * (1 + 1e-3)


def test_the_same_record_has_the_same_interval_and_another_key_another_seed() -> None:
    first, again = (latency_interval(_pooled(5.0, 5.3, 4.8)) for _ in range(2))
    assert first is not None
    assert again is not None
    assert (first.low.number, first.low.query()) == (again.low.number, again.low.query())


def test_stability_tells_how_far_the_rounds_lie_apart(tmp_path: Path) -> None:
    raws = [make_raw(round=n, cells=[make_cell(samples_ns=(ns, ns, ns))])
            for n, ns in ((1, 90), (2, 100), (3, 110))]  # fmt: skip
    (row,) = stability_rows(make_study(tmp_path, raws))
    assert row.between_rounds_percent is not None
    assert row.between_rounds_percent.number == pytest.approx(10.0)
    (alone,) = stability_rows(make_study(tmp_path / "one", raws[:1]))
    assert alone.between_rounds_percent is None


# --- verdicts ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("compiled", "verdict"), [(4.0, "faster"), (6.3, "slower"), (5.02, "inconclusive")]
)
def test_a_speedup_has_a_verdict_and_an_interval(
    tmp_path: Path, compiled: float, verdict: str
) -> None:
    raws = [
        make_raw(round=n, cells=[
            make_cell(samples_ns=noisy(5.0, n)),
            make_cell(**COMPILED, samples_ns=noisy(compiled, 10 + n)),
        ])
        for n in (1, 2, 3)
    ]  # fmt: skip
    (row,) = speedup_rows(make_study(tmp_path, raws), ())
    assert (row.verdict, row.between_rounds) == (verdict, "measured")
    assert row.speedup_low.number < row.speedup.number < row.speedup_high.number  # type: ignore[union-attr]
    assert (row.adjusted_p.number <= 0.05) == (verdict != "inconclusive")  # type: ignore[union-attr]


def test_one_round_says_that_variation_between_runs_was_not_measured(tmp_path: Path) -> None:
    cells = [make_cell(samples_ns=noisy(5, 1)), make_cell(**COMPILED, samples_ns=noisy(4, 2))]
    (row,) = speedup_rows(make_study(tmp_path, [make_raw(cells=cells)]), ())
    assert (row.verdict, row.between_rounds) == ("faster", "not measured")


def test_the_threshold_of_the_study_decides_what_counts(tmp_path: Path) -> None:
    raws = [*rounds(5.0, 5.0, 5.0), *rounds(4.5, 4.5, 4.5, seed=20, framework="JAX")]
    make_study(tmp_path, raws)
    paths = sorted((tmp_path / "results/raw/tiny").glob("*.json"))
    verdicts = {
        percent: winner_rows(load_study("tiny", paths, tmp_path, percent), (), ANY)[0].verdict
        for percent in (2.0, 15.0)
    }
    assert verdicts == {2.0: "wins", 15.0: "tie"}


def test_an_inconclusive_device_comparison_names_no_faster_device(tmp_path: Path) -> None:
    raws = [*rounds(5.0, 5.2, 4.9, device="cpu"), *rounds(4.95, 5.1, 5.2, device="cuda", seed=9)]
    row = device_rows(make_study(tmp_path, raws), (), ANY)[0]
    assert (row.verdict, row.faster) == ("inconclusive", None)
    assert row.speedup is not None
    raws = [*rounds(5.0, 5.1, device="cpu"), *rounds(1.0, 1.1, device="cuda")]
    clear = device_rows(make_study(tmp_path / "clear", raws), (), ANY)[0]
    assert (clear.verdict, clear.faster) == ("faster", "cuda")


def test_p_values_are_adjusted_for_their_family() -> None:
    assert adjusted([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.5])
    assert adjusted([0.02, 0.02]) == [0.02, 0.02]
    assert adjusted([0.9, 1.0]) == [1.0, 1.0]
    assert adjusted([]) == []


def test_a_weak_difference_that_is_alone_counts_and_among_many_does_not(tmp_path: Path) -> None:
    study = make_study(tmp_path, rounds(5.0))
    base, other = _pooled(5.0, 5.1, 4.9), _pooled(4.3, 4.4, 4.5)
    equal = _pooled(5.0, 5.1, 4.95)
    (alone,) = judge_pairs([(base, other)], study)
    many = judge_pairs([(base, other), *[(base, equal)] * 40], study)
    assert alone is not None
    assert alone.verdict is Verdict.FASTER
    assert bool(alone.faster)
    assert not alone.slower
    assert many[0] is not None
    assert many[0].verdict is Verdict.INCONCLUSIVE
    assert not many[0].faster
    assert many[0].low.number == alone.low.number


# --- winners and ties ----------------------------------------------------------------------


def test_a_winner_is_faster_than_every_rival(tmp_path: Path) -> None:
    raws = [*rounds(2.0, 2.02, 1.98), *rounds(3.0, 3.1, 2.9, framework="JAX"),
            *rounds(4.0, 4.1, 3.9, framework="MLX")]  # fmt: skip
    (row,) = winners(tmp_path, *raws)
    assert (row.verdict, row.winner, row.tied) == ("wins", "PyTorch", "")
    assert row.runner_up == "JAX"
    assert row.margin_low.number > 1.02  # type: ignore[union-attr]


def test_who_is_not_told_apart_from_the_fastest_ties(tmp_path: Path) -> None:
    raws = [*rounds(2.0, 2.1, 1.95), *rounds(2.05, 2.0, 2.1, framework="JAX", seed=7),
            *rounds(4.0, 4.1, 3.9, framework="MLX")]  # fmt: skip
    (row,) = winners(tmp_path, *raws)
    assert (row.verdict, row.winner) == ("tie", None)
    assert set(row.tied.split(", ")) == {"PyTorch", "JAX"}
    assert row.records.startswith(f"results/raw/tiny/00{3 * row.tied.startswith('JAX')}.json")
    assert row.margin_low.number < 1.02  # type: ignore[union-attr]


def test_a_contest_with_a_summary_keeps_its_winner_without_a_verdict(tmp_path: Path) -> None:
    summed = make_raw(framework="JAX", cells=[make_cell(summary={"median_ns": 9e6})])
    (row,) = winners(tmp_path, *rounds(5.0, 5.0), summed)
    assert (row.winner, row.verdict, row.tied, row.adjusted_p) == ("PyTorch", "", "", None)


def test_an_import_has_no_verdicts_and_its_old_winners() -> None:
    tables = committed_tables()
    assert {row.verdict for row in tables.winners} == {""}
    assert {row.verdict for row in tables.compile_speedup} == {""}
    assert {(row.verdict, row.faster is None) for row in tables.cpu_gpu if row.speedup} == {
        ("", False)
    }
    assert all(row.latency_low_s is None for row in tables.results)


def test_all_contests_of_a_study_are_one_family(tmp_path: Path) -> None:
    raws = [
        raw
        for number, model in enumerate(("CNN", "RNN", "MLP"))
        for framework, ms in (("PyTorch", 2.0), ("JAX", 2.0 + number))
        for raw in rounds(ms, ms * 1.03, ms * 0.98, framework=framework, model=model,
                          seed=int(100 * ms) + number)
    ]  # fmt: skip
    found = judged_contests(make_study(tmp_path, raws), (), ANY)
    parts = {len(one.judged[0].adjusted_p.expression.family.parts) for one in found}  # type: ignore[union-attr]
    assert parts == {3}
    assert [bool(one.is_won) for one in found] == [False, True, True]


def test_unstable_records_stay_and_are_marked(tmp_path: Path) -> None:
    unstable: dict[str, Any] = {"status": "unstable", "reason": "throttled"}
    raws = [*rounds(2.0, 2.02, **unstable), *rounds(3.0, 3.1, framework="JAX")]
    study = make_study(tmp_path, raws)
    told = "unstable: PyTorch eager on cpu (throttled)"
    assert [row.note for row in winner_rows(study, (), ANY)] == [told]
    assert [row.note for row in result_rows(study, ()) if row.framework == "PyTorch"] == [told]
    assert told in {row.note for row in stability_rows(study)}


# --- controls ------------------------------------------------------------------------------


def controlled(folder: Path, *factors: float) -> Any:
    """A study of one cell in three rounds with a control of it, each round by a factor slower."""
    raws = [
        make_raw(
            round=n,
            cells=[make_cell(samples_ns=noisy(5.0, n))],
            controls=[make_cell(samples_ns=noisy(5.0 * factor, 50 + n))],
        )
        for n, factor in enumerate(factors, start=1)
    ]
    return make_study(folder, raws)


def test_a_control_that_agrees_is_the_same(tmp_path: Path) -> None:
    study = controlled(tmp_path, 1.0, 1.01, 0.99)
    (row,) = control_rows(study, ())
    assert row.verdict == "same"
    assert row.low.number < 1 < row.high.number
    assert row.records.count("#/controls/0") == 3
    assert row.ratio.number == pytest.approx(row.second_s.number / row.first_s.number)
    assert study.findings == ()
    assert len(study.records) == 1
    assert study.records[0].samples_ns != ()


def test_a_control_is_held_against_its_cell_of_the_same_job(tmp_path: Path) -> None:
    """Other rounds of the cell may be slower: they say nothing of the pair."""
    raws = [
        make_raw(
            round=n,
            cells=[make_cell(samples_ns=noisy(ms, n))],
            controls=[make_cell(samples_ns=noisy(6.5, 50))] if n == 1 else [],
        )
        for n, ms in enumerate((5.0, 7.0, 8.0), start=1)
    ]
    study = make_study(tmp_path, raws)
    (row,) = control_rows(study, ())
    assert row.verdict == "differs"
    assert row.ratio.number == pytest.approx(1.3, rel=0.02)
    assert row.first_s.number == pytest.approx(5e-3, rel=0.02)
    assert row.records.split() == [
        "results/raw/tiny/000.json#/cells/0", "results/raw/tiny/000.json#/controls/0"
    ]  # fmt: skip
    assert study.threshold_of(*study.records) == pytest.approx(30, abs=2)


def test_a_control_that_differs_is_a_finding(tmp_path: Path) -> None:
    study = controlled(tmp_path, 1.3, 1.31, 1.29)
    (row,) = control_rows(study, ())
    assert row.verdict == "differs"
    (finding,) = study.findings
    assert (finding.rule, finding.level) == ("control-differs", "warning")
    assert "this job's measurement cannot tell equals apart" in finding.message
    assert "+30" in finding.message
    assert any("#/controls/0" in place for place in finding.records)


def job(framework: str, ms: float, factor: float, **changes: Any) -> list[RawFile]:
    """Three rounds of one framework: eager at `ms`, compiled 10 % faster, and eager's control."""
    return [
        make_raw(
            framework=framework,
            round=n,
            cells=[
                make_cell(samples_ns=noisy(ms, seed), **changes),
                make_cell(samples_ns=noisy(ms / 1.1, seed + 10), **changes, **COMPILED),
            ],
            controls=[make_cell(samples_ns=noisy(ms * factor, seed + 20), **changes)],
            device=changes.get("actual_device", "cpu"),
        )
        for n in (1, 2, 3)
        for seed in [1000 * len(framework) + n]
    ]


def test_what_a_control_differs_by_counts_for_nothing_in_its_job(tmp_path: Path) -> None:
    def verdicts(*controls: float) -> list[str]:
        folder = tmp_path / "-".join(map(str, controls))
        told = zip(("PyTorch", "JAX"), controls, strict=True)
        raws = [raw for name, factor in told for raw in job(name, 5.0, factor)]
        return [row.verdict for row in speedup_rows(make_study(folder, raws), ())]

    assert verdicts(1.0, 1.0) == ["faster", "faster"]
    assert verdicts(1.2, 1.0) == ["inconclusive", "faster"]
    assert verdicts(1.0, 1 / 1.2) == ["faster", "inconclusive"]
    assert verdicts(1.05, 1.0) == ["faster", "faster"]


def test_a_comparison_of_two_jobs_is_held_to_the_worse_of_their_controls(tmp_path: Path) -> None:
    raws = [*job("PyTorch", 5.0, 1.0), *job("JAX", 4.4, 1.2)]
    study = make_study(tmp_path, raws)
    (row,) = winner_rows(study, (), ANY)
    assert (row.verdict, row.winner) == ("tie", None)
    assert "judged beyond 20" in row.note


def test_a_control_of_another_device_or_framework_changes_nothing(tmp_path: Path) -> None:
    raws = [
        *job("PyTorch", 5.0, 1.0),
        *job("PyTorch", 1.0, 1.2, actual_device="cuda"),
        *job("MLX", 5.0, 1.2),
    ]
    study = make_study(tmp_path, raws)
    told = {(row.framework, row.device): (row.verdict, row.note) for row in speedup_rows(study, ())}
    assert told["PyTorch", "cpu"] == ("faster", "")
    assert {told["PyTorch", "cuda"][0], told["MLX", "cpu"][0]} == {"inconclusive"}
    by_device = [row for row in device_rows(study, (), ANY) if row.framework == "PyTorch"]
    assert all(row.verdict == "faster" and "judged beyond" in row.note for row in by_device)
    base, other = (one for one in study.records if one.framework == "PyTorch"
                   and one.requested == "cpu")  # fmt: skip
    assert study.threshold_of(base, other) == 2.0
