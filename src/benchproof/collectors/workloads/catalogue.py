"""The workloads that collectors know."""

from benchproof.collectors.workloads.layers import (
    Attention,
    BatchNorm,
    Conv,
    Dense,
    LastStep,
    Layer,
    LayerNorm,
    MaxPool,
    MeanOverPositions,
    Recurrent,
    Relu,
    Residual,
)
from benchproof.collectors.workloads.workload import Workload

HIDDEN = 128
SEQUENCE = 32
CLASSES = 10


def _feed_forward() -> Workload:
    layers = (
        Dense("dense1", 128), LayerNorm("norm1"), Relu(),
        Dense("dense2", 128), LayerNorm("norm2"), Relu(),
        Dense("head", CLASSES),
    )  # fmt: skip
    return Workload("FF DNN", "ff-dnn", (784,), layers)


def _convolutional() -> Workload:
    layers = (
        Conv("conv1", 64, 3), BatchNorm("norm1"), Relu(), MaxPool(2),
        Conv("conv2", 128, 3), BatchNorm("norm2"), Relu(), MaxPool(2),
        MeanOverPositions(), Dense("head", CLASSES),
    )  # fmt: skip
    return Workload("CNN", "cnn", (32, 32, 3), layers)


def _recurrent(name: str, slug: str, gates: int) -> Workload:
    layers = (
        Recurrent("recurrent1", HIDDEN, gates), Recurrent("recurrent2", HIDDEN, gates),
        LastStep(), Dense("head", CLASSES),
    )  # fmt: skip
    return Workload(name, slug, (SEQUENCE, HIDDEN), layers)


def _encoder_block(name: str, heads: int, width: int, inner: int) -> tuple[Layer, ...]:
    """An encoder layer as its first paper has it: normalisation after each residual sum."""
    return (
        Residual((Attention(f"{name}.attention", heads),)),
        LayerNorm(f"{name}.norm1"),
        Residual((Dense(f"{name}.dense1", inner), Relu(), Dense(f"{name}.dense2", width))),
        LayerNorm(f"{name}.norm2"),
    )


def _transformer() -> Workload:
    blocks = (_encoder_block(f"block{n}", heads=4, width=HIDDEN, inner=512) for n in (1, 2))
    layers = (
        *(layer for block in blocks for layer in block),
        MeanOverPositions(), Dense("head", CLASSES),
    )  # fmt: skip
    return Workload("Transformer", "transformer", (SEQUENCE, HIDDEN), layers)


SMALL = (
    _feed_forward(),
    _convolutional(),
    _recurrent("RNN", "rnn", gates=1),
    _recurrent("LSTM", "lstm", gates=4),
    _transformer(),
)
LARGE: tuple[Workload, ...] = ()
WORKLOADS = {workload.slug: workload for workload in SMALL + LARGE}
