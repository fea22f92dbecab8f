"""TensorFlow's programs do the workloads' work, and tell what they compiled, held and counted."""

import gc
import subprocess
import sys
import weakref
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

pytest.importorskip("tensorflow")

from benchproof.collectors.frameworks.tensorflow import execution, runtime
from benchproof.collectors.frameworks.tensorflow.execution import EAGER, GRAPH, XLA, Execution

tf = runtime.tf


@dataclass(frozen=True)
class Unknown(Layer):
    pass


def make_adapter() -> Adapter:
    return load(Framework.TENSORFLOW)


def make_program(
    workload: Workload = SMALL[0],
    *,
    variant: str = GRAPH,
    precision: Precision = Precision.FP32,
    batch: int = 4,
    weights: Mapping[str, Float32] | None = None,
) -> Program:
    adapter = make_adapter()
    named = {found.name: found for found in adapter.variants(Device.CPU)}
    return adapter.program(
        workload,
        workload.weights() if weights is None else weights,
        workload.inputs(batch),
        named[variant],
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
def functions_run_eagerly() -> Iterator[None]:
    tf.config.run_functions_eagerly(True)
    yield
    tf.config.run_functions_eagerly(False)


@pytest.mark.parametrize("workload", SMALL, ids=lambda workload: workload.slug)
@pytest.mark.parametrize("variant", [EAGER, GRAPH, XLA])
def test_a_program_computes_what_the_reference_does(workload: Workload, variant: str) -> None:
    program = make_program(workload, variant=variant)
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


@pytest.mark.parametrize("variant", [GRAPH, XLA])
def test_a_compiled_program_tells_of_one_graph_however_often_it_is_called(variant: str) -> None:
    program = make_program(variant=variant)
    for _ in range(3):
        output(program)
        found = program.compilation()
        assert found is not None
        assert (found.graphs, found.flops_share) == (1, 1.0)


@pytest.mark.parametrize("variant", [GRAPH, XLA])
def test_functions_that_are_told_to_run_eagerly_are_seen(
    functions_run_eagerly: None, variant: str
) -> None:
    program = make_program(variant=variant)
    output(program)
    found = program.compilation()
    assert found is not None
    assert (found.graphs, found.flops_share) == (0, 0.0)


def test_an_eager_program_tells_of_no_compilation() -> None:
    assert make_program(variant=EAGER).compilation() is None


def test_a_graph_that_calls_python_does_not_claim_all_the_work() -> None:
    def leaves_the_graph(x: object) -> object:
        return tf.py_function(lambda given: given * 2, [x], tf.float32)

    run, x = Execution(leaves_the_graph, GRAPH, Device.CPU, Precision.FP32), tf.ones(2)
    run(x)
    found = run.compilation(x)
    assert found is not None
    assert found.flops_share is None
    assert found.note == "calls back into Python: EagerPyFunc"


def test_a_graph_without_xla_is_not_taken_for_one_with_it() -> None:
    run, x = Execution(tf.tanh, XLA, Device.CPU, Precision.FP32), tf.ones(2)
    run._run = tf.function(tf.tanh)
    run(x)
    found = run.compilation(x)
    assert found is not None
    assert found.graphs == 0


def test_programs_of_several_batches_and_variants_do_not_disturb_each_other() -> None:
    programs = [
        make_program(variant=variant, batch=batch)
        for batch in (1, 4, 2)
        for variant in (EAGER, GRAPH, XLA)
    ]
    for _ in range(2):
        outputs = [output(program) for program in programs]
    assert [len(found) for found in outputs] == [1, 1, 1, 4, 4, 4, 2, 2, 2]
    for found in outputs:
        np.testing.assert_allclose(found[0], outputs[0][0], rtol=1e-4, atol=1e-6)
    for program in programs:
        told = program.compilation()
        assert told is None or told.graphs == 1


@pytest.mark.parametrize("slug", ["ff-dnn", "cnn"])
def test_flops_are_those_of_the_workload_and_a_little_elementwise_work(slug: str) -> None:
    counted = make_program(WORKLOADS[slug]).counted_flops()
    assert counted is not None
    assert 1 < counted / WORKLOADS[slug].flops(4) < 1.02


@pytest.mark.parametrize("slug", ["rnn", "lstm", "transformer"])
def test_flops_that_the_profiler_would_leave_out_are_not_told(slug: str) -> None:
    # It counts a loop's body once, and an einsum not at all.
    assert make_program(WORKLOADS[slug]).counted_flops() is None


def test_counting_flops_leaves_the_program_alone() -> None:
    program = make_program()
    output(program)
    program.counted_flops()
    found = program.compilation()
    assert found is not None
    assert found.graphs == 1


def test_the_output_tells_where_it_lies() -> None:
    placed = (program := make_program()).placed(program.call())
    assert placed.device is Device.CPU
    assert placed.text.endswith("device:CPU:0")


def test_the_text_of_an_unknown_device_names_none() -> None:
    assert runtime.placed_kind("/job:localhost/replica:0/task:0/device:TPU:0") is None
    assert runtime.placed_kind("") is None


def test_nothing_moves_to_another_device_by_itself() -> None:
    make_adapter()
    assert not tf.config.get_soft_device_placement()


def test_a_cpu_tells_no_memory_and_no_device_time() -> None:
    program = make_program()
    assert program.peak_memory_bytes() is None
    assert program.device_timer() is None


@pytest.mark.parametrize("variant", [EAGER, GRAPH, XLA])
def test_a_closed_program_frees_its_model(variant: str) -> None:
    program = make_program(variant=variant)
    output(program)
    model = weakref.ref(program._model)  # type: ignore[attr-defined]
    program.close()
    gc.collect()
    assert model() is None


def test_what_tensorflow_cannot_do_is_told() -> None:
    adapter = make_adapter()
    workload, eager = SMALL[0], adapter.variants(Device.CPU)[0]
    given = (workload.weights(), workload.inputs(1))
    with pytest.raises(UnsupportedError, match="mps"):
        adapter.program(workload, *given, eager, Device.MPS, Precision.FP32)
    with pytest.raises(UnsupportedError, match="tf32"):
        adapter.program(workload, *given, eager, Device.CPU, Precision.TF32)
    other = replace(eager, name="of another")
    with pytest.raises(UnsupportedError, match="of another"):
        adapter.program(workload, *given, other, Device.CPU, Precision.FP32)
    strange = replace(workload, layers=(Unknown(),))
    with pytest.raises(UnsupportedError, match="TensorFlow has no layer for Unknown"):
        adapter.program(strange, *given, eager, Device.CPU, Precision.FP32)


def test_threads_cannot_change_once_tensorflow_runs() -> None:
    output(make_program())
    with pytest.raises(UnsupportedError, match="threads"):
        make_adapter().limit_threads(3)


def test_the_adapter_introduces_itself() -> None:
    adapter = make_adapter()
    assert next(iter(adapter.versions().items())) == ("tensorflow", tf.__version__)
    assert "keras" in adapter.versions()
    eager, *compiled = adapter.variants(Device.CPU)
    assert eager.kind is VariantKind.EAGER
    assert {variant.kind for variant in compiled} == {VariantKind.COMPILED}
    assert XLA not in {variant.name for variant in adapter.variants(Device.MPS)}
    assert Precision.TF32 in adapter.precisions(Device.CUDA)
    assert Precision.TF32 not in adapter.precisions(Device.CPU)


def test_a_compile_cache_that_xla_was_told_to_keep_is_not_called_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapter = make_adapter()
    eager, graph, xla = adapter.variants(Device.CPU)
    monkeypatch.delenv("TF_XLA_FLAGS", raising=False)
    assert adapter.compile_cache(eager) is None
    assert adapter.compile_cache(graph) is adapter.compile_cache(xla) is CompileCache.OFF
    monkeypatch.setenv("TF_XLA_FLAGS", "--tf_xla_persistent_cache_directory=/tmp/kept")
    assert adapter.compile_cache(xla) is None


def test_another_backend_of_keras_is_refused() -> None:
    with pytest.raises(ImportError, match="unset KERAS_BACKEND"):
        runtime.require_backend("jax")


@pytest.mark.parametrize("precision", [Precision.FP32, Precision.BF16])
def test_the_matrix_product_is_one(precision: Precision) -> None:
    call, wait = make_adapter().matrix_product(8, Device.CPU, precision)
    found = call()
    wait(found)
    assert found.shape == (8, 8)
    assert found.dtype.name == runtime.DTYPES[precision]


def test_the_triad_adds_a_product() -> None:
    call, wait = make_adapter().triad(1000, Device.CPU)
    found = call()
    wait(found)
    assert found.numpy().tolist() == [1.0 + 3.0 * 2.0] * 1000


def test_a_cpu_is_not_waited_for_as_it_has_computed_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited = []
    monkeypatch.setattr(tf.test.experimental, "sync_devices", lambda: waited.append(True))
    execution.wait(Device.CPU)
    assert not waited
    execution.wait(Device.CUDA)
    assert waited


_FRESH = """
from benchproof.collectors.frameworks.base import load
from benchproof.model.keys import Device, Framework
adapter = load(Framework.TENSORFLOW)
assert adapter.threads() is None
adapter.devices()
adapter.limit_threads(1)
call, wait = adapter.triad(1000, Device.CPU)
wait(call())
print(adapter.threads())
"""


@pytest.mark.slow
def test_a_fresh_process_is_quiet_and_can_limit_its_threads() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FRESH], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("1\n", "")
