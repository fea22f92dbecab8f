"""Which frameworks are installed and which devices this machine may have, without importing any."""

import importlib.util
import platform
import shutil
from pathlib import Path

from benchproof.model.keys import Device, Framework

PACKAGES = {
    Framework.PYTORCH: "torch",
    Framework.JAX: "jax",
    Framework.TENSORFLOW: "tensorflow",
    Framework.MLX: "mlx",
}
_SEEN = {Framework.MLX: "mlx.core"}  # `mlx` is a namespace, as any folder of that name is


def installed_frameworks() -> list[Framework]:
    """Frameworks whose package can be found; that it works is seen when it is imported."""
    return [each for each, name in PACKAGES.items() if _is_there(_SEEN.get(each, name))]


def _is_there(module: str) -> bool:
    """Whether a module's code can be found: a folder of its name alone is none."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        return False
    return spec is not None and spec.origin is not None


def likely_devices() -> list[Device]:
    """The CPU, and a GPU where its driver is seen; that it works is seen when it is used."""
    found = [Device.CPU]
    if platform.system() == "Darwin" and platform.machine() == "arm64":
        found.append(Device.MPS)
    if Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi"):
        found.append(Device.CUDA)
    return found
