"""Small real files for the tests of what telemetry says."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchproof.audit.facts.fact import Telemetry
from benchproof.audit.facts.mapping import DataMapping
from benchproof.audit.facts.read import read_telemetry
from benchproof.errors import InputError


def write(folder: Path, **files: Any) -> Path:
    """Files by their names, with `_DOT_` for a dot; what is no text becomes JSON."""
    for name, content in files.items():
        path = folder / name.replace("_DASH_", "-").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def read(folder: Path, *names: str, mapping: DataMapping | None = None) -> Telemetry:
    """The telemetry of some files of a folder, or of all."""
    return read_telemetry([str(folder / name) for name in names] or [str(folder)], mapping, folder)


def read_csv(folder: Path, text: str, mapping: DataMapping | None = None) -> Telemetry:
    """The telemetry of one CSV file, `runs.csv`."""
    return read(write(folder, runs_DOT_csv=text), "runs.csv", mapping=mapping)


def read_json(folder: Path, document: Any, mapping: DataMapping | None = None) -> Telemetry:
    """The telemetry of one JSON file, `runs.json`."""
    return read(write(folder, runs_DOT_json=document), "runs.json", mapping=mapping)


def rows(telemetry: Telemetry) -> list[tuple[dict[str, Any], dict[str, float]]]:
    """Keys and values of every fact."""
    return [(dict(fact.keys), dict(fact.values)) for fact in telemetry.facts]


def rules(telemetry: Telemetry) -> list[str]:
    """The rules of its findings."""
    return [finding.rule for finding in telemetry.findings]


def refusal(folder: Path, name: str) -> str:
    """The one line that refuses a file of the folder, which is called FOLDER in it."""
    with pytest.raises(InputError) as caught:
        read_telemetry([str(folder / name)], None, folder)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(folder), "FOLDER")
