"""ViT-Tiny and ConvNeXt-Tiny as PyTorch's modules."""

from collections import OrderedDict
from importlib import import_module
from typing import Any

torch: Any = import_module("torch")
nn: Any = import_module("torch.nn")
functional: Any = import_module("torch.nn.functional")

_EPSILON = 1e-6


class SelfAttention(nn.Module):  # type: ignore[misc]
    """Self-attention of several heads, by PyTorch's fused kernel where there is one."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, x: Any) -> Any:
        """Mixed steps of `(batch, steps, width)`."""
        batch, steps, width = x.shape
        qkv = self.qkv(x).reshape(batch, steps, 3, self.heads, width // self.heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = functional.scaled_dot_product_attention(query, key, value)
        return self.output(mixed.transpose(1, 2).reshape(batch, steps, width))


class VitBlock(nn.Module):  # type: ignore[misc]
    """An encoder block that normalises before each of its two residual branches."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width, _EPSILON)
        self.attention = SelfAttention(width, heads)
        self.norm2 = nn.LayerNorm(width, _EPSILON)
        self.dense1 = nn.Linear(width, 4 * width)
        self.gelu = nn.GELU()
        self.dense2 = nn.Linear(4 * width, width)

    def forward(self, x: Any) -> Any:
        """Steps of `(batch, steps, width)`."""
        x = x + self.attention(self.norm1(x))
        return x + self.dense2(self.gelu(self.dense1(self.norm2(x))))


class ClassToken(nn.Module):  # type: ignore[misc]
    """A learned first step, and learned positions."""

    def __init__(self, steps: int, width: int) -> None:
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, width))
        self.position = nn.Parameter(torch.zeros(steps + 1, width))

    def forward(self, x: Any) -> Any:
        """Steps of `(batch, steps + 1, width)`."""
        token = self.token.expand(x.shape[0], 1, -1)
        return torch.cat((token, x), dim=1) + self.position


class VisionTransformer(nn.Module):  # type: ignore[misc]
    """ViT-Tiny/16: 12 blocks of 192, 3 heads, 224x224 pixels."""

    def __init__(self) -> None:
        super().__init__()
        width, heads, blocks = 192, 3, 12
        self.patch = nn.Conv2d(3, width, kernel_size=16, stride=16)
        self.embedding = ClassToken(14 * 14, width)
        self.blocks = nn.Sequential(
            OrderedDict((f"block{n}", VitBlock(width, heads)) for n in range(1, blocks + 1))
        )
        self.norm = nn.LayerNorm(width, _EPSILON)
        self.head = nn.Linear(width, 1000)

    def forward(self, x: Any) -> Any:
        """Logits of a batch of `(batch, 3, 224, 224)`."""
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = self.norm(self.blocks(self.embedding(x)))
        return self.head(x[:, 0])

    @staticmethod
    def rename(name: str) -> str:
        """Name of a weight in `state_dict`."""
        return f"blocks.{name}" if name.startswith("block") else name


class ChannelNorm(nn.LayerNorm):  # type: ignore[misc]
    """Normalisation over the channels of an NCHW image."""

    def forward(self, x: Any) -> Any:
        """Image of `(batch, channels, height, width)`."""
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class ConvNextBlock(nn.Module):  # type: ignore[misc]
    """A depthwise 7x7 convolution and two dense layers over channels, as a residual branch."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, kernel_size=7, padding=3, groups=width)
        self.norm = nn.LayerNorm(width, _EPSILON)
        self.dense1 = nn.Linear(width, 4 * width)
        self.gelu = nn.GELU()
        self.dense2 = nn.Linear(4 * width, width)
        self.layerscale = nn.Parameter(torch.ones(width))

    def forward(self, x: Any) -> Any:
        """Image of `(batch, channels, height, width)`."""
        branch = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        branch = self.layerscale * self.dense2(self.gelu(self.dense1(branch)))
        return x + branch.permute(0, 3, 1, 2)


class ConvNext(nn.Module):  # type: ignore[misc]
    """ConvNeXt-Tiny: stages of 3, 3, 9 and 3 blocks, 224x224 pixels."""

    def __init__(self) -> None:
        super().__init__()
        widths = (96, 192, 384, 768)
        stem = (
            ("conv", nn.Conv2d(3, widths[0], kernel_size=4, stride=4)),
            ("norm", ChannelNorm(widths[0], _EPSILON)),
        )
        self.stem = nn.Sequential(OrderedDict(stem))
        self.stage1 = _stage(None, widths[0], blocks=3)
        self.stage2 = _stage(widths[0], widths[1], blocks=3)
        self.stage3 = _stage(widths[1], widths[2], blocks=9)
        self.stage4 = _stage(widths[2], widths[3], blocks=3)
        self.norm = nn.LayerNorm(widths[3], _EPSILON)
        self.head = nn.Linear(widths[3], 1000)

    def forward(self, x: Any) -> Any:
        """Logits of a batch of `(batch, 3, 224, 224)`."""
        x = self.stage4(self.stage3(self.stage2(self.stage1(self.stem(x)))))
        return self.head(self.norm(x.mean((-2, -1))))

    @staticmethod
    def rename(name: str) -> str:
        """Name of a weight in `state_dict`."""
        if name in ("stem.weight", "stem.bias"):
            return name.replace("stem", "stem.conv")
        return name.replace("layerscale.weight", "layerscale")


def _stage(before: int | None, width: int, blocks: int) -> Any:
    """Blocks of one width, after halving the image where another width came `before`."""
    layers: list[tuple[str, Any]] = []
    if before is not None:
        layers += [
            ("norm", ChannelNorm(before, _EPSILON)),
            ("reduce", nn.Conv2d(before, width, kernel_size=2, stride=2)),
        ]
    layers += [(f"block{n}", ConvNextBlock(width)) for n in range(1, blocks + 1)]
    return nn.Sequential(OrderedDict(layers))
