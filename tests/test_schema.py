"""The committed JSON Schemas are those of the types, and they know good files from broken ones."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from factory import DATA, ROOT, STUDY_FILE, committed_paths, mixed_raws

from benchproof.importers.write import encode
from benchproof.schema import FORMATS, schemas

FOLDER = ROOT / "workflow" / "schemas"
REMEDY = "run `benchproof schema workflow/schemas`"

# Faults that a schema can see: the others break JSON itself, or need more than one field.
SEEN_BY_SCHEMA = [
    "wrong-version", "no-version", "negative-sample", "zero-bytes", "huge-count",
    "string-for-number", "unknown-field", "unknown-device", "missing-field", "not-an-object",
]  # fmt: skip


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads(schemas()[name])
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def raw() -> jsonschema.Draft202012Validator:
    return validator("raw-1.schema.json")


@pytest.mark.parametrize("name", FORMATS)
def test_committed_schema_is_generated_from_the_types(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == schemas()[name], REMEDY


def test_no_schema_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(FORMATS)


def test_committed_raw_files_are_valid(raw: jsonschema.Draft202012Validator) -> None:
    for path in committed_paths():
        raw.validate(json.loads(path.read_bytes()))


def test_what_the_importer_writes_is_valid(raw: jsonschema.Draft202012Validator) -> None:
    for written in mixed_raws():
        raw.validate(json.loads(encode(written)))
    raw.validate(json.loads((DATA / "good.json").read_bytes()))


@pytest.mark.parametrize("fault", SEEN_BY_SCHEMA)
def test_broken_files_are_not_valid(raw: jsonschema.Draft202012Validator, fault: str) -> None:
    document = json.loads((DATA / "broken" / f"{fault}.json").read_bytes())
    assert list(raw.iter_errors(document)) != []


def test_committed_numbers_are_valid() -> None:
    posts = sorted((ROOT / "report").glob("*/numbers.json"))
    if not posts:
        pytest.skip("no post was rendered: run `snakemake --cores 1 report`")
    for path in posts:
        validator("numbers-1.schema.json").validate(json.loads(path.read_bytes()))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("study.schema.json", STUDY_FILE),
        ("project.schema.json", ROOT / "config" / "config.yaml"),
    ],
)
def test_committed_configuration_is_valid(name: str, path: Path) -> None:
    document: Any = yaml.safe_load(path.read_bytes())
    validator(name).validate(document)
    assert not validator(name).is_valid(document | {"misspelt": 1})


def test_schemas_are_the_same_bytes_each_time_and_end_in_a_newline() -> None:
    assert schemas() == schemas()
    for text in schemas().values():
        assert text.endswith("}\n")
        assert json.loads(text)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert json.loads(text)["title"]
