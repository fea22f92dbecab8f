"""Which configurations are read, and how a bad one is refused."""

from pathlib import Path

import pytest
from factory import MODELS, ROOT, STUDY_FILE, write_raw_file

from benchproof.config import ProjectConfig, StudyConfig, inside, raw_paths, read_config
from benchproof.errors import ConfigError
from benchproof.records.gates import SelectionRule


def written(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "study.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        read_config(path, StudyConfig)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), "FILE")


def test_the_committed_configuration_is_read() -> None:
    study = read_config(STUDY_FILE, StudyConfig)
    assert (study.name, study.models, study.rule) == (
        "apple-m3", MODELS, SelectionRule.ANY_VARIANT,
    )  # fmt: skip
    assert len(raw_paths(study, ROOT)) == 25
    project = read_config(ROOT / "config" / "config.yaml", ProjectConfig)
    for post in project.posts.values():
        assert (ROOT / "templates" / post.template).is_file()
        assert (ROOT / "config" / "studies" / f"{post.study}.yaml").is_file()


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    study = read_config(written(tmp_path, "name: a\nraw: results/raw/a\n"), StudyConfig)
    assert (study.models, study.rule) == ((), SelectionRule.ANY_VARIANT)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "FILE: Expected `object`, got `null`; correct the field"),
        ("- a", "FILE: Expected `object`, got `array`; correct the field"),
        ("name: a", "FILE: Object missing required field `raw`; correct the field"),
        (
            "name: 3\nraw: x",
            "FILE: Expected `str`, got `int` - at `$.name`; correct the field",
        ),
        (
            "name: ''\nraw: x",
            "FILE: Expected `str` of length >= 1 - at `$.name`; correct the field",
        ),
        (
            "name: a\nraw: x\nrule: fastest",
            "FILE: Invalid enum value 'fastest' - at `$.rule`; correct the field",
        ),
        (
            "name: a\nraw: x\nmodel: [CNN]",
            "FILE: Object contains unknown field `model`; correct the field",
        ),
        (
            "name: a\nraw: x\nmodels: [CNN, 3]",
            "FILE: Expected `str`, got `int` - at `$.models[1]`; correct the field",
        ),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, content: str, message: str) -> None:
    assert refusal(written(tmp_path, content)) == message


@pytest.mark.parametrize(
    "content",
    [
        "name: [",
        "name: a\n\tb: c",
        b"name: \xff\xfe\xfa",
        "name: !!python/object/apply:os.system ['true']",
        "name: 2024-13-45\nraw: x",
        "[" * 5000,
        "name: a\x00b",
        "a: *nowhere",
    ],
)
def test_what_is_not_safe_yaml_is_refused_in_one_line(tmp_path: Path, content: str | bytes) -> None:
    message = refusal(written(tmp_path, content))
    assert message.startswith("FILE: not YAML (")
    assert message.endswith("); correct the file")


def test_aliases_that_multiply_are_refused_quickly(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    assert "unknown field" in refusal(written(tmp_path, "\n".join(["name: a", "raw: b", *lines])))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "absent.yaml"
    assert refusal(path) == ("FILE: cannot be read (No such file or directory); check the path")
    assert refusal(tmp_path) == "FILE: cannot be read (Is a directory); check the path"


def test_raw_files_come_sorted_and_others_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "raw"
    for name in ("b.json", "a.json", "notes.txt"):
        write_raw_file(folder / name)
    found = raw_paths(StudyConfig(name="x", raw="raw"), tmp_path)
    assert [path.name for path in found] == ["a.json", "b.json"]


@pytest.mark.parametrize("name", ["absent", "empty", "file.txt"])
def test_a_study_without_raw_files_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").touch()
    with pytest.raises(ConfigError) as caught:
        raw_paths(StudyConfig(name="x", raw=name), tmp_path)
    assert str(caught.value) == (
        f"{name}: no raw file; import or collect telemetry into this folder"
    )


@pytest.mark.parametrize("name", ["..", "../other", "/etc", "a/../../b", "a\0b", "link"])
def test_a_path_that_leaves_the_project_is_refused(tmp_path: Path, name: str) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(ConfigError) as caught:
        inside(root, name)
    assert str(caught.value) == f"{name}: lies outside the project; name a path inside the project"


def test_a_path_inside_the_project_is_resolved(tmp_path: Path) -> None:
    assert inside(tmp_path, "a/../b") == (tmp_path / "b").resolve()
