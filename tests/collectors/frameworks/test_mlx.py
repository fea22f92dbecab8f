"""MLX's programs do the workloads' work, and tell what they compiled, held and counted."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest
from collectors.cases import LARGE_CASES

from benchproof.collectors.frameworks.base import Adapter, Program, UnsupportedError, load
from benchproof.collectors.workloads.catalogue import SMALL, WORKLOADS
from benchproof.collectors.workloads.layers import Layer
from benchproof.collectors.workloads.workload import Float32, Workload
from benchproof.model.keys import CompileCache, Device, Framework, Precision, VariantKind

mx = pytest.importorskip("mlx.core")

needs_compiler = pytest.mark.skipif(
    shutil.which("g++") is None, reason="mx.compile needs g++ on a CPU"
)


@dataclass(frozen=True)
class Unknown(Layer):
    pass


def make_adapter() -> Adapter:
    return load(Framework.MLX)


def make_program(
    workload: Workload = SMALL[0],
    *,
    compiled: bool = False,
    precision: Precision = Precision.FP32,
    batch: int = 4,
    weights: Mapping[str, Float32] | None = None,
) -> Program:
    adapter = make_adapter()
    variant = adapter.variants(Device.CPU)[1 if compiled else 0]
    return adapter.program(
        workload,
        workload.weights() if weights is None else weights,
        workload.inputs(batch),
        variant,
        Device.CPU,
        precision,
    )


def output(program: Program) -> np.ndarray:
    found = program.call()
    program.wait(found)
    return program.fetch(found)


def deviation(program: Program, workload: Workload, items: int = 2) -> float:
    """Largest error of the first items, in the reference's standard deviations."""
    reference = workload.reference(items)
    return float(np.abs(output(program)[:items] - reference).max() / reference.std())


@pytest.fixture
def compile_disabled() -> Iterator[None]:
    mx.disable_compile()
    yield
    mx.enable_compile()


@pytest.mark.parametrize("workload", SMALL, ids=lambda workload: workload.slug)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs_compiler)])
def test_a_program_computes_what_the_reference_does(workload: Workload, compiled: bool) -> None:
    program = make_program(workload, compiled=compiled)
    assert output(program).shape == (4, *workload.output_shape)
    assert deviation(program, workload) < 1e-4


@pytest.mark.parametrize("workload", LARGE_CASES)
def test_a_large_program_computes_what_the_reference_does(workload: Workload) -> None:
    program = make_program(workload, batch=1)
    assert deviation(program, workload, items=1) < 1e-4
    assert program.parameter_count == workload.parameter_count


@pytest.mark.parametrize("workload", SMALL, ids=lambda workload: workload.slug)
@pytest.mark.parametrize(("precision", "most"), [(Precision.BF16, 0.1), (Precision.FP16, 0.01)])
def test_half_precisions_are_used_and_come_close(
    workload: Workload, precision: Precision, most: float
) -> None:
    # An error as small as fp32's would tell that the arithmetic was not of half precision.
    assert 1e-4 < deviation(make_program(workload, precision=precision), workload) < most


@pytest.mark.parametrize("workload", SMALL, ids=lambda workload: workload.slug)
def test_parameters_are_counted_from_the_model(workload: Workload) -> None:
    whole, half = make_program(workload), make_program(workload, precision=Precision.BF16)
    buffers = sum(int(np.prod(shape)) for shape in workload.buffer_shapes.values())
    assert whole.parameter_count == half.parameter_count == workload.parameter_count
    assert whole.redundant_parameters == 0
    assert whole.parameter_bytes == 4 * (workload.parameter_count + buffers)
    assert half.parameter_bytes == whole.parameter_bytes // 2


def test_two_swapped_gates_change_the_output() -> None:
    workload = WORKLOADS["lstm"]
    weights = workload.weights()
    admit, forget, *others = np.split(weights["recurrent1.input"], 4, axis=1)
    weights["recurrent1.input"] = np.concatenate((forget, admit, *others), axis=1)
    assert deviation(make_program(workload, weights=weights), workload) > 0.01


def test_a_weight_of_another_shape_is_refused() -> None:
    weights = SMALL[0].weights()
    weights["dense1.weight"] = weights["dense1.weight"][:-1]
    with pytest.raises(ValueError, match="shape"):
        make_program(weights=weights)


@needs_compiler
def test_a_compiled_program_tells_of_one_graph_however_often_it_is_called() -> None:
    program = make_program(compiled=True)
    for _ in range(3):
        output(program)
    found = program.compilation()
    assert found is not None
    assert (found.graphs, found.flops_share) == (1, 1.0)


