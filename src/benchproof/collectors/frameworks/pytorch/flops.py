"""FLOPs as PyTorch counts them, on shapes alone: nothing is computed and no memory is used."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

from benchproof.collectors.frameworks.pytorch import models
from benchproof.collectors.workloads.workload import Workload

torch: Any = import_module("torch")
attention: Any = import_module("torch.nn.attention")
fx: Any = import_module("torch.fx")
flop_counter: Any = import_module("torch.utils.flop_counter")

# What `nn.TransformerEncoderLayer` calls for inference, also under `torch.compile`.
ENCODER_KERNEL: Any = torch._transformer_encoder_layer_fwd
_ENCODER_WEIGHTS = (3, 5, 14, 16)  # its arguments: q, k and v; output; the two dense layers


@cache
def of_model(workload: Workload, batch: int) -> int:
    """FLOPs of one eager call: matrix products and convolutions, two a multiply-add."""
    with torch.device("meta"):
        module = models.build(workload)
        inputs = torch.empty(models.input_shape(workload, batch))
    return _counted(lambda: module(inputs))


def of_graph(graph_module: Any, inputs: list[Any]) -> int:
    """FLOPs of one call of a graph that Dynamo captured; `inputs` lie on the meta device."""
    graph = _Shapes(graph_module)
    return _counted(lambda: graph.run(*inputs)) + graph.kernel_flops


def fused_kernels(graph_module: Any) -> int:
    """How many whole encoder layers are one kernel in a graph, so that no compiler sees inside."""
    return sum(node.target is ENCODER_KERNEL for node in graph_module.graph.nodes)


class _Shapes(fx.Interpreter):  # type: ignore[misc]
    """Runs a graph, but the encoder layer's kernel, which PyTorch's counter does not know."""

    def __init__(self, graph_module: Any) -> None:
        super().__init__(graph_module)
        self.kernel_flops = 0

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        """Output of one operation."""
        if target is not ENCODER_KERNEL:
            return super().call_function(target, args, kwargs)
        batch, steps, width = args[0].shape
        weights = sum(args[n].numel() for n in _ENCODER_WEIGHTS)
        self.kernel_flops += 2 * batch * steps * weights + 2 * 2 * batch * steps * steps * width
        return torch.empty_like(args[0])


def _counted(call: Callable[[], Any]) -> int:
    with _plain_kernels(), torch.inference_mode():
        with flop_counter.FlopCounterMode(display=False) as counter:
            call()
        return int(counter.get_total_flops())


@contextmanager
def _plain_kernels() -> Iterator[None]:
    """Attention in its parts: the counter knows neither CPU's kernel nor the encoder layer's.

    On the meta device recurrent layers come in their parts as well; elsewhere the kernels of
    oneDNN and cuDNN count as nothing.
    """
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with attention.sdpa_kernel(attention.SDPBackend.MATH):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
