"""What the benchmark of the audit says: of a missing peer, of growth, of its own post."""

import sys
from pathlib import Path

import auditing
import bench
import pytest
from factory import ROOT
from outcome import BenchError, Outcome
from peer import Peer, PeerUnavailableError
from sweep import MODELS, post, records, write_csv, write_json
from timed import run

from benchproof.audit.audit import audit
from benchproof.audit.document.read import read_document
from benchproof.audit.explain.verdict import Verdict
from benchproof.audit.facts.read import read_telemetry


def outcome(holds: bool | None) -> Outcome:
    return Outcome("audit", "1 s", "2 s", "0.5", "3.0", holds)


def test_a_peer_that_cannot_be_had_is_not_measured_and_never_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(peer: Peer, cache: Path, folder: Path) -> Path:
        raise PeerUnavailableError(f"pip could not fetch {peer.name}")

    monkeypatch.setattr(auditing, "fetch_peer", missing)
    found = auditing.beside_numaudit(ROOT, tmp_path, tmp_path, "csv", 1)
    assert found.holds is None
    assert "pip could not fetch numaudit" in capsys.readouterr().err
    assert "| not measured |" in bench.tabulate([found], 1)
    assert bench.status_of([outcome(True), found]) == 2


def test_a_limit_that_does_not_hold_is_status_1_whatever_else_was_not_measured() -> None:
    assert bench.status_of([outcome(True)]) == 0
    assert bench.status_of([outcome(True), outcome(None), outcome(False)]) == 1


def test_growth_is_1_where_ten_times_as_much_takes_ten_times_as_long() -> None:
    assert auditing.growth((10_000, 100_000), (0.2, 2.0)) == pytest.approx(1.0)
    assert auditing.growth((10_000, 100_000), (0.2, 20.0)) == pytest.approx(2.0)


def test_every_number_of_the_post_is_true_by_its_telemetry(tmp_path: Path) -> None:
    told = records(auditing.RECORDS)
    text = tmp_path / "post.md"
    text.write_text(post(told, MODELS), encoding="utf-8")
    for data in (write_csv(told, tmp_path / "a.csv"), write_json(told, tmp_path / "a.json")):
        made = audit(read_document(text), read_telemetry([str(data)], None, tmp_path))
        assert made.count(Verdict.VERIFIED) == len(made.mentions) == auditing.NUMBERS


def test_more_records_begin_with_the_same() -> None:
    assert records(1000)[:320] == records(320)
    assert len(records(1000)) == 1000


def test_a_command_is_told_with_its_own_memory_and_its_output(tmp_path: Path) -> None:
    ballast = bytearray(100_000_000)  # a child's peak would count it
    told = run([sys.executable, "-c", "print('done')"], tmp_path)
    del ballast
    assert told.output == "done\n"
    assert 1e6 < told.memory_bytes < 60e6
    assert told.time_s > 0


def test_a_command_that_fails_is_shown(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"ended with 3:\nwhy"):
        run([sys.executable, "-c", "print('why'); raise SystemExit(3)"], tmp_path)


def test_a_suite_s_table_goes_between_its_own_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- bench audit: begin -->\nold\n<!-- bench audit: end -->\nz\n")
    bench.write_page("new\n", "audit", page)
    assert "begin -->\nnew\n<!--" in page.read_text()
    with pytest.raises(BenchError, match="put them back"):
        bench.write_page("new\n", "posts", page)


def test_the_page_has_the_marks_of_every_suite() -> None:
    text = (ROOT / bench.PAGE).read_text(encoding="utf-8")
    for suite in bench.SUITES:
        assert f"<!-- bench {suite}: begin -->" in text
        assert f"<!-- bench {suite}: end -->" in text
