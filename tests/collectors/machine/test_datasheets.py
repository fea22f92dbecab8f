"""A chip gets its vendor's figures only where its name says exactly which one it is."""

import msgspec
import pytest

from benchproof.collectors.machine.datasheets import _APPLE, _NVIDIA, datasheet_ceilings
from benchproof.model.keys import Device
from benchproof.model.raw import Ceiling

KNOWN = [
    ("NVIDIA H200", 4.8e12, 67e12, 989.5e12),
    ("NVIDIA H200 NVL", 4.8e12, 60e12, 835.5e12),
    ("NVIDIA H100 80GB HBM3", 3.35e12, 67e12, 989.5e12),
    ("NVIDIA H100 PCIe", 2.0e12, 51e12, 756.5e12),
    ("NVIDIA H100 NVL", 3.9e12, 60e12, 835.5e12),
    ("NVIDIA A100-SXM4-40GB", 1.555e12, 19.5e12, 312e12),
    ("A100-SXM4-40GB", 1.555e12, 19.5e12, 312e12),
    ("NVIDIA A100-SXM4-80GB", 2.039e12, 19.5e12, 312e12),
    ("NVIDIA A100-PCIE-40GB", 1.555e12, 19.5e12, 312e12),
    ("NVIDIA A100 80GB PCIe", 1.935e12, 19.5e12, 312e12),
    ("NVIDIA L4", 300e9, 30.3e12, 121e12),
    ("NVIDIA L40S", 864e9, 91.6e12, 362.05e12),
    ("Tesla V100-SXM2-32GB", 900e9, 15.7e12, 125e12),
    ("Tesla V100-PCIE-16GB", 900e9, 14e12, 112e12),
    ("Tesla V100S-PCIE-32GB", 1134e9, 16.4e12, 130e12),
    ("Tesla T4", 320e9, 8.1e12, 65e12),
    ("NVIDIA GeForce RTX 3090", 936e9, 35.6e12, 71e12),
    ("NVIDIA GeForce RTX 4090", 1008e9, 82.6e12, 165.2e12),
    ("NVIDIA GeForce RTX 5090", 1792e9, 104.8e12, 209.5e12),
]


def values(chip: str, device: Device, cores: int | None = None) -> dict[tuple[str, str], float]:
    """Ceilings by quantity and precision."""
    told = [msgspec.convert(c, Ceiling) for c in datasheet_ceilings(chip, device, cores)]
    return {(str(c.quantity), str(c.precision)): c.value for c in told}


@pytest.mark.parametrize(("chip", "bandwidth", "fp32", "fp16"), KNOWN, ids=[k[0] for k in KNOWN])
def test_a_known_gpu_has_its_vendor_s_dense_figures(
    chip: str, bandwidth: float, fp32: float, fp16: float
) -> None:
    told = values(chip, Device.CUDA)
    assert told["bytes_per_s", "None"] == pytest.approx(bandwidth)
    assert told["flops_per_s", "fp32"] == pytest.approx(fp32)
    assert told["flops_per_s", "fp16"] == pytest.approx(fp16)


@pytest.mark.parametrize(
    "chip",
    [
        "NVIDIA H200 MIG 1g.18gb", "NVIDIA GH200 480GB", "NVIDIA L40", "NVIDIA H100",
        "NVIDIA A100-SXM-64GB", "NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA GeForce RTX 3090 Ti", "Tesla V100-SXM2-32GB-LS", "", "nvidia h200",
    ],
)  # fmt: skip
def test_a_gpu_that_is_only_alike_has_none(chip: str) -> None:
    assert datasheet_ceilings(chip, Device.CUDA) == []


def test_a_cpu_never_gets_the_peak_of_a_gpu() -> None:
    assert set(values("Apple M3", Device.CPU)) == {("bytes_per_s", "None")}
    assert datasheet_ceilings("NVIDIA H200", Device.CPU) == []
    assert datasheet_ceilings("NVIDIA H200", Device.MPS) == []
    assert datasheet_ceilings("Apple M3", Device.CUDA) == []
    assert datasheet_ceilings("AMD EPYC", Device.CPU) == []


@pytest.mark.parametrize(
    ("chip", "cores", "bandwidth"),
    [
        ("Apple M3", 8, 100e9),
        ("Apple M3 Pro", None, 150e9),
        ("Apple M3 Max", 14, 300e9),
        ("Apple M3 Max", 16, 400e9),
        ("Apple M3 Max", None, 400e9),
        ("Apple M4 Max", 14, 410e9),
        ("Apple M4 Max", 16, 546e9),
        ("Apple M2 Ultra", 24, 800e9),
    ],
)
def test_variants_of_one_apple_chip_are_told_apart_by_their_cores(
    chip: str, cores: int | None, bandwidth: float
) -> None:
    assert values(chip, Device.MPS, cores)["bytes_per_s", "None"] == pytest.approx(bandwidth)


def test_every_figure_has_a_source_and_every_name_is_one_chip() -> None:
    sheets = [*_NVIDIA, *_APPLE]
    assert all(sheet.source.startswith(("NVIDIA ", "Apple, ")) for sheet in sheets)
    names = [(sheet.name, sheet.cpu_cores) for sheet in sheets]
    assert len(set(names)) == len(names)
