"""What may be compared with what, on the public telemetry and at its edges."""

from itertools import product

import pytest
from factory import CEILINGS, committed, committed_study, make_record

from benchproof.errors import (
    BatchError,
    DeviceTruthError,
    GateError,
    RuleConflictError,
    UnequalWorkError,
)
from benchproof.model.keys import Device, Framework
from benchproof.records.findings import Level
from benchproof.records.gates import (
    SelectionRule,
    device_findings,
    is_timed,
    limit_findings,
    machine_findings,
    require_comparable,
    require_device_truth,
    require_one_rule,
    require_same_batch,
    require_same_work,
    work_differences,
)

# --- gate 1: device truth ------------------------------------------------------------------


def test_the_twenty_jax_records_of_the_gpu_sweep_are_quarantined() -> None:
    quarantined = committed_study().quarantined
    assert len(quarantined) == 20
    assert {r.framework for r in quarantined} == {Framework.JAX}
    assert {(r.requested, r.actual) for r in quarantined} == {(Device.MPS, Device.CPU)}
    assert {r.device_text for r in quarantined} == {"cpu:0 (cpu)"}
    on_gpu = [r for r in committed_study().records if r.requested is Device.MPS]
    assert len(on_gpu) == 20
    assert {r.framework for r in on_gpu} == {Framework.PYTORCH}


def test_the_device_finding_names_all_of_them_once() -> None:
    findings = [f for f in committed_study().findings if f.rule == "device-truth"]
    assert [(f.level, f.message) for f in findings] == [
        (
            Level.ERROR,
            "20 JAX records asked for mps ran on cpu:0 (cpu); they are no evidence about mps",
        )
    ]
    assert len(set(findings[0].records)) == 20


def test_quarantined_record_raises_with_place_and_both_devices() -> None:
    record = committed(device="mps", framework="JAX", model="LSTM", batch=32, kind="compiled")
    with pytest.raises(DeviceTruthError) as caught:
        require_device_truth(record)
    assert str(caught.value) == (
        "results/raw/apple-m3/mps-jax-lstm.json#/cells/1: JAX jax.jit LSTM on mps, batch 32, "
        "fp32: asked for mps, ran on cpu:0 (cpu); show it as what it is, or collect again"
    )


def test_a_record_that_tells_no_device_is_believed() -> None:
    require_device_truth(make_record(device="cuda"))
    assert device_findings([make_record(device="cuda")]) == []


def test_device_message_does_without_the_sources_words() -> None:
    with pytest.raises(DeviceTruthError, match="asked for mps, ran on cpu; show it"):
        require_device_truth(make_record(device="mps", actual_device="cpu"))


def test_cpu_work_that_ran_on_a_gpu_is_quarantined_too() -> None:
    (finding,) = device_findings([make_record(actual_device="cuda")])
    assert finding.message.startswith("1 PyTorch records asked for cpu ran on cuda;")


# --- gate 2: same work ---------------------------------------------------------------------

BATCHES = (1, 8, 32, 128)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("model", ["RNN", "LSTM", "Transformer"])
def test_pytorch_against_jax_is_refused_where_the_models_differ(model: str, batch: int) -> None:
    torch, jax = (
        committed(device="cpu", framework=framework, model=model, batch=batch, kind="eager")
        for framework in ("PyTorch", "JAX")
    )
    with pytest.raises(UnequalWorkError) as caught:
        require_same_work(torch, jax)
    message = str(caught.value)
    for field in ("flops_per_call", "parameter_bytes"):
        left, right = getattr(torch.cell, field), getattr(jax.cell, field)
        name = {"flops_per_call": "FLOPs", "parameter_bytes": "parameter bytes"}[field]
        assert left > 1.5 * right
        assert f"{name} {left:,} against {right:,}" in message


def test_the_refusal_of_unequal_work_reads_like_this() -> None:
    torch, jax = (
        committed(device="cpu", framework=framework, model="LSTM", batch=32, kind="eager")
        for framework in ("PyTorch", "JAX")
    )
    with pytest.raises(UnequalWorkError) as caught:
        require_same_work(torch, jax)
    assert str(caught.value) == (
        "PyTorch eager LSTM on cpu, batch 32, fp32 against JAX eager LSTM on cpu, batch 32, fp32: "
        "not the same work: FLOPs 536,952,832 against 271,007,744; parameter bytes 1,053,736 "
        "against 529,408; show the pair only as not like for like"
    )


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("model", ["FF DNN", "CNN"])
def test_pytorch_against_jax_is_allowed_where_the_models_agree(model: str, batch: int) -> None:
    kinds = ("eager", "compiled")
    for left, right in product(kinds, kinds):
        require_comparable(
            committed(device="cpu", framework="PyTorch", model=model, batch=batch, kind=left),
            committed(device="cpu", framework="JAX", model=model, batch=batch, kind=right),
        )


