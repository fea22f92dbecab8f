"""Which ceilings a chip's vendor states: dense arithmetic (no sparsity) and memory bandwidth.

Only figures that the vendor printed itself, or half of those that it printed with sparsity. A chip
that is not named here exactly has none. Apple prints bandwidth, and no FLOP/s by precision.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchproof.model.keys import CeilingKind, CeilingQuantity, Device, Precision

_TERA, _GIGA = 1e12, 1e9
_HALF = "tensor figures are half of those with sparsity"
_BOOST = "at its rated boost clock, which a card may exceed; tensor figures with FP32 accumulation"


@dataclass(frozen=True)
class Datasheet:
    """What one document states for chips whose whole name `name` matches.

    `cpu_cores` tells variants of one name apart where a chip's cores are known.
    """

    name: str
    source: str
    bytes_per_s: float
    flops_per_s: Mapping[Precision, float] = field(default_factory=dict)
    cpu_cores: int | None = None


def _tera(**figures: float) -> dict[Precision, float]:
    return {Precision(name): figure * _TERA for name, figure in figures.items()}


_A100 = _tera(fp32=19.5, tf32=156, bf16=312, fp16=312)
_HOPPER_SXM = _tera(fp32=67, tf32=494.5, bf16=989.5, fp16=989.5)
_HOPPER_NVL = _tera(fp32=60, tf32=417.5, bf16=835.5, fp16=835.5)
_A100_SHEET = "NVIDIA A100 Tensor Core GPU datasheet"
_H100_SHEET = f"NVIDIA H100 Tensor Core GPU datasheet; {_HALF}"
_H200_SHEET = f"NVIDIA H200 Tensor Core GPU datasheet; {_HALF}"
_V100_SHEET = "NVIDIA V100 Tensor Core GPU datasheet"
_OLD = "(NVIDIA )?(Tesla )?"  # drivers before and after 2021 name cards differently

_NVIDIA = (
    Datasheet("NVIDIA H200", _H200_SHEET, 4.8 * _TERA, _HOPPER_SXM),
    Datasheet("NVIDIA H200 NVL", _H200_SHEET, 4.8 * _TERA, _HOPPER_NVL),
    Datasheet("NVIDIA H100 80GB HBM3", _H100_SHEET, 3.35 * _TERA, _HOPPER_SXM),
    Datasheet("NVIDIA H100 NVL", _H100_SHEET, 3.9 * _TERA, _HOPPER_NVL),
    Datasheet(
        "NVIDIA H100 PCIe", _H100_SHEET, 2.0 * _TERA,
        _tera(fp32=51, tf32=378, bf16=756.5, fp16=756.5),
    ),
    Datasheet(f"{_OLD}A100-SXM4-40GB", _A100_SHEET, 1555 * _GIGA, _A100),
    Datasheet(f"{_OLD}A100-PCIE-40GB", _A100_SHEET, 1555 * _GIGA, _A100),
    Datasheet(f"{_OLD}A100-SXM4-80GB", _A100_SHEET, 2039 * _GIGA, _A100),
    Datasheet(f"{_OLD}A100 80GB PCIe", _A100_SHEET, 1935 * _GIGA, _A100),
    Datasheet(
        "NVIDIA L4", f"NVIDIA L4 Tensor Core GPU datasheet; {_HALF}", 300 * _GIGA,
        _tera(fp32=30.3, tf32=60, bf16=121, fp16=121),
    ),
    Datasheet(
        "NVIDIA L40S", "NVIDIA L40S GPU datasheet", 864 * _GIGA,
        _tera(fp32=91.6, tf32=183, bf16=362.05, fp16=362.05),
    ),
    Datasheet(
        f"{_OLD}V100-SXM2-(16|32)GB", _V100_SHEET, 900 * _GIGA, _tera(fp32=15.7, fp16=125)
    ),
    Datasheet(f"{_OLD}V100-PCIE-(16|32)GB", _V100_SHEET, 900 * _GIGA, _tera(fp32=14, fp16=112)),
    Datasheet(f"{_OLD}V100S-PCIE-32GB", _V100_SHEET, 1134 * _GIGA, _tera(fp32=16.4, fp16=130)),
    Datasheet(
        f"{_OLD}T4", "NVIDIA T4 Tensor Core GPU datasheet", 320 * _GIGA,
        _tera(fp32=8.1, fp16=65),
    ),
    Datasheet(
        "(NVIDIA )?GeForce RTX 3090", f"NVIDIA Ampere GA102 GPU Architecture, appendix A; {_BOOST}",
        936 * _GIGA, _tera(fp32=35.6, tf32=35.6, bf16=71, fp16=71),
    ),
    Datasheet(
        "NVIDIA GeForce RTX 4090", f"NVIDIA Ada GPU Architecture, appendix A; {_BOOST}",
        1008 * _GIGA, _tera(fp32=82.6, tf32=82.6, bf16=165.2, fp16=165.2),
    ),
    Datasheet(
        "NVIDIA GeForce RTX 5090",
        f"NVIDIA RTX Blackwell GPU Architecture, appendix A; {_BOOST}",
        1792 * _GIGA, _tera(fp32=104.8, tf32=104.8, bf16=209.5, fp16=209.5),
    ),
)  # fmt: skip


def _apple(chip: str, gigabytes_per_s: float, document: str, cores: int | None = None) -> Datasheet:
    return Datasheet(f"Apple {chip}", f"Apple, {document}", gigabytes_per_s * _GIGA, {}, cores)


_APPLE = (
    _apple("M1 Pro", 200, "MacBook Pro (2021) technical specifications"),
    _apple("M1 Max", 400, "MacBook Pro (2021) technical specifications"),
    _apple("M1 Ultra", 800, "Mac Studio (2022) technical specifications"),
    _apple("M2", 100, "MacBook Air (M2, 2022) technical specifications"),
    _apple("M2 Pro", 200, "MacBook Pro (2023) technical specifications"),
    _apple("M2 Max", 400, "MacBook Pro (2023) technical specifications"),
    _apple("M2 Ultra", 800, "Mac Studio (2023) technical specifications"),
    _apple("M3", 100, "MacBook Pro (M3, Nov 2023) technical specifications"),
    _apple("M3 Pro", 150, "MacBook Pro (M3 Pro, Nov 2023) technical specifications"),
    _apple("M3 Max", 300, "MacBook Pro (M3 Max, Nov 2023) technical specifications", 14),
    _apple("M3 Max", 400, "MacBook Pro (M3 Max, Nov 2023) technical specifications", 16),
    _apple("M3 Ultra", 819, "Mac Studio (2025) technical specifications"),
    _apple("M4", 120, "MacBook Pro (M4, 2024) technical specifications"),
    _apple("M4 Pro", 273, "MacBook Pro (M4 Pro, 2024) technical specifications"),
    _apple("M4 Max", 410, "MacBook Pro (M4 Max, 2024) technical specifications", 14),
    _apple("M4 Max", 546, "MacBook Pro (M4 Max, 2024) technical specifications", 16),
)
_SHEETS = {Device.CUDA: _NVIDIA, Device.MPS: _APPLE, Device.CPU: _APPLE}


def datasheet_ceilings(chip: str, device: Device, cores: int | None = None) -> list[dict[str, Any]]:
    """Ceilings that the vendor states for a chip, as raw telemetry has them; empty if unknown.

    Of variants with one name, the one with so many CPU `cores` counts, else the fastest: a
    ceiling must not lie below what the chip can do. A CPU gets memory bandwidth at most.
    """
    sheets = [sheet for sheet in _SHEETS[device] if re.fullmatch(sheet.name, chip)]
    sheets = [s for s in sheets if s.cpu_cores == cores] or sheets
    if not sheets:
        return []
    sheet = max(sheets, key=lambda s: s.bytes_per_s)
    return [
        *(_ceiling(sheet, CeilingQuantity.FLOPS_PER_S, v, p) for p, v in sheet.flops_per_s.items()),
        _ceiling(sheet, CeilingQuantity.BYTES_PER_S, sheet.bytes_per_s),
    ]


def _ceiling(
    sheet: Datasheet, quantity: CeilingQuantity, value: float, precision: Precision | None = None
) -> dict[str, Any]:
    stated = {
        "quantity": str(quantity),
        "value": value,
        "kind": str(CeilingKind.DATASHEET),
        "source": sheet.source,
    }
    return stated if precision is None else stated | {"precision": str(precision)}
