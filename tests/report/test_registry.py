"""numbers.json: every number with its text, its records and a query that gives it again."""

import contextlib
import hashlib
import json
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from report.support import LSTM, ROOT, TEMPLATE, answer, config, drawn, rendered, study

from benchproof.report.registry import BoundNumber, Claim, encode
from benchproof.report.render import Document, after_body, render

FIGURES = (
    "roofline", "latency", "efficiency", "batch-scaling", "speedups", "throughput",
    "throughput-scaling", "cpu-gpu",
)  # fmt: skip


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Document:
    figures = drawn(tmp_path_factory.mktemp("figures"), *FIGURES)
    return render("apple-m3-gpu-vs-cpu", TEMPLATE, study(), config(), figures)


@pytest.fixture(scope="module")
def numbers(post: Document) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(encode(post.numbers))
    return document


@pytest.fixture(scope="module")
def at_root() -> Iterator[duckdb.DuckDBPyConnection]:
    with contextlib.chdir(ROOT), duckdb.connect() as connection:
        connection.execute("PRAGMA disable_optimizer")  # as `benchproof verify` does
        yield connection


def test_document_has_the_fields_of_the_format(numbers: dict[str, Any]) -> None:
    assert numbers["schema"] == "benchproof/numbers@1"
    assert numbers["post"] == "apple-m3-gpu-vs-cpu"
    assert numbers["study"] == "apple-m3"
    fields = list(BoundNumber.__struct_fields__)
    assert all(list(number) == fields for number in numbers["numbers"])
    fields = list(Claim.__struct_fields__)
    assert all(list(claim) == fields for claim in numbers["claims"])
    assert all(list(literal) == ["text", "reason"] for literal in numbers["literals"])
    assert len(numbers["numbers"]) > 300
    assert len(numbers["claims"]) > 10
    assert len({number["id"] for number in numbers["numbers"]}) == len(numbers["numbers"])


def test_every_query_gives_its_number_from_the_raw_files(
    numbers: dict[str, Any], at_root: duckdb.DuckDBPyConnection
) -> None:
    wrong = [
        (number["id"], number["value"], found)
        for number in numbers["numbers"]
        if abs((found := answer(at_root, number["query"])) - number["value"])
        > 1e-9 * abs(number["value"])
    ]
    assert wrong == []
    assert [c["id"] for c in numbers["claims"] if answer(at_root, c["query"]) != 1] == []


def test_every_text_is_its_value_rounded_to_its_digits(numbers: dict[str, Any]) -> None:
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    for number in numbers["numbers"]:
        digits = number["digits"]
        rounded = Decimal(number["value"]).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)
        shown = f"{rounded:,.{max(digits, 0)}f}"
        plain = number["text"].removesuffix(number["unit"]).strip().removeprefix("+")
        if plain.lower() in words:
            assert words[int(number["value"])] == plain.lower()
            assert number["value"] == int(number["value"])
        else:
            assert plain == shown, number


def test_every_number_names_records_that_exist_with_their_digest(numbers: dict[str, Any]) -> None:
    digests = {
        path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (ROOT / "results/raw/apple-m3").glob("*.json")
    }
    for number in numbers["numbers"]:
        assert number["records"]
        for record in number["records"]:
            assert record["sha256"] == digests[record["file"]]
            assert record["file"] in number["query"]
            cells = json.loads((ROOT / record["file"]).read_bytes())["cells"]
            assert 0 <= int(record["pointer"].removeprefix("/cells/")) < len(cells)


def test_same_number_printed_twice_keeps_its_id(tmp_path: Path) -> None:
    value = f"{{{{ {LSTM}.latency }}}}"
    other = f"{{{{ {LSTM}.latency | significant(2) }}}}"
    document = rendered(tmp_path, f"{value} {value} {other} {value}")
    assert document.qmd.count('data-bp="n1"') == 3
    assert document.qmd.count('data-bp="n2"') == 1
    assert [number.text for number in document.numbers.numbers] == ["1.77 ms", "1.8 ms"]


def test_number_that_means_another_thing_gets_an_id_of_its_own(tmp_path: Path) -> None:
    template = '{{ lowest([X], "slowest") }} {{ lowest([X], "fastest") }}'
    document = rendered(tmp_path, template.replace("X", f"{LSTM}.latency"))
    assert [n.derivation for n in document.numbers.numbers] == ["slowest", "fastest"]


def test_literals_are_listed_once_with_their_reason(tmp_path: Path) -> None:
    once = '{{ literal("40", reason="as published") }}'
    document = rendered(tmp_path, once + once + '{{ literal("40", reason="a label") }}')
    assert [(each.text, each.reason) for each in document.numbers.literals] == [
        ("40", "as published"),
        ("40", "a label"),
    ]


def test_every_literal_of_the_post_has_a_reason(numbers: dict[str, Any]) -> None:
    assert all(len(literal["reason"].split()) > 1 for literal in numbers["literals"])


def test_derivation_named_by_rendered_text_is_plain(tmp_path: Path) -> None:
    template = f"{{% set n %}}at {{{{ {LSTM}.latency | bare }}}}{{% endset %}}"
    document = rendered(tmp_path, template + f"{{{{ lowest([{LSTM}.latency], n) }}}}")
    assert document.numbers.numbers[-1].derivation == "at 1.77 ms"


def test_page_data_cannot_end_its_script(tmp_path: Path) -> None:
    template = f'{{{{ lowest([{LSTM}.latency], "</script><script>alert()</script>&") }}}}'
    text = after_body(rendered(tmp_path, template).numbers)
    data = text.split("\n", 1)[0]
    assert data.count("</script>") == 1
    assert data.endswith("</script>")
    assert data.count("<") == 2


def test_same_template_gives_same_bytes(post: Document, tmp_path: Path) -> None:
    again = render("apple-m3-gpu-vs-cpu", TEMPLATE, study(), config(), drawn(tmp_path, *FIGURES))
    assert again.qmd == post.qmd
    assert encode(again.numbers) == encode(post.numbers)
