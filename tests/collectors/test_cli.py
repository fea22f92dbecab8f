import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from installed import any_framework

from benchproof.collectors import cli, exclusive
from benchproof.collectors.cli import main, parser, planned_jobs
from benchproof.collectors.presence import PACKAGES, installed_frameworks
from benchproof.errors import InputError
from benchproof.model.keys import Framework
from benchproof.records.load import load_file

SRC = Path(__file__).resolve().parents[2] / "src"
# Of what benchproof itself needs, nothing may be imported; frameworks bring their own packages.
OURS = (
    "cpuinfo", "duckdb", "jinja2", "matplotlib", "msgspec", "psutil", "pypandoc", "snakemake",
    "typer", "typst", "yaml",
)  # fmt: skip
BLOCKER = f"""
import sys
class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {OURS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Bare())
"""
QUICKEST = ("--workload", "ff-dnn", "--batch", "1", "--budget-s", "0.05")


def collect(
    folder: Path, framework: Framework, *options: str, bare: bool = False
) -> subprocess.CompletedProcess[str]:
    paths = [str(SRC)]
    if bare:
        (folder / "bare").mkdir()
        (folder / "bare" / "sitecustomize.py").write_text(BLOCKER)
        paths.insert(0, str(folder / "bare"))
    return subprocess.run(
        [sys.executable, "-m", "benchproof.collectors", "--output", str(folder / "tiny"),
         "--framework", framework.value.lower(), *QUICKEST, *options],
        capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("framework", list(Framework))
def test_a_bare_machine_needs_numpy_and_the_framework_alone(
    tmp_path: Path, framework: Framework
) -> None:
    if framework not in installed_frameworks():
        pytest.skip(f"{PACKAGES[framework]} is not installed")
    # Ceilings and compilers take long: each is measured without our packages elsewhere.
    (tmp_path / "none").write_text("[]")
    quick = ("--variant", "eager", "--ceilings", str(tmp_path / "none"))
    ran = collect(tmp_path, framework, "--rounds", "1", *quick, bare=True)
    assert ran.returncode == 0, ran.stderr
    folder = tmp_path / "tiny" / f"cpu-{framework.value.lower()}-r1"
    _, raw, _ = load_file(folder / "ff-dnn.json", tmp_path)
    assert raw.framework.name is framework
    assert raw.study == "tiny"
    eager = raw.cells[0]
    assert eager.variant == "eager"
    assert len(eager.samples_ns) >= 40
    assert len(eager.warmup_ns) >= 15
    assert eager.actual_device == "cpu"
    assert raw.controls
    assert "left" in ran.stderr


def test_the_same_command_again_measures_nothing(tmp_path: Path) -> None:
    framework = any_framework()
    assert collect(tmp_path, framework).returncode == 0
    files = {path: path.read_bytes() for path in tmp_path.rglob("*.json")}
    again = collect(tmp_path, framework)
    assert again.returncode == 0
    assert "already measured" in again.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.json")} == files


@pytest.mark.parametrize(
    ("options", "where"),
    [
        (("--study", "other"), "#/study: holds"),
        (("--budget-s", "0.06"), "#/protocol/budget_s: holds 0.05"),
        (("--variant", "eager"), "#/protocol/variants: holds none, and"),
        (("--threads", "64"), "#/protocol/threads: holds"),
    ],
)
def test_other_settings_do_not_pass_for_what_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], where: str
) -> None:
    told = {
        "schema": "benchproof/raw@1", "study": "tiny", "framework": {"version": "1"},
        "run": {"ended": "now"}, "workload": {}, "machine": {"chip": "x"},
        "cells": [{"batch": 1, "precision": "fp32", "variant": "eager", "status": "ok"}],
        "protocol": {
            "warmup": 15, "samples": 40, "interval_percent": 1.0, "budget_s": 0.05,
            "time_limit_s": 180.0, "threads": 2,
        },
    }  # fmt: skip
    path = tmp_path / "tiny" / "cpu-jax-r1" / "ff-dnn.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(told))
    command = ["--output", str(tmp_path / "tiny"), "--framework", "jax", *QUICKEST]
    assert main(command) == 0
    assert "already measured" in capsys.readouterr().err
    assert main([*command, *options]) == 2
    assert where in capsys.readouterr().err
    assert json.loads(path.read_text()) == told


