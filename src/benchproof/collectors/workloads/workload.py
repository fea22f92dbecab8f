"""One workload: a model by its layers, the shape of an item, its work, weights and inputs."""

import hashlib
from dataclasses import dataclass
from functools import cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from benchproof.collectors.workloads import layers as parts
from benchproof.collectors.workloads.layers import Layer, Shape
from benchproof.model.keys import Precision

SEED = 20_240_517
ITEM_BYTES = {
    Precision.FP32: 4, Precision.TF32: 4, Precision.BF16: 2, Precision.FP16: 2, Precision.INT8: 1,
}  # fmt: skip
Float32 = NDArray[np.float32]


@dataclass(frozen=True)
class Workload:
    """A model for inference; `name` is what posts say, `slug` what file names and options say."""

    name: str
    slug: str
    input_shape: Shape
    layers: tuple[Layer, ...]

    @property
    def output_shape(self) -> Shape:
        """Shape of one item's output."""
        return parts.output_shape(self.layers, self.input_shape)

    @property
    def weight_shapes(self) -> dict[str, Shape]:
        """Trained parameters by name."""
        return parts.weight_shapes(self.layers, self.input_shape)

    @property
    def buffer_shapes(self) -> dict[str, Shape]:
        """Kept statistics (of batch normalisation) by name."""
        return parts.buffer_shapes(self.layers, self.input_shape)

    @property
    def parameter_count(self) -> int:
        """Trained parameters, without a framework's redundant ones."""
        return sum(map(prod, self.weight_shapes.values()))

    def flops(self, batch: int) -> int:
        """FLOPs of one call: matrix products and convolutions, two a multiply-add."""
        return batch * parts.flops(self.layers, self.input_shape)

    def compulsory_bytes(self, batch: int, precision: Precision) -> int:
        """Bytes that one call must move: weights and input once, output once."""
        items = prod(self.input_shape) + prod(self.output_shape)
        return (batch * items + self._kept) * ITEM_BYTES[precision]

    def unfused_bytes(self, batch: int, precision: Precision) -> int:
        """Bytes that one call moves when every layer reads and writes memory by itself."""
        weights = parts.weight_traffic(self.layers, self.input_shape)
        items = batch * parts.traffic(self.layers, self.input_shape)
        return (items + weights) * ITEM_BYTES[precision]

    @property
    def _kept(self) -> int:
        return self.parameter_count + sum(map(prod, self.buffer_shapes.values()))

    @property
    def fingerprint(self) -> str:
        """SHA-256 (16 hex digits) of shapes and layers: equal workloads have equal ones."""
        told = f"{self.input_shape} {self.layers}"
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def weights(self, seed: int = SEED) -> dict[str, Float32]:
        """Every weight and buffer, from one seeded initialiser; no bias is zero, no scale one.

        A bias that a framework forgot, or two gates that it swapped, so change the output; not so
        an attention's key bias, which moves all scores of a query alike.
        """
        shapes = self.weight_shapes | self.buffer_shapes
        return {name: _initial(name, shape, seed) for name, shape in shapes.items()}

    def inputs(self, batch: int, seed: int = SEED) -> Float32:
        """A batch of standard normal items; item `i` is the same in every batch."""
        generator = np.random.default_rng([seed, 1])
        drawn = generator.standard_normal((batch, *self.input_shape), dtype=np.float32)
        return np.asarray(drawn)

    def reference(self, items: int, seed: int = SEED) -> NDArray[np.float64]:
        """Output of the first items of every batch, computed in double precision by NumPy.

        Read-only: it is computed once a process.
        """
        return _reference(self, items, seed)


@cache
def _reference(workload: Workload, items: int, seed: int) -> NDArray[np.float64]:
    weights = {name: array.astype(np.float64) for name, array in workload.weights(seed).items()}
    inputs = workload.inputs(items, seed).astype(np.float64)
    output = parts.apply(workload.layers, inputs, weights)
    output.setflags(write=False)
    return output


def _initial(name: str, shape: Shape, seed: int) -> Float32:
    # Each name has its own stream, so that one more layer leaves the others' weights alone.
    digest = hashlib.sha256(name.encode()).digest()
    generator = np.random.default_rng([seed, int.from_bytes(digest[:8], "little")])
    part = name.rsplit(".", 1)[-1]
    if part in ("scale", "variance"):
        drawn = generator.uniform(0.8, 1.2, shape)
    elif len(shape) == 1:
        drawn = generator.uniform(-0.1, 0.1, shape)
    else:
        bound = np.sqrt(3.0 / prod(shape[:-1]))
        drawn = generator.uniform(-bound, bound, shape)
    return drawn.astype(np.float32)
