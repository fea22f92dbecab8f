"""Whether a program did the work that it is said to do: its output, its device, its compilation."""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchproof.collectors.frameworks.base import Compilation, Placed, Variant
from benchproof.collectors.workloads.workload import Workload
from benchproof.model.keys import Device, Precision, VariantKind

ITEMS = 2  # outputs of a batch that the reference computes as well
# Largest deviation from the reference, in standard deviations of the reference: some ten times
# what correct programs show, and far below what a forgotten bias or swapped gates cause.
TOLERANCE = {
    Precision.FP32: 2e-3, Precision.TF32: 5e-2, Precision.FP16: 5e-2, Precision.BF16: 3e-1,
}  # fmt: skip
LEAST_SHARE = 0.5  # of the FLOPs that have to lie in compiled graphs


class WrongWorkError(Exception):
    """The program computes something else, or somewhere else; told in one line."""


@dataclass(frozen=True)
class Checked:
    """An output that passed: its digest, and how far it lies from the reference."""

    digest: str
    error: float


def check_device(placed: Placed, asked: Device) -> None:
    """Raise WrongWorkError where the output does not live on the device that was asked for."""
    if placed.device is not asked:
        raise WrongWorkError(f"asked for {asked}, the output lives on {placed.text}")


def check_output(
    output: NDArray[np.float64], workload: Workload, batch: int, precision: Precision
) -> Checked:
    """Digest and error of an output; WrongWorkError where it is not the reference's.

    The error is the largest deviation of the first items, over the reference's deviation.
    """
    shape = (batch, *workload.output_shape)
    if output.shape != shape:
        raise WrongWorkError(f"the output has shape {output.shape}, not {shape}")
    if not np.isfinite(output).all():
        raise WrongWorkError("the output is not finite")
    reference = workload.reference(min(ITEMS, batch))
    error = float(np.abs(output[: len(reference)] - reference).max() / reference.std())
    if error > TOLERANCE[precision]:
        raise WrongWorkError(
            f"the output is {error:.2g} standard deviations from the reference's, "
            f"{TOLERANCE[precision]:g} are allowed in {precision}"
        )
    digest = hashlib.sha256(output.astype(np.float32).tobytes()).hexdigest()[:16]
    return Checked(digest, error)


def check_parameters(counted: int, workload: Workload) -> None:
    """Raise WrongWorkError where the model holds another number of parameters."""
    if counted != workload.parameter_count:
        raise WrongWorkError(
            f"the model holds {counted:,} parameters, {workload.name} has "
            f"{workload.parameter_count:,}"
        )


def not_compiled(variant: Variant, found: Compilation | None) -> str | None:
    """Why a variant that should compile is none that did; None where it did, or need not."""
    if variant.kind is not VariantKind.COMPILED or found is None:
        return None
    if found.graphs == 0:
        return f"{variant.name} compiled nothing (0 graphs): it ran eager"
    if found.flops_share is not None and found.flops_share < LEAST_SHARE:
        return (
            f"{variant.name} compiled {100 * found.flops_share:.1f} % of the FLOPs "
            f"({found.graphs} graphs): the rest ran eager"
        )
    return None
