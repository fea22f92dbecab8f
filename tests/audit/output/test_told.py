"""The JSON form of an audit has the documented keys, sorted, and the same bytes each time."""

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest
from audit.output.support import POST, TRUE, made

from benchproof.audit.told import ToldAudit, encode, in_order, told

MENTION = {
    "text", "value", "unit", "line", "column", "context", "verdict", "rule", "derivation",
    "expected", "records", "printed_matches", "chance",
}  # fmt: skip
SUMMARY = {
    "mentions", "verified", "contradicted", "ambiguous", "unbound", "not_a_claim", "data_findings",
}  # fmt: skip


def test_json_has_the_documented_keys(tmp_path: Path) -> None:
    document = json.loads(encode(told(made(tmp_path))))
    assert document["schema"] == "benchproof/audit@1"
    assert set(document) == {"schema", "post", "data", "mentions", "data_findings", "summary"}
    assert all(set(one) >= MENTION for one in document["mentions"])
    assert set(document["summary"]) == SUMMARY
    assert [set(file) for file in document["data"]] == [{"path", "sha256"}]


def test_a_wrong_number_tells_what_is_right_and_where_it_comes_from(tmp_path: Path) -> None:
    report = told(made(tmp_path))
    (wrong,) = [one for one in report.mentions if one.verdict == "contradicted"]
    assert (wrong.text, wrong.line, wrong.column) == ("14.07 ms", 6, 9)
    assert (wrong.rule, wrong.expected) == ("wrong-batch", "3.42 ms")
    assert wrong.context == {"batch": 32, "framework": "JAX"}
    assert wrong.printed_is == "batch 256"
    assert wrong.printed_matches.startswith("runs.csv#/")
    assert wrong.printed_matches not in wrong.records
    assert not report.is_clean


def test_a_true_post_is_clean_and_expects_nothing(tmp_path: Path) -> None:
    report = told(made(tmp_path, TRUE))
    assert report.is_clean
    assert report.summary.verified == 4
    assert {one.expected for one in report.mentions if one.verdict == "verified"} == {""}


def test_summary_adds_up(tmp_path: Path) -> None:
    counts = told(made(tmp_path)).summary
    by_verdict = (
        counts.verified, counts.contradicted, counts.ambiguous, counts.unbound, counts.not_a_claim
    )  # fmt: skip
    assert sum(by_verdict) == counts.mentions


def test_keys_are_sorted_and_the_same_audit_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (encode(told(made(tmp_path))) for _ in range(2))
    assert first == second
    document = json.loads(first)
    assert json.dumps(document, sort_keys=True) == json.dumps(document)
    assert first.endswith(b"}\n")


def test_mentions_stand_in_the_order_of_the_document(tmp_path: Path) -> None:
    places = [one.place for one in in_order(made(tmp_path, POST))]
    assert places == sorted(places)


def test_values_are_free_of_what_units_leave_in_the_last_bits(tmp_path: Path) -> None:
    values = [one.value for one in told(made(tmp_path)).mentions]
    assert values == pytest.approx([4.15, 18.29, 14.07, 14.07, 36], abs=0)


def test_json_fits_the_schema_of_its_types(tmp_path: Path) -> None:
    validator = jsonschema.Draft202012Validator(msgspec.json.schema(ToldAudit))
    validator.validate(json.loads(encode(told(made(tmp_path)))))
    assert not validator.is_valid({"schema": "benchproof/audit@2"})
