"""JAX on an NVIDIA GPU: the device, its number formats, its memory."""

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
from collectors.frameworks.jax.programs import ADAPTER, EAGER, JIT, error, program, run

from benchproof.collectors.frameworks.base import Variant
from benchproof.collectors.workloads.catalogue import LARGE, SMALL, WORKLOADS
from benchproof.collectors.workloads.workload import Workload
from benchproof.model.keys import Device, Precision

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(
        Device.CUDA not in ADAPTER.devices(), reason="needs an NVIDIA GPU and a JAX for CUDA"
    ),
]
ON_GPU = {"device": Device.CUDA}
each_small = pytest.mark.parametrize("workload", SMALL, ids=lambda each: each.slug)
each_variant = pytest.mark.parametrize("variant", [EAGER, JIT], ids=lambda each: each.name)


@each_small
@each_variant
def test_fp32_is_full_fp32(workload: Workload, variant: Variant) -> None:
    with program(workload, variant, **ON_GPU) as made:
        assert error(made, workload) < 1e-5
        assert made.placed(made.call()).device is Device.CUDA


@pytest.mark.parametrize("slug", ["ff-dnn", "cnn", "transformer"])
def test_tf32_is_really_coarser(slug: str) -> None:
    workload = WORKLOADS[slug]
    with program(workload, precision=Precision.TF32, batch=32, **ON_GPU) as made:
        assert 5e-5 < error(made, workload) < 2e-2
        assert made.parameter_bytes % 4 == 0


@each_small
@each_variant
@pytest.mark.parametrize(("precision", "limit"), [(Precision.BF16, 1e-1), (Precision.FP16, 1e-2)])
def test_half_precisions_agree_as_far_as_they_can(
    workload: Workload, variant: Variant, precision: Precision, limit: float
) -> None:
    with program(workload, variant, precision=precision, **ON_GPU) as made:
        assert 1e-4 < error(made, workload) < limit


@pytest.mark.slow
@pytest.mark.parametrize("workload", LARGE, ids=lambda each: each.slug)
def test_large_models_agree_with_the_reference(workload: Workload) -> None:
    with program(workload, batch=2, **ON_GPU) as made:
        assert error(made, workload) < 1e-4


def test_precisions_alternate_in_one_process() -> None:
    errors = []
    for precision in (Precision.TF32, Precision.FP32, Precision.TF32, Precision.FP32):
        call, wait = ADAPTER.matrix_product(512, Device.CUDA, precision)
        exact, _ = ADAPTER.matrix_product(512, Device.CPU, Precision.FP32)
        output = call()
        wait(output)
        errors.append(float(np.abs(np.asarray(output) - np.asarray(exact())).max()))
    assert min(errors[0::2]) > 100 * max(errors[1::2])


@each_variant
@pytest.mark.parametrize("slug", ["lstm", "transformer"])
def test_a_cpu_program_runs_on_the_cpu_beside_a_gpu(slug: str, variant: Variant) -> None:
    with program(slug, variant, device=Device.CPU) as made:
        with (
            jax.transfer_guard_device_to_device("disallow"),
            jax.transfer_guard_device_to_host("disallow"),
        ):
            output = made.call()
            made.wait(output)
        assert made.placed(output).device is Device.CPU
        assert error(made, WORKLOADS[slug]) < 1e-4


def test_the_gpu_tells_its_memory_and_its_runtime() -> None:
    with program("cnn", batch=256, **ON_GPU) as made:
        run(made)
        peak = made.peak_memory_bytes()
        assert peak is None or peak > made.parameter_bytes
    stats = jax.devices("cuda")[0].memory_stats()
    assert 0 < stats["peak_bytes_in_use"] < 0.5 * stats["bytes_limit"]
    assert "cuda" in str(ADAPTER.driver(Device.CUDA)).lower()
    assert ADAPTER.precisions(Device.CUDA)[0] is Precision.FP32


def test_flops_are_counted_on_the_gpu_as_on_the_cpu() -> None:
    with program("transformer", **ON_GPU) as made, program("transformer") as other:
        assert made.counted_flops() == other.counted_flops() is not None


def test_a_triad_on_the_gpu_stays_in_the_same_memory() -> None:
    call, wait = ADAPTER.triad(1000, Device.CUDA)
    places = set()
    for _ in range(4):
        output = call()
        wait(output)
        places.add(output.unsafe_buffer_pointer())
        assert np.asarray(output).tolist() == [7.0] * 1000
    assert len(places) == 1
