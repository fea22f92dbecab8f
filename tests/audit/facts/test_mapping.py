"""What a mapping file confirms or corrects, and the one that the data suggests."""

from pathlib import Path

import pytest
from audit.facts.written import read, read_csv, rows, write
from factory import shared

from benchproof.audit.facts.fact import Dimension
from benchproof.audit.facts.mapping import DataMapping, read_mapping
from benchproof.audit.facts.propose import propose
from benchproof.errors import ConfigError


def mapping(folder: Path, text: str) -> DataMapping:
    path = folder / "mapping.yaml"
    path.write_text(text)
    return read_mapping(path)


def test_a_field_is_what_the_mapping_says(tmp_path: Path) -> None:
    rules = mapping(
        tmp_path,
        "fields:\n  total: {measure: total time, unit: ms, statistic: median}\n"
        "  kind: {key: model}\n  memory_mb: ignore\n",
    )
    told = read_csv(tmp_path, "kind,total,memory_mb\nCNN,1.5,7\n", rules)
    assert rows(told) == [({"model": "CNN"}, {"total time": 0.0015})]
    measure = told.measures["total time"]
    assert (measure.dimension, measure.statistic) == (Dimension.TIME, "median")


def test_a_number_can_be_made_a_key(tmp_path: Path) -> None:
    rules = mapping(tmp_path, "fields: {x_ms: {key: delay}}\n")
    told = read_csv(tmp_path, "x_ms,y_ms\n2.0,3\n", rules)
    assert rows(told) == [({"delay": 2}, {"y_ms": 0.003})]


def test_repeats_are_those_that_the_mapping_names(tmp_path: Path) -> None:
    text = "model,seed,night,x_ms\nCNN,1,1,1.5\nCNN,2,1,1.75\n"
    told = read_csv(tmp_path, text, mapping(tmp_path, "repeats: [night]\n"))
    assert told.repeats == {"night"}


def test_patterns_of_names_tell_keys(tmp_path: Path) -> None:
    write(tmp_path, m2_DASH_torch_DOT_csv="x_ms\n1\n", m4_DASH_jax_DOT_csv="x_ms\n2\n")
    rules = mapping(tmp_path, 'files: "{chip}-{framework}.csv"\n')
    told = read(tmp_path, "m2-torch.csv", "m4-jax.csv", mapping=rules)
    assert [keys for keys, _ in rows(told)] == [
        {"chip": "m2", "framework": "PyTorch"},
        {"chip": "m4", "framework": "JAX"},
    ]


FAULTS = {
    "fields: {a: {}}": "mapping.yaml#/fields/a: neither key nor measure; ",
    "fields: {a: {key: b, measure: c}}": "mapping.yaml#/fields/a: both key and measure; ",
    "fields: {a: {key: b, unit: ms}}": "mapping.yaml#/fields/a: a key has no unit and no",
    "fields: {a: {measure: b, unit: parsec}}": "mapping.yaml#/fields/a: unit 'parsec' is not known",
    "fields: {a: {colour: red}}": "mapping.yaml: Object contains unknown field `colour`",
    "fields: {a: skip}": "mapping.yaml: ",
    "field: {}": "mapping.yaml: Object contains unknown field `field`",
    "files: '{a}-{a}.csv'": "mapping.yaml#/files: '{a}-{a}.csv' has a key twice",
    "files: '{a b}.csv'": "mapping.yaml#/files: {a b} names no key; ",
    "files: '{a.csv'": "mapping.yaml#/files: '{a.csv' has a brace too many; ",
    "[": "mapping.yaml: not YAML (",
    "!!python/object/apply:os.system [ls]": "mapping.yaml: not YAML (",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_is_told_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        mapping(tmp_path, text)
    message = str(caught.value).replace(f"{tmp_path}/", "")
    assert message.startswith(FAULTS[text])
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fields: {none: ignore}", "fields/none: no such field in the data; "
                                 "fields are model, x_ms"),
        ("files: '{a}.json'", "files: {a}.json: no file of the data has such a name; "
                              "correct the pattern"),
    ],
)  # fmt: skip
def test_a_mapping_that_does_not_fit_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_csv(tmp_path, "model,x_ms\nCNN,1\n", mapping(tmp_path, text))
    assert str(caught.value) == message


def test_the_proposed_mapping_says_what_is_read_without_one(tmp_path: Path) -> None:
    text = "model,run,notes,avg,x_ms\nCNN,1,warm,1.5,2\nCNN,2,,1.75,2.5\n"
    write(tmp_path, cpu_DASH_fp16_DOT_csv=text, cpu_DASH_fp32_DOT_csv=text)
    proposed = propose([f"{tmp_path}/*.csv"], tmp_path)
    assert '  "avg": {measure: "avg", statistic: mean}  # 1.5 to 1.75; its unit is not told\n' in (
        proposed
    )
    assert 'files: ["cpu-{precision}.csv"]' in proposed
    names = ("cpu-fp16.csv", "cpu-fp32.csv")
    read_with = read(tmp_path, *names, mapping=mapping(tmp_path, proposed))
    assert read_with == read(tmp_path, *names) or rows(read_with) == rows(read(tmp_path, *names))
    assert read_with.measures == read(tmp_path, *names).measures


def test_the_public_csv_files_read_alike_with_their_proposed_mapping(tmp_path: Path) -> None:
    folder = shared() / "data" / "mlx-benchmarks"
    names = sorted(path.name for path in folder.glob("*.csv"))
    rules = mapping(tmp_path, propose([str(folder)], folder))
    assert rows(read(folder, *names, mapping=rules)) == rows(read(folder, *names))
