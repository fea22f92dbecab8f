"""A workload as PyTorch has it: its module with weights, its input, its size."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from benchproof.collectors.frameworks.base import UnsupportedError
from benchproof.collectors.frameworks.pytorch import small_models, vision_models
from benchproof.collectors.frameworks.pytorch.weights import in_torch_layout
from benchproof.collectors.workloads.workload import Float32, Workload

torch: Any = import_module("torch")

_MODELS: dict[str, Callable[[], Any]] = {
    "ff-dnn": small_models.FeedForward,
    "cnn": small_models.Convolutional,
    "rnn": lambda: small_models.Recurrent(torch.nn.RNN),
    "lstm": lambda: small_models.Recurrent(torch.nn.LSTM),
    "transformer": small_models.Transformer,
    "vit-tiny": vision_models.VisionTransformer,
    "convnext-tiny": vision_models.ConvNext,
}


@dataclass(frozen=True)
class Size:
    """What a module holds: trained parameters, those that PyTorch has twice, and all bytes."""

    parameter_count: int
    redundant_parameters: int
    parameter_bytes: int


def build(workload: Workload) -> Any:
    """The workload's module for inference, not yet with its weights.

    Raises UnsupportedError where there is no such model.
    """
    if workload.slug not in _MODELS:
        known = ", ".join(_MODELS)
        raise UnsupportedError(f"{workload.name}: PyTorch has no such model here; it has {known}")
    return _MODELS[workload.slug]().eval().requires_grad_(False)


def load(module: Any, workload: Workload, weights: Mapping[str, Float32]) -> None:
    """Fill the module; UnsupportedError where it is not the model that the workload describes."""
    own = module.state_dict()
    given = {module.rename(name): array for name, array in in_torch_layout(weights).items()}
    given |= {name: np.zeros(own[name].shape, np.float32) for name in own if _is_redundant(name)}
    # How many batches have been seen: training alone reads it.
    wanted = {name for name in own if not name.endswith("num_batches_tracked")}
    differ = wanted ^ given.keys() or {
        name for name in wanted if tuple(own[name].shape) != tuple(given[name].shape)
    }
    if differ:
        raise UnsupportedError(
            f"{workload.name}: PyTorch's model has other weights: {', '.join(sorted(differ)[:4])}"
        )
    tensors = {name: torch.tensor(array) for name, array in given.items()}
    module.load_state_dict(tensors, strict=False)


def measure(module: Any) -> Size:
    """Size of a module as it lies in memory."""
    counts = {name: parameter.numel() for name, parameter in module.named_parameters()}
    redundant = sum(count for name, count in counts.items() if _is_redundant(name))
    held = (*module.parameters(), *module.buffers())
    return Size(
        parameter_count=sum(counts.values()) - redundant,
        redundant_parameters=redundant,
        parameter_bytes=sum(tensor.numel() * tensor.element_size() for tensor in held),
    )


def arranged(inputs: Any) -> Any:
    """A batch in PyTorch's layout: images `(batch, channels, height, width)`, contiguous."""
    return inputs.permute(0, 3, 1, 2).contiguous() if inputs.ndim == 4 else inputs


def input_shape(workload: Workload, batch: int) -> tuple[int, ...]:
    """Shape of a batch in PyTorch's layout."""
    shape = workload.input_shape
    return (batch, shape[2], *shape[:2]) if len(shape) == 3 else (batch, *shape)


def _is_redundant(name: str) -> bool:
    # It is added to `bias_ih` before anything else happens: one of the two would do.
    return ".bias_hh_" in name