def test_two_percent_is_allowed_for_imports_and_nothing_for_own_telemetry() -> None:
    near = make_record(flops_per_call=1_020_000_000)
    assert [d.field for d in work_differences(make_record(), near)] == ["FLOPs"]
    imported = {"imported": True}
    near = make_record(**imported, flops_per_call=1_020_000_000)
    far = make_record(**imported, flops_per_call=1_020_500_000)
    assert work_differences(make_record(**imported), near) == []
    assert [str(d) for d in work_differences(make_record(**imported), far)] == [
        "FLOPs 1,000,000,000 against 1,020,500,000"
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "RNN"}, "model CNN against RNN"),
        ({"task": "train-step"}, "task inference against train-step"),
        ({"scale": "large"}, "scale None against large"),
        ({"precision": "fp16"}, "precision fp32 against fp16"),
        ({"input_shape": [3, 8]}, "input shape None against (3, 8)"),
        ({"flops_per_call": 5}, "FLOPs 1,000,000,000 against 5"),
        ({"parameter_bytes": 5}, "parameter bytes 4,000 against 5"),
        ({"parameter_count": 5}, "parameters 1,000 against 5"),
    ],
)
def test_each_part_of_the_work_has_to_agree(change: dict[str, object], message: str) -> None:
    with pytest.raises(UnequalWorkError, match="not the same work") as caught:
        require_same_work(make_record(), make_record(**change))
    assert message in str(caught.value)


NOTHING_TOLD = {"flops_per_call": None, "parameter_bytes": None, "parameter_count": None}


def test_work_that_nobody_told_is_not_the_same_work() -> None:
    silent = make_record(**NOTHING_TOLD)
    with pytest.raises(UnequalWorkError, match="FLOPs not told against not told"):
        require_same_work(silent, make_record(framework="JAX", **NOTHING_TOLD))
    with pytest.raises(UnequalWorkError):
        require_same_work(silent, make_record())


def test_across_batches_flops_count_per_item_between_frameworks() -> None:
    small = make_record(batch=1, flops_per_call=1_000)
    same = make_record(framework="JAX", batch=8, flops_per_call=8_000)
    twice = make_record(framework="JAX", batch=8, flops_per_call=16_000)
    assert work_differences(small, same, same_batch=False) == []
    assert [str(d) for d in work_differences(small, twice, same_batch=False)] == [
        "FLOPs 1,000 against 2,000"
    ]
    assert [d.field for d in work_differences(small, same)] == ["FLOPs"]


def test_across_batches_one_frameworks_model_is_the_same_by_its_name() -> None:
    small, large = (make_record(batch=batch, **NOTHING_TOLD) for batch in (1, 8))
    require_same_work(small, large, same_batch=False)
    other = make_record(batch=8, **NOTHING_TOLD | {"model": "RNN"})
    with pytest.raises(UnequalWorkError, match="model CNN against RNN"):
        require_same_work(small, other, same_batch=False)


# --- gate 3: same batch --------------------------------------------------------------------


def test_batch_256_cannot_stand_in_a_batch_32_comparison() -> None:
    cpu = committed(device="cpu", framework="PyTorch", model="CNN", batch=32, kind="eager")
    gpu = committed(device="mps", framework="PyTorch", model="CNN", batch=256, kind="eager")
    with pytest.raises(BatchError) as caught:
        require_comparable(cpu, gpu)
    assert str(caught.value) == (
        "PyTorch eager CNN on cpu, batch 32, fp32 against PyTorch eager CNN on mps, batch 256, "
        "fp32: batch 32 and 256; compare at a shared batch, or compare throughput and say so"
    )
    require_same_batch(cpu, cpu)


def test_every_pair_that_passes_shares_device_truth_batch_and_work() -> None:
    records = committed_study().everything[::7]
    allowed = 0
    for left, right in product(records, records):
        try:
            require_comparable(left, right)
        except GateError:
            continue
        allowed += 1
        assert left.batch == right.batch
        assert left.model == right.model
        assert left.actual in (None, left.requested)
        assert abs(left.cell.flops_per_call - right.cell.flops_per_call) <= (  # type: ignore[operator]
            0.02 * left.cell.flops_per_call  # type: ignore[operator]
        )
    assert allowed >= len(records) - 3


# --- gate 4: physical limits ---------------------------------------------------------------


def test_no_record_of_the_public_telemetry_is_above_its_datasheet() -> None:
    findings = limit_findings(committed_study().everything)
    assert [f for f in findings if f.level is Level.ERROR] == []


def test_records_above_the_measured_bandwidth_are_told_as_such() -> None:
    findings = [f for f in committed_study().findings if f.rule == "physical-limit"]
    assert {f.level for f in findings} == {Level.WARNING}
    told = "is above the measured ceiling of 41.82 GB/s (NumPy STREAM triad)"
    assert [f.message.replace(told, "!") for f in findings] == [
        "JAX jax.jit LSTM on cpu, batch 1, fp32: 99.47 GB/s !",
        "JAX jax.jit RNN on cpu, batch 1, fp32: 77.58 GB/s !",
    ]


