"""Cells that were disturbed are sampled again within a cap, and what is not kept is told."""

from dataclasses import replace
from typing import Any

import pytest
from collectors.numpy_adapter import NumpyAdapter

from benchproof.collectors.measure import Bench, Candidate
from benchproof.collectors.plan import CellKey, Job
from benchproof.collectors.profiles import Protocol
from benchproof.collectors.sampling import Series
from benchproof.model.keys import Device, Framework

KEY = CellKey("ff-dnn", 1, "fp32", "eager")
PROTOCOL = Protocol(
    warmup=2, samples=6, blocks=2, budget_s=0.05, retries=2, retry_s=60.0, minimum_sample_ns=1
)


def measured(monkeypatch: pytest.MonkeyPatch, disturbed: int, **changes: Any) -> dict[str, Any]:
    """What is told of one cell whose first passes, as many as `disturbed`, share their cores."""
    passes: list[Series | None] = []

    def disturbance(bench: Bench, candidate: Candidate) -> str | None:
        del bench
        if not any(one is candidate.series for one in passes):
            passes.append(candidate.series)
        return "shared its cores" if len(passes) <= disturbed else None

    monkeypatch.setattr(Bench, "_disturbance", disturbance)
    protocol = replace(PROTOCOL, **changes)
    job = Job("tiny", Device.CPU, Framework.PYTORCH, 1, ("ff-dnn",), (1,), protocol)
    bench = Bench(job, NumpyAdapter(), 2, lambda candidate, stage: None)
    return next(bench.measure([KEY], None)).told


def test_a_quiet_cell_is_sampled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = measured(monkeypatch, 0)
    assert (told["retries"], "discarded_ns" in told) == (0, False)
    assert told.get("reason") is None or "shared" not in told["reason"]


def test_a_disturbed_cell_is_sampled_again_and_the_lost_time_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = measured(monkeypatch, 1)
    assert told["retries"] == 1
    assert told["discarded_ns"] > 0
    assert "shared" not in (told.get("reason") or "")


def test_a_cell_that_stays_disturbed_is_kept_and_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    told = measured(monkeypatch, 5)
    assert (told["retries"], told["status"]) == (2, "unstable")
    assert told["reason"].startswith("shared its cores")
    assert len(told["samples_ns"]) >= 6


def test_a_job_gives_up_retries_when_their_time_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    told = measured(monkeypatch, 5, retry_s=1e-9)
    assert (told["retries"], told["status"]) == (0, "unstable")
    assert "discarded_ns" not in told
