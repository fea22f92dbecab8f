"""A workload as an MLX model in inference mode, its weights loaded."""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

from numpy.typing import NDArray

from benchproof.collectors.frameworks.base import UnsupportedError
from benchproof.collectors.frameworks.mlx import modules
from benchproof.collectors.frameworks.mlx.runtime import mx, nn
from benchproof.collectors.workloads import layers as spec
from benchproof.collectors.workloads.layers import Layer, Shape
from benchproof.collectors.workloads.workload import Float32, Workload

Weights = Mapping[str, Float32]

_PROJECTIONS = {
    "query": "query_proj", "key": "key_proj", "value": "value_proj", "output": "out_proj",
}  # fmt: skip


def build(workload: Workload, weights: Weights, dtype: Any) -> Any:
    """The model with parameters of `dtype`, computed; UnsupportedError for an unknown layer."""
    model = _sequence(workload.layers, workload.input_shape, weights)
    model.set_dtype(dtype)
    model.eval()
    mx.eval(model.parameters())
    return model


def _sequence(layers: tuple[Layer, ...], shape: Shape, weights: Weights) -> Any:
    steps = spec.steps(layers, shape)
    return nn.Sequential(*(_module(layer, before, weights) for layer, before in steps))


def _loaded(module: Any, **arrays: NDArray[Any]) -> Any:
    """The module with these parameters, in the layout that MLX has."""
    # `strict` refuses a parameter that got no weight, and a weight of another shape.
    module.load_weights([(name, mx.array(array)) for name, array in arrays.items()], strict=True)
    return module


@singledispatch
def _module(layer: Layer, shape: Shape, weights: Weights) -> Any:
    del shape, weights
    raise UnsupportedError(f"MLX has no module for {type(layer).__name__} here")


@_module.register
def _dense(layer: spec.Dense, shape: Shape, weights: Weights) -> Any:
    return _loaded(
        nn.Linear(shape[-1], layer.width),
        weight=weights[f"{layer.name}.weight"].T,
        bias=weights[f"{layer.name}.bias"],
    )


@_module.register
def _layer_norm(layer: spec.LayerNorm, shape: Shape, weights: Weights) -> Any:
    return _loaded(
        nn.LayerNorm(shape[-1], eps=layer.epsilon),
        weight=weights[f"{layer.name}.scale"],
        bias=weights[f"{layer.name}.shift"],
    )


@_module.register
def _batch_norm(layer: spec.BatchNorm, shape: Shape, weights: Weights) -> Any:
    return _loaded(
        nn.BatchNorm(shape[-1], eps=layer.epsilon),
        weight=weights[f"{layer.name}.scale"],
        bias=weights[f"{layer.name}.shift"],
        running_mean=weights[f"{layer.name}.mean"],
        running_var=weights[f"{layer.name}.variance"],
    )


@_module.register
def _conv(layer: spec.Conv, shape: Shape, weights: Weights) -> Any:
    module = nn.Conv2d(
        shape[2],
        layer.width,
        layer.kernel,
        stride=layer.stride,
        padding=layer.padding,
        groups=shape[2] if layer.depthwise else 1,
    )
    return _loaded(
        module,
        weight=weights[f"{layer.name}.weight"].transpose(3, 0, 1, 2),
        bias=weights[f"{layer.name}.bias"],
    )


@_module.register
def _recurrent(layer: spec.Recurrent, shape: Shape, weights: Weights) -> Any:
    # MLX keeps the gates of its LSTM in the order that workloads have: input, forget,
    # candidate, output.
    kind = modules.Rnn if layer.gates == 1 else modules.Lstm
    names = ("Wxh", "Whh") if layer.gates == 1 else ("Wx", "Wh")
    arrays = {
        names[0]: weights[f"{layer.name}.input"].T,
        names[1]: weights[f"{layer.name}.recurrent"].T,
        "bias": weights[f"{layer.name}.bias"],
    }
    return _loaded(kind(shape[1], layer.hidden), **arrays)


@_module.register
def _attention(layer: spec.Attention, shape: Shape, weights: Weights) -> Any:
    arrays = {}
    for part, projection in _PROJECTIONS.items():
        arrays[f"{projection}.weight"] = weights[f"{layer.name}.{part}.weight"].T
        arrays[f"{projection}.bias"] = weights[f"{layer.name}.{part}.bias"]
    return _loaded(modules.SelfAttention(shape[1], layer.heads, bias=True), **arrays)


@_module.register
def _residual(layer: spec.Residual, shape: Shape, weights: Weights) -> Any:
    return modules.Residual(_sequence(layer.body, shape, weights))


@_module.register
def _class_token(layer: spec.ClassToken, shape: Shape, weights: Weights) -> Any:
    return _loaded(
        modules.ClassToken(shape[0] + 1, shape[1]),
        token=weights[f"{layer.name}.token"],
        position=weights[f"{layer.name}.position"],
    )


@_module.register
def _layer_scale(layer: spec.LayerScale, shape: Shape, weights: Weights) -> Any:
    return _loaded(modules.LayerScale(shape[-1]), scale=weights[f"{layer.name}.scale"])


@_module.register
def _max_pool(layer: spec.MaxPool, shape: Shape, weights: Weights) -> Any:
    del shape, weights
    return nn.MaxPool2d(layer.size, stride=layer.size)


@_module.register(spec.Relu)
@_module.register(spec.Gelu)
@_module.register(spec.MeanOverPositions)
@_module.register(spec.LastStep)
@_module.register(spec.FirstStep)
@_module.register(spec.Patches)
def _without_weights(layer: Layer, shape: Shape, weights: Weights) -> Any:
    del shape, weights
    return _WITHOUT_WEIGHTS[type(layer)]()


_WITHOUT_WEIGHTS: dict[type[Layer], Any] = {
    spec.Relu: nn.ReLU,
    spec.Gelu: nn.GELU,
    spec.MeanOverPositions: modules.MeanOverPositions,
    spec.LastStep: modules.LastStep,
    spec.FirstStep: modules.FirstStep,
    spec.Patches: modules.Patches,
}
