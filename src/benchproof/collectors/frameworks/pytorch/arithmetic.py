"""How numbers are held and multiplied: data types, and the process-wide switch of TF32."""

from importlib import import_module
from typing import Any

from benchproof.model.keys import Precision

torch: Any = import_module("torch")

DTYPES: dict[Precision, Any] = {
    Precision.FP32: torch.float32,
    Precision.TF32: torch.float32,
    Precision.BF16: torch.bfloat16,
    Precision.FP16: torch.float16,
}


class Tf32Switch:
    """PyTorch's switch of TF32, which is one for the process; it's moved only when it has to.

    Every call sets it for its own precision, also bf16 and fp16 calls: `torch.compile` guards on
    it, so that a program compiled under one setting would compile again under the other.
    """

    def __init__(self) -> None:
        self._on: bool | None = None

    def turn(self, on: bool) -> None:
        """Allow TF32 in fp32 products and convolutions, or forbid it."""
        if on is not self._on:
            # The newer `fp32_precision` leaves these two in a state that raises when it is read.
            torch.backends.cuda.matmul.allow_tf32 = on
            torch.backends.cudnn.allow_tf32 = on
            self._on = on
