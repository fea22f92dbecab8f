"""What a study holds after its gates, and what it refuses to hold."""

from pathlib import Path

import pytest
from factory import (
    ROOT,
    committed_paths,
    committed_study,
    make_cell,
    make_raw,
    make_study,
    mixed_raws,
)

from benchproof.errors import RawError
from benchproof.records.load import load_records
from benchproof.records.study import load_study


def test_every_record_of_the_committed_study_is_in_exactly_one_place() -> None:
    study = committed_study()
    counts = (len(study.records), len(study.quarantined), len(study.untimed))
    assert counts == (140, 20, 0)
    assert len({id(record) for record in study.everything}) == 160


def test_failed_and_skipped_records_hold_no_latency_but_are_kept(tmp_path: Path) -> None:
    cells = [
        make_cell(),
        make_cell(batch=1, status="failed", reason="out of memory"),
        make_cell(batch=2, status="skipped", reason="no compiler"),
        make_cell(batch=4, status="unstable", samples_ns=(1, 9), reason="throttled"),
    ]
    study = make_study(tmp_path, [make_raw(cells=cells)])
    assert [r.batch for r in study.records] == [32, 4]
    assert [r.batch for r in study.untimed] == [1, 2]
    assert len(study.everything) == 4


def test_one_round_elsewhere_quarantines_the_whole_record(tmp_path: Path) -> None:
    rounds = [
        make_raw(device="cuda", round=n, cells=[make_cell(actual_device=device)])
        for n, device in ((1, "cuda"), (2, "cpu"))
    ]
    study = make_study(tmp_path, rounds)
    assert (len(study.records), len(study.quarantined)) == (0, 1)
    assert [f.rule for f in study.findings] == ["device-truth"]


def test_another_studys_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RawError) as caught:
        make_study(tmp_path, [make_raw(), make_raw(study="other", round=2)])
    assert str(caught.value) == (
        "results/raw/tiny/001.json#/study: study 'other', but 'tiny' cites it; "
        "move the file to its own study, or import it again into this one"
    )


def test_the_same_file_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RawError, match="the same cell and round 1 stand at results/raw/tiny/000"):
        make_study(tmp_path, [make_raw(), make_raw()])


def test_the_order_of_paths_does_not_matter() -> None:
    forward = load_records(committed_paths(), ROOT)
    backward = load_records(reversed(committed_paths()), ROOT)
    assert [r.name for r in forward] == [r.name for r in backward]


def test_no_file_gives_an_empty_study(tmp_path: Path) -> None:
    study = load_study("tiny", [], tmp_path)
    assert study.everything == ()
    assert study.findings == ()


def test_the_mixed_study_pools_rounds_and_keeps_what_it_may_not_use(tmp_path: Path) -> None:
    study = make_study(tmp_path, mixed_raws())
    counts = (len(study.records), len(study.quarantined), len(study.untimed))
    assert counts == (12, 1, 1)
    assert max(len(record.samples_ns) for record in study.records) == 22


def test_records_of_two_chips_in_a_study_are_an_error(tmp_path: Path) -> None:
    raws = [make_raw(chip="Apple M3"), make_raw(model="RNN", chip="Apple M1")]
    found = [f for f in make_study(tmp_path, raws).findings if f.rule == "mixed-machines"]
    assert [f.message for f in found] == [
        "records of different chips in one study: Apple M3 (1), Apple M1 (1); "
        "give each machine its own study"
    ]


def test_a_quarantined_record_is_no_evidence_for_other_findings(tmp_path: Path) -> None:
    fast = make_cell(actual_device="cpu", samples_ns=(1, 1, 1_000))
    found = make_study(tmp_path, [make_raw(device="mps", cells=[fast])]).findings
    assert [f.rule for f in found] == ["device-truth"]
