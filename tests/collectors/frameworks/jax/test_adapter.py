"""What the JAX adapter tells of this machine, and how it refuses what JAX cannot do."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
from collectors.frameworks.jax.programs import ADAPTER, EAGER, JIT, make_program

from benchproof.collectors.frameworks.base import UnsupportedError, Variant, load
from benchproof.collectors.frameworks.jax import cpu_threads, devices
from benchproof.model.keys import CompileCache, Device, Framework, Precision, VariantKind

ABSENT = [device for device in Device if device not in ADAPTER.devices()]
linux = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="only Linux tells a process's threads"
)


def alone(program: str, **environment: str) -> str:
    """What a Python program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=100,
        env={name: value for name, value in os.environ.items() if name != "NPROC"} | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_versions_begin_with_jax_s_own() -> None:
    found = ADAPTER.versions()
    assert list(found)[:2] == ["jax", "jaxlib"]
    assert found["jax"] == jax.__version__


def test_the_cpu_is_a_device_by_its_own_name() -> None:
    assert "cpu" in ADAPTER.devices()[Device.CPU]


def test_a_cpu_s_runtime_has_no_version_of_its_own() -> None:
    assert ADAPTER.driver(Device.CPU) is None


def test_variants_are_eager_first_and_then_compiled() -> None:
    told = [(each.name, each.kind) for each in ADAPTER.variants(Device.CPU)]
    assert told == [("eager", VariantKind.EAGER), ("jax.jit", VariantKind.COMPILED)]


def test_a_cpu_has_fp32_and_no_tf32() -> None:
    found = ADAPTER.precisions(Device.CPU)
    assert found[0] is Precision.FP32
    assert set(found) <= {Precision.FP32, Precision.BF16, Precision.FP16}


def test_a_precision_that_comes_out_wrong_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    right = jax.numpy.matmul

    def wrong(left: Any, right_: Any, precision: Any) -> Any:
        product = right(left, right_, precision=precision)
        return product + 1 if left.dtype == "bfloat16" else product

    monkeypatch.setattr(jax.numpy, "matmul", wrong)
    assert Precision.BF16 not in ADAPTER.precisions(Device.CPU)
    assert Precision.FP32 in ADAPTER.precisions(Device.CPU)


def test_the_wait_is_named() -> None:
    assert ADAPTER.synchronisation(Device.CPU) == "jax.Array.block_until_ready()"


@pytest.mark.parametrize("device", ABSENT)
def test_a_device_that_jax_does_not_have_is_unsupported(device: Device) -> None:
    with pytest.raises(UnsupportedError, match=f"JAX has no {device} here, only .*cpu"):
        make_program("ff-dnn", device=device)
    with pytest.raises(UnsupportedError):
        ADAPTER.triad(8, device)
    assert ADAPTER.driver(device) is None
    assert ADAPTER.precisions(device) == ()


@pytest.mark.parametrize("precision", [Precision.TF32, Precision.INT8])
def test_arithmetic_that_a_cpu_does_not_have_is_unsupported(precision: Precision) -> None:
    with pytest.raises(UnsupportedError, match=f"no {precision} arithmetic on cpu"):
        make_program("ff-dnn", precision=precision)
    with pytest.raises(UnsupportedError):
        ADAPTER.matrix_product(8, Device.CPU, precision)


def test_a_variant_of_another_framework_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match=r"no variant torch\.compile"):
        make_program("ff-dnn", Variant("torch.compile", VariantKind.COMPILED))


@pytest.mark.parametrize("precision", [Precision.FP32, Precision.BF16])
def test_a_matrix_product_is_that_of_its_size_and_precision(precision: Precision) -> None:
    call, wait = ADAPTER.matrix_product(64, Device.CPU, precision)
    output = call()
    wait(output)
    assert output.shape == (64, 64)
    assert output.dtype == {"fp32": "float32", "bf16": "bfloat16"}[precision]
    # Elements are sums of 64 products of standard normal numbers.
    assert 7 < np.asarray(output).astype(np.float64).std() < 9
    assert devices.placed(output).device is Device.CPU


def test_a_triad_is_right_and_stays_in_the_same_memory() -> None:
    call, wait = ADAPTER.triad(1000, Device.CPU)
    places = set()
    for _ in range(4):
        output = call()
        wait(output)
        assert np.asarray(output).tolist() == [1 + 3 * 2] * 1000
        places.add(output.unsafe_buffer_pointer())
    assert len(places) == 1


@pytest.fixture
def cache_folder(tmp_path: Path) -> Iterator[Path]:
    before = jax.config.jax_compilation_cache_dir
    jax.config.update("jax_compilation_cache_dir", str(tmp_path))
    yield tmp_path
    jax.config.update("jax_compilation_cache_dir", before)


def test_the_compile_cache_is_off_where_no_folder_is_set() -> None:
    assert ADAPTER.compile_cache(JIT) is CompileCache.OFF
    assert ADAPTER.compile_cache(EAGER) is None


