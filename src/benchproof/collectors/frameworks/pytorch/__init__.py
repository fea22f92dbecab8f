"""PyTorch: eager, `torch.compile` and CUDA graphs, on CPUs, CUDA and Apple's GPUs.

Nothing here falls back unseen: `PYTORCH_ENABLE_MPS_FALLBACK` is refused, an output tells its own
device, and what `torch.compile` left to eager shows in the share of FLOPs that it compiled.
"""

from benchproof.collectors.frameworks.base import Adapter
from benchproof.collectors.frameworks.pytorch.adapter import PyTorch


def adapter() -> Adapter:
    """PyTorch as it is installed."""
    return PyTorch()
