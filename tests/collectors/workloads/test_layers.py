"""Each layer's reference against a second way to compute it, element by element."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchproof.collectors.workloads import layers as parts
from benchproof.collectors.workloads.layers import Array, Layer, Shape, Weights


def drawn(layer: Layer, shape: Shape, seed: int = 0) -> tuple[Array, dict[str, Array]]:
    """Two random items, and random weights; those that have to be positive are."""
    generator = np.random.default_rng(seed)
    shapes = layer.weight_shapes(shape) | layer.buffer_shapes(shape)
    weights = {name: generator.standard_normal(found) for name, found in shapes.items()}
    weights |= {name: np.abs(weights[name]) for name in weights if name.endswith(".variance")}
    return generator.standard_normal((2, *shape)), weights


def dense(x: Array, weights: Weights, name: str) -> Array:
    return np.einsum("...i,io->...o", x, weights[f"{name}.weight"]) + weights[f"{name}.bias"]


def naive_dense(layer: parts.Dense, x: Array, weights: Weights) -> Array:
    return dense(x, weights, layer.name)


def naive_layer_norm(layer: parts.LayerNorm, x: Array, weights: Weights) -> Array:
    found = np.empty_like(x)
    for where in np.ndindex(x.shape[:-1]):
        row = x[where]
        deviation = math.sqrt(np.var(row) + layer.epsilon)
        found[where] = (row - np.mean(row)) / deviation * weights["n.scale"] + weights["n.shift"]
    return found


def naive_batch_norm(layer: parts.BatchNorm, x: Array, weights: Weights) -> Array:
    found = np.empty_like(x)
    for where in np.ndindex(x.shape):
        mean, variance, scale, shift = (
            weights[f"n.{part}"][where[-1]] for part in ("mean", "variance", "scale", "shift")
        )
        found[where] = (x[where] - mean) / math.sqrt(variance + layer.epsilon) * scale + shift
    return found


def naive_relu(_: parts.Relu, x: Array, weights: Weights) -> Array:
    return np.where(x > 0, x, 0)


def naive_gelu(_: parts.Gelu, x: Array, weights: Weights) -> Array:
    return np.vectorize(lambda value: value * NormalDist().cdf(value))(x)


def naive_conv(layer: parts.Conv, x: Array, weights: Weights) -> Array:
    kernel, bias = weights["c.weight"], weights["c.bias"]
    found = np.zeros((len(x), *layer.output_shape(x.shape[1:])))
    for item, row, column, out in np.ndindex(found.shape):
        found[item, row, column, out] = bias[out]
        for i, j in np.ndindex(layer.kernel, layer.kernel):
            y = row * layer.stride + i - layer.padding
            z = column * layer.stride + j - layer.padding
            if 0 <= y < x.shape[1] and 0 <= z < x.shape[2]:
                taken = x[item, y, z, out : out + 1] if layer.depthwise else x[item, y, z]
                found[item, row, column, out] += taken @ kernel[i, j, :, out]
    return found


def naive_max_pool(layer: parts.MaxPool, x: Array, weights: Weights) -> Array:
    found = np.empty((len(x), *layer.output_shape(x.shape[1:])))
    for item, row, column, channel in np.ndindex(found.shape):
        rows = slice(row * layer.size, (row + 1) * layer.size)
        columns = slice(column * layer.size, (column + 1) * layer.size)
        found[item, row, column, channel] = max(x[item, rows, columns, channel].flat)
    return found


def naive_mean(_: parts.MeanOverPositions, x: Array, weights: Weights) -> Array:
    flat = x.reshape(len(x), -1, x.shape[-1])
    return sum(flat[:, position] for position in range(flat.shape[1])) / flat.shape[1]


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def naive_recurrent(layer: parts.Recurrent, x: Array, weights: Weights) -> Array:
    """One unit at a time, from the textbook's equations."""
    size = layer.hidden
    found = np.zeros((len(x), x.shape[1], size))
    for item in range(len(x)):
        hidden, cell = [0.0] * size, [0.0] * size
        for step in range(x.shape[1]):

            def total(gate: int, unit: int, at: Array = x[item, step], h: Array = hidden) -> float:
                column = gate * size + unit
                return float(
                    at @ weights["r.input"][:, column]
                    + np.asarray(h) @ weights["r.recurrent"][:, column]
                    + weights["r.bias"][column]
                )

            if layer.gates == 1:
                hidden = [math.tanh(total(0, unit)) for unit in range(size)]
            else:
                cell = [
                    sigmoid(total(1, unit)) * cell[unit]
                    + sigmoid(total(0, unit)) * math.tanh(total(2, unit))
                    for unit in range(size)
                ]
                hidden = [sigmoid(total(3, unit)) * math.tanh(cell[unit]) for unit in range(size)]
            found[item, step] = hidden
    return found


