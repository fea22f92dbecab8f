"""PyTorch's models are the workloads' models: weights, size, work, output."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from benchproof.collectors.frameworks.base import UnsupportedError
from benchproof.collectors.workloads.catalogue import LARGE, SMALL, WORKLOADS
from benchproof.collectors.workloads.workload import Float32, Workload
from benchproof.model.keys import Device, Precision

pytest.importorskip("torch")

from benchproof.collectors.frameworks.pytorch.adapter import EAGER, PyTorch

TOLERANCE = {Precision.FP32: 1e-4, Precision.BF16: 0.1, Precision.FP16: 0.03}
SLOW_REFERENCES = [pytest.param(each, marks=pytest.mark.slow, id=each.slug) for each in LARGE]
MODELS = [pytest.param(each, id=each.slug) for each in SMALL]


def error(
    workload: Workload,
    precision: Precision = Precision.FP32,
    weights: Mapping[str, Float32] | None = None,
) -> float:
    """Largest deviation of the first two of four items, in the reference's standard deviations."""
    weights = workload.weights() if weights is None else weights
    program = PyTorch().program(workload, weights, workload.inputs(4), EAGER, Device.CPU, precision)
    found = program.fetch(program.call())
    assert found.shape == (4, *workload.output_shape)
    assert found.dtype == np.float64
    reference = workload.reference(2)
    return float(np.abs(found[:2] - reference).max() / reference.std())


@pytest.mark.parametrize("workload", MODELS + SLOW_REFERENCES)
def test_output_agrees_with_the_reference(workload: Workload) -> None:
    assert error(workload) < TOLERANCE[Precision.FP32]


@pytest.mark.parametrize("precision", [Precision.BF16, Precision.FP16])
@pytest.mark.parametrize("workload", MODELS)
def test_narrow_formats_round_but_agree(workload: Workload, precision: Precision) -> None:
    # Exact agreement would mean that the model still ran in fp32.
    assert TOLERANCE[Precision.FP32] < error(workload, precision) < TOLERANCE[precision]


@pytest.mark.parametrize("first", range(3))
def test_two_swapped_gates_would_be_seen(first: int) -> None:
    workload = WORKLOADS["lstm"]
    weights = dict(workload.weights())
    for part in ("input", "recurrent", "bias"):
        gates = np.split(weights[f"recurrent2.{part}"], 4, axis=-1)
        gates[first], gates[first + 1] = gates[first + 1], gates[first]
        weights[f"recurrent2.{part}"] = np.concatenate(gates, axis=-1)
    assert error(workload, weights=weights) > TOLERANCE[Precision.BF16]


@pytest.mark.parametrize("workload", MODELS)
def test_every_forgotten_vector_would_be_seen(workload: Workload) -> None:
    weights = workload.weights()
    # Softmax takes a key's bias out again: it adds the same to all scores of a query.
    vectors = [name for name, each in weights.items() if each.ndim == 1 and ".key.bias" not in name]
    for name in vectors:
        neutral = np.ones_like if name.endswith(("scale", "variance")) else np.zeros_like
        assert error(workload, weights=weights | {name: neutral(weights[name])}) > 1e-3, name


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS)
def test_size_is_counted_without_the_second_recurrent_bias(workload: Workload) -> None:
    program = PyTorch().program(
        workload, workload.weights(), workload.inputs(1), EAGER, Device.CPU, Precision.FP32
    )
    twice = {"rnn": 2 * 128, "lstm": 2 * 4 * 128}.get(workload.slug, 0)
    statistics = sum(map(np.prod, workload.buffer_shapes.values()))
    counters = 8 * len(workload.buffer_shapes) // 2  # batches seen, one a normalisation
    assert program.parameter_count == workload.parameter_count
    assert program.redundant_parameters == twice
    assert program.parameter_bytes == 4 * (program.parameter_count + twice + statistics) + counters


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS)
@pytest.mark.parametrize("precision", [Precision.FP32, Precision.BF16])
def test_pytorch_counts_the_flops_that_the_workload_tells(
    workload: Workload, precision: Precision
) -> None:
    program = PyTorch().program(
        workload, workload.weights(), workload.inputs(2), EAGER, Device.CPU, precision
    )
    assert program.counted_flops() == workload.flops(2)


def test_an_unknown_workload_is_unsupported() -> None:
    workload = replace(WORKLOADS["cnn"], slug="unknown", name="Unknown")
    with pytest.raises(UnsupportedError, match="Unknown: PyTorch has no such model here"):
        error(workload)


def test_a_workload_of_other_shapes_is_unsupported() -> None:
    workload = replace(WORKLOADS["ff-dnn"], input_shape=(100,))
    with pytest.raises(UnsupportedError, match=r"other weights: dense1\.weight"):
        error(workload)


def test_a_weight_that_no_module_takes_is_unsupported() -> None:
    workload = WORKLOADS["ff-dnn"]
    extra = workload.weights() | {"dense9.bias": np.zeros(3, np.float32)}
    with pytest.raises(UnsupportedError, match=r"other weights: dense9\.bias"):
        error(workload, weights=extra)
