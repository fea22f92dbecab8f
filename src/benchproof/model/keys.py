"""Which closed sets name a measurement: devices, frameworks, tasks, variants, precisions."""

from enum import StrEnum


class Device(StrEnum):
    """Kind of device that a computation was asked to run on, or ran on."""

    CPU = "cpu"
    MPS = "mps"
    CUDA = "cuda"

    @property
    def is_gpu(self) -> bool:
        """Whether this is an accelerator rather than the host's processor."""
        return self is not Device.CPU


class Framework(StrEnum):
    """Framework that ran the workload."""

    PYTORCH = "PyTorch"
    JAX = "JAX"
    TENSORFLOW = "TensorFlow"
    MLX = "MLX"


class Task(StrEnum):
    """What one timed call does with the model."""

    INFERENCE = "inference"
    TRAIN_STEP = "train-step"
    BACKWARD = "backward"


class VariantKind(StrEnum):
    """How a framework runs a workload, whatever the framework calls it."""

    EAGER = "eager"
    COMPILED = "compiled"
    GRAPH = "graph-replay"


class Precision(StrEnum):
    """Number format of the arithmetic."""

    FP32 = "fp32"
    TF32 = "tf32"
    BF16 = "bf16"
    FP16 = "fp16"
    INT8 = "int8"


class Status(StrEnum):
    """How a cell's measurement ended."""

    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNSTABLE = "unstable"


class CeilingQuantity(StrEnum):
    """Which rate of a device a ceiling limits."""

    FLOPS_PER_S = "flops_per_s"
    BYTES_PER_S = "bytes_per_s"


class CeilingKind(StrEnum):
    """Where a ceiling's figure comes from."""

    DATASHEET = "datasheet"
    MEASURED = "measured"


class CompileCache(StrEnum):
    """State of a framework's compile cache on disk before a cell's first call."""

    COLD = "cold"
    WARM = "warm"
    OFF = "off"