def test_the_compile_cache_is_warm_when_executables_lie_in_it(cache_folder: Path) -> None:
    assert ADAPTER.compile_cache(JIT) is CompileCache.COLD
    (cache_folder / "xla_gpu_per_fusion_autotune_cache_dir").mkdir()
    assert ADAPTER.compile_cache(JIT) is CompileCache.COLD
    (cache_folder / "jit_model-0123-cache").touch()
    assert ADAPTER.compile_cache(JIT) is CompileCache.WARM
    assert ADAPTER.compile_cache(EAGER) is None


def test_a_folder_that_does_not_exist_yet_is_cold(cache_folder: Path) -> None:
    cache_folder.rmdir()
    assert ADAPTER.compile_cache(JIT) is CompileCache.COLD
    cache_folder.mkdir()


def test_a_compile_cache_elsewhere_is_not_told(cache_folder: Path) -> None:
    jax.config.update("jax_compilation_cache_dir", "gs://bucket/folder")
    assert ADAPTER.compile_cache(JIT) is None


SHARED = """
from benchproof.collectors.frameworks.base import load
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.model.keys import Device, Framework, Precision
adapter = load(Framework.JAX)
eager, jit = adapter.variants(Device.CPU)
work = WORKLOADS["ff-dnn"]
def run(variant):
    made = adapter.program(
        work, work.weights(), work.inputs(1), variant, Device.CPU, Precision.FP32)
    made.wait(made.call())
    made.close()
"""


@pytest.mark.slow
def test_what_jax_keeps_on_disk_is_what_makes_the_cache_warm(tmp_path: Path) -> None:
    told = alone(
        SHARED + "print(adapter.compile_cache(jit)); run(jit); print(adapter.compile_cache(jit))",
        JAX_COMPILATION_CACHE_DIR=str(tmp_path),
        JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0",
        JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="-1",
    )
    assert told.split() == ["cold", "warm"]


def test_an_eager_program_stays_on_its_device_though_another_is_the_default() -> None:
    told = alone(
        SHARED + "import jax; jax.config.update('jax_default_device', jax.devices('cpu')[1])\n"
        "work = WORKLOADS['rnn']\n"
        "with jax.transfer_guard_device_to_device('disallow'): run(eager)\n"
        "print('ran')",
        XLA_FLAGS="--xla_force_host_platform_device_count=2",
    )
    assert told == "ran"


@linux
def test_threads_are_limited_before_the_first_program_and_counted_afterwards() -> None:
    told = alone(
        SHARED + "adapter.devices(); adapter.limit_threads(3); print(adapter.threads()); run(jit)\n"
        "adapter.limit_threads(1); print(adapter.threads()); run(eager); print(adapter.threads())"
    )
    assert told.split() == ["3", "1", "1"]


@linux
def test_a_pool_that_xla_does_not_use_is_one_thread() -> None:
    told = alone(
        SHARED + "from benchproof.collectors.frameworks.base import UnsupportedError\n"
        "print(adapter.threads())\n"
        "try: adapter.limit_threads(3)\n"
        "except UnsupportedError as bad: print(bad)",
        XLA_FLAGS="--xla_cpu_multi_thread_eigen=false",
    )
    assert told.splitlines() == ["1", "JAX was told to use 3 CPU threads, it uses 1"]


def test_threads_that_are_used_already_need_no_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_threads, "_restart", lambda _: pytest.fail("restarted"))
    monkeypatch.setattr(cpu_threads, "count", lambda: 5)
    ADAPTER.limit_threads(5)


def test_threads_that_cannot_be_counted_cannot_be_limited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cpu_threads, "_TASKS", tmp_path / "none")
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert ADAPTER.threads() is None
    ADAPTER.limit_threads(8)
    with pytest.raises(UnsupportedError, match="cannot be limited to 3 CPU threads here"):
        ADAPTER.limit_threads(3)


def test_jax_takes_gpu_memory_as_it_needs_it_unless_the_user_wants_otherwise() -> None:
    tell = (
        "import os, jax._src.xla_bridge as backends\n"
        "from benchproof.collectors.frameworks.base import load\n"
        "from benchproof.model.keys import Framework\n"
        "load(Framework.JAX)\n"
        "started = backends.backends_are_initialized()\n"
        "print(os.environ['XLA_PYTHON_CLIENT_PREALLOCATE'], started)\n"
    )
    assert alone(tell) == "false False"
    assert alone(tell, XLA_PYTHON_CLIENT_PREALLOCATE="true") == "true False"


def test_the_adapter_can_be_had_twice() -> None:
    assert load(Framework.JAX).framework is load(Framework.JAX).framework is Framework.JAX


def test_a_missing_jax_is_told() -> None:
    told = alone(
        "import sys; sys.modules['jax'] = None\n"
        "from benchproof.collectors.frameworks.base import MissingFrameworkError, load\n"
        "from benchproof.model.keys import Framework\n"
        "try: load(Framework.JAX)\n"
        "except MissingFrameworkError as bad: print(bad)"
    )
    assert told.startswith("JAX cannot be imported")
