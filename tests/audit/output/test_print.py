"""The terminal report says what is wrong, fits its width, and lets no text steer the terminal."""

from pathlib import Path

import msgspec
from audit.output.support import HOSTILE, POST, TRUE, made

from benchproof.audit.audit import Audit
from benchproof.audit.print import coloured, lines
from benchproof.audit.quote import Quote, columns, cut, fitted, visible
from benchproof.records.findings import DataFinding, Level

REPORT = """\
Numbers that the data contradicts (1)
  wrong-batch: the value of another batch (1)
    post.md:6:9: 14.07 ms
      | JAX | 14.07 ms | 14.07 ms
      |       ^^^^^^^^ under “Batch 32”
      the data gives 3.42 ms (latency_ms)
      14.07 ms is that of batch 256: runs.csv#/line/5
      read as batch 32, framework JAX
      runs.csv#/line/4
"""


def with_findings(made: Audit, *findings: DataFinding) -> Audit:
    telemetry = msgspec.structs.replace(made.telemetry, findings=findings)
    return msgspec.structs.replace(made, telemetry=telemetry)


def test_a_wrong_number_is_told_with_place_quote_truth_and_source(tmp_path: Path) -> None:
    told = list(lines(made(tmp_path)))
    assert "\n".join(told[:-2]) + "\n" == REPORT
    assert told[-2] == ""


def test_the_summary_is_one_line_and_the_last(tmp_path: Path) -> None:
    *_, last = lines(made(tmp_path), width=40)
    assert last.startswith("post.md: 5 numbers: 1 contradicted, 3 verified")
    assert last.endswith("0 findings about the data")


def test_a_true_post_gets_nothing_but_the_summary(tmp_path: Path) -> None:
    assert len(list(lines(made(tmp_path, TRUE)))) == 1


def test_everything_tells_of_right_and_open_numbers_too(tmp_path: Path) -> None:
    told = "\n".join(lines(made(tmp_path), everything=True))
    assert "Numbers that the data confirms (3)" in told
    assert "post.md:5:13: 4.15 ms" in told


def test_findings_about_the_data_come_first_and_errors_before_warnings(tmp_path: Path) -> None:
    warning = DataFinding("few-samples", Level.WARNING, ("runs.csv#/0",), "only two")
    error = DataFinding("device-truth", Level.ERROR, ("runs.csv#/1",), "ran on the CPU")
    told = list(lines(with_findings(made(tmp_path), warning, error)))
    assert told[:3] == [
        "The data (2)", "  error: device-truth: ran on the CPU", "      runs.csv#/1"
    ]  # fmt: skip
    assert told[3] == "  warning: few-samples: only two"


def test_long_lists_are_folded_unless_everything_is_asked_for(tmp_path: Path) -> None:
    many = [DataFinding("noisy", Level.WARNING, (), f"run {number}") for number in range(20)]
    audit = with_findings(made(tmp_path), *many)
    assert "    … and 12 more; --all tells of each" in list(lines(audit))
    assert "  warning: noisy: run 19" not in list(lines(audit))
    assert "  warning: noisy: run 19" in list(lines(audit, everything=True))


def test_many_records_are_counted_and_their_file_is_named_once(tmp_path: Path) -> None:
    places = ("a.json#/0", "a.json#/1", "b.json#/0", *(f"b.json#/{at}" for at in range(9)))
    found = DataFinding("noisy", Level.NOTE, places, "all")
    told = list(lines(with_findings(made(tmp_path), found)))
    assert "      a.json#/0, #/1, b.json#/0 and 9 more" in told


def test_lines_fit_the_width(tmp_path: Path) -> None:
    post = (
        POST + "\nOn this machine, " + "which is a good one, " * 20 + "JAX at batch 32 took 9 ms.\n"
    )
    *told, _ = lines(made(tmp_path, post), width=60, everything=True)
    assert max(map(columns, told)) <= 60


def test_a_log_gets_no_codes_and_a_terminal_does(tmp_path: Path) -> None:
    audit = made(tmp_path)
    assert "\x1b" not in "\n".join(lines(audit))
    assert "\x1b[1;31m" in "\n".join(lines(audit, paint=coloured))


def test_no_text_of_a_stranger_steers_the_terminal(tmp_path: Path) -> None:
    told = "\n".join(lines(made(tmp_path, HOSTILE), everything=True))
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert visible("a\x1b[2J\r\nb") == "a�[2J��b"


def test_a_quote_keeps_the_number_and_what_is_nearest() -> None:
    long = Quote("a " * 50, "4.81 ms", " b" * 50)
    short = fitted(long, 31)
    assert short.text == "4.81 ms"
    assert str(short) == "…" + " a" * 5 + " 4.81 ms" + " b" * 5 + " …"
    assert columns(str(short)) <= 31
    assert fitted(Quote("at ", "4.81 ms", "."), 31) == Quote("at ", "4.81 ms", ".")


def test_wide_characters_take_two_columns() -> None:
    assert columns("延迟 1") == 6
    assert cut("延迟延迟", 5) == "延迟…"
