"""A JAX program counts what it holds, tells where it ran and what was compiled, and frees it."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
from collectors.frameworks.jax.programs import (
    ADAPTER,
    EAGER,
    JIT,
    compilations,
    make_program,
    program,
    run,
)

from benchproof.collectors.frameworks.base import Compilation, Placed, Variant
from benchproof.collectors.frameworks.jax import devices, models
from benchproof.collectors.workloads import layers as parts
from benchproof.collectors.workloads.catalogue import SMALL, WORKLOADS
from benchproof.collectors.workloads.workload import Workload
from benchproof.model.keys import Device, Precision

each_small = pytest.mark.parametrize("workload", SMALL, ids=lambda each: each.slug)
each_variant = pytest.mark.parametrize("variant", [EAGER, JIT], ids=lambda each: each.name)


@each_small
def test_parameters_are_counted_without_statistics_and_bytes_with_them(workload: Workload) -> None:
    held = sum(array.size for array in workload.weights().values())
    with program(workload) as made, program(workload, precision=Precision.BF16) as half:
        assert made.parameter_count == workload.parameter_count
        assert made.redundant_parameters == 0
        assert made.parameter_bytes == 4 * held
        assert half.parameter_bytes == 2 * held


def test_parameters_are_counted_from_the_arrays_that_the_model_gets() -> None:
    workload = WORKLOADS["ff-dnn"]
    more = workload.weights() | {"forgotten.weight": np.zeros((3, 5), np.float32)}
    made = ADAPTER.program(workload, more, workload.inputs(1), JIT, Device.CPU, Precision.FP32)
    assert made.parameter_count == workload.parameter_count + 15
    made.close()


@dataclass
class Watched:
    """How often a model's Python function ran, and with what kind of array."""

    calls: int = 0
    traced: int = 0

    def build(self, layers: Any, products: Any) -> models.Function:
        model = models_build(layers, products)

        def watched(weights: Any, x: Any) -> Any:
            self.calls += 1
            self.traced += isinstance(x, jax.core.Tracer)
            return model(weights, x)

        return watched


models_build = models.build


