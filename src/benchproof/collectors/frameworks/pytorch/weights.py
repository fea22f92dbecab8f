"""Which of a module's tensors each weight of a workload becomes."""

from collections.abc import Mapping

import numpy as np

from benchproof.collectors.workloads.workload import Float32

_PARTS = {
    "scale": "weight",
    "shift": "bias",
    "mean": "running_mean",
    "variance": "running_var",
}
_PROJECTIONS = ("query", "key", "value")


def in_torch_layout(weights: Mapping[str, Float32]) -> dict[str, Float32]:
    """Weights as PyTorch lays and names them: `(out, in)`, OIHW, and q, k, v in one `qkv`."""
    fused = _fused(weights)
    return {_renamed(name): _laid_out(name, array) for name, array in fused.items()}


def _fused(weights: Mapping[str, Float32]) -> dict[str, Float32]:
    fused: dict[str, Float32] = {}
    for name, array in weights.items():
        owner, _, part = name.rpartition(".")
        attention, _, projection = owner.rpartition(".")
        if projection not in _PROJECTIONS:
            fused[name] = array
        elif projection == _PROJECTIONS[0]:
            parts = [weights[f"{attention}.{each}.{part}"] for each in _PROJECTIONS]
            fused[f"{attention}.qkv.{part}"] = np.concatenate(parts, axis=-1)
    return fused


def _renamed(name: str) -> str:
    owner, _, part = name.rpartition(".")
    return f"{owner}.{_PARTS.get(part, part)}"


def _laid_out(name: str, array: Float32) -> Float32:
    part = name.rpartition(".")[2]
    if part not in ("weight", "input", "recurrent"):
        return array
    return array.transpose(3, 2, 0, 1) if array.ndim == 4 else array.T
