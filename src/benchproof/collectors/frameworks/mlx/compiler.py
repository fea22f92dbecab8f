"""How `mx.compile` builds its kernels: with g++ on a CPU, and what it keeps on disk."""

import shutil
import tempfile
from pathlib import Path

from benchproof.collectors.frameworks.mlx.runtime import mx
from benchproof.model.keys import CompileCache, Device


def missing_compiler(device: Device) -> str | None:
    """What keeps `mx.compile` from working on the device, in words; None where nothing does."""
    # MLX says nothing: it traces a graph as ever, and runs its operations one by one.
    if device is Device.CPU and shutil.which("g++") is None:
        return "mx.compile fuses nothing on a CPU without g++, which is not on the PATH"
    return None


def cache_state(device: Device) -> CompileCache | None:
    """Whether MLX's folder of built CPU kernels has any; None on a GPU, where it does not tell.

    Kernels are kept by the operations that they fuse, so a warm cache need not hold a given one.
    """
    if device is not Device.CPU:
        return None
    built = Path(tempfile.gettempdir(), "mlx", mx.__version__, "cpu").glob("*.so")
    return CompileCache.WARM if any(built) else CompileCache.COLD
