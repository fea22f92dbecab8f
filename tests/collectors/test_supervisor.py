import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchproof.collectors.plan import Job
from benchproof.collectors.profiles import Protocol
from benchproof.collectors.progress import Progress
from benchproof.collectors.supervisor import measure_ceilings, run_job
from benchproof.errors import InputError
from benchproof.model.keys import Device, Framework
from benchproof.records.load import load_file

ADAPTER = Path(__file__).with_name("numpy_adapter.py")
PROGRAM = (sys.executable, str(ADAPTER))
FAST = Protocol(
    warmup=2, samples=6, blocks=2, budget_s=0.05, time_limit_s=60, ceilings_s=0.2, retries=0,
    minimum_sample_ns=1,
)  # fmt: skip


def make_job(**changes: Any) -> Job:
    job = Job("tiny", Device.CPU, Framework.PYTORCH, 1, ("ff-dnn", "rnn"), (1, 2), FAST)
    return replace(job, **changes)


def measure(
    folder: Path, faults: str, monkeypatch: pytest.MonkeyPatch, **changes: Any
) -> dict[str, dict[tuple[int, str], dict[str, Any]]]:
    """Cells of a job by workload, then by batch and variant, as they lie on disk."""
    monkeypatch.setenv("FAULTS", faults)
    run_job(make_job(**changes), folder, Progress(), PROGRAM)
    return cells(folder)


def cells(folder: Path) -> dict[str, dict[tuple[int, str], dict[str, Any]]]:
    found = {}
    for path in sorted(folder.rglob("*.json")):
        told = json.loads(path.read_text())
        found[path.stem] = {(cell["batch"], cell["variant"]): cell for cell in told["cells"]}
        load_file(path, folder)  # what the loader refuses is no raw file
    return found


def test_a_job_gives_one_whole_file_a_workload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measure(tmp_path, "", monkeypatch)
    assert set(found) == {"ff-dnn", "rnn"}
    assert len(found["rnn"]) == 6
    cell = found["rnn"][2, "eager"]
    assert cell["status"] in ("ok", "unstable")
    assert len(cell["samples_ns"]) >= 6
    assert len(cell["warmup_ns"]) >= 2
    assert cell["actual_device"] == "cpu"
    assert cell["parameter_count"] == 67_082
    assert cell["flops_per_call"] == 2 * 4_196_864
    assert cell["output_error"] == 0
    assert all(isinstance(sample, int) for sample in cell["samples_ns"])
    told = json.loads((tmp_path / "cpu-pytorch-r1" / "rnn.json").read_text())
    assert told["run"]["ended"] >= told["run"]["started"]
    assert told["framework"]["version"]
    assert told["machine"]["chip"]


def test_one_cell_of_a_job_is_measured_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(tmp_path, "", monkeypatch)
    files = [json.loads(path.read_text()) for path in tmp_path.rglob("*.json")]
    controls = [control for file in files for control in file.get("controls", ())]
    assert len(controls) == 1
    assert controls[0]["variant"] == "eager"
    assert len(controls[0]["samples_ns"]) >= 6


def test_a_control_that_fails_is_taken_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = (1, 2, 3)
    for failing in ("memory:ff-dnn:1:eager", "memory:ff-dnn:2:eager", "memory:ff-dnn:3:eager"):
        folder = tmp_path / failing.replace(":", "-")
        measure(folder, failing, monkeypatch, workloads=("ff-dnn",), batches=batches)
        file = json.loads((folder / "cpu-pytorch-r1" / "ff-dnn.json").read_text())
        (control,) = file["controls"]
        failed = next(cell for cell in file["cells"] if cell["status"] == "failed")
        # The last group of a job has none after it.
        assert control["status"] != "failed" or file["cells"][-3:].count(failed)


def test_a_variant_that_compiles_nothing_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hollow = measure(tmp_path, "", monkeypatch)["rnn"][1, "hollow"]
    assert hollow["status"] == "skipped"
    assert hollow["compiled_graphs"] == 0
    assert hollow["reason"] == "hollow compiled nothing (0 graphs): it ran eager"
    assert "samples_ns" not in hollow