def naive_attention(layer: parts.Attention, x: Array, weights: Weights) -> Array:
    """One head and one query at a time."""
    steps, width = x.shape[1:]
    size = width // layer.heads
    query, key, value = (dense(x, weights, f"a.{part}") for part in ("query", "key", "value"))
    mixed = np.zeros_like(x)
    for item, head, step in np.ndindex(len(x), layer.heads, steps):
        own = slice(head * size, (head + 1) * size)
        scores = [query[item, step, own] @ key[item, other, own] for other in range(steps)]
        shares = np.exp(np.array(scores) / math.sqrt(size))
        mixed[item, step, own] = shares / shares.sum() @ value[item, :, own]
    return dense(mixed, weights, "a.output")


def naive_patches(_: parts.Patches, x: Array, weights: Weights) -> Array:
    return np.stack([x[:, row, column] for row, column in np.ndindex(x.shape[1:3])], axis=1)


def naive_class_token(_: parts.ClassToken, x: Array, weights: Weights) -> Array:
    items = [np.vstack((weights["e.token"], item)) + weights["e.position"] for item in x]
    return np.stack(items)


def naive_residual(layer: parts.Residual, x: Array, weights: Weights) -> Array:
    inner, norm = layer.body
    assert isinstance(inner, parts.Dense)
    assert isinstance(norm, parts.LayerNorm)
    return x + naive_layer_norm(norm, naive_dense(inner, x, weights), weights)


@dataclass(frozen=True)
class Case:
    layer: Layer
    shape: Shape
    naive: Callable[..., Array]


CASES = [
    Case(parts.Dense("d", 3), (4,), naive_dense),
    Case(parts.Dense("d", 3), (2, 5, 4), naive_dense),
    Case(parts.LayerNorm("n"), (3, 5), naive_layer_norm),
    Case(parts.LayerNorm("n", 0.5), (5,), naive_layer_norm),
    Case(parts.BatchNorm("n", 0.1), (2, 3, 4), naive_batch_norm),
    Case(parts.Relu(), (2, 3), naive_relu),
    Case(parts.Gelu(), (2, 3), naive_gelu),
    Case(parts.Conv("c", 4, 3), (5, 6, 2), naive_conv),
    Case(parts.Conv("c", 3, 2, stride=2), (5, 6, 2), naive_conv),
    Case(parts.Conv("c", 3, 4, stride=4), (8, 8, 3), naive_conv),
    Case(parts.Conv("c", 3, 5, depthwise=True), (6, 5, 3), naive_conv),
    Case(parts.MaxPool(2), (4, 6, 3), naive_max_pool),
    Case(parts.MaxPool(2), (5, 7, 3), naive_max_pool),
    Case(parts.MeanOverPositions(), (4, 6, 3), naive_mean),
    Case(parts.MeanOverPositions(), (7, 3), naive_mean),
    Case(parts.Recurrent("r", 3, 1), (4, 5), naive_recurrent),
    Case(parts.Recurrent("r", 3, 4), (4, 5), naive_recurrent),
    Case(parts.Attention("a", 2), (5, 6), naive_attention),
    Case(parts.Patches(), (2, 3, 4), naive_patches),
    Case(parts.ClassToken("e"), (3, 4), naive_class_token),
    Case(parts.LayerScale("s"), (3, 4), lambda _, x, weights: x * weights["s.scale"]),
    Case(parts.FirstStep(), (3, 4), lambda _, x, weights: np.stack([item[0] for item in x])),
    Case(parts.LastStep(), (3, 4), lambda _, x, weights: np.stack([item[2] for item in x])),
    Case(
        parts.Residual((parts.Dense("d", 4), parts.LayerNorm("n"))), (3, 4), naive_residual
    ),
]  # fmt: skip
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.layer} {case.shape}")


def kinds(base: type[Layer] = Layer) -> set[type[Layer]]:
    found = {kind for child in base.__subclasses__() for kind in (child, *kinds(child))}
    return {kind for kind in found if kind.__module__ == parts.__name__}


def test_every_kind_of_layer_has_a_case() -> None:
    assert {type(case.layer) for case in CASES} == kinds()


@each_case
def test_the_reference_is_what_a_second_way_gives(case: Case) -> None:
    x, weights = drawn(case.layer, case.shape)
    expected = case.naive(case.layer, x, weights)
    np.testing.assert_allclose(case.layer.apply(x, weights), expected, rtol=1e-12, atol=1e-12)


@each_case
def test_the_output_has_the_shape_that_is_told(case: Case) -> None:
    x, weights = drawn(case.layer, case.shape)
    assert case.layer.apply(x, weights).shape == (2, *case.layer.output_shape(case.shape))


@each_case
def test_the_reference_stays_in_double_precision(case: Case) -> None:
    x, weights = drawn(case.layer, case.shape)
    assert case.layer.apply(x, weights).dtype == np.float64


@each_case
def test_a_layer_leaves_its_input_alone(case: Case) -> None:
    x, weights = drawn(case.layer, case.shape)
    before = x.copy()
    case.layer.apply(x, weights)
    assert np.array_equal(x, before)


sides = st.integers(1, 6)
kernels_and_strides = st.sampled_from([(1, 1), (3, 1), (5, 1), (2, 2), (4, 4)])


