"""The layers whose definition is easily got wrong, against PyTorch's own."""

from typing import Any

import numpy as np
import pytest

from benchproof.collectors.workloads import layers as parts
from benchproof.collectors.workloads.layers import Array, Layer, Shape

torch: Any = pytest.importorskip("torch")


def drawn(layer: Layer, shape: Shape) -> tuple[Array, dict[str, Array]]:
    generator = np.random.default_rng(1)
    weights = {n: generator.standard_normal(s) for n, s in layer.weight_shapes(shape).items()}
    return generator.standard_normal((2, *shape)), weights


def load(module: Any, **arrays: Array) -> Any:
    module = module.double().eval()
    with torch.no_grad():
        for name, array in arrays.items():
            module.get_parameter(name).copy_(torch.tensor(np.ascontiguousarray(array)))
    return module


def same(layer: Layer, x: Array, weights: dict[str, Array], output: Any) -> None:
    np.testing.assert_allclose(layer.apply(x, weights), output.detach().numpy(), atol=1e-12)


@pytest.mark.parametrize(("gates", "kind"), [(1, "RNN"), (4, "LSTM")])
def test_gates_stand_in_the_order_of_pytorch(gates: int, kind: str) -> None:
    layer = parts.Recurrent("r", 6, gates)
    x, weights = drawn(layer, (5, 4))
    module = load(
        getattr(torch.nn, kind)(4, 6, batch_first=True),
        weight_ih_l0=weights["r.input"].T,
        weight_hh_l0=weights["r.recurrent"].T,
        bias_ih_l0=weights["r.bias"],
        bias_hh_l0=np.zeros(6 * gates),
    )
    same(layer, x, weights, module(torch.tensor(x))[0])


def test_attention_is_that_of_pytorch() -> None:
    layer = parts.Attention("a", 3)
    x, weights = drawn(layer, (5, 12))
    inputs = [weights[f"a.{part}.weight"].T for part in ("query", "key", "value")]
    biases = [weights[f"a.{part}.bias"] for part in ("query", "key", "value")]
    module = load(
        torch.nn.MultiheadAttention(12, 3, batch_first=True),
        in_proj_weight=np.concatenate(inputs),
        in_proj_bias=np.concatenate(biases),
    )
    load(module.out_proj, weight=weights["a.output.weight"].T, bias=weights["a.output.bias"])
    tensor = torch.tensor(x)
    same(layer, x, weights, module(tensor, tensor, tensor, need_weights=False)[0])


@pytest.mark.parametrize(
    "layer",
    [
        parts.Conv("c", 4, 3),
        parts.Conv("c", 4, 2, stride=2),
        parts.Conv("c", 6, 7, depthwise=True),
    ],
    ids=str,
)
def test_a_convolution_is_that_of_pytorch(layer: parts.Conv) -> None:
    x, weights = drawn(layer, (8, 10, 6))
    module = load(
        torch.nn.Conv2d(
            6, layer.width, layer.kernel, layer.stride, layer.padding,
            groups=6 if layer.depthwise else 1,
        ),
        weight=weights["c.weight"].transpose(3, 2, 0, 1),
        bias=weights["c.bias"],
    )  # fmt: skip
    output = module(torch.tensor(x).permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
    same(layer, x, weights, output)


def test_gelu_is_the_exact_one_of_pytorch() -> None:
    x, weights = drawn(parts.Gelu(), (100,))
    same(parts.Gelu(), x, weights, torch.nn.functional.gelu(torch.tensor(x)))


def test_layer_normalisation_is_that_of_pytorch() -> None:
    layer = parts.LayerNorm("n", 1e-3)
    x, weights = drawn(layer, (3, 8))
    module = load(
        torch.nn.LayerNorm(8, eps=1e-3), weight=weights["n.scale"], bias=weights["n.shift"]
    )
    same(layer, x, weights, module(torch.tensor(x)))


def test_flops_are_those_of_pytorch_s_counter() -> None:
    from torch.utils.flop_counter import FlopCounterMode

    layer = parts.Conv("c", 4, 3)
    with FlopCounterMode(display=False) as counter:
        torch.nn.Conv2d(6, 4, 3, padding=1)(torch.zeros(1, 6, 8, 10))
        torch.nn.Linear(7, 9)(torch.zeros(5, 7))
    dense = parts.Dense("d", 9).flops((5, 7))
    assert counter.get_total_flops() == layer.flops((8, 10, 6)) + dense