@pytest.mark.parametrize(
    ("fault", "status", "reason"),
    [
        ("memory", "failed", "MemoryError: cannot allocate 8 TiB"),
        ("late", "failed", "RuntimeError: out of memory: tried to allocate 2 GiB"),
        ("crash", "failed", "killed by SIGSEGV, at: first call"),
        ("elsewhere", "failed", "asked for cpu, the output lives on mps:0"),
        ("wrong", "failed", "standard deviations from the reference's"),
        ("nan", "failed", "the output is not finite"),
        ("shape", "failed", "the output has shape (1, 3), not (2, 10)"),
        ("lighter", "failed", "the model holds 67,081 parameters, RNN has 67,082"),
        ("unsupported", "skipped", "no RNN here"),
    ],
)  # fmt: skip
def test_a_fault_ends_its_cell_and_the_sweep_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, status: str, reason: str
) -> None:
    found = measure(tmp_path, f"{fault}:rnn:2:compiled", monkeypatch)
    cell = found["rnn"][2, "compiled"]
    assert cell["status"] == status
    assert reason in cell["reason"]
    assert "samples_ns" not in cell
    others = [c for file in found.values() for c in file.values() if c["variant"] == "eager"]
    assert len(others) == 4
    assert all(other["samples_ns"] for other in others)


def test_a_hang_ends_at_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    protocol = replace(FAST, time_limit_s=2)
    found = measure(tmp_path, "hang:rnn:1:compiled", monkeypatch, protocol=protocol)
    cell = found["rnn"][1, "compiled"]
    assert (cell["status"], cell["reason"]) == ("failed", "no sign of life for 2 s, at: first call")
    assert found["rnn"][2, "eager"]["samples_ns"]


def test_an_output_elsewhere_is_kept_as_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = measure(tmp_path, "elsewhere:rnn:1:eager", monkeypatch)["rnn"][1, "eager"]
    assert (cell["actual_device"], cell["device_text"]) == ("mps", "mps:0")


def test_device_time_is_kept_beside_the_hosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = measure(tmp_path, "timer:rnn:1:eager", monkeypatch)["rnn"][1, "eager"]
    assert set(cell["device_samples_ns"]) == {1000}
    assert len(cell["device_samples_ns"]) == min(200, len(cell["samples_ns"]))


def test_a_worker_that_dies_between_cells_starts_again_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measure(tmp_path, "close:rnn:1:eager", monkeypatch)
    assert {len(file) for file in found.values()} == {6}
    assert found["rnn"][1, "eager"]["samples_ns"]
    told = json.loads((tmp_path / "cpu-pytorch-r1" / "rnn.json").read_text())
    assert "resumed" not in told["run"]


def test_a_missing_framework_is_skipped_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = measure(tmp_path, "missing", monkeypatch)
    assert {cell["status"] for file in found.values() for cell in file.values()} == {"skipped"}
    assert found["rnn"][1, "eager"]["reason"] == "PyTorch cannot be imported: No module"
    assert "skipped: PyTorch cannot be imported" in capsys.readouterr().err


def test_what_was_missing_is_measured_when_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(tmp_path, "missing", monkeypatch)
    found = measure(tmp_path, "", monkeypatch)
    assert found["rnn"][1, "eager"]["samples_ns"]
    assert {len(file) for file in found.values()} == {6}


def test_a_variant_that_the_framework_has_not_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measure(tmp_path, "", monkeypatch, variants=("turbo",))
    assert found["rnn"][1, "turbo"]["status"] == "skipped"
    assert found["rnn"][1, "turbo"]["reason"] == (
        "PyTorch has no variant turbo on cpu; it has eager, compiled, hollow"
    )


def test_a_device_that_the_framework_does_not_see_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measure(tmp_path, "", monkeypatch, device=Device.CUDA)
    assert found["rnn"][1, "eager"]["reason"].endswith("sees no cuda here, only cpu")
    assert not list(tmp_path.rglob("cpu-*"))


def test_a_worker_that_cannot_start_fails_its_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measure(tmp_path, "die", monkeypatch)
    assert found["rnn"][1, "eager"]["status"] == "failed"
    assert found["rnn"][1, "eager"]["reason"].startswith("the worker's process ended with status 3")