@needs_compiler
def test_compilation_that_mlx_ignores_is_seen(compile_disabled: None) -> None:
    program = make_program(compiled=True)
    output(program)
    found = program.compilation()
    assert found is not None
    assert (found.graphs, found.flops_share) == (0, 0.0)


def test_an_eager_program_tells_of_no_compilation() -> None:
    assert make_program().compilation() is None


def test_a_cpu_without_a_compiler_has_no_compiled_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UnsupportedError, match=r"g\+\+"):
        make_program(compiled=True)


@needs_compiler
def test_programs_of_several_batches_and_variants_do_not_disturb_each_other() -> None:
    programs = [
        make_program(compiled=compiled, batch=batch)
        for batch in (1, 4, 2)
        for compiled in (False, True)
    ]
    for _ in range(2):
        outputs = [output(program) for program in programs]
    assert [len(found) for found in outputs] == [1, 1, 4, 4, 2, 2]
    for found in outputs:
        np.testing.assert_allclose(found[0], outputs[0][0], rtol=1e-4, atol=1e-6)
    for program in programs[1::2]:
        told = program.compilation()
        assert told is not None
        assert told.graphs == 1


def test_every_call_computes_anew() -> None:
    program = make_program(batch=64)
    kept = program.call()
    program.wait(kept)
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    program.wait(program.call())
    assert mx.get_peak_memory() - before > 64 * 128 * 4  # one layer's output


def test_the_output_tells_where_it_was_computed() -> None:
    program = make_program()
    assert program.placed(program.call()).device is Device.CPU


def test_peak_memory_holds_the_model_at_least() -> None:
    program = make_program()
    output(program)
    peak = program.peak_memory_bytes()
    assert peak is not None
    assert peak > program.parameter_bytes


def test_a_closed_program_frees_its_memory() -> None:
    before = mx.get_active_memory()
    program = make_program(WORKLOADS["lstm"])
    output(program)
    assert mx.get_active_memory() - before > program.parameter_bytes
    program.close()
    assert mx.get_active_memory() - before < program.parameter_bytes / 10


def test_what_mlx_cannot_do_is_told() -> None:
    adapter = make_adapter()
    workload, eager = SMALL[0], adapter.variants(Device.CPU)[0]
    given = (workload.weights(), workload.inputs(1), eager)
    absent = Device.CUDA if Device.CUDA not in adapter.devices() else Device.MPS
    with pytest.raises(UnsupportedError, match=absent.value):
        adapter.program(workload, *given, absent, Precision.FP32)
    with pytest.raises(UnsupportedError, match="tf32"):
        adapter.program(workload, *given, Device.CPU, Precision.TF32)
    strange = replace(workload, layers=(Unknown(),))
    with pytest.raises(UnsupportedError, match="MLX has no module for Unknown"):
        adapter.program(strange, *given, Device.CPU, Precision.FP32)
    with pytest.raises(UnsupportedError, match="threads"):
        adapter.limit_threads(1)


def test_the_adapter_introduces_itself() -> None:
    adapter = make_adapter()
    assert next(iter(adapter.versions().items())) == ("mlx", mx.__version__)
    assert Device.CPU in adapter.devices()
    assert [variant.kind for variant in adapter.variants(Device.CPU)] == [
        VariantKind.EAGER,
        VariantKind.COMPILED,
    ]
    assert "mx.eval" in adapter.synchronisation(Device.CPU)


@needs_compiler
def test_the_compile_cache_is_warm_once_a_kernel_was_built() -> None:
    adapter = make_adapter()
    eager, compiled = adapter.variants(Device.CPU)
    output(make_program(compiled=True))
    assert adapter.compile_cache(compiled) is CompileCache.WARM
    assert adapter.compile_cache(eager) is None


def test_an_empty_folder_is_a_cold_compile_cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("empty")))
    adapter = make_adapter()
    assert adapter.compile_cache(adapter.variants(Device.CPU)[1]) is CompileCache.COLD


@pytest.mark.parametrize("precision", [Precision.FP32, Precision.BF16])
def test_the_matrix_product_is_one(precision: Precision) -> None:
    call, wait = make_adapter().matrix_product(8, Device.CPU, precision)
    found = call()
    wait(found)
    assert found.shape == (8, 8)
    assert found.dtype == {Precision.FP32: mx.float32, Precision.BF16: mx.bfloat16}[precision]


@needs_compiler
def test_the_triad_adds_a_product() -> None:
    call, wait = make_adapter().triad(1000, Device.CPU)
    found = call()
    wait(found)
    assert found.tolist() == [1.0 + 3.0 * 2.0] * 1000
