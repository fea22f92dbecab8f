"""Small audits with what they have to say, and the claims of one public post with verdicts."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from factory import ROOT

from benchproof.audit.audit import Audit, Audited, audit
from benchproof.audit.document.read import read_document
from benchproof.audit.explain.verdict import Verdict
from benchproof.audit.facts.read import read_telemetry

SHARED = Path(os.environ.get("BENCHPROOF_SHARED") or ROOT.parent / "shared")
pytestmark = pytest.mark.skipif(
    not (SHARED / "cases").is_dir(),
    reason=f"no cases in {SHARED}; set BENCHPROOF_SHARED to where they are",
)
CASES = ("two-values", "percent", "file-keys")


def audited(post: Path, data: list[Path]) -> Audit:
    return audit(read_document(post), read_telemetry([str(path) for path in data], None, Path()))


def case(name: str) -> tuple[Audit, dict[str, Any]]:
    folder = SHARED / "cases" / "mini" / name
    data = [
        path for path in sorted(folder.iterdir()) if path.name not in ("expected.json", "post.md")
    ]
    return audited(folder / "post.md", data), json.loads((folder / "expected.json").read_text())


def at(made: Audit, line: int, text: str) -> Audited:
    return next(
        one for one in made.mentions if one.place.line == line and one.scene.mention.text == text
    )


@pytest.mark.parametrize("name", CASES)
def test_a_small_audit_contradicts_what_it_should_and_nothing_else(name: str) -> None:
    made, expected = case(name)
    wrong = [one for one in made.mentions if one.judgement.verdict is Verdict.CONTRADICTED]
    told = {(each["line"], each["text"]): each["rule"] for each in expected["contradicted"]}
    found = {(one.place.line, one.scene.mention.text): one.judgement.rule for one in wrong}
    assert found == told


@pytest.mark.parametrize("name", CASES)
def test_a_small_audit_verifies_what_is_true(name: str) -> None:
    made, expected = case(name)
    verified = {
        one.scene.mention.text for one in made.mentions if one.judgement.verdict is Verdict.VERIFIED
    }
    for each in expected["verified"]:
        text = each.partition(" (")[0]
        assert text in verified, each


def test_a_percentage_that_is_true_of_the_time_alone_is_ambiguous() -> None:
    made, expected = case("percent")
    (each,) = expected["ambiguous"]
    found = at(made, each["line"], each["text"])
    assert (found.judgement.verdict, found.judgement.rule) == (Verdict.AMBIGUOUS, "time-or-rate")


def test_a_size_that_was_never_measured_is_a_finding() -> None:
    made, expected = case("file-keys")
    (each,) = expected["data_findings"]
    (found,) = made.telemetry.findings
    assert found.rule == each["rule"]
    assert found.records[0].split(":")[-2] == str(each["line"])
    assert each["text"] in found.message


def public_post() -> tuple[Audit, list[dict[str, Any]]]:
    told = json.loads((SHARED / "cases" / "seed-000.json").read_text())
    made = audited(SHARED / told["post"], [SHARED / path for path in told["data"]])
    return made, told["claims"]


def quoted(made: Audit, quote: str) -> list[Audited]:
    """The numbers and claims of the post that stand in a quotation of it."""
    words = quote.replace("$AI \\approx ", "AI ≈ ").replace("$", "").partition(" [")[0]
    found = []
    for one in made.mentions:
        start = one.scene.here.passage.text.find(words)
        mention = one.scene.mention
        if start >= 0 and mention.start < start + len(words) and start < mention.end:
            found.append(one)
    return found


def test_no_right_claim_of_a_public_post_is_contradicted() -> None:
    made, claims = public_post()
    alarms = [
        (claim["id"], one.scene.mention.text)
        for claim in claims
        if claim["verdict"] == "ok"
        for one in quoted(made, claim["quote"])
        if one.judgement.verdict is Verdict.CONTRADICTED
    ]
    assert alarms == []


def _names_the_device(claim: dict[str, Any]) -> bool:
    return "jax_device_is_cpu" in (claim.get("flags") or ())


def test_wrong_claims_of_a_public_post_are_found() -> None:
    """By the number, by the claim, or by the finding about the data that makes it wrong."""
    made, claims = public_post()
    rules = {finding.rule for finding in made.telemetry.findings}
    wrong = [claim for claim in claims if claim["verdict"] == "wrong"]
    found = [
        claim["id"]
        for claim in wrong
        if any(
            one.judgement.verdict is Verdict.CONTRADICTED for one in quoted(made, claim["quote"])
        )
        or (claim["kind"] == "setting" and _names_the_device(claim) and "device-truth" in rules)
    ]
    assert len(found) >= 0.75 * len(wrong), sorted({each["id"] for each in wrong} - set(found))
