"""What `torch.compile` compiled is told as it is."""

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

from benchproof.collectors.frameworks.base import Program, UnsupportedError, Variant
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.model.keys import CompileCache, Device, Precision, VariantKind

pytest.importorskip("torch")

import torch

from benchproof.collectors.frameworks.pytorch.adapter import EAGER, PyTorch
from benchproof.collectors.frameworks.pytorch.compilation import compiled

# Captures graphs as Inductor's front end does, and runs them as they are: no compiler is needed.
QUICK = compiled("eager")


def make(slug: str, variant: Variant = QUICK, batch: int = 2) -> Program:
    workload = WORKLOADS[slug]
    return PyTorch().program(
        workload, workload.weights(), workload.inputs(batch), variant, Device.CPU, Precision.FP32
    )


@pytest.mark.parametrize("slug", ["ff-dnn", "cnn", "transformer"])
def test_a_model_in_one_graph_is_compiled_whole(slug: str) -> None:
    program = make(slug)
    program.call()
    told = program.compilation()
    assert told is not None
    assert (told.graphs, told.flops_share) == (1, 1.0)


@pytest.mark.parametrize("slug", ["rnn", "lstm"])
def test_recurrent_layers_are_told_as_not_compiled(slug: str) -> None:
    program = make(slug)
    program.call()
    told = program.compilation()
    assert told is not None
    assert told.flops_share is not None
    assert told.flops_share < 0.01
    assert "RNN, GRU, or LSTM" in str(told.note)


def test_a_fused_encoder_layer_is_noted() -> None:
    program = make("transformer")
    program.call()
    told = program.compilation()
    assert told is not None
    assert told.note == "2 encoder layers are one fused kernel each, called as it is"


def test_eager_compiles_nothing() -> None:
    program = make("ff-dnn", EAGER)
    program.call()
    assert program.compilation() is None


def test_many_live_programs_keep_their_own_graph() -> None:
    limit = torch._dynamo.config.recompile_limit
    programs = [make("ff-dnn", batch=batch) for batch in (*range(1, limit + 3), 1)]
    for _ in range(3):
        for program in programs:
            program.call()
    told = [program.compilation() for program in programs]
    assert {(each.graphs, each.flops_share, each.note) for each in told if each} == {(1, 1.0, None)}


def test_a_later_compilation_is_noted() -> None:
    program = make("ff-dnn")
    program.call()
    torch.use_deterministic_algorithms(True)  # Dynamo guards on it
    try:
        program.call()
    finally:
        torch.use_deterministic_algorithms(False)
    told = program.compilation()
    assert told is not None
    assert (told.graphs, told.note) == (1, "compiled 1 more graphs in later calls")


def test_closing_one_program_frees_it_and_leaves_the_others() -> None:
    closed, kept = make("ff-dnn"), make("ff-dnn")
    before = kept.fetch(kept.call())
    closed.call()
    weight = weakref.ref(next(closed._loaded.module.parameters()))  # type: ignore[attr-defined]
    closed.close()
    gc.collect()
    assert weight() is None
    assert np.array_equal(kept.fetch(kept.call()), before)
    told = kept.compilation()
    assert told is not None
    assert told.note is None
    with pytest.raises(ValueError, match="closed"):
        closed.call()


@pytest.mark.slow
def test_inductor_compiles_agrees_and_fills_its_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    torch._inductor.utils.clear_caches()
    workload, variant = WORKLOADS["ff-dnn"], compiled()
    assert PyTorch().compile_cache(variant) is CompileCache.COLD
    program = make("ff-dnn", variant)
    found = program.fetch(program.call())
    assert PyTorch().compile_cache(variant) is CompileCache.WARM
    reference = workload.reference(2)
    assert np.abs(found - reference).max() / reference.std() < 1e-4
    told = program.compilation()
    assert told is not None
    assert (told.graphs, told.flops_share, told.note) == (1, 1.0, None)


def test_variants_are_named_by_backend_and_mode() -> None:
    assert compiled().name == "torch.compile(inductor)"
    assert compiled("aot_eager").name == "torch.compile(aot_eager)"
    assert compiled(mode="max-autotune").name == "torch.compile(inductor, max-autotune)"


@pytest.mark.parametrize(
    ("backend", "mode", "message"),
    [
        ("inductor", "fastest", "no mode fastest; it has default, reduce-overhead"),
        ("aot_eager", "max-autotune", "modes for inductor alone"),
        ("nothing", "default", "no backend nothing here"),
    ],
)
def test_what_torch_compile_lacks_is_unsupported(backend: str, mode: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        make("ff-dnn", compiled(backend, mode))


def test_a_missing_cpp_compiler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(UnsupportedError, match=r"torch\.compile needs a C\+\+ compiler on cpu"):
        make("ff-dnn", compiled())
    assert make("ff-dnn", QUICK).parameter_count > 0


def test_the_cache_is_told_from_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "inductor"))
    adapter = PyTorch()
    assert adapter.compile_cache(compiled()) is CompileCache.COLD
    graph = tmp_path / "inductor" / "fxgraph" / "ab" / "graph"
    graph.mkdir(parents=True)
    assert adapter.compile_cache(compiled()) is CompileCache.COLD
    (graph / "code").write_text("x", encoding="utf-8")
    assert adapter.compile_cache(compiled()) is CompileCache.WARM
    with torch._inductor.config.patch(force_disable_caches=True):
        assert adapter.compile_cache(compiled()) is CompileCache.OFF
    assert adapter.compile_cache(QUICK) is CompileCache.OFF
    assert adapter.compile_cache(EAGER) is None
    assert adapter.compile_cache(Variant("CUDA graph", VariantKind.GRAPH)) is None
