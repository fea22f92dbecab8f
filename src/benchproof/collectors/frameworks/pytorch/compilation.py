"""`torch.compile`, and how much of a model it really compiled.

PyTorch compiles what it can and runs the rest as it is, without a word: two layers of `nn.LSTM`
compile to no graph at all. So each graph is noted on its way to the backend.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

from benchproof.collectors.frameworks.base import Compilation, UnsupportedError, Variant
from benchproof.collectors.frameworks.pytorch import flops
from benchproof.model.keys import CompileCache, Device, VariantKind

torch: Any = import_module("torch")

INDUCTOR = "inductor"
DEFAULT_MODE = "default"
MODES = (DEFAULT_MODE, "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")
_MODES_WITH_GRAPHS = ("reduce-overhead", "max-autotune")
_NOTE_LENGTH = 200


def compiled(backend: str = INDUCTOR, mode: str = DEFAULT_MODE) -> Variant:
    """The variant of a backend and a mode, such as `torch.compile(inductor, max-autotune)`."""
    told = backend if mode == DEFAULT_MODE else f"{backend}, {mode}"
    options = {"backend": backend, "mode": mode}
    return Variant(f"torch.compile({told})", VariantKind.COMPILED, options)


class Recorder:
    """A backend that notes the graphs it gets and hands them on."""

    def __init__(self, backend: Callable[..., Any], name: str) -> None:
        self._backend = backend
        # Dynamo reads both names.
        self.compiler_name = self.__name__ = name
        self.graphs: list[tuple[Any, list[Any]]] = []

    def __call__(self, graph_module: Any, inputs: list[Any], **options: Any) -> Any:
        """The backend's compiled function."""
        # Shapes are enough for counting: the tensors themselves would outlive the program.
        shapes = [each.to("meta") if torch.is_tensor(each) else each for each in inputs]
        self.graphs.append((graph_module, shapes))
        return self._backend(graph_module, inputs, **options)

    def reset(self) -> None:
        """What Dynamo asks of a backend when it forgets everything."""
        if hasattr(self._backend, "reset"):
            self._backend.reset()


class Compiled:
    """A module under `torch.compile`, for the shapes of its first call alone."""

    def __init__(
        self,
        module: Any,
        variant: Variant,
        model_flops: int,
        measure: Callable[[Callable[[], Any]], int | None],
    ) -> None:
        backend = variant.options.get("backend", INDUCTOR)
        mode = variant.options.get("mode", DEFAULT_MODE)
        self._recorder = Recorder(_backend(backend, mode), backend)
        self._model_flops = model_flops
        # What CUDA graphs hold is in a pool that the count of allocated memory leaves out.
        self._measure = None if mode in _MODES_WITH_GRAPHS else measure
        self._breaks: list[str] = []
        self._first_graphs = 0
        self._counted: int | None = None
        _give_own_code(module)
        self._module = torch.compile(module, backend=self._recorder, dynamic=False)
        self.later: Callable[[Any], Any] = self._run

    def first(self, inputs: Any) -> Any:
        """Compile, and give the output."""
        before = _graph_breaks()
        output = self._run(inputs)
        after = _graph_breaks()
        self._breaks = [why for why, times in after.items() if times > before.get(why, 0)]
        self._first_graphs = len(self._recorder.graphs)
        return output

    def compilation(self) -> Compilation:
        """Graphs of the first call and their share of the model's FLOPs; what broke them."""
        graphs = self._recorder.graphs
        if self._counted is None:
            self._counted = sum(flops.of_graph(*each) for each in graphs[: self._first_graphs])
        share = self._counted / self._model_flops
        again = len(graphs) - self._first_graphs
        told = list(self._breaks)
        fused = sum(flops.fused_kernels(each) for each, _ in graphs)
        if fused:
            told.append(f"{fused} encoder layers are one fused kernel each, called as it is")
        if share > 1:
            told.append(f"graphs count {self._counted} FLOPs, the model {self._model_flops}")
        if again:
            told.append(f"compiled {again} more graphs in later calls")
        note = "; ".join(told)[:_NOTE_LENGTH] or None
        return Compilation(self._first_graphs, share if share <= 1 else None, note)

    def growth_bytes(self, call: Callable[[], Any]) -> int | None:
        """Measured on one more call; None where CUDA graphs hide it."""
        return None if self._measure is None else self._measure(call)

    def _run(self, inputs: Any) -> Any:
        with torch.inference_mode():
            return self._module(inputs)


