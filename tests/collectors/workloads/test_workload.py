"""A workload's inputs, weights, fingerprint and bytes."""

from dataclasses import fields, replace
from math import prod

import numpy as np
import pytest
from collectors.cases import LARGE_CASES
from hypothesis import given, settings
from hypothesis import strategies as st

from benchproof.collectors.proof import TOLERANCE
from benchproof.collectors.workloads import layers as parts
from benchproof.collectors.workloads.catalogue import LARGE, SMALL, WORKLOADS
from benchproof.collectors.workloads.layers import Layer
from benchproof.collectors.workloads.workload import ITEM_BYTES, Workload
from benchproof.model.keys import Precision

DENSE = parts.Dense("first", 8)
BETWEEN = (
    parts.LayerNorm("norm"), parts.Relu(), parts.Gelu(), parts.LayerScale("scaled"),
    parts.Recurrent("recurrent", 8, 4), parts.Attention("attention", 2),
    parts.Residual((parts.Recurrent("inside", 8, 1), parts.Relu())),
)  # fmt: skip
HEAD = parts.Dense("head", 3)
each_workload = pytest.mark.parametrize("workload", SMALL + LARGE, ids=lambda each: each.slug)
each_small = pytest.mark.parametrize("workload", SMALL, ids=lambda each: each.slug)


def make_workload(*layers: Layer) -> Workload:
    return Workload("Made", "made", (5, 8), layers or (DENSE, parts.Relu(), HEAD))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40))
def test_an_item_is_the_same_in_every_batch(one: int, other: int) -> None:
    workload, shared = make_workload(), min(one, other)
    assert np.array_equal(workload.inputs(one)[:shared], workload.inputs(other)[:shared])


@each_workload
def test_inputs_are_distinct_standard_normal_items(workload: Workload) -> None:
    items = workload.inputs(3)
    assert items.shape == (3, *workload.input_shape)
    assert items.dtype == np.float32
    assert not np.array_equal(items[0], items[1])
    assert abs(float(items.mean())) < 0.1
    assert abs(float(items.std()) - 1) < 0.1


def test_another_seed_gives_other_inputs_and_weights() -> None:
    workload = make_workload()
    assert not np.array_equal(workload.inputs(2), workload.inputs(2, seed=1))
    assert not np.array_equal(
        workload.weights()["first.weight"], workload.weights(seed=1)["first.weight"]
    )


def test_weights_do_not_depend_on_other_layers() -> None:
    few, more = make_workload(), make_workload(DENSE, parts.LayerNorm("norm"), HEAD)
    shared = few.weights().keys() & more.weights().keys()
    assert shared == {"first.weight", "first.bias", "head.weight", "head.bias"}
    for name in shared:
        assert np.array_equal(few.weights()[name], more.weights()[name])


@each_workload
def test_no_bias_is_zero_and_no_scale_is_one(workload: Workload) -> None:
    for name, array in workload.weights().items():
        assert array.dtype == np.float32
        assert (array != 0).all()
        if name.endswith((".scale", ".variance")):
            assert (array != 1).all()
            assert (array > 0).all()


@each_small
def test_activations_keep_their_size_through_the_model(workload: Workload) -> None:
    assert 0.05 < workload.reference(2).std() < 5


def forgotten(name: str) -> float:
    return 1.0 if name.endswith((".scale", ".variance")) else 0.0


@each_small
def test_whatever_a_framework_forgets_the_output_tells(workload: Workload) -> None:
    reference = workload.reference(2)
    weights = {name: array.astype(np.float64) for name, array in workload.weights().items()}
    x = workload.inputs(2).astype(np.float64)
    unseen = set()
    for name, array in weights.items():
        without = weights | {name: np.full_like(array, forgotten(name))}
        error = np.abs(parts.apply(workload.layers, x, without) - reference).max()
        if error / reference.std() < 2 * TOLERANCE[Precision.FP32]:
            unseen.add(name)
    # The same number added to all scores of a query leaves its softmax alone.
    assert unseen == {name for name in weights if name.endswith(".key.bias")}


@pytest.mark.parametrize("order", [(1, 0, 2, 3), (2, 1, 0, 3), (0, 2, 1, 3), (0, 1, 3, 2)])
def test_swapped_gates_change_the_output(order: tuple[int, ...]) -> None:
    workload = WORKLOADS["lstm"]
    reference = workload.reference(2)
    weights = {name: array.astype(np.float64) for name, array in workload.weights().items()}
    for name in ("recurrent1.input", "recurrent1.recurrent", "recurrent1.bias"):
        gates = np.split(weights[name], 4, axis=-1)
        weights[name] = np.concatenate([gates[gate] for gate in order], axis=-1)
    swapped = parts.apply(workload.layers, workload.inputs(2).astype(np.float64), weights)
    assert np.abs(swapped - reference).max() > 10 * TOLERANCE[Precision.FP32] * reference.std()


