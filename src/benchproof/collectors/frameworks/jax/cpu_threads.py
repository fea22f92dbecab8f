"""How many threads XLA computes with on a CPU."""

import gc
import os
from importlib import import_module
from pathlib import Path
from typing import Any

from benchproof.collectors.frameworks.base import UnsupportedError
from benchproof.collectors.frameworks.jax.devices import find
from benchproof.model.keys import Device

jax: Any = import_module("jax")
backend: Any = import_module("jax.extend.backend")

_TASKS = Path("/proc/self/task")
_POOL = "XLAEigen"  # part of the name that XLA gives the threads of its pool for operations


def count() -> int | None:
    """Threads of XLA's pool for CPU operations, counted by their name; None but on Linux.

    The pool has as many as the process has CPUs, or as `NPROC` said when the backend started;
    operations use one where XLA_FLAGS has them stay out of it.
    """
    if find(Device.CPU) is None or not _TASKS.is_dir():
        return None
    if "--xla_cpu_multi_thread_eigen=false" in os.environ.get("XLA_FLAGS", ""):
        return 1
    named = [_name(task) for task in _TASKS.iterdir()]
    return sum(_POOL in name for name in named) or None


def _name(task: Path) -> str:
    try:
        return (task / "comm").read_text()
    except OSError:  # the thread has ended meanwhile
        return ""


def limit(threads: int) -> None:
    """Start XLA anew with this many threads; UnsupportedError where that cannot be confirmed.

    Arrays and compiled functions that were made before are lost.
    """
    now = count()
    if now == threads or (now is None and threads == os.cpu_count()):
        return
    if now is None:
        raise UnsupportedError(
            f"JAX cannot be limited to {threads} CPU threads here: it does not tell how many it "
            f"uses; leave the limit out, or set it to all {os.cpu_count()} cores"
        )
    _restart(threads)
    got = count()
    if got != threads:
        raise UnsupportedError(f"JAX was told to use {threads} CPU threads, it uses {got}")


def _restart(threads: int) -> None:
    # XLA reads the number nowhere else; XLA_FLAGS can only keep operations out of the pool.
    os.environ["NPROC"] = str(threads)
    jax.clear_caches()
    backend.clear_backends()
    gc.collect()  # the old pool's threads end with the last reference to their client