def test_a_rate_above_the_datasheet_is_reported_and_not_clipped() -> None:
    impossible = make_record(samples_ns=(500_000,), bytes_per_call=100)
    (finding,) = limit_findings([impossible])
    assert finding.level is Level.ERROR
    assert finding.records == ("results/raw/tiny/a.json#/cells/0",)
    assert finding.message == (
        "PyTorch eager CNN on cpu, batch 32, fp32: 2000 GFLOP/s is above the datasheet ceiling "
        "of 1000 GFLOP/s (sheet)"
    )
    assert impossible.median_s == 5e-4


def test_bytes_have_their_own_ceilings() -> None:
    record = make_record(samples_ns=(1_000_000,), flops_per_call=None, bytes_per_call=110_000_000)
    assert [(f.level, f.message.partition(": ")[2]) for f in limit_findings([record])] == [
        (Level.ERROR, "110 GB/s is above the datasheet ceiling of 100 GB/s (sheet)"),
        (Level.WARNING, "110 GB/s is above the measured ceiling of 50 GB/s (triad)"),
    ]


def test_a_rate_exactly_at_its_ceiling_is_possible() -> None:
    at_peak = make_record(samples_ns=(1_000_000,), bytes_per_call=50_000_000)
    assert limit_findings([at_peak]) == []


def test_half_precision_is_not_held_against_the_fp32_peak() -> None:
    changes = {"samples_ns": (600_000,), "bytes_per_call": 1}
    assert limit_findings([make_record(precision="fp16", **changes)]) == []
    assert limit_findings([make_record(precision="int8", **changes)]) == []
    assert len(limit_findings([make_record(**changes)])) == 1


def test_without_ceilings_work_or_time_there_is_no_limit_to_break() -> None:
    fast = {"samples_ns": (1,)}
    assert limit_findings([make_record(ceilings=(), **fast)]) == []
    assert limit_findings([make_record(flops_per_call=None, bytes_per_call=None, **fast)]) == []
    failed = make_record(status="failed", reason="broken", **fast)
    assert not is_timed(failed)
    assert limit_findings([failed]) == []


def test_of_two_ceilings_of_one_kind_the_higher_one_counts() -> None:
    doubled = (*CEILINGS, {**CEILINGS[0], "value": 4e12})
    record = make_record(ceilings=doubled, samples_ns=(500_000,), bytes_per_call=1)
    assert limit_findings([record]) == []


def test_a_memory_ceiling_says_nothing_of_data_in_the_cache() -> None:
    told = {"samples_ns": (50_000,), "bytes_per_call": 10_000_000, "flops_per_call": 1}
    (outside,) = limit_findings([make_record(**told, cache_bytes=9_999_999)])[:1]
    assert outside.level is Level.ERROR
    inside = limit_findings([make_record(**told, cache_bytes=10_000_000)])
    assert {finding.level for finding in inside} == {Level.WARNING}
    assert all("its data fits the last-level cache" in finding.message for finding in inside)


def test_a_gpu_is_another_chip_than_its_host_and_two_cpus_are_two_machines() -> None:
    host, card = make_record(chip="EPYC"), make_record(chip="H200", device="cuda")
    assert machine_findings([host, card]) == []
    (finding,) = machine_findings([host, card, make_record(chip="Xeon")])
    assert finding.rule == "mixed-machines"
    assert "EPYC (1), Xeon (1)" in finding.message


def test_layers_that_both_records_tell_have_to_agree() -> None:
    left, right = make_record(fingerprint="a1"), make_record(fingerprint="b2")
    assert [str(d) for d in work_differences(left, right)] == ["layers a1 against b2"]
    assert work_differences(left, make_record()) == []


# --- gate 5: one selection rule ------------------------------------------------------------


def test_counts_under_two_rules_in_one_post_are_refused() -> None:
    uses = [
        (SelectionRule.ANY_VARIANT, "line 3"),
        (SelectionRule.ANY_VARIANT, "line 5"),
        (SelectionRule.COMPILED_ONLY, "line 9"),
    ]
    with pytest.raises(RuleConflictError) as caught:
        require_one_rule(uses)
    assert str(caught.value) == (
        "counts under different selection rules in one post: 'any variant' at line 3; "
        "'compiled only' at line 9; choose one rule; `labelled_wins` shows what another one counts"
    )
    require_one_rule(uses[:2])
    require_one_rule([])


@pytest.mark.parametrize(
    ("rule", "admitted"),
    [
        (SelectionRule.ANY_VARIANT, ["eager", "compiled", "graph-replay"]),
        (SelectionRule.COMPILED_ONLY, ["compiled", "graph-replay"]),
        (SelectionRule.EAGER_ONLY, ["eager"]),
    ],
)
def test_a_rule_says_which_variants_may_win(rule: SelectionRule, admitted: list[str]) -> None:
    kinds = ["eager", "compiled", "graph-replay"]
    assert [kind for kind in kinds if rule.admits(make_record(kind=kind))] == admitted
