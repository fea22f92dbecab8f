"""Layers by shape: what each computes, counts and weighs, and a NumPy reference of it.

A layer knows its input only by shape, without the batch. FLOPs are those of matrix products and
convolutions, two a multiply-add, as PyTorch's FlopCounterMode counts. Weights are named
`LAYER.PART` and lie as `(input, output)`; convolutions as `(height, width, input, output)`;
images as `(height, width, channels)`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import erf, prod

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
Array = NDArray[np.float64]
Weights = Mapping[str, Array]

_ERF = np.vectorize(erf, otypes=[np.float64])


@dataclass(frozen=True)
class Layer:
    """A step of a model; the defaults are those of an elementwise one without weights."""

    def output_shape(self, shape: Shape) -> Shape:
        """Shape of one item's output."""
        return shape

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        """Trained parameters by name."""
        del shape
        return {}

    def buffer_shapes(self, shape: Shape) -> dict[str, Shape]:
        """Statistics that the layer reads and training does not descend on."""
        del shape
        return {}

    def flops(self, shape: Shape) -> int:
        """FLOPs of one item's matrix products and convolutions."""
        del shape
        return 0

    def traffic(self, shape: Shape) -> int:
        """Elements that one item moves when the layer reads and writes memory; weights apart."""
        return prod(shape) + prod(self.output_shape(shape))

    def weight_traffic(self, shape: Shape) -> int:
        """Elements of weights and statistics that one call reads, whatever its batch."""
        return sum(map(prod, (self.weight_shapes(shape) | self.buffer_shapes(shape)).values()))

    def apply(self, x: Array, weights: Weights) -> Array:
        """The reference: output of a batch, in double precision."""
        raise NotImplementedError


@dataclass(frozen=True)
class Dense(Layer):
    """Matrix product over the last axis, and a bias."""

    name: str
    width: int

    def output_shape(self, shape: Shape) -> Shape:
        return (*shape[:-1], self.width)

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {f"{self.name}.weight": (shape[-1], self.width), f"{self.name}.bias": (self.width,)}

    def flops(self, shape: Shape) -> int:
        return 2 * prod(shape) * self.width

    def apply(self, x: Array, weights: Weights) -> Array:
        return _project(x, weights, self.name)


@dataclass(frozen=True)
class LayerNorm(Layer):
    """Normalisation over the last axis, with scale and shift."""

    name: str
    epsilon: float = 1e-5

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {f"{self.name}.scale": shape[-1:], f"{self.name}.shift": shape[-1:]}

    def apply(self, x: Array, weights: Weights) -> Array:
        centred: Array = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self.epsilon)
        return _scaled(centred / spread, weights, self.name)


@dataclass(frozen=True)
class BatchNorm(Layer):
    """Normalisation by kept statistics, as in inference, with scale and shift."""

    name: str
    epsilon: float = 1e-5

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {f"{self.name}.scale": shape[-1:], f"{self.name}.shift": shape[-1:]}

    def buffer_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {f"{self.name}.mean": shape[-1:], f"{self.name}.variance": shape[-1:]}

    def apply(self, x: Array, weights: Weights) -> Array:
        spread = np.sqrt(weights[f"{self.name}.variance"] + self.epsilon)
        centred: Array = (x - weights[f"{self.name}.mean"]) / spread
        return _scaled(centred, weights, self.name)


@dataclass(frozen=True)
class Relu(Layer):
    """max(x, 0)."""

    def apply(self, x: Array, weights: Weights) -> Array:
        del weights
        return np.maximum(x, 0)


@dataclass(frozen=True)
class Gelu(Layer):
    """x times the normal distribution function of x, exactly (by erf)."""

    def apply(self, x: Array, weights: Weights) -> Array:
        del weights
        return np.asarray(0.5 * x * (1 + _ERF(x / np.sqrt(2))))


@dataclass(frozen=True)
class Conv(Layer):
    """Square convolution: at stride 1 padded as an odd kernel keeps the size, else not padded.

    `depthwise` filters every channel apart; `width` is then the number of channels.
    """

    name: str
    width: int
    kernel: int
    stride: int = 1
    depthwise: bool = False

    @property
    def padding(self) -> int:
        """Zeros on each side."""
        return self.kernel // 2 if self.stride == 1 else 0

    def output_shape(self, shape: Shape) -> Shape:
        rows, columns = (
            (side + 2 * self.padding - self.kernel) // self.stride + 1 for side in shape[:2]
        )
        return (rows, columns, self.width)

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        channels = 1 if self.depthwise else shape[2]
        kernel = (self.kernel, self.kernel, channels, self.width)
        return {f"{self.name}.weight": kernel, f"{self.name}.bias": (self.width,)}

    def flops(self, shape: Shape) -> int:
        channels = 1 if self.depthwise else shape[2]
        return 2 * prod(self.output_shape(shape)) * self.kernel**2 * channels

    def apply(self, x: Array, weights: Weights) -> Array:
        pad = self.padding
        padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(
            padded, (self.kernel, self.kernel), axis=(1, 2)
        )[:, :: self.stride, :: self.stride]
        kernel = weights[f"{self.name}.weight"]
        if self.depthwise:
            product = np.einsum("bhwcij,ijc->bhwc", windows, kernel[:, :, 0], optimize=True)
        else:
            product = np.einsum("bhwcij,ijco->bhwo", windows, kernel, optimize=True)
        return np.asarray(product + weights[f"{self.name}.bias"])


