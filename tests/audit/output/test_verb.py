"""`benchproof audit`: exit status, files that it writes, one line for what it cannot do."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from audit.output.support import DATA, POST, TRUE

from benchproof.audit.explain.rules import RULES
from benchproof.verbs.audit import audit
from benchproof.verbs.run import guarded

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the verb in a folder with a wrong post, a true one and their data."""
    monkeypatch.chdir(tmp_path)
    Path("post.md").write_text(POST, encoding="utf-8")
    Path("true.md").write_text(TRUE, encoding="utf-8")
    Path("runs.csv").write_text(DATA, encoding="utf-8")
    app = typer.Typer(add_completion=False)

    @app.callback()
    def top() -> None: ...

    app.command("audit")(audit)

    def started(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["benchproof", "audit", *arguments])
        status = guarded(lambda: app(standalone_mode=False))
        told = capsys.readouterr()
        return status, told.out, told.err

    return started


def test_a_contradicted_number_is_status_1_and_a_true_post_is_0(run: Run) -> None:
    status, out, _ = run("post.md", "--data", "runs.csv")
    assert status == 1
    assert "post.md:6:9: 14.07 ms" in out
    status, out, _ = run("true.md", "--data", "runs.csv")
    assert status == 0
    assert out.startswith("true.md: 5 numbers: 0 contradicted")


def test_json_is_all_that_stands_on_standard_output(run: Run) -> None:
    status, out, _ = run("post.md", "--data", "runs.csv", "--json")
    assert status == 1
    document = json.loads(out)
    assert document["data"][0]["path"] == "runs.csv"
    assert document["summary"]["contradicted"] == 1


def test_files_are_written_beside_the_report(run: Run) -> None:
    status, out, _ = run("post.md", "--data", "runs.csv", "--html", "a.html", "--sarif", "a.sarif")
    assert status == 1
    assert "contradicts (1)" in out
    assert Path("a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert json.loads(Path("a.sarif").read_bytes())["version"] == "2.1.0"


def test_rulings_beside_the_post_hold_and_are_told(run: Run) -> None:
    Path("post.md.audit.yaml").write_text("rules: {wrong-batch: told in the caption}\n")
    status, out, _ = run("post.md", "--data", "runs.csv")
    assert status == 0
    assert out.startswith("Ruled by hand in post.md.audit.yaml")
    status, out, _ = run("post.md", "--data", "runs.csv", "--no-rulings")
    assert status == 1
    assert "Ruled" not in out


def test_rulings_may_lie_elsewhere_and_have_to_be_there(run: Run) -> None:
    Path("mine.yaml").write_text("rules: {wrong-batch: told in the caption}\n")
    assert run("post.md", "--data", "runs.csv", "--rulings", "mine.yaml")[0] == 0
    status, _, err = run("post.md", "--data", "runs.csv", "--rulings", "none.yaml")
    assert status == 2
    assert err.startswith("benchproof: none.yaml: cannot be read")


def test_every_rule_is_listed(run: Run) -> None:
    status, out, _ = run("--rules")
    assert status == 0
    assert [line.partition(":")[0] for line in out.splitlines()] == list(RULES)


def test_a_mapping_is_proposed_and_taken(run: Run) -> None:
    status, out, _ = run("--propose-mapping", "--data", "runs.csv")
    assert status == 0
    Path("mapping.yaml").write_text(out, encoding="utf-8")
    assert run("post.md", "--data", "runs.csv", "--mapping", "mapping.yaml")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "POST: is missing; benchproof audit POST --data FILE_OR_FOLDER"),
        (("post.md",), "--data: is missing; benchproof audit POST --data FILE_OR_FOLDER"),
        (("none.md", "--data", "runs.csv"), "none.md: cannot be read"),
        (("post.md", "--data", "none.csv"), "none.csv: "),
        (("post.md", "--data", "runs.csv", "--html", "post.md/a.html"), "post.md: "),
    ],
)
def test_what_cannot_be_done_is_status_2_and_one_line(
    run: Run, arguments: tuple[str, ...], said: str
) -> None:
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert err.startswith(f"benchproof: {said}")
    assert len(err.splitlines()) == 1
