"""What a CSV file of any origin says."""

from pathlib import Path

import pytest
from audit.facts.written import read_csv, refusal, rows, rules, write


def test_rows_become_facts_with_their_lines(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model,batch_size,latency_ms\nCNN,32,4.81\nRNN,256,9.5\n")
    assert rows(told) == [
        ({"model": "CNN", "batch": 32}, {"latency_ms": 0.00481}),
        ({"model": "RNN", "batch": 256}, {"latency_ms": 0.0095}),
    ]
    assert [fact.place for fact in told.facts] == ["runs.csv#/line/2", "runs.csv#/line/3"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    text = "model,note,p50_ms\nCNN,x,4.5\n".replace(",", delimiter)
    assert rows(read_csv(tmp_path, text)) == [({"model": "CNN"}, {"p50_ms": 0.0045})]


def test_a_semicolon_file_may_write_decimal_commas(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model;time_ms\nCNN;3,14\nRNN;12,5\n")
    assert [values["time_ms"] for _, values in rows(told)] == [0.00314, 0.0125]


def test_a_semicolon_file_may_write_thousands_with_points(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model;x_ms\nCNN;1.234,5\n")
    assert rows(told)[0][1] == {"x_ms": 1.2345}


def test_an_index_without_a_name_is_no_field(tmp_path: Path) -> None:
    assert rows(read_csv(tmp_path, ",model,x_ms\n0,CNN,1\n1,RNN,2\n"))[1] == (
        {"model": "RNN"},
        {"x_ms": 0.002},
    )


def test_quoted_thousands_are_numbers(tmp_path: Path) -> None:
    told = read_csv(tmp_path, 'model,throughput\nCNN,"1,234"\nRNN,"12,345.5"\n')
    assert [values["throughput"] for _, values in rows(told)] == [1234.0, 12345.5]


@pytest.mark.parametrize("cell", ["NaN", "OOM", "FAILED", "n/a", "-", "", "inf", "timeout"])
def test_what_was_not_measured_is_no_value(tmp_path: Path, cell: str) -> None:
    told = read_csv(tmp_path, f"model,latency_ms\nCNN,4.5\nRNN,{cell}\n")
    assert rows(told) == [({"model": "CNN"}, {"latency_ms": 0.0045}), ({"model": "RNN"}, {})]


def test_titles_comments_and_notes_are_no_rows(tmp_path: Path) -> None:
    text = (
        "Latency of all models\n# collected at night\nmodel,batch,latency_ms\n"
        "CNN,1,4.5\n\n# second part\nRNN,1,5.5\nNote: measured on battery\n"
    )
    assert [keys["model"] for keys, _ in rows(read_csv(tmp_path, text))] == ["CNN", "RNN"]


def test_a_row_that_was_not_measured_is_no_note(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model,x_ms,y_mb\nResNet 50,,\nNote: on battery,,\nCNN,1,2\n")
    assert rows(told)[0] == ({"model": "ResNet 50"}, {})
    assert len(told.facts) == 2


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    assert rows(read_csv(tmp_path, "\ufeffmodel,x_ms\nCNN,1\n"))[0][0] == {"model": "CNN"}


def test_a_footnote_mark_is_no_part_of_a_number(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model,x_ms\nCNN,1.5*\nRNN,2\n")
    assert rows(told)[0][1] == {"x_ms": 0.0015}


def test_a_word_among_numbers_is_told_and_not_measured(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model,x_ms\nCNN,1.5\nRNN,about two\nLSTM,3\n")
    assert rows(told)[1] == ({"model": "RNN"}, {})
    assert rules(told) == ["not-a-number"]
    assert told.findings[0].records == ("runs.csv#/line/3",)


def test_rows_without_keys_are_runs_of_one_thing(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "seconds\n1.5\n1.25\n1.5\n")
    assert rows(told) == [({}, {"seconds": 1.5}), ({}, {"seconds": 1.25}), ({}, {"seconds": 1.5})]
    assert told.findings == ()


REFUSALS = {
    "": "runs.csv: empty; give a file with measurements",
    "\n \n": "runs.csv: empty; give a file with measurements",
    "model,x_ms\n": "runs.csv: data without records: no row below the header; add the rows",
    "model,x_ms\nCNN,1,2,3\n": "runs.csv#/line/2: 4 columns, but the header has 2; "
    "quote cells that hold the delimiter, or name the columns",
    "model,x_ms,model\nCNN,1,2\n": "runs.csv#/line/1: two columns are named 'model'; "
    "give each its own name",
    "1,2\n3,4\n": "runs.csv#/line/1: numbers where a header should be; name the columns",
    "model,kind\nCNN,a\n": "runs.csv: data without numbers: no field is a measure; "
    "give measurements, or name the measures in a mapping",
    "model,x_ms\nCNN,1e999\n": "runs.csv#/line/2: 1e999 is too large for a number; "
    "correct it at its source",
    'model,x_ms\nCNN,"2\n': "runs.csv#/line/2: not CSV (unexpected end of data); correct the line",
    "model,x_ms\nCNN,\0\n": "runs.csv: binary, not text; give JSON, JSON Lines or CSV in UTF-8",
}


@pytest.mark.parametrize("text", REFUSALS)
def test_what_is_no_table_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    assert refusal(write(tmp_path, runs_DOT_csv=text), "runs.csv") == REFUSALS[text]


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_bytes("modèle,x_ms\nCNN,1\n".encode("latin-1"))
    assert refusal(tmp_path, "runs.csv") == "runs.csv: not UTF-8 at byte 3; save the file as UTF-8"