def require_compiler(variant: Variant, device: Device) -> None:
    """Raise UnsupportedError where the variant's backend lacks the compiler that it needs."""
    if variant.options.get("backend", INDUCTOR) != INDUCTOR:
        return
    if device is Device.CUDA and not import_module("torch.utils._triton").has_triton():
        raise UnsupportedError("torch.compile needs Triton on cuda; install triton")
    command = os.environ.get("CXX", "clang++" if sys.platform == "darwin" else "g++")
    if device is Device.CPU and shutil.which(shlex.split(command)[0]) is None:
        raise UnsupportedError(
            f"torch.compile needs a C++ compiler on cpu, and {command} is not there; "
            "install it or name another in CXX"
        )


def cache_state(variant: Variant) -> CompileCache:
    """Whether Inductor would find anything on disk now; other backends keep nothing there."""
    if variant.options.get("backend", INDUCTOR) != INDUCTOR:
        return CompileCache.OFF
    config: Any = import_module("torch._inductor.config")
    if config.force_disable_caches or not config.fx_graph_cache:
        return CompileCache.OFF
    folder = Path(os.environ.get("TORCHINDUCTOR_CACHE_DIR") or _default_cache())
    found = folder.is_dir() and any(path.is_file() for path in folder.rglob("*"))
    return CompileCache.WARM if found else CompileCache.COLD


def _default_cache() -> str:
    directories: Any = import_module("torch._inductor.runtime.cache_dir_utils")
    return str(directories.default_cache_dir())


def _backend(backend: str, mode: str) -> Callable[..., Any]:
    dynamo: Any = import_module("torch._dynamo")
    if backend != INDUCTOR and mode != DEFAULT_MODE:
        raise UnsupportedError(f"torch.compile has modes for {INDUCTOR} alone, not for {backend}")
    if mode not in MODES:
        raise UnsupportedError(f"torch.compile has no mode {mode}; it has {', '.join(MODES)}")
    if backend not in dynamo.list_backends(exclude_tags=()):
        raise UnsupportedError(f"torch.compile has no backend {backend} here")
    if backend == INDUCTOR:
        # Seconds of importing would else be the first compilation's of a process.
        import_module("torch._inductor.compile_fx")
        # What `torch.compile` itself makes of a mode.
        found: Callable[..., Any] = torch._TorchCompileInductorWrapper(mode, None, False)
    else:
        found = dynamo.lookup_backend(backend)
    return found


def _give_own_code(module: Any) -> None:
    """Give this one module a copy of its `forward`.

    Dynamo keeps compiled code with the code of a function, at most eight of it, and then runs as
    if nothing was compiled; models of a class share theirs. With a copy each, programs neither
    wear that limit out, nor look through each other's guards, and go when their module goes.
    """
    forward = module.forward.__func__
    copy = FunctionType(
        forward.__code__.replace(),
        forward.__globals__,
        forward.__name__,
        forward.__defaults__,
        forward.__closure__,
    )
    module.forward = MethodType(copy, module)


def _graph_breaks() -> dict[str, int]:
    """How often Dynamo gave up so far in this process, by the first line of its reason."""
    counters: Any = import_module("torch._dynamo.utils").counters
    found: dict[str, int] = {}
    for kind in ("graph_break", "unimplemented"):
        for why, times in counters[kind].items():
            line = str(why).splitlines()[0]
            found[line] = found.get(line, 0) + times
    return found