@dataclass(frozen=True)
class MaxPool(Layer):
    """Largest of each square of `size` by `size`, without overlap; a rest at the edge is left."""

    size: int

    def output_shape(self, shape: Shape) -> Shape:
        return (shape[0] // self.size, shape[1] // self.size, shape[2])

    def apply(self, x: Array, weights: Weights) -> Array:
        del weights
        rows, columns, channels = self.output_shape(x.shape[1:])
        whole = x[:, : rows * self.size, : columns * self.size]
        blocks = whole.reshape(len(x), rows, self.size, columns, self.size, channels)
        return np.asarray(blocks.max(axis=(2, 4)))


@dataclass(frozen=True)
class MeanOverPositions(Layer):
    """Mean over all axes but the last: an image's pixels, or a sequence's steps."""

    def output_shape(self, shape: Shape) -> Shape:
        return shape[-1:]

    def apply(self, x: Array, weights: Weights) -> Array:
        del weights
        return np.asarray(x.mean(axis=tuple(range(1, x.ndim - 1))))


@dataclass(frozen=True)
class LastStep(Layer):
    """The last step of a sequence."""

    def output_shape(self, shape: Shape) -> Shape:
        return shape[1:]

    def traffic(self, shape: Shape) -> int:
        return 2 * prod(self.output_shape(shape))

    def apply(self, x: Array, weights: Weights) -> Array:
        del weights
        return x[:, -1]


@dataclass(frozen=True)
class Recurrent(Layer):
    """A recurrent layer that gives every step's hidden state; it starts from zeros.

    `gates` columns stand side by side in its weights: 1 is the plain tanh network, 4 the LSTM
    with input, forget, candidate and output gates in this order.
    """

    name: str
    hidden: int
    gates: int

    def output_shape(self, shape: Shape) -> Shape:
        return (shape[0], self.hidden)

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        columns = self.gates * self.hidden
        return {
            f"{self.name}.input": (shape[1], columns),
            f"{self.name}.recurrent": (self.hidden, columns),
            f"{self.name}.bias": (columns,),
        }

    def flops(self, shape: Shape) -> int:
        return 2 * shape[0] * self.gates * self.hidden * (shape[1] + self.hidden)

    def traffic(self, shape: Shape) -> int:
        states = 2 if self.gates == 4 else 1
        # The projected input on its way there and back, and states that are kept beside the output.
        per_step = 2 * self.gates * self.hidden + 2 * states * self.hidden
        return super().traffic(shape) + shape[0] * per_step

    def weight_traffic(self, shape: Shape) -> int:
        # All steps are projected at once; the recurrent matrix is read again in every step.
        again = (shape[0] - 1) * self.gates * self.hidden**2
        return super().weight_traffic(shape) + again

    def apply(self, x: Array, weights: Weights) -> Array:
        projected = x @ weights[f"{self.name}.input"] + weights[f"{self.name}.bias"]
        hidden = cell = np.zeros((len(x), self.hidden))
        steps = []
        for step in range(x.shape[1]):
            total = projected[:, step] + hidden @ weights[f"{self.name}.recurrent"]
            hidden, cell = self._advance(total, cell)
            steps.append(hidden)
        return np.stack(steps, axis=1)

    def _advance(self, total: Array, cell: Array) -> tuple[Array, Array]:
        if self.gates == 1:
            return np.tanh(total), cell
        admit, forget, candidate, output = np.split(total, 4, axis=-1)
        cell = _sigmoid(forget) * cell + _sigmoid(admit) * np.tanh(candidate)
        return _sigmoid(output) * np.tanh(cell), cell


@dataclass(frozen=True)
class Attention(Layer):
    """Self-attention of several heads over a sequence, with an output projection."""

    name: str
    heads: int

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        width = shape[1]
        return {
            f"{self.name}.{part}.{kind}": (width, width) if kind == "weight" else (width,)
            for part in ("query", "key", "value", "output")
            for kind in ("weight", "bias")
        }

    def flops(self, shape: Shape) -> int:
        steps, width = shape
        return 4 * 2 * steps * width * width + 2 * 2 * steps * steps * width

    def traffic(self, shape: Shape) -> int:
        steps, width = shape
        scores = self.heads * steps * steps
        # Four projections; scores from q and k; softmax; weighted sum of v.
        return (
            8 * steps * width
            + (2 * steps * width + scores)
            + 2 * scores
            + (scores + 2 * steps * width)
        )

    def apply(self, x: Array, weights: Weights) -> Array:
        query, key, value = (self._heads(x, weights, part) for part in ("query", "key", "value"))
        scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
        share = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = share / share.sum(axis=-1, keepdims=True) @ value
        joined = np.swapaxes(mixed, 1, 2).reshape(x.shape)
        return _project(joined, weights, f"{self.name}.output")

    def _heads(self, x: Array, weights: Weights, part: str) -> Array:
        projected = _project(x, weights, f"{self.name}.{part}")
        split = projected.reshape(*x.shape[:2], self.heads, x.shape[2] // self.heads)
        return np.swapaxes(split, 1, 2)


@dataclass(frozen=True)
class Patches(Layer):
    """An image's positions as a sequence, row by row."""

    def output_shape(self, shape: Shape) -> Shape:
        return (shape[0] * shape[1], shape[2])

    def traffic(self, shape: Shape) -> int:
        del shape
        return 0  # the same memory under another shape

    def apply(self, x: Array, weights: Weights) -> Array:
        del weights
        return x.reshape(len(x), -1, x.shape[-1])


@dataclass(frozen=True)
class ClassToken(Layer):
    """A learned first step before the sequence, and a learned position added to every step."""

    name: str

    def output_shape(self, shape: Shape) -> Shape:
        return (shape[0] + 1, shape[1])

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {
            f"{self.name}.token": (1, shape[1]),
            f"{self.name}.position": self.output_shape(shape),
        }

    def apply(self, x: Array, weights: Weights) -> Array:
        token = np.broadcast_to(weights[f"{self.name}.token"], (len(x), 1, x.shape[-1]))
        return np.concatenate((token, x), axis=1) + weights[f"{self.name}.position"]


@dataclass(frozen=True)
class FirstStep(Layer):
    """The first step of a sequence."""

    def output_shape(self, shape: Shape) -> Shape:
        return shape[1:]

    def traffic(self, shape: Shape) -> int:
        return 2 * prod(self.output_shape(shape))

    def apply(self, x: Array, weights: Weights) -> Array:
        del weights
        return x[:, 0]


@dataclass(frozen=True)
class LayerScale(Layer):
    """Each channel times a learned factor."""

    name: str

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {f"{self.name}.scale": shape[-1:]}

    def apply(self, x: Array, weights: Weights) -> Array:
        return x * weights[f"{self.name}.scale"]


@dataclass(frozen=True)
class Residual(Layer):
    """The body's output added to its input."""

    body: tuple[Layer, ...]

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return weight_shapes(self.body, shape)

    def buffer_shapes(self, shape: Shape) -> dict[str, Shape]:
        return buffer_shapes(self.body, shape)

    def flops(self, shape: Shape) -> int:
        return flops(self.body, shape)

    def traffic(self, shape: Shape) -> int:
        return traffic(self.body, shape) + 3 * prod(shape)

    def weight_traffic(self, shape: Shape) -> int:
        return weight_traffic(self.body, shape)

    def apply(self, x: Array, weights: Weights) -> Array:
        return x + apply(self.body, x, weights)


def output_shape(layers: tuple[Layer, ...], shape: Shape) -> Shape:
    """Shape of one item after all layers."""
    for layer in layers:
        shape = layer.output_shape(shape)
    return shape


def weight_shapes(layers: tuple[Layer, ...], shape: Shape) -> dict[str, Shape]:
    """Trained parameters of all layers, by name."""
    return {
        name: found
        for layer, before in steps(layers, shape)
        for name, found in layer.weight_shapes(before).items()
    }


def buffer_shapes(layers: tuple[Layer, ...], shape: Shape) -> dict[str, Shape]:
    """Kept statistics of all layers, by name."""
    return {
        name: found
        for layer, before in steps(layers, shape)
        for name, found in layer.buffer_shapes(before).items()
    }


def flops(layers: tuple[Layer, ...], shape: Shape) -> int:
    """FLOPs of one item through all layers."""
    return sum(layer.flops(before) for layer, before in steps(layers, shape))


def traffic(layers: tuple[Layer, ...], shape: Shape) -> int:
    """Elements that one item moves through all layers when each reads and writes memory."""
    return sum(layer.traffic(before) for layer, before in steps(layers, shape))


def weight_traffic(layers: tuple[Layer, ...], shape: Shape) -> int:
    """Elements of weights and statistics that one call of all layers reads."""
    return sum(layer.weight_traffic(before) for layer, before in steps(layers, shape))


def apply(layers: tuple[Layer, ...], x: Array, weights: Weights) -> Array:
    """Reference output of a batch."""
    for layer in layers:
        x = layer.apply(x, weights)
    return x


def steps(layers: tuple[Layer, ...], shape: Shape) -> list[tuple[Layer, Shape]]:
    """Each layer with the shape that reaches it."""
    found = []
    for layer in layers:
        found.append((layer, shape))
        shape = layer.output_shape(shape)
    return found


def _scaled(x: Array, weights: Weights, name: str) -> Array:
    return np.asarray(x * weights[f"{name}.scale"] + weights[f"{name}.shift"])


def _project(x: Array, weights: Weights, name: str) -> Array:
    return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))
