"""PyTorch's adapter: what it offers, refuses and tells."""

import pytest

from benchproof.collectors.frameworks.base import UnsupportedError, load
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.model.keys import Device, Framework, Precision, VariantKind

pytest.importorskip("torch")

import torch

from benchproof.collectors.frameworks.pytorch import ceilings, runtimes
from benchproof.collectors.frameworks.pytorch.adapter import EAGER, PyTorch


def test_the_package_gives_the_adapter() -> None:
    assert load(Framework.PYTORCH).framework is Framework.PYTORCH


def test_its_own_version_comes_first() -> None:
    assert next(iter(PyTorch().versions().items())) == ("torch", torch.__version__)


def test_the_cpu_offers_eager_and_inductor() -> None:
    names = [variant.name for variant in PyTorch().variants(Device.CPU)]
    assert names == ["eager", "torch.compile(inductor)"]


def test_cuda_offers_graphs_as_well() -> None:
    last = PyTorch().variants(Device.CUDA)[-1]
    assert (last.name, last.kind) == ("CUDA graph", VariantKind.GRAPH)


def test_an_output_tells_where_it_lives() -> None:
    workload = WORKLOADS["ff-dnn"]
    program = PyTorch().program(
        workload, workload.weights(), workload.inputs(1), EAGER, Device.CPU, Precision.FP32
    )
    placed = program.placed(program.call())
    assert (placed.device, placed.text) == (Device.CPU, "cpu")
    elsewhere = program.placed(torch.empty(1, device="meta"))
    assert (elsewhere.device, elsewhere.text) == (None, "meta")


def test_the_cpu_has_neither_a_clock_nor_a_memory_count_nor_a_driver() -> None:
    workload = WORKLOADS["ff-dnn"]
    program = PyTorch().program(
        workload, workload.weights(), workload.inputs(1), EAGER, Device.CPU, Precision.FP32
    )
    assert program.device_timer() is None
    assert program.peak_memory_bytes() is None
    assert PyTorch().driver(Device.CPU) is None


def test_cuda_tells_the_versions_of_its_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.backends.cudnn, "version", lambda: 91_200)
    assert PyTorch().driver(Device.CUDA) == "CUDA 13.0, cuDNN 91200"


def test_outputs_carry_no_autograd_graph() -> None:
    workload = WORKLOADS["ff-dnn"]
    program = PyTorch().program(
        workload, workload.weights(), workload.inputs(1), EAGER, Device.CPU, Precision.FP32
    )
    assert program.call().is_inference()


@pytest.mark.parametrize("precision", [Precision.TF32, Precision.INT8])
def test_a_precision_that_the_cpu_lacks_is_unsupported(precision: Precision) -> None:
    workload = WORKLOADS["ff-dnn"]
    with pytest.raises(UnsupportedError, match=f"no {precision} on this cpu"):
        PyTorch().program(
            workload, workload.weights(), workload.inputs(1), EAGER, Device.CPU, precision
        )


def test_a_fallback_from_mps_to_the_cpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    monkeypatch.setattr(torch.backends.mps, "is_macos_or_newer", lambda *_: True)
    monkeypatch.setenv("PYTORCH_ENABLE_MPS_FALLBACK", "1")
    with pytest.raises(UnsupportedError, match="operations would run on the CPU unseen"):
        PyTorch().matrix_product(8, Device.MPS, Precision.FP32)


def test_mps_has_no_bf16_before_macos_14(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.mps, "is_macos_or_newer", lambda *_: False)
    assert PyTorch().precisions(Device.MPS) == (Precision.FP32, Precision.FP16)


@pytest.mark.parametrize(("capability", "tf32"), [((7, 5), False), ((8, 0), True), ((12, 0), True)])
def test_tf32_is_offered_from_ampere_on(
    monkeypatch: pytest.MonkeyPatch, capability: tuple[int, int], tf32: bool
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: capability)
    assert (Precision.TF32 in PyTorch().precisions(Device.CUDA)) is tf32


def test_threads_are_limited() -> None:
    adapter = PyTorch()
    before = adapter.threads()
    try:
        adapter.limit_threads(1)
        assert torch.get_num_threads() == adapter.threads() == 1
    finally:
        adapter.limit_threads(before)


def test_waiting_is_told_by_device() -> None:
    assert PyTorch().synchronisation(Device.CUDA) == "torch.cuda.synchronize()"
    assert PyTorch().synchronisation(Device.MPS) == "torch.mps.synchronize()"
    assert PyTorch().synchronisation(Device.CPU).startswith("none")


class FakeMps:
    def __init__(self) -> None:
        self.log: list[str] = []

    def synchronize(self) -> None:
        self.log.append("synchronize")

    def empty_cache(self) -> None:
        self.log.append("empty cache")


def test_apples_gpu_is_waited_for_and_has_no_clock_of_its_own() -> None:
    mps = FakeMps()
    metal = runtimes.Metal(mps)
    metal.synchronise()
    metal.free()
    assert mps.log == ["synchronize", "empty cache"]
    assert metal.timed(lambda: None, 3) is None


@pytest.mark.parametrize("precision", [Precision.FP32, Precision.BF16, Precision.FP16])
def test_a_product_is_written_into_memory_that_was_there(
    monkeypatch: pytest.MonkeyPatch, precision: Precision
) -> None:
    monkeypatch.setattr(ceilings.torch, "randn", torch.ones)
    call, wait = PyTorch().matrix_product(64, Device.CPU, precision)
    first, second = call(), call()
    wait(second)
    assert first.data_ptr() == second.data_ptr()
    assert first.shape == (64, 64)
    assert (first == 64).all()


def test_a_triad_is_written_into_memory_that_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings.torch, "randn", torch.ones)
    call, wait = PyTorch().triad(1000, Device.CPU)
    first, second = call(), call()
    wait(second)
    assert first.data_ptr() == second.data_ptr()
    assert first.dtype == torch.float32
    assert first.tolist() == [4.0] * 1000
