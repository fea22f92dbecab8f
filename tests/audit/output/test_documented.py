"""The documented example gives what it says; the hook and the action call what there is."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import typer
import yaml
from factory import ROOT

from benchproof.audit.rulings import read_rulings
from benchproof.audit.told import ToldFinding, ToldMention
from benchproof.verbs.audit import audit

PAGE = (ROOT / "docs/auditing.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_bytes())


def block(language: str, number: int = 0) -> str:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[number]


def options() -> set[str]:
    app = typer.Typer(add_completion=False)
    app.command()(audit)
    parameters = typer.main.get_command(app).params
    return {name for one in parameters for name in one.opts if name.startswith("--")}


def test_the_example_gives_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs.csv").write_text(block("csv"), encoding="utf-8")
    Path("post.md").write_text(block("markdown"), encoding="utf-8")
    assert audit(Path("post.md"), ["runs.csv"]) == 1
    assert capsys.readouterr().out == block("text")


def test_the_rulings_on_the_page_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "post.md.audit.yaml"
    path.write_text(block("yaml"), encoding="utf-8")
    rulings = read_rulings(path)
    assert rulings.rules
    assert rulings.mentions
    assert rulings.aliases


def test_every_option_of_the_page_exists_and_the_other_way_round() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE))
    assert named <= options()
    assert options() - {"--help"} <= named


def test_every_field_of_the_json_is_documented() -> None:
    fields = {*ToldMention.__struct_fields__, *ToldFinding.__struct_fields__}
    assert [name for name in sorted(fields) if f"`{name}`" not in PAGE] == []


def test_the_hook_runs_the_verb_on_what_its_user_names() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    assert hook["entry"] == "benchproof audit"
    assert hook["pass_filenames"] is False
    assert f"id: {hook['id']}" in PAGE


def run_action(folder: Path, **inputs: str) -> list[str]:
    """What the action's last step calls, with a stand-in for the installed program."""
    program = folder / "benchproof" / "bin" / "benchproof"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    step = ACTION["runs"]["steps"][-1]
    names = {
        variable: re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", given)
        for variable, given in step["env"].items()
    }
    given = {key: inputs.get(found[1], "") for key, found in names.items() if found}
    environment = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(folder), **given}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_action_calls_the_verb(tmp_path: Path) -> None:
    called = run_action(
        tmp_path, post="my post.md", data="results/raw\n\nruns *.csv\n", sarif="audit.sarif"
    )
    assert called == [
        "audit", "--data=results/raw", "--data=runs *.csv", "--sarif=audit.sarif", "--",
        "my post.md",
    ]  # fmt: skip


def test_an_input_of_the_action_is_never_run(tmp_path: Path) -> None:
    called = run_action(tmp_path, post="$(touch x)`touch x`;touch x", data='"; touch x')
    assert called[-1] == "$(touch x)`touch x`;touch x"
    assert "${{" not in ACTION["runs"]["steps"][-1]["run"]


def test_every_input_of_the_action_is_used_and_described() -> None:
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])
    assert all(one["description"] for one in ACTION["inputs"].values())