@pytest.mark.parametrize(("variant", "calls", "traced"), [(EAGER, 3, 0), (JIT, 1, 1)])
def test_eager_runs_op_by_op_in_each_call_and_jit_traces_once(
    variant: Variant, calls: int, traced: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched()
    monkeypatch.setattr(models, "build", watched.build)
    with program("ff-dnn", variant) as made:
        for _ in range(3):
            run(made)
        assert (watched.calls, watched.traced) == (calls, traced)


def test_jit_compiles_the_model_as_one_graph_in_the_first_call() -> None:
    with program("transformer", JIT, batch=2) as made, compilations() as seen:
        run(made)
        assert len(seen) == 1
        run(made)
        assert len(seen) == 1
        assert made.compilation() == Compilation(graphs=1, flops_share=1.0)


def test_eager_has_no_compilation_to_tell_of() -> None:
    with program("ff-dnn", EAGER) as made:
        run(made)
        assert made.compilation() is None


def test_a_jit_that_is_switched_off_has_compiled_nothing() -> None:
    with program("ff-dnn", JIT) as made, jax.disable_jit():
        run(made)
        found = made.compilation()
        assert found is not None
        assert (found.graphs, found.flops_share) == (0, 0.0)
        assert "JAX_DISABLE_JIT" in str(found.note)


@each_variant
def test_the_output_tells_where_it_lives(variant: Variant) -> None:
    with program("lstm", variant) as made:
        found = made.placed(made.call())
        assert found.device is Device.CPU
        assert "cpu" in found.text


def fake_output(*platforms: str, version: str = "") -> Any:
    held = [
        SimpleNamespace(
            id=number,
            platform=platform,
            device_kind="Kind",
            client=SimpleNamespace(platform_version=version),
        )
        for number, platform in enumerate(platforms)
    ]
    return SimpleNamespace(devices=lambda: held)


@pytest.mark.parametrize(
    ("platform", "version", "device"),
    [
        ("cpu", "cpu", Device.CPU),
        ("gpu", "PJRT C API\ncuda 13000", Device.CUDA),
        ("cuda", "", Device.CUDA),
        ("gpu", "PJRT C API\nrocm 60300", None),
        ("METAL", "", Device.MPS),
        ("mps", "", Device.MPS),
        ("tpu", "", None),
    ],
)
def test_platforms_have_their_kind_of_device(
    platform: str, version: str, device: Device | None
) -> None:
    assert devices.placed(fake_output(platform, version=version)).device is device


def test_an_output_spread_over_several_devices_has_no_kind() -> None:
    assert devices.placed(fake_output("cpu", "cpu")).device is None


def test_an_output_is_read_and_not_what_was_asked_for() -> None:
    with program("ff-dnn") as made:
        found: Placed = made.placed(fake_output("gpu", version="cuda 13000"))
        assert found.device is Device.CUDA


def test_a_closed_program_has_freed_its_arrays() -> None:
    before = len(jax.live_arrays())
    made = make_program("cnn", JIT)
    run(made)
    made.close()
    assert len(jax.live_arrays()) == before
    with pytest.raises(RuntimeError, match="deleted"):
        made.call()


def first_call_compilations() -> int:
    with program("ff-dnn", EAGER) as made, compilations() as seen:
        run(made)
    return len(seen)


def test_an_eager_program_s_first_call_does_not_profit_from_closed_ones() -> None:
    first = first_call_compilations()
    assert first > 5
    assert first_call_compilations() == first


def test_closing_a_program_leaves_the_compiled_code_of_open_ones() -> None:
    with program("ff-dnn", JIT) as kept:
        run(kept)
        first_call_compilations()
        with compilations() as seen:
            run(kept)
        assert seen == []


def test_a_program_may_be_closed_twice() -> None:
    made = make_program("ff-dnn")
    made.close()
    made.close()


def taps_on_the_image(workload: Workload) -> int:
    """FLOPs of one item without the taps of convolutions that fall on padding.

    A kernel of size 2p+1 at stride 1 has p(p+1) taps beside the image in every row and column.
    """
    return sum(
        map(_counted, *zip(*parts.steps(workload.layers, workload.input_shape), strict=True))
    )


def _counted(layer: parts.Layer, shape: parts.Shape) -> int:
    if isinstance(layer, parts.Residual):
        return sum(_counted(inner, before) for inner, before in parts.steps(layer.body, shape))
    if not isinstance(layer, parts.Conv) or layer.padding == 0:
        return layer.flops(shape)
    beside = layer.padding * (layer.padding + 1)
    rows, columns = (side * layer.kernel - beside for side in shape[:2])
    channels = 1 if layer.depthwise else shape[2]
    return 2 * rows * columns * channels * layer.width


@pytest.mark.parametrize(
    ("slug", "above"),
    # Biases, normalisation, ReLU and softmax are a few operations an element; XLA makes a GELU's
    # erf a polynomial of some forty.
    [("ff-dnn", 0.02), ("cnn", 0.02), ("transformer", 0.02),
     ("vit-tiny", 0.08), ("convnext-tiny", 0.08)],
)  # fmt: skip
def test_xla_counts_the_workload_s_flops_and_elementwise_work(slug: str, above: float) -> None:
    workload = WORKLOADS[slug]
    with program(workload, batch=2) as made:
        counted = made.counted_flops()
    assert counted is not None
    products = 2 * taps_on_the_image(workload)
    assert products < counted < (1 + above) * products
    assert products <= workload.flops(2) < 1.1 * products


def test_xla_s_count_of_a_dense_layer_is_exact() -> None:
    workload = Workload("Made", "made", (6,), (parts.Dense("d", 5),))
    biases = 3 * 5
    with program(workload, batch=3) as made:
        assert made.counted_flops() == workload.flops(3) + biases


@pytest.mark.parametrize("slug", ["rnn", "lstm"])
def test_a_loop_is_not_counted_since_xla_counts_its_body_once(slug: str) -> None:
    with program(slug) as made:
        assert made.counted_flops() is None


def test_flops_are_the_same_in_both_variants() -> None:
    with program("transformer", EAGER) as eager, program("transformer", JIT) as compiled:
        assert eager.counted_flops() == compiled.counted_flops()


def test_counting_flops_compiles_nothing() -> None:
    with program("ff-dnn", JIT) as made, compilations() as seen:
        made.counted_flops()
        assert seen == []
        assert made.compilation() == Compilation(
            0, 0.0, "jax.jit has compiled nothing (JAX_DISABLE_JIT, or no call yet)"
        )


def test_a_cpu_has_no_clock_and_no_memory_count() -> None:
    with program("ff-dnn") as made:
        run(made)
        assert made.device_timer() is None
        assert made.peak_memory_bytes() is None


def test_a_peak_is_told_only_where_this_program_made_it(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter([500, 500, 700])
    monkeypatch.setattr(devices, "peak_memory_bytes", lambda _: next(peaks))
    with program("ff-dnn") as made:
        assert made.peak_memory_bytes() is None
        assert made.peak_memory_bytes() == 700
