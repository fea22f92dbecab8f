"""State of JAX's compilation cache on disk."""

from importlib import import_module
from pathlib import Path
from typing import Any

from benchproof.model.keys import CompileCache

jax: Any = import_module("jax")


def state() -> CompileCache | None:
    """Off unless a folder is set (it is not by default); warm where executables lie in it.

    None where the folder is a remote one. JAX keeps there only what took longer than
    `jax_persistent_cache_min_compile_time_secs` (1 s) to compile.
    """
    folder = jax.config.jax_compilation_cache_dir
    if folder is None or not jax.config.jax_enable_compilation_cache:
        return CompileCache.OFF
    if "://" in str(folder):
        return None
    kept = any(Path(folder).glob("*-cache"))
    return CompileCache.WARM if kept else CompileCache.COLD
