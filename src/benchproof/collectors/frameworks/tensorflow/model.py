"""A workload as a functional Keras model, its weights loaded."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import Any

from numpy.typing import NDArray

from benchproof.collectors.frameworks.base import UnsupportedError
from benchproof.collectors.frameworks.tensorflow.layers import ClassToken, LayerScale
from benchproof.collectors.frameworks.tensorflow.runtime import keras
from benchproof.collectors.workloads import layers as spec
from benchproof.collectors.workloads.layers import Layer
from benchproof.collectors.workloads.workload import Float32, Workload


def build(workload: Workload, weights: Mapping[str, Float32], dtype: str, cudnn: bool) -> Any:
    """The model with parameters and arithmetic of `dtype`; UnsupportedError.

    `cudnn` lets an LSTM use cuDNN's kernel where Keras finds that it can.
    """
    inputs = keras.Input(workload.input_shape, dtype=dtype)
    outputs = _Builder(weights, dtype, cudnn).sequence(workload.layers, inputs)
    return keras.Model(inputs, outputs, name=workload.slug)


@dataclass(frozen=True)
class _Builder:
    """Adds layers to symbolic tensors; whatever Keras would read from its config is given."""

    weights: Mapping[str, Float32]
    dtype: str
    cudnn: bool

    def sequence(self, layers: tuple[Layer, ...], x: Any) -> Any:
        """Output of the layers one after the other."""
        for layer, following in zip(layers, (*layers[1:], None), strict=True):
            if isinstance(layer, spec.Recurrent):
                x = self._recurrent(layer, x, sequences=not isinstance(following, spec.LastStep))
            else:
                x = self.add(layer, x)
        return x

    @singledispatchmethod
    def add(self, layer: Layer, x: Any) -> Any:
        """Output of one layer."""
        del x
        raise UnsupportedError(f"TensorFlow has no layer for {type(layer).__name__} here")

    def _loaded(self, layer: Any, x: Any, *arrays: NDArray[Any]) -> Any:
        output = layer(x)
        layer.set_weights(arrays)  # refuses another number of arrays, or other shapes
        return output

    def _parts(self, layer: Any, *parts: str) -> tuple[NDArray[Any], ...]:
        return tuple(self.weights[f"{layer.name}.{part}"] for part in parts)

    @add.register
    def _dense(self, layer: spec.Dense, x: Any) -> Any:
        dense = keras.layers.Dense(layer.width, dtype=self.dtype)
        return self._loaded(dense, x, *self._parts(layer, "weight", "bias"))

    @add.register
    def _layer_norm(self, layer: spec.LayerNorm, x: Any) -> Any:
        norm = keras.layers.LayerNormalization(epsilon=layer.epsilon, dtype=self.dtype)
        return self._loaded(norm, x, *self._parts(layer, "scale", "shift"))

    @add.register
    def _batch_norm(self, layer: spec.BatchNorm, x: Any) -> Any:
        norm = keras.layers.BatchNormalization(epsilon=layer.epsilon, dtype=self.dtype)
        return self._loaded(norm, x, *self._parts(layer, "scale", "shift", "mean", "variance"))

    @add.register
    def _conv(self, layer: spec.Conv, x: Any) -> Any:
        kernel, bias = self._parts(layer, "weight", "bias")
        options = {
            "strides": layer.stride,
            "padding": "same" if layer.stride == 1 else "valid",
            "data_format": "channels_last",
            "dtype": self.dtype,
        }
        if layer.depthwise:
            conv = keras.layers.DepthwiseConv2D(layer.kernel, **options)
            return self._loaded(conv, x, kernel.transpose(0, 1, 3, 2), bias)
        conv = keras.layers.Conv2D(layer.width, layer.kernel, **options)
        return self._loaded(conv, x, kernel, bias)

    def _recurrent(self, layer: spec.Recurrent, x: Any, sequences: bool) -> Any:
        # Keras's own first values come from a decomposition that bfloat16 lacks.
        options: dict[str, Any] = {
            "return_sequences": sequences,
            "recurrent_initializer": "zeros",
            "dtype": self.dtype,
        }
        if layer.gates == 1:
            recurrent = keras.layers.SimpleRNN(layer.hidden, **options)
        else:
            # Keras keeps the gates in the order that workloads have.
            options["use_cudnn"] = "auto" if self.cudnn else False
            recurrent = keras.layers.LSTM(layer.hidden, **options)
        return self._loaded(recurrent, x, *self._parts(layer, "input", "recurrent", "bias"))

    @add.register
    def _last_step(self, layer: spec.LastStep, x: Any) -> Any:
        del layer
        return x if len(x.shape) == 2 else x[:, -1]  # a recurrent layer gives its last step itself

    @add.register
    def _first_step(self, layer: spec.FirstStep, x: Any) -> Any:
        del layer
        return x[:, 0]

    @add.register
    def _attention(self, layer: spec.Attention, x: Any) -> Any:
        width = x.shape[-1]
        heads = (layer.heads, width // layer.heads)
        attention = keras.layers.MultiHeadAttention(layer.heads, heads[1], dtype=self.dtype)
        output = attention(x, x)
        arrays = []
        for part in ("query", "key", "value"):
            kernel, bias = self._parts(layer, f"{part}.weight", f"{part}.bias")
            arrays += [kernel.reshape(width, *heads), bias.reshape(heads)]
        kernel, bias = self._parts(layer, "output.weight", "output.bias")
        attention.set_weights([*arrays, kernel.reshape(*heads, width), bias])
        return output

    @add.register
    def _residual(self, layer: spec.Residual, x: Any) -> Any:
        return keras.layers.Add(dtype=self.dtype)([x, self.sequence(layer.body, x)])

    @add.register
    def _class_token(self, layer: spec.ClassToken, x: Any) -> Any:
        parts = self._parts(layer, "token", "position")
        return self._loaded(ClassToken(dtype=self.dtype), x, *parts)

    @add.register
    def _layer_scale(self, layer: spec.LayerScale, x: Any) -> Any:
        return self._loaded(LayerScale(dtype=self.dtype), x, *self._parts(layer, "scale"))

    @add.register
    def _relu(self, layer: spec.Relu, x: Any) -> Any:
        del layer
        return keras.layers.Activation("relu", dtype=self.dtype)(x)

    @add.register
    def _gelu(self, layer: spec.Gelu, x: Any) -> Any:
        del layer
        return keras.layers.Activation("gelu", dtype=self.dtype)(x)

    @add.register
    def _max_pool(self, layer: spec.MaxPool, x: Any) -> Any:
        options = {"data_format": "channels_last", "dtype": self.dtype}
        return keras.layers.MaxPooling2D(layer.size, **options)(x)

    @add.register
    def _mean(self, layer: spec.MeanOverPositions, x: Any) -> Any:
        del layer
        kinds = {
            3: keras.layers.GlobalAveragePooling1D,
            4: keras.layers.GlobalAveragePooling2D,
        }
        return kinds[len(x.shape)](data_format="channels_last", dtype=self.dtype)(x)

    @add.register
    def _patches(self, layer: spec.Patches, x: Any) -> Any:
        del layer
        return keras.layers.Reshape((-1, x.shape[-1]), dtype=self.dtype)(x)
