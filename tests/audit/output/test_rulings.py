"""Rulings of a human change verdicts, keep their reasons, and are found where they meet nothing."""

from pathlib import Path

import msgspec
import pytest
from audit.output.support import POST, made

from benchproof.audit.audit import Audit
from benchproof.audit.binding.vocabulary import vocabulary
from benchproof.audit.explain.verdict import Verdict
from benchproof.audit.rulings import Ruling, Rulings, aliases, beside, read_rulings, ruled
from benchproof.audit.told import ToldMention, told
from benchproof.errors import ConfigError
from benchproof.records.findings import DataFinding, Level

DESKS = Ruling("36", "not_a_claim", "a price", line=8)


def one(audit: Audit, text: str, line: int) -> ToldMention:
    (found,) = [m for m in told(audit).mentions if (m.text, m.line) == (text, line)][:1]
    return found


def found_rules(audit: Audit) -> list[str]:
    return [found.rule for found in audit.telemetry.findings]


def write(folder: Path, text: str) -> Path:
    path = folder / "post.md.audit.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_rules_mentions_and_aliases(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "rules: {truncated: house style of the series}\n"
        'mentions:\n  - {text: "36", line: 8, verdict: not_a_claim, reason: a price}\n'
        "aliases: {device: {HIP: cuda}}\n",
    )
    rulings = read_rulings(path)
    assert rulings == Rulings(
        {"truncated": "house style of the series"}, (DESKS,), {"device": {"HIP": "cuda"}}
    )
    assert aliases(rulings) == {"device": {"HIP": "cuda"}}
    assert beside(tmp_path / "post.md") == path


def test_an_empty_file_rules_nothing(tmp_path: Path) -> None:
    assert read_rulings(write(tmp_path, "# nothing yet\n")) == Rulings()


def test_a_ruled_number_has_its_verdict_and_reason(tmp_path: Path) -> None:
    after = ruled(made(tmp_path), Rulings(mentions=(DESKS,)))
    price = one(after, "36 times", 8)
    assert (price.verdict, price.rule, price.note) == ("not_a_claim", "ruling", "a price")
    assert found_rules(after) == []
    assert after.count(Verdict.CONTRADICTED) == 1


def test_a_ruling_finds_the_nearest_line(tmp_path: Path) -> None:
    post = POST + "\n" * 9 + "It weighs 36 times more.\n"
    near_end = msgspec.structs.replace(DESKS, line=15)
    after = ruled(made(tmp_path, post), Rulings(mentions=(near_end,)))
    assert one(after, "36 times", 8).rule == ""
    assert one(after, "36 times", 18).rule == "ruling"


def test_two_rulings_of_one_text_meet_two_numbers(tmp_path: Path) -> None:
    post = POST + "\nIt weighs 36 times more.\n"
    after = ruled(made(tmp_path, post), Rulings(mentions=(DESKS, DESKS)))
    assert [m.rule for m in told(after).mentions if m.text == "36 times"] == ["ruling"] * 2


def test_a_ruling_without_a_line_meets_every_number_of_its_text(tmp_path: Path) -> None:
    anywhere = Ruling("14.07 ms", "not_a_claim", "from the first run")
    after = ruled(made(tmp_path), Rulings(mentions=(anywhere,)))
    assert after.count(Verdict.NOT_A_CLAIM) == 2
    assert told(after).is_clean


@pytest.mark.parametrize(
    "ruling",
    [
        msgspec.structs.replace(DESKS, text="37"),
        msgspec.structs.replace(DESKS, text="3"),
        msgspec.structs.replace(DESKS, line=400),
    ],
    ids=["another number", "its first digit", "far away"],
)
def test_a_ruling_that_meets_no_number_is_a_finding(tmp_path: Path, ruling: Ruling) -> None:
    after = ruled(made(tmp_path), Rulings(mentions=(ruling,)), "post.md.audit.yaml")
    (found,) = after.telemetry.findings
    assert (found.rule, found.level) == ("unmatched-ruling", Level.WARNING)
    assert found.records == ("post.md.audit.yaml#/mentions/0",)
    assert f"no number {ruling.text!r} stands near line {ruling.line}" in found.message


