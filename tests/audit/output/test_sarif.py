"""SARIF: the structure of 2.1.0, places of the numbers, fingerprints that survive an edit."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
from audit.output.support import HOSTILE, POST, made

from benchproof.audit.sarif import sarif
from benchproof.records.findings import DataFinding, Level


def of(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties,
            "additionalProperties": False}  # fmt: skip


def many(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


# The part of the standard's schema that these files use, and nothing beside it.
TEXT = {"type": "string", "minLength": 1}
LINE = {"type": "integer", "minimum": 1}
MESSAGE = of(["text"], text=TEXT)
LOCATION: dict[str, Any] = {
    "physicalLocation": of(
        ["artifactLocation"],
        artifactLocation=of(["uri"], uri={"type": "string", "format": "uri-reference"},
                            uriBaseId=TEXT),
        region=of(["startLine"], startLine=LINE, startColumn=LINE, endLine=LINE, endColumn=LINE,
                  snippet=MESSAGE),
    ),
    "logicalLocations": many(of([], fullyQualifiedName=TEXT, kind=TEXT)),
    "message": MESSAGE,
    "id": {"type": "integer", "minimum": 0},
}  # fmt: skip
RESULT = of(
    ["message", "ruleId"],
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations=many(of([], **LOCATION)),
    relatedLocations=many(of(["id"], **LOCATION)),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
)
RULE = of(["id"], id=TEXT, shortDescription=MESSAGE, help=MESSAGE)
SCHEMA = of(
    ["version", "runs"],
    **{
        "$schema": TEXT,
        "version": {"const": "2.1.0"},
        "runs": many(of(
            ["tool"],
            tool=of(["driver"], driver=of(["name"], name=TEXT, version=TEXT, semanticVersion=TEXT,
                                          rules=many(RULE))),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            results=many(RESULT),
        )),
    },
)  # fmt: skip


def run_of(content: bytes) -> dict[str, Any]:
    document = json.loads(content)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    assert isinstance(run, dict)
    return run


def test_a_wrong_number_is_an_error_at_its_characters(tmp_path: Path) -> None:
    (result,) = run_of(sarif(made(tmp_path)))["results"]
    assert (result["ruleId"], result["level"]) == ("wrong-batch", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "post.md", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {
        "startLine": 6, "startColumn": 9, "endLine": 6, "endColumn": 17,
        "snippet": {"text": "14.07 ms"},
    }  # fmt: skip
    assert result["message"]["text"].startswith("14.07 ms: the value of another batch; the data")
    said = [one["message"]["text"] for one in result["relatedLocations"]]
    assert said == ["the right record", "the printed number: batch 256"]


def test_ambiguous_numbers_are_notes_where_everything_is_asked_for(tmp_path: Path) -> None:
    post = POST + "\nIt takes 9 ms.\n"
    run = run_of(sarif(made(tmp_path, post), everything=True))
    assert {one["level"] for one in run["results"]} == {"error", "note"}


def test_findings_about_the_data_name_files_and_places(tmp_path: Path) -> None:
    audit = made(tmp_path)
    findings = (
        DataFinding("device-truth", Level.ERROR, ("a b.json#/cells/0", "a b.json#/cells/1"), "CPU"),
        DataFinding("not-measured", Level.WARNING, ("post.md:3:7",), "batch 512"),
        DataFinding("empty", Level.NOTE, (), "nothing"),
        DataFinding("empty", Level.NOTE, ("/data/a.json",), "nothing"),
    )
    telemetry = msgspec.structs.replace(audit.telemetry, findings=findings)
    results = run_of(sarif(msgspec.structs.replace(audit, telemetry=telemetry)))["results"]
    first, second, third, fourth = [one["locations"][0] for one in results[:4]]
    assert first["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.json"
    assert first["logicalLocations"][0]["fullyQualifiedName"] == "/cells/0"
    assert second["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 7}
    assert third["physicalLocation"]["artifactLocation"]["uri"] == "post.md"
    assert fourth["physicalLocation"]["artifactLocation"] == {"uri": "file:///data/a.json"}


def test_fingerprints_survive_a_move_and_tell_like_findings_apart(tmp_path: Path) -> None:
    def prints(post: str) -> list[str]:
        results = run_of(sarif(made(tmp_path, post)))["results"]
        return [one["partialFingerprints"]["benchproof/1"] for one in results]

    assert prints(POST) == prints("An introduction.\n\n" + POST)
    twice = prints(POST + "\n" + POST)
    assert len(set(twice)) == len(twice) == 2


def test_the_same_audit_gives_the_same_bytes(tmp_path: Path) -> None:
    assert sarif(made(tmp_path)) == sarif(made(tmp_path))


def test_a_hostile_post_gives_valid_sarif_without_control_characters(tmp_path: Path) -> None:
    content = sarif(made(tmp_path, HOSTILE), everything=True)
    run_of(content)
    assert b"\\u001b" not in content