@each_small
def test_the_reference_of_an_item_does_not_depend_on_its_batch(workload: Workload) -> None:
    np.testing.assert_allclose(workload.reference(3)[:2], workload.reference(2), rtol=1e-9)
    assert workload.reference(3).shape == (3, *workload.output_shape)


@pytest.mark.parametrize("workload", LARGE_CASES)
def test_the_large_references_are_finite_and_tell_items_apart(workload: Workload) -> None:
    first, second = workload.reference(2)
    assert np.isfinite(first).all()
    assert np.abs(first - second).max() > 0.1 * first.std()


def changed(layer: Layer) -> list[Layer]:
    """The layer with each of its fields changed in turn."""
    found: list[Layer] = []
    for field in fields(layer):
        value = getattr(layer, field.name)
        if field.name == "body":
            options = [(*value[:n], other, *value[n + 1 :])
                       for n, inner in enumerate(value) for other in changed(inner)]  # fmt: skip
            options.append(value[:-1])
        elif isinstance(value, bool):
            options = [not value]
        else:
            options = [value + "x" if isinstance(value, str) else value * 2]
        found += [replace(layer, **{field.name: option}) for option in options]
    return found


@each_workload
def test_a_fingerprint_changes_when_any_layer_does(workload: Workload) -> None:
    layers = workload.layers
    others = [replace(workload, layers=layers[:n] + layers[n + 1 :]) for n in range(len(layers))]
    others += [
        replace(workload, layers=(*layers[:n], other, *layers[n + 1 :]))
        for n, layer in enumerate(layers)
        for other in changed(layer)
    ]
    others.append(replace(workload, input_shape=(*workload.input_shape[:-1], 7)))
    assert len(others) > len(layers)
    assert workload.fingerprint not in {other.fingerprint for other in others}
    assert len({other.fingerprint for other in others}) == len(others)


def test_a_fingerprint_does_not_depend_on_the_name() -> None:
    workload = make_workload()
    renamed = replace(workload, name="Other", slug="other")
    assert renamed.fingerprint == workload.fingerprint
    assert len(workload.fingerprint) == 16


@each_workload
@pytest.mark.parametrize("precision", Precision)
def test_unfused_layers_move_at_least_what_a_call_must(
    workload: Workload, precision: Precision
) -> None:
    for batch in (1, 32):
        least = workload.compulsory_bytes(batch, precision)
        assert workload.unfused_bytes(batch, precision) >= least


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(BETWEEN), max_size=4, unique=True), st.integers(1, 64))
def test_any_stack_moves_at_least_what_a_call_must(between: list[Layer], batch: int) -> None:
    workload = make_workload(DENSE, *between, HEAD)
    least = workload.compulsory_bytes(batch, Precision.FP32)
    assert workload.unfused_bytes(batch, Precision.FP32) >= least


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(BETWEEN), max_size=4, unique=True), st.integers(1, 64))
def test_a_stack_s_work_is_the_sum_of_its_layers(between: list[Layer], batch: int) -> None:
    workload = make_workload(DENSE, *between, HEAD)
    alone = sum(layer.flops((5, 8)) for layer in (DENSE, *between, HEAD))
    assert workload.flops(batch) == batch * alone


def test_compulsory_bytes_are_weights_input_and_output_once() -> None:
    workload = make_workload()
    weights, items = (8 * 8 + 8) + (8 * 3 + 3), 5 * 8 + 5 * 3
    assert workload.compulsory_bytes(10, Precision.FP32) == 4 * (weights + 10 * items)
    assert workload.compulsory_bytes(10, Precision.BF16) == 2 * (weights + 10 * items)


def test_unfused_bytes_are_those_of_every_layer() -> None:
    workload = make_workload()
    weights, items = (8 * 8 + 8) + (8 * 3 + 3), 80 + 80 + (40 + 15)
    assert workload.unfused_bytes(10, Precision.FP16) == 2 * (weights + 10 * items)


def test_batch_normalisation_s_statistics_are_bytes_but_no_parameters() -> None:
    workload = make_workload(DENSE, parts.BatchNorm("norm"), HEAD)
    plain = make_workload(DENSE, HEAD)
    assert workload.parameter_count == plain.parameter_count + 2 * 8
    added = workload.compulsory_bytes(1, Precision.FP32) - plain.compulsory_bytes(1, Precision.FP32)
    assert added == 4 * 4 * 8


def test_every_precision_has_its_bytes() -> None:
    assert ITEM_BYTES.keys() == set(Precision)


@each_workload
def test_weights_hold_every_parameter(workload: Workload) -> None:
    held = sum(array.size for array in workload.weights().values())
    assert held == workload.parameter_count + sum(map(prod, workload.buffer_shapes.values()))
