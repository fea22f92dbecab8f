"""The workloads that collectors know."""

from benchproof.collectors.workloads.layers import (
    Attention,
    BatchNorm,
    ClassToken,
    Conv,
    Dense,
    FirstStep,
    Gelu,
    LastStep,
    Layer,
    LayerNorm,
    LayerScale,
    MaxPool,
    MeanOverPositions,
    Patches,
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


def _vision_transformer() -> Workload:
    """ViT-Tiny/16: https://arxiv.org/abs/2012.12877, table 1 (DeiT-Ti without distillation)."""
    width, heads, epsilon = 192, 3, 1e-6
    blocks = (
        (
            Residual(
                (LayerNorm(f"block{n}.norm1", epsilon), Attention(f"block{n}.attention", heads))
            ),
            Residual(
                (
                    LayerNorm(f"block{n}.norm2", epsilon),
                    Dense(f"block{n}.dense1", 4 * width),
                    Gelu(),
                    Dense(f"block{n}.dense2", width),
                )
            ),
        )
        for n in range(1, 13)
    )
    layers = (
        Conv("patch", width, kernel=16, stride=16), Patches(), ClassToken("embedding"),
        *(layer for block in blocks for layer in block),
        LayerNorm("norm", epsilon), FirstStep(), Dense("head", 1000),
    )  # fmt: skip
    return Workload("ViT-Tiny", "vit-tiny", (224, 224, 3), layers)


def _convnext_block(name: str, width: int) -> Residual:
    return Residual(
        (
            Conv(f"{name}.depthwise", width, kernel=7, depthwise=True),
            LayerNorm(f"{name}.norm", 1e-6),
            Dense(f"{name}.dense1", 4 * width),
            Gelu(),
            Dense(f"{name}.dense2", width),
            LayerScale(f"{name}.layerscale"),
        )
    )


def _convnext() -> Workload:
    """ConvNeXt-Tiny: https://arxiv.org/abs/2201.03545, section 2.2 and its appendix A."""
    layers: list[Layer] = []
    for stage, (width, blocks) in enumerate(((96, 3), (192, 3), (384, 9), (768, 3)), start=1):
        if stage == 1:
            layers += [Conv("stem", width, kernel=4, stride=4), LayerNorm("stem.norm", 1e-6)]
        else:
            layers += [
                LayerNorm(f"stage{stage}.norm", 1e-6),
                Conv(f"stage{stage}.reduce", width, kernel=2, stride=2),
            ]
        layers += [_convnext_block(f"stage{stage}.block{n}", width) for n in range(1, blocks + 1)]
    layers += [MeanOverPositions(), LayerNorm("norm", 1e-6), Dense("head", 1000)]
    return Workload("ConvNeXt-Tiny", "convnext-tiny", (224, 224, 3), tuple(layers))


SMALL = (
    _feed_forward(),
    _convolutional(),
    _recurrent("RNN", "rnn", gates=1),
    _recurrent("LSTM", "lstm", gates=4),
    _transformer(),
)
LARGE = (_vision_transformer(), _convnext())
WORKLOADS = {workload.slug: workload for workload in SMALL + LARGE}