def hears_interrupts() -> None:
    """What a shell starts in its background hears no Ctrl-C, nor do the tests that it runs."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_interrupting_leaves_what_was_measured(tmp_path: Path) -> None:
    framework = any_framework()
    command = [
        sys.executable, "-m", "benchproof.collectors", "--output", str(tmp_path / "tiny"),
        "--framework", framework.value.lower(), "--workload", "ff-dnn", "--budget-s", "0.05",
        *(word for batch in range(1, 60) for word in ("--batch", str(batch))),
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=hears_interrupts
    ) as process:
        path = tmp_path / "tiny" / f"cpu-{framework.value.lower()}-r1" / "ff-dnn.json"
        end = time.monotonic() + 120
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "what was measured is kept" in told
    raw = load_file(path, tmp_path)[1]
    assert 1 <= len(raw.cells) < 59
    assert raw.run.ended is None


def test_finished_jobs_are_moved_into_place_with_the_ceilings(tmp_path: Path) -> None:
    framework = any_framework()
    work = tmp_path / "work"
    options = ("--work", str(work), "--ceilings", str(tmp_path / "c.json"))
    ran = collect(tmp_path, framework, *options, bare=True)
    assert ran.returncode == 0, ran.stderr
    (path,) = (tmp_path / "tiny").rglob("ff-dnn.json")
    assert load_file(path, tmp_path)[1].machine.ceilings
    assert list((tmp_path / "tiny").rglob("ff-dnn.json"))
    assert not list(work.rglob("*.json"))
    assert json.loads((tmp_path / "c.json").read_text())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--budget-s", "-1"], "--budget-s: protocol: budget_s has to be positive"),
        (["--time-limit-s", "0"], "--time-limit-s: protocol: time_limit_s has to be positive"),
        (["-o", "broken.json"], "broken.json: is no folder; name another one with -o"),
        (
            ["-o", "other"],
            'other/cpu-jax-r1/cnn.json#/study: holds "m3", and what would be measured',
        ),
        (["--ceilings", "broken.json"], "broken.json: holds no ceilings; delete it"),
        (["--ceilings", "other.json"], "other.json: holds no ceilings; delete it"),
    ],
)
def test_bad_options_are_told_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.json").write_text("{")
    Path("other.json").write_text('{"a": 1}')
    Path("other/cpu-jax-r1").mkdir(parents=True)
    Path("other/cpu-jax-r1/cnn.json").write_text('{"schema": "benchproof/raw@1", "study": "m3"}')
    assert main(["--output", "tiny", "--framework", "jax", *options]) == 2
    assert f"benchproof: {message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [
        ["--batch", "0"],
        ["--device", "tpu"],
        ["--workload", "gpt"],
        ["--round", "5", "--rounds", "2"],
    ],
)
def test_options_that_do_not_exist_are_refused(option: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parser().parse_args(["--output", "x", *option])
    assert caught.value.code == 2


def test_rounds_come_before_frameworks(tmp_path: Path) -> None:
    options = parser().parse_args(
        ["-o", str(tmp_path / "lab"), "--rounds", "2", "--framework", "jax", "--framework", "mlx"]
    )
    jobs = planned_jobs(options)
    assert [job.name for job in jobs] == [
        "cpu-jax-r1", "cpu-mlx-r1", "cpu-jax-r2", "cpu-mlx-r2",
    ]  # fmt: skip
    assert {job.study for job in jobs} == {"lab"}


def test_a_nan_budget_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="budget_s has to be positive"):
        planned_jobs(parser().parse_args(["-o", str(tmp_path), "--budget-s", "nan"]))


def test_presence_agrees_with_what_can_be_found() -> None:
    assert installed_frameworks() == [f for f, name in PACKAGES.items() if find_spec(name)]


def test_a_folder_of_a_frameworks_name_is_no_framework(tmp_path: Path) -> None:
    for name in PACKAGES.values():
        (tmp_path / name).mkdir()
    program = (
        "from benchproof.collectors.presence import installed_frameworks as f; print(len(f()))"
    )
    # Neither site-packages nor the environment's paths: only what lies in this folder.
    told = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True,
        check=True, env={"PYTHONPATH": os.pathsep.join((str(SRC), str(tmp_path)))},
    )  # fmt: skip
    assert told.stdout == "0\n"


def test_the_lock_of_another_user_can_be_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exclusive, "FOLDER", tmp_path)
    lock = tmp_path / "benchproof-measuring.lock"
    lock.touch(mode=0o444)
    told: list[str] = []
    with exclusive.measuring_alone(told.append):
        program = "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        second = subprocess.run(
            [sys.executable, "-c", program, str(lock)], capture_output=True, text=True, check=False
        )
        assert "BlockingIOError" in second.stderr
    assert told == []
    with exclusive.measuring_alone(told.append):
        assert told == []


def test_without_any_framework_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "installed_frameworks", list)
    assert main(["--output", str(tmp_path / "tiny")]) == 2
    told = capsys.readouterr().err
    assert "--framework: no framework is installed here; install one of torch, jax" in told
    assert not (tmp_path / "tiny").exists()


def test_frameworks_that_are_not_installed_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "installed_frameworks", lambda: [Framework.JAX])
    monkeypatch.setattr(cli, "collect", lambda jobs, options, progress: None)
    assert main(["--output", str(tmp_path / "tiny")]) == 0
    assert "TensorFlow: skipped, tensorflow is not installed" in capsys.readouterr().err
    options = parser().parse_args(["--output", "tiny"])
    assert {job.framework for job in planned_jobs(options)} == {Framework.JAX}
