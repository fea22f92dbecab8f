"""Measuring as a rule of the workflow: a study of one small cell, with a framework that is here."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from installed import any_framework
from workflow.project import Project, digests, make_project

from benchproof.collectors.presence import installed_frameworks
from benchproof.model.keys import Framework

pytestmark = pytest.mark.slow

STUDY = """\
name: tiny
raw: results/raw/tiny
collect:
  frameworks: [{framework}]
  devices: [cpu]
  workloads: [ff-dnn]
  batches: {batches}
  rounds: {rounds}
  budget_s: 0.05
"""


class Lab(Project):
    """A project whose only study measures."""

    @property
    def tables(self) -> str:
        return "results/tables/tiny"

    def cells(self) -> list[dict[str, object]]:
        files = [json.loads(path.read_text()) for path in sorted(self.raw.rglob("*.json"))]
        return [cell for file in files for cell in file["cells"]]

    def evidence(self) -> dict[str, str]:
        """Digests of the raw files, without the stamp that Snakemake puts into a folder."""
        return {name: each for name, each in digests(self.raw).items() if name.endswith(".json")}

    def ask(self, rounds: int = 1, batches: str = "[1]", framework: str = "") -> None:
        text = STUDY.format(framework=framework or any_framework(), rounds=rounds, batches=batches)
        (self.folder / "config/studies/tiny.yaml").write_text(text)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lab, list[str]]:
    lab = make_lab(tmp_path_factory.mktemp("lab") / "project")
    return lab, lab.build(lab.tables)


@pytest.fixture
def lab(measured: tuple[Lab, list[str]], tmp_path: Path) -> Lab:
    shutil.copytree(measured[0].folder, tmp_path / "project")
    return Lab(tmp_path / "project")


def make_lab(folder: Path) -> Lab:
    made = make_project(folder)
    for path in made.raw.glob("*.json"):
        path.unlink()
    lab = Lab(made.folder)
    lab.ask()
    return lab


def test_a_study_measures_and_derives(measured: tuple[Lab, list[str]]) -> None:
    lab, ran = measured
    assert ran == ["ceilings", "collect", "derive"]
    name = f"cpu-{any_framework().value.lower()}-r1/ff-dnn.json"
    assert [path.relative_to(lab.raw).as_posix() for path in lab.raw.rglob("*.json")] == [name]
    assert len(lab.cells()) >= 2
    assert "ff dnn" in (lab.folder / lab.tables / "results.csv").read_text().lower()
    log = next((lab.folder / "logs/collect").rglob("*.log")).read_text()
    assert re.search(r"^\[1/\d\] cpu ", log, re.MULTILINE)


def test_what_is_measured_stays(lab: Lab) -> None:
    before = lab.evidence()
    assert lab.build(lab.tables) == []
    lab.append("src/benchproof/collectors/sampling.py", "\n# edited\n")
    os.utime(lab.folder / "config/studies/tiny.yaml")
    assert "collect" not in lab.build(lab.tables)
    assert lab.evidence() == before
    # Even a run that is forced finds the evidence in place.
    assert lab.build("--forcerun", "collect", "--", lab.tables).count("collect") == 1
    assert lab.evidence() == before


def test_more_rounds_and_batches_measure_what_is_new(lab: Lab) -> None:
    before = lab.evidence()
    first = lab.cells()
    lab.ask(rounds=2)
    lab.build(lab.tables)
    after = lab.evidence()
    assert before.items() <= after.items()
    assert len(after) == 2
    lab.ask(rounds=2, batches="[1, 2]")
    lab.build(lab.tables)
    assert {cell["batch"] for cell in lab.cells()} == {1, 2}
    assert all(cell in lab.cells() for cell in first)


def test_a_deleted_job_is_measured_again(lab: Lab) -> None:
    before = lab.evidence()
    (folder,) = lab.raw.iterdir()
    shutil.rmtree(folder)
    assert "collect" in lab.build(lab.tables, folder.relative_to(lab.folder).as_posix())
    assert lab.evidence().keys() == before.keys()
    assert lab.evidence() != before


def test_a_killed_job_goes_on(tmp_path: Path) -> None:
    lab = make_lab(tmp_path / "project")
    lab.ask(batches=str(list(range(1, 40))))
    work = lab.folder / "results/collect/tiny"
    process = subprocess.Popen(
        lab.command(lab.tables), cwd=lab.folder, env=lab.environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    kept = wait_for_cells(work, 3)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not lab.cells()
    lab.ask(batches="[1, 2]")
    assert lab.run("--unlock").returncode == 0
    lab.build(lab.tables)
    assert len(lab.cells()) >= kept
    file = json.loads(next(lab.raw.rglob("*.json")).read_text())
    assert file["run"]["resumed"]
    assert {1, 2} <= {cell["batch"] for cell in lab.cells()}


def wait_for_cells(folder: Path, least: int) -> int:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        files = [p for p in folder.rglob("*.json") if not p.name.startswith(".")]
        told = [json.loads(path.read_text()) for path in files]
        found = sum(len(file["cells"]) for file in told if isinstance(file, dict))
        if found >= least:
            return found
        time.sleep(0.05)
    raise AssertionError("no cells came")


@pytest.mark.parametrize("options", [(), ("--workflow-profile", "none")])
def test_two_measurements_never_overlap(tmp_path: Path, options: tuple[str, ...]) -> None:
    lab = make_lab(tmp_path / "project")
    lab.ask(rounds=2)
    ran = lab.run("--cores", "2", *options, lab.tables)
    assert ran.returncode == 0, ran.stdout
    runs = [json.loads(path.read_text())["run"] for path in lab.raw.rglob("*.json")]
    first, second = sorted(runs, key=lambda run: str(run["started"]))
    assert first["ended"] <= second["started"]


def test_a_framework_that_is_missing_is_skipped_and_said(tmp_path: Path) -> None:
    missing = [framework for framework in Framework if framework not in installed_frameworks()]
    if not missing:
        pytest.skip("every framework is installed here")
    lab = make_lab(tmp_path / "project")
    lab.ask(framework=missing[0])
    assert "collect" in lab.build(lab.tables)
    assert {cell["status"] for cell in lab.cells()} == {"skipped"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("  profile: huge", "Invalid enum value 'huge'"),
        ("  workloads: [gpt]", "no workload 'gpt'; workloads are ff-dnn, cnn"),
        ("  frameworks: [Caffe]", "Invalid enum value 'Caffe'"),
        ("  batches: [0]", "Expected `int` >= 1"),
    ],
)
def test_a_bad_collect_section_is_told_in_one_line(tmp_path: Path, line: str, message: str) -> None:
    lab = make_lab(tmp_path / "project")
    (lab.folder / "config/studies/tiny.yaml").write_text(
        f"name: tiny\nraw: results/raw/tiny\ncollect:\n{line}\n"
    )
    ran = lab.run(lab.tables)
    assert ran.returncode != 0
    assert message in ran.stdout
    assert "config/studies/tiny.yaml" in ran.stdout