def test_numbers_under_a_rule_that_is_off_claim_nothing(tmp_path: Path) -> None:
    after = ruled(made(tmp_path), Rulings(rules={"wrong-batch": "told in the caption"}))
    wrong = one(after, "14.07 ms", 6)
    assert (wrong.verdict, wrong.rule, wrong.note) == (
        "not_a_claim", "wrong-batch", "told in the caption"
    )  # fmt: skip
    assert told(after).is_clean


def test_a_known_rule_may_be_off_where_nothing_breaks_it(tmp_path: Path) -> None:
    after = ruled(made(tmp_path), Rulings(rules={"truncated": "house style"}))
    assert found_rules(after) == []


def test_an_unknown_rule_is_a_finding(tmp_path: Path) -> None:
    after = ruled(made(tmp_path), Rulings(rules={"wrong-bach": "misspelt"}))
    assert found_rules(after) == ["unmatched-ruling"]
    assert "no rule or finding is called 'wrong-bach'" in after.telemetry.findings[0].message


def test_an_accepted_finding_about_the_data_stays_as_a_note(tmp_path: Path) -> None:
    before = made(tmp_path)
    error = DataFinding("device-truth", Level.ERROR, ("runs.csv#/1",), "ran on the CPU")
    telemetry = msgspec.structs.replace(before.telemetry, findings=(error,))
    before = msgspec.structs.replace(before, telemetry=telemetry)
    after = ruled(before, Rulings(rules={"device-truth": "the post says so"}))
    (found,) = after.telemetry.findings
    assert found.level is Level.NOTE
    assert found.message == "ran on the CPU (accepted: the post says so)"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("rules:\n  truncated: ''\n", ":2: Expected `str` of length >= 1 at rules[...]"),
        ("rules:\n  a: b\n  a: c\n", ":3: 'a' stands twice; keep one of them"),
        ("mentions:\n  - text: '3'\n    verdict: verified\n    reason: x\n",
         ":3: Invalid enum value 'verified' at mentions[0].verdict"),
        ("mentions:\n  - text: '3'\n    lin: 3\n    verdict: not_a_claim\n    reason: x\n",
         ":3: Object contains unknown field `lin` at mentions[0]"),
        ("mentions:\n  - {text: '3', verdict: not_a_claim}\n",
         ":2: Object missing required field `reason` at mentions[0]"),
        ("mentions:\n  - {text: '3', line: 0, verdict: not_a_claim, reason: x}\n",
         ":2: Expected `int` >= 1 at mentions[0].line"),
        ("aliases: {batch: {small: 32}}\n", ":1: Expected `str`, got `int` at aliases[...][...]"),
        ("rules: {}\nfoo: 1\n", ":2: Object contains unknown field `foo`"),
        ("- 1\n", ":1: Expected `object`, got `array`"),
        ("rules: [\n", ":2: not YAML ("),
        ("rules: &a {x: y}\naliases: {k: *a}\n",
         ":1: an anchor is used again; write the value out"),
        ("rules: !!python/object/apply:os.getcwd []\n", ":1: not YAML (could not determine"),
        ("rules:\n  ? [a]\n  : b\n", ":2: not YAML (found unhashable key)"),
        ("rules: {a: 2026-99-99}\n", ": not YAML ("),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line(tmp_path: Path, text: str, fault: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as told_of:
        read_rulings(path)
    assert str(told_of.value).startswith(f"{path}{fault}")
    assert len(str(told_of.value).splitlines()) == 1


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="larger than 1000000 bytes; shorten the file"):
        read_rulings(write(tmp_path, "#" * 1_000_001))


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not YAML"):
        read_rulings(write(tmp_path, "[" * 5000))


def test_aliases_are_names_that_a_text_may_use(tmp_path: Path) -> None:
    rulings = read_rulings(write(tmp_path, "aliases: {framework: {Torchy: PyTorch}}\n"))
    words = vocabulary(made(tmp_path).telemetry.facts, aliases(rulings))
    (hit,) = words.hits("In torchy it takes 3 ms.")
    assert (hit.key, hit.values) == ("framework", frozenset(["PyTorch"]))
