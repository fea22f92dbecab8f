"""Whatever was written as CSV or JSON is what is read."""

import csv
import json
import tempfile
from pathlib import Path
from typing import Any

from audit.facts.written import rows
from hypothesis import given, settings
from hypothesis import strategies as st

from benchproof.audit.facts.read import read_telemetry

names = st.text("abcdefghijklmnopqrstuvwxyzäé ,;\"'", min_size=1, max_size=8).map(
    lambda text: f"z{text.strip()}"
)
numbers = st.floats(min_value=1e-6, max_value=1e9, allow_nan=False)
tables = st.dictionaries(
    st.tuples(names, st.integers(1, 4096)), st.one_of(st.none(), numbers), min_size=1, max_size=8
).filter(lambda table: any(value is not None for value in table.values()))
Table = dict[tuple[str, int], float | None]


def facts(name: str, text: str) -> list[tuple[dict[str, Any], dict[str, float]]]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_text(text, newline="")
        return rows(read_telemetry([f"{folder}/{name}"], None, Path(folder)))


def expected(table: Table) -> list[tuple[dict[str, Any], dict[str, float]]]:
    return [
        ({"model": model, "batch": batch}, {} if value is None else {"x_s": value})
        for (model, batch), value in table.items()
    ]


class _Text:
    """What a csv writer writes to."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        self.lines.append(line)


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from([",", ";", "\t"]))
def test_a_csv_file_is_read_as_it_was_written(table: Table, delimiter: str) -> None:
    text = _Text()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(["model", "batch", "x_s"])
    for (model, batch), value in table.items():
        writer.writerow([model, batch, "" if value is None else repr(value)])
    assert facts("table.csv", "".join(text.lines)) == expected(table)


@settings(max_examples=60, deadline=None)
@given(tables, st.booleans())
def test_json_is_read_as_it_was_written(table: Table, lines: bool) -> None:
    records = [{"model": m, "batch": b, "x_s": value} for (m, b), value in table.items()]
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps({"rows": records})
    assert facts("table.jsonl" if lines else "table.json", text) == expected(table)