@settings(max_examples=30, deadline=None)
@given(
    sides, sides, sides, st.sampled_from([(1, 1), (3, 1), (5, 1), (2, 2), (4, 4)]), st.booleans()
)
def test_a_convolution_of_any_shape_is_the_sum_of_its_taps(
    rows: int, columns: int, width: int, how: tuple[int, int], depthwise: bool
) -> None:
    kernel, stride = how
    shape = (rows + kernel, columns + kernel, width if depthwise else 2)
    layer = parts.Conv("c", width, kernel, stride, depthwise)
    x, weights = drawn(layer, shape)
    np.testing.assert_allclose(layer.apply(x, weights), naive_conv(layer, x, weights), atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(sides, sides, st.sampled_from([1, 3, 5, 7]), st.booleans())
def test_a_convolution_counts_two_flops_a_tap_and_keeps_the_size(
    rows: int, columns: int, kernel: int, depthwise: bool
) -> None:
    layer = parts.Conv("c", 6, kernel, depthwise=depthwise)
    assert layer.output_shape((rows, columns, 6)) == (rows, columns, 6)
    taps = math.prod(layer.weight_shapes((rows, columns, 6))["c.weight"])
    assert layer.flops((rows, columns, 6)) == 2 * rows * columns * taps


@settings(max_examples=50, deadline=None)
@given(st.lists(sides, min_size=1, max_size=3).map(tuple), sides)
def test_a_dense_layer_counts_two_flops_a_weight_at_each_position(shape: Shape, width: int) -> None:
    layer = parts.Dense("d", width)
    positions = math.prod(shape[:-1])
    assert layer.flops(shape) == 2 * positions * math.prod(layer.weight_shapes(shape)["d.weight"])


def test_a_recurrent_layer_counts_both_products_of_every_step() -> None:
    step = 2 * 5 * 12 + 2 * 3 * 12
    assert parts.Recurrent("r", 3, 4).flops((7, 5)) == 7 * step


def test_attention_counts_four_projections_the_scores_and_their_use() -> None:
    projections, scores, use = 4 * 2 * 5 * 6 * 6, 2 * 5 * 5 * 6, 2 * 5 * 5 * 6
    assert parts.Attention("a", 2).flops((5, 6)) == projections + scores + use
    assert parts.Attention("a", 3).flops((5, 6)) == projections + scores + use


@pytest.mark.parametrize(
    ("layer", "elements"),
    [
        (parts.Dense("d", 10), 4 * 6 + 4 * 10),
        (parts.Relu(), 2 * 4 * 6),
        (parts.LastStep(), 2 * 6),
        (parts.FirstStep(), 2 * 6),
        (parts.MeanOverPositions(), 4 * 6 + 6),
        # In, out; the projected input there and back; the state there and back.
        (parts.Recurrent("r", 10, 1), 4 * 6 + 4 * 10 + 4 * (2 * 10 + 2 * 10)),
        (parts.Recurrent("r", 10, 4), 4 * 6 + 4 * 10 + 4 * (2 * 40 + 2 * 2 * 10)),
        # Query, key, value and output projections; scores; softmax; their use.
        (parts.Attention("a", 2), 4 * 48 + (48 + 32) + 64 + (32 + 24 + 24)),
        (parts.Residual((parts.Relu(), parts.Relu())), 2 * 48 + 72),
    ],
    ids=str,
)
def test_unfused_layers_move_what_they_read_and_write(layer: Layer, elements: int) -> None:
    assert layer.traffic((4, 6)) == elements


def test_a_reshaped_image_moves_nothing() -> None:
    assert parts.Patches().traffic((4, 6, 3)) == 0


def test_weights_are_read_once_but_a_recurrent_matrix_in_every_step() -> None:
    recurrent = parts.Recurrent("r", 3, 4)
    assert parts.Dense("d", 10).weight_traffic((4, 6)) == 6 * 10 + 10
    assert parts.BatchNorm("n").weight_traffic((4, 6)) == 4 * 6
    assert recurrent.weight_traffic((7, 5)) == 5 * 12 + 12 + 7 * 3 * 12


def test_a_residual_sum_has_the_work_and_the_weights_of_its_body() -> None:
    body = (parts.Recurrent("r", 6, 4), parts.BatchNorm("n"))
    layer = parts.Residual(body)
    assert layer.flops((7, 6)) == body[0].flops((7, 6))
    assert layer.weight_traffic((7, 6)) == sum(each.weight_traffic((7, 6)) for each in body)
    assert layer.buffer_shapes((7, 6)) == {"n.mean": (6,), "n.variance": (6,)}
    assert layer.weight_shapes((7, 6)).keys() == {
        "r.input", "r.recurrent", "r.bias", "n.scale", "n.shift",
    }  # fmt: skip


def test_a_layer_without_a_reference_says_so() -> None:
    with pytest.raises(NotImplementedError):
        Layer().apply(np.zeros((1, 2)), {})
