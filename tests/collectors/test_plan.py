import json
from dataclasses import replace

import pytest

from benchproof.collectors.frameworks.base import Variant
from benchproof.collectors.plan import CellKey, Job, cell_keys, grouped
from benchproof.collectors.profiles import LARGE, PROFILES, SMALL, Protocol
from benchproof.collectors.workloads import catalogue
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.model.keys import Device, Framework, Precision, VariantKind

EAGER = Variant("eager", VariantKind.EAGER)
JIT = Variant("jax.jit", VariantKind.COMPILED)
BOTH = (Precision.FP32, Precision.BF16)


def make_job(**changes: object) -> Job:
    job = Job("tiny", Device.CPU, Framework.JAX, 1, ("cnn", "rnn"), (1, 32), Protocol())
    return replace(job, **changes)  # type: ignore[arg-type]


def test_a_job_goes_through_json_unchanged() -> None:
    job = make_job(precisions=BOTH, variants=("eager",), threads=2, ceilings=({"value": 1.0},))
    told = json.loads(json.dumps(job.to_json()))
    assert Job.from_json(told) == job
    assert Job.from_json(told).ceilings == job.ceilings


def test_every_cell_of_the_plan_is_there_once() -> None:
    keys = cell_keys(make_job(), (EAGER, JIT), BOTH)
    expected = {
        CellKey(workload, batch, "fp32", variant)
        for workload in ("cnn", "rnn")
        for batch in (1, 32)
        for variant in ("eager", "jax.jit")
    }
    assert len(keys) == len(expected)
    assert set(keys) == expected


def test_precisions_and_variants_can_be_asked_for() -> None:
    keys = cell_keys(make_job(precisions=BOTH, variants=("JAX.JIT",)), (EAGER, JIT), BOTH)
    assert {key.precision for key in keys} == {"fp32", "bf16"}
    assert {key.variant for key in keys} == {"jax.jit"}


def test_cells_of_a_group_stay_together() -> None:
    groups = list(grouped(cell_keys(make_job(), (EAGER, JIT), BOTH)))
    assert [len(group) for group in groups] == [2, 2, 2, 2]
    assert all(len({(key.workload, key.batch) for key in group}) == 1 for group in groups)


def test_the_order_is_random_between_rounds_and_the_same_within_one() -> None:
    orders = {tuple(cell_keys(make_job(round=number), (EAGER,), BOTH)) for number in range(1, 9)}
    assert len(orders) > 4
    assert cell_keys(make_job(), (EAGER,), BOTH) == cell_keys(make_job(), (EAGER,), BOTH)


def test_profiles_are_what_the_documentation_says() -> None:
    quick, standard = PROFILES["quick"], PROFILES["standard"]
    assert (quick.rounds, standard.rounds) == (1, 3)
    assert standard.batches == (1, 8, 32, 128, 256, 512)
    assert len(standard.workloads) == 5
    for profile in PROFILES.values():
        assert profile.protocol.warmup >= 15
        assert profile.protocol.samples >= 40
        assert profile.protocol.interval_percent == 1.0
        assert set(profile.workloads) <= set(WORKLOADS)


def test_the_profiles_name_the_workloads_of_the_catalogue() -> None:
    assert tuple(workload.slug for workload in catalogue.SMALL) == SMALL
    assert tuple(workload.slug for workload in catalogue.LARGE) == LARGE


def test_a_protocol_without_time_is_refused() -> None:
    with pytest.raises(ValueError, match="budget_s has to be positive"):
        Protocol(budget_s=0)
    with pytest.raises(ValueError, match="time_limit_s has to be positive"):
        Protocol(time_limit_s=float("nan"))
    with pytest.raises(ValueError, match="time_limit_s has to be positive, at most 1,000,000"):
        Protocol(time_limit_s=float("inf"))
