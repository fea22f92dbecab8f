"""The workflow as a user runs it: Snakemake on a small study, in a copy of the project."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from workflow.project import TEMPLATE, Project, digests, make_project, raw, rules

BUILD = ["derive", "figures", "render", "html", "gfm", "install"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, list[str]]:
    """A project that was built from clean, and the rules that ran."""
    project = make_project(tmp_path_factory.mktemp("clean") / "project")
    before = digests(project.raw)
    ran = project.build()
    assert digests(project.raw) == before
    return project, ran


@pytest.fixture
def project(clean: tuple[Project, list[str]], tmp_path: Path) -> Project:
    """A copy of the built project."""
    shutil.copytree(clean[0].folder, tmp_path / "project")
    return Project(tmp_path / "project")


def test_build_from_clean_makes_the_whole_post(clean: tuple[Project, list[str]]) -> None:
    project, ran = clean
    assert sorted(ran) == sorted(BUILD)
    names = set(digests(project.report))
    assert {"index.qmd", "index.html", "index.md", "numbers.json"} <= names
    assert {"figures/cpu-gpu-light.svg", "figures/cpu-gpu-light.png"} <= names
    assert not any(name.startswith(".") for name in names)


def test_second_run_has_nothing_to_do(project: Project) -> None:
    before = digests(project.folder / "results") | digests(project.report)
    done = project.run()
    assert done.returncode == 0
    assert "Nothing to be done" in done.stdout
    assert rules(done.stdout) == []
    assert digests(project.folder / "results") | digests(project.report) == before


def test_two_builds_give_the_same_bytes(clean: tuple[Project, list[str]], tmp_path: Path) -> None:
    other = make_project(tmp_path / "other")
    other.build()
    for part in ("report", "results"):
        assert digests(other.folder / part) == digests(clean[0].folder / part)


def test_edited_template_renders_again_and_draws_nothing(project: Project) -> None:
    project.append("templates/tiny-post.qmd.j2", "\nMore text.\n")
    raw_before = digests(project.raw)
    assert sorted(project.build()) == ["gfm", "html", "install", "render"]
    assert "More text." in (project.report / "index.md").read_text(encoding="utf-8")
    assert digests(project.raw) == raw_before


def test_edited_partial_renders_again_and_draws_nothing(project: Project) -> None:
    project.append("templates/partials/marks.md.j2", "{## changed ##}\n")
    assert sorted(project.build("-n")) == ["gfm", "html", "install", "render"]


@pytest.mark.parametrize(
    ("module", "first", "kept"),
    [
        ("figures/draw.py", "figures", {"derive"}),
        ("derive/write.py", "derive", set()),
        ("report/assets/benchproof.css", "render", {"derive", "figures"}),
        ("report/assets/post.html", "html", {"derive", "figures"}),
        ("verbs/to_gfm.py", "gfm", {"derive", "figures", "render", "html"}),
        ("verbs/install.py", "install", {"derive", "figures", "render", "html", "gfm"}),
        ("importers/write.py", None, set(BUILD)),
    ],
)
def test_edited_code_reruns_what_uses_it(
    project: Project, module: str, first: str | None, kept: set[str]
) -> None:
    project.append(f"src/benchproof/{module}", "\n")
    ran = project.build("-n")
    assert not kept & set(ran)
    assert first is None or first in ran
    assert first is None or "install" in ran


def test_edited_derive_code_really_reruns(project: Project) -> None:
    project.append("src/benchproof/derive/write.py", "\n# changed\n")
    assert project.build()[0] == "derive"


def test_touched_raw_file_reruns_nothing(project: Project) -> None:
    os.utime(project.raw / "cpu.json")
    assert project.build() == []


def test_changed_raw_file_reruns_everything(project: Project) -> None:
    path = project.raw / "mps.json"
    content = json.loads(path.read_bytes())
    for cell in content["cells"]:
        cell["summary"]["median_ns"] += 1000.0
    path.write_text(json.dumps(content), encoding="utf-8")
    before = digests(project.raw)
    assert sorted(project.build()) == sorted(BUILD)
    assert digests(project.raw) == before


def test_new_raw_file_reruns_everything(project: Project) -> None:
    (project.raw / "mps-128.json").write_text(raw("mps-pytorch-cnn.json", 256), encoding="utf-8")
    assert sorted(project.build("-n")) == sorted(BUILD)


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (
            "templates/tiny-post.qmd.j2",
            TEMPLATE + "\nIt takes 4.81 ms.\n",
            r"^benchproof: .*tiny-post\.qmd\.j2:14: number in the text .*'4\.81'.*; bind it",
        ),
        (
            "templates/tiny-post.qmd.j2",
            TEMPLATE.replace("gpu.latency < cpu", "gpu.latency > cpu"),
            r"^benchproof: .*tiny-post\.qmd\.j2:10: claim 'gpu-wins' is false: .*does not hold",
        ),
        ("results/raw/tiny/cpu.json", "{", r"^benchproof: results/raw/tiny/cpu\.json.*; "),
        (
            "config/studies/tiny.yaml",
            "name: [",
            r"^benchproof: config/studies/tiny\.yaml: not YAML",
        ),
    ],
)
def test_bad_input_fails_with_one_line_and_keeps_the_last_post(
    project: Project, path: str, text: str, told: str
) -> None:
    before = digests(project.report)
    (project.folder / path).write_text(text, encoding="utf-8")
    raw_before = digests(project.raw)
    done = project.run()
    assert done.returncode != 0
    ours = [line for line in done.stdout.splitlines() if line.startswith("benchproof:")]
    assert len(ours) == 1
    assert re.search(told, ours[0])
    assert "Traceback" not in done.stdout
    assert digests(project.report) == before
    assert digests(project.raw) == raw_before


def test_build_recovers_once_the_input_is_mended(project: Project) -> None:
    before = digests(project.report)
    project.template.write_text(TEMPLATE + "\n4\n", encoding="utf-8")
    assert project.run().returncode != 0
    project.template.write_text(TEMPLATE, encoding="utf-8")
    project.build()
    assert digests(project.report) == before


def stop(project: Project, sent: signal.Signals) -> None:
    """Start a build, wait until its patched step has paused, and send it a signal."""
    process = subprocess.Popen(
        project.command(),
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 40
        while not (project.folder / "paused").exists():
            assert time.monotonic() < deadline, "the step was never reached"
            assert process.poll() is None, "the build ended before its step paused"
            time.sleep(0.05)
        os.killpg(process.pid, sent)
        process.wait(timeout=20)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=20)


@pytest.mark.parametrize(
    ("step", "sent"),
    [
        ("render", signal.SIGKILL),
        ("install", signal.SIGKILL),
        ("install", signal.SIGTERM),
    ],
)
def test_killed_build_leaves_whole_files_and_the_next_one_completes(
    project: Project, step: str, sent: signal.Signals
) -> None:
    old = digests(project.report)
    project.append("templates/tiny-post.qmd.j2", "\nMore text.\n")
    script = project.folder / f"scripts/{step}.py"
    original = script.read_text(encoding="utf-8")
    place = {"render": "benchproof.report.render", "install": "benchproof.verbs.install"}[step]
    script.write_text(pausing(place) + original, encoding="utf-8")
    stop(project, sent)
    script.write_text(original, encoding="utf-8")
    left = digests(project.report)

    assert project.run("--unlock").returncode == 0
    project.build()
    new = digests(project.report)
    assert "More text." in (project.report / "index.html").read_text(encoding="utf-8")
    assert new.keys() == old.keys()
    for name, digest in left.items():
        assert digest in (old[name], new[name])
    assert "Nothing to be done" in project.run().stdout


def pausing(module: str) -> str:
    """Code that lets a module's second write of a file be followed by a long pause, once."""
    return f"""\
import time
from pathlib import Path
import {module} as module
written = []
write = module.write_atomically
def paused(path, content):
    write(path, content)
    written.append(path)
    if len(written) == 2 and not Path("paused").exists():
        Path("paused").touch()
        time.sleep(50)
module.write_atomically = paused
"""


def test_workflow_passes_the_linter_of_snakemake(clean: tuple[Project, list[str]]) -> None:
    done = clean[0].run("--lint")
    assert done.returncode == 0, done.stdout