def test_an_interrupted_job_goes_on_at_the_next_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "from test_supervisor import make_job, PROGRAM\n"
        "from benchproof.collectors.progress import Progress\n"
        "from benchproof.collectors.supervisor import run_job\n"
        "run_job(make_job(), Path(sys.argv[2]), Progress(), PROGRAM)\n"
    )
    arguments = [sys.executable, "-c", script, str(ADAPTER.parent), str(tmp_path)]
    environment = {**os.environ, "FAULTS": "hang:rnn:1:compiled"}
    with subprocess.Popen(arguments, env=environment, start_new_session=True) as process:
        # The hang holds the job at a place that is known; by then other groups are on disk.
        kept = wait_for_cells(tmp_path, 3)
        os.killpg(process.pid, signal.SIGKILL)
    before = cells(tmp_path)
    done = [key for file in before.values() for key in file]
    assert len(done) >= kept
    resumed = measure(tmp_path, "", monkeypatch)
    for workload, file in before.items():
        for key, cell in file.items():
            assert resumed[workload][key] == cell
    assert {len(file) for file in resumed.values()} == {6}
    told = json.loads((tmp_path / "cpu-pytorch-r1" / "rnn.json").read_text())
    assert len(told["run"]["resumed"]) == 1
    assert told["run"]["ended"]


def wait_for_cells(folder: Path, least: int) -> int:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = sum(
            len(json.loads(path.read_text())["cells"])
            for path in folder.rglob("*.json")
            if not path.name.startswith(".")
        )
        if found >= least:
            return found
        time.sleep(0.05)
    raise AssertionError("no cells came")


def test_files_of_another_study_or_protocol_are_never_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(tmp_path, "", monkeypatch, workloads=("rnn",), batches=(1,))
    path = tmp_path / "cpu-pytorch-r1" / "rnn.json"
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"rnn\.json#/study: holds \"tiny\""):
        run_job(make_job(study="other"), tmp_path, Progress(), PROGRAM)
    with pytest.raises(InputError, match=r"#/protocol: holds .* move the old file away"):
        run_job(make_job(protocol=replace(FAST, budget_s=9)), tmp_path, Progress(), PROGRAM)
    assert path.read_bytes() == before


OURS = '{"schema": "benchproof/raw@1", "framework": {}, "workload": {}, "run": {}, "protocol": {}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema": "mine"}', "is no benchproof/raw@1 file; move it away"),
        ('{"schema": "benchproof/raw@1"}', "is no file of these collectors; move it away"),
        (OURS + ', "machine": {"chip": "x"}}', "is no file of these collectors; move it away"),
        (OURS + ', "machine": [], "cells": []}', "is no file of these collectors; move it away"),
        (OURS + ', "machine": {"chip": "x"}, "cells": [{"batch": 1}]}', "is no file of these"),
        ("[1, 2", "cannot be read (Expecting"),
        ("", "cannot be read (Expecting value"),
    ],
)
def test_a_file_that_is_none_is_named_and_kept(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "cpu-pytorch-r1" / "rnn.json"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        run_job(make_job(), tmp_path, Progress(), PROGRAM)
    assert message in str(caught.value)
    assert path.read_text() == text


def test_a_grown_plan_measures_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = measure(tmp_path, "", monkeypatch, batches=(1,))
    grown = measure(tmp_path, "", monkeypatch, batches=(1, 2))
    assert grown["rnn"][1, "eager"] == small["rnn"][1, "eager"]
    assert (2, "eager") in grown["rnn"]


def test_a_variable_limits_no_framework_that_reads_it_while_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("MKL_NUM_THREADS", "1")
    measure(tmp_path, "threads", monkeypatch, workloads=("rnn",), batches=(1,))
    told = json.loads((tmp_path / "cpu-pytorch-r1" / "rnn.json").read_text())
    assert told["framework"]["packages"]["OMP_NUM_THREADS"] == "not set"
    job = {"workloads": ("rnn",), "batches": (1,), "threads": 3, "round": 2}
    measure(tmp_path, "threads", monkeypatch, **job)
    told = json.loads((tmp_path / "cpu-pytorch-r2" / "rnn.json").read_text())
    assert told["framework"]["packages"]["OMP_NUM_THREADS"] == "3"


def test_ceilings_are_measured_by_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTS", "")
    found = measure_ceilings(make_job(), PROGRAM)
    assert {ceiling["quantity"] for ceiling in found} == {"flops_per_s", "bytes_per_s"}
    assert all(ceiling["kind"] == "measured" and ceiling["value"] > 0 for ceiling in found)


def test_ceilings_of_a_missing_framework_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTS", "missing")
    assert measure_ceilings(make_job(), PROGRAM) == []
