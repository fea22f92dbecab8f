"""Each layer as a function of weights and a batch, the way JAX is written without a layer library.

A model is one pure function `(weights, batch) -> output`; what it is made of is fixed when it is
built, so that a call runs nothing but JAX's operations.
"""

from collections.abc import Callable, Mapping
from functools import singledispatch
from importlib import import_module
from typing import Any

from benchproof.collectors.frameworks.base import UnsupportedError
from benchproof.collectors.workloads import layers as parts

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")
lax: Any = import_module("jax.lax")

Weights = Mapping[str, Any]
Function = Callable[[Weights, Any], Any]


def build(layers: tuple[parts.Layer, ...], products: Any) -> Function:
    """One function of all layers; matrix products and convolutions at this `lax.Precision`."""
    steps = tuple(function(layer, products) for layer in layers)

    def model(weights: Weights, x: Any) -> Any:
        for step in steps:
            x = step(weights, x)
        return x

    return model


@singledispatch
def function(layer: parts.Layer, products: Any) -> Function:
    """One layer as a function; UnsupportedError where there is none."""
    del products
    raise UnsupportedError(f"the JAX models have no layer {type(layer).__name__}")


@function.register
def _dense(layer: parts.Dense, products: Any) -> Function:
    return lambda weights, x: _project(weights, x, layer.name, products)


@function.register
def _layer_norm(layer: parts.LayerNorm, products: Any) -> Function:
    del products

    def run(weights: Weights, x: Any) -> Any:
        centred = x - jnp.mean(x, axis=-1, keepdims=True)
        variance = jnp.mean(jnp.square(centred), axis=-1, keepdims=True)
        return _scale(weights, centred * lax.rsqrt(variance + layer.epsilon), layer.name)

    return run


@function.register
def _batch_norm(layer: parts.BatchNorm, products: Any) -> Function:
    del products
    mean, variance = f"{layer.name}.mean", f"{layer.name}.variance"

    def run(weights: Weights, x: Any) -> Any:
        spread = lax.rsqrt(weights[variance] + layer.epsilon)
        return _scale(weights, (x - weights[mean]) * spread, layer.name)

    return run


@function.register
def _relu(layer: parts.Relu, products: Any) -> Function:
    del layer, products
    return lambda _, x: jax.nn.relu(x)


@function.register
def _gelu(layer: parts.Gelu, products: Any) -> Function:
    del layer, products
    return lambda _, x: jax.nn.gelu(x, approximate=False)


@function.register
def _conv(layer: parts.Conv, products: Any) -> Function:
    weight, bias = f"{layer.name}.weight", f"{layer.name}.bias"

    def run(weights: Weights, x: Any) -> Any:
        filtered = lax.conv_general_dilated(
            x,
            weights[weight],
            window_strides=(layer.stride, layer.stride),
            padding=[(layer.padding, layer.padding)] * 2,
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
            feature_group_count=x.shape[-1] if layer.depthwise else 1,
            precision=products,
        )
        return filtered + weights[bias]

    return run


@function.register
def _max_pool(layer: parts.MaxPool, products: Any) -> Function:
    del products
    window = (1, layer.size, layer.size, 1)
    return lambda _, x: lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID")


@function.register
def _mean(layer: parts.MeanOverPositions, products: Any) -> Function:
    del layer, products
    return lambda _, x: jnp.mean(x, axis=tuple(range(1, x.ndim - 1)))


@function.register
def _last(layer: parts.LastStep, products: Any) -> Function:
    del layer, products
    return lambda _, x: x[:, -1]


@function.register
def _first(layer: parts.FirstStep, products: Any) -> Function:
    del layer, products
    return lambda _, x: x[:, 0]


@function.register
def _recurrent(layer: parts.Recurrent, products: Any) -> Function:
    states, advance = _lstm(products) if layer.gates == 4 else _tanh(products)
    name, hidden = layer.name, layer.hidden

    def run(weights: Weights, x: Any) -> Any:
        projected = jnp.matmul(x, weights[f"{name}.input"], precision=products)
        by_step = jnp.swapaxes(projected + weights[f"{name}.bias"], 0, 1)
        start = jnp.zeros((x.shape[0], hidden), x.dtype)
        carry = (weights[f"{name}.recurrent"], *[start] * states)
        return jnp.swapaxes(lax.scan(advance, carry, by_step)[1], 0, 1)

    return run


# The weights travel in the carry: a body that closed over them would be another function in each
# call, and op by op, JAX would trace and compile it in each call again.
def _tanh(products: Any) -> tuple[int, Function]:
    def advance(carry: Any, projected: Any) -> Any:
        recurrent, hidden = carry
        hidden = jnp.tanh(projected + jnp.matmul(hidden, recurrent, precision=products))
        return (recurrent, hidden), hidden

    return 1, advance


def _lstm(products: Any) -> tuple[int, Function]:
    def advance(carry: Any, projected: Any) -> Any:
        recurrent, hidden, cell = carry
        total = projected + jnp.matmul(hidden, recurrent, precision=products)
        admit, forget, candidate, output = jnp.split(total, 4, axis=-1)
        cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(admit) * jnp.tanh(candidate)
        hidden = jax.nn.sigmoid(output) * jnp.tanh(cell)
        return (recurrent, hidden, cell), hidden

    return 2, advance


@function.register
def _attention(layer: parts.Attention, products: Any) -> Function:
    # `jax.nn.dot_product_attention` takes no precision, is a fused kernel only where one asks for
    # cuDNN's, and op by op JAX traces it anew in each call; compiled, all ways cost the same.
    def heads(weights: Weights, x: Any, part: str) -> Any:
        projected = _project(weights, x, f"{layer.name}.{part}", products)
        split = projected.reshape(*x.shape[:2], layer.heads, x.shape[2] // layer.heads)
        return jnp.swapaxes(split, 1, 2)

    def run(weights: Weights, x: Any) -> Any:
        query, key, value = (heads(weights, x, part) for part in ("query", "key", "value"))
        scores = jnp.matmul(query, jnp.swapaxes(key, -1, -2), precision=products)
        share = jax.nn.softmax(scores * query.shape[-1] ** -0.5, axis=-1)
        joined = jnp.swapaxes(jnp.matmul(share, value, precision=products), 1, 2).reshape(x.shape)
        return _project(weights, joined, f"{layer.name}.output", products)

    return run


@function.register
def _patches(layer: parts.Patches, products: Any) -> Function:
    del layer, products
    return lambda _, x: x.reshape(x.shape[0], -1, x.shape[-1])


@function.register
def _class_token(layer: parts.ClassToken, products: Any) -> Function:
    del products

    def run(weights: Weights, x: Any) -> Any:
        token = weights[f"{layer.name}.token"]
        first = jnp.broadcast_to(token, (x.shape[0], *token.shape))
        return jnp.concatenate((first, x), axis=1) + weights[f"{layer.name}.position"]

    return run


@function.register
def _layer_scale(layer: parts.LayerScale, products: Any) -> Function:
    del products
    return lambda weights, x: x * weights[f"{layer.name}.scale"]


@function.register
def _residual(layer: parts.Residual, products: Any) -> Function:
    body = build(layer.body, products)
    return lambda weights, x: x + body(weights, x)


def _project(weights: Weights, x: Any, name: str, products: Any) -> Any:
    product = jnp.matmul(x, weights[f"{name}.weight"], precision=products)
    return product + weights[f"{name}.bias"]


def _scale(weights: Weights, x: Any, name: str) -> Any:
    return x * weights[f"{name}.scale"] + weights[f"{name}.shift"]
