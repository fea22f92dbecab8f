"""The small models as PyTorch's modules: dense, convolutional, recurrent, Transformer."""

import re
from importlib import import_module
from typing import Any

nn: Any = import_module("torch.nn")

_ENCODER_PARTS = {
    "attention.qkv.weight": "self_attn.in_proj_weight",
    "attention.qkv.bias": "self_attn.in_proj_bias",
    "attention.output.weight": "self_attn.out_proj.weight",
    "attention.output.bias": "self_attn.out_proj.bias",
    "dense1.weight": "linear1.weight",
    "dense1.bias": "linear1.bias",
    "dense2.weight": "linear2.weight",
    "dense2.bias": "linear2.bias",
}
_RECURRENT_PARTS = {"input": "weight_ih", "recurrent": "weight_hh", "bias": "bias_ih"}


class FeedForward(nn.Module):  # type: ignore[misc]
    """FF DNN: two hidden layers, each normalised and rectified."""

    def __init__(self) -> None:
        super().__init__()
        self.dense1 = nn.Linear(784, 128)
        self.norm1 = nn.LayerNorm(128)
        self.dense2 = nn.Linear(128, 128)
        self.norm2 = nn.LayerNorm(128)
        self.head = nn.Linear(128, 10)
        self.relu = nn.ReLU()

    def forward(self, x: Any) -> Any:
        """Logits of a batch of `(batch, 784)`."""
        x = self.relu(self.norm1(self.dense1(x)))
        x = self.relu(self.norm2(self.dense2(x)))
        return self.head(x)

    @staticmethod
    def rename(name: str) -> str:
        """Name of a weight in `state_dict`."""
        return name


class Convolutional(nn.Module):  # type: ignore[misc]
    """CNN: two convolutions of 3x3, each normalised, rectified and pooled."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(64)
        self.conv2 = nn.Conv2d(64, 128, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(128)
        self.head = nn.Linear(128, 10)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2)

    def forward(self, x: Any) -> Any:
        """Logits of a batch of `(batch, 3, 32, 32)`."""
        x = self.pool(self.relu(self.norm1(self.conv1(x))))
        x = self.pool(self.relu(self.norm2(self.conv2(x))))
        return self.head(x.mean((-2, -1)))

    @staticmethod
    def rename(name: str) -> str:
        """Name of a weight in `state_dict`."""
        return name


class Recurrent(nn.Module):  # type: ignore[misc]
    """RNN or LSTM: two layers of 128, and a head on the last step.

    PyTorch has a second bias a layer, `bias_hh`, that adds to the first; it stays zero.
    """

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.recurrent = layer(128, 128, num_layers=2, batch_first=True)
        self.head = nn.Linear(128, 10)

    def forward(self, x: Any) -> Any:
        """Logits of a batch of `(batch, 32, 128)`."""
        steps, _ = self.recurrent(x)
        return self.head(steps[:, -1])

    @staticmethod
    def rename(name: str) -> str:
        """Name of a weight in `state_dict`."""
        found = re.fullmatch(r"recurrent(\d+)\.(.+)", name)
        if found is None:
            return name
        return f"recurrent.{_RECURRENT_PARTS[found[2]]}_l{int(found[1]) - 1}"


class Transformer(nn.Module):  # type: ignore[misc]
    """Transformer: two encoder layers, normalised after each residual sum."""

    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(
            d_model=128, nhead=4, dim_feedforward=512, dropout=0.0, batch_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.head = nn.Linear(128, 10)

    def forward(self, x: Any) -> Any:
        """Logits of a batch of `(batch, 32, 128)`."""
        return self.head(self.encoder(x).mean(1))

    @staticmethod
    def rename(name: str) -> str:
        """Name of a weight in `state_dict`."""
        found = re.fullmatch(r"block(\d+)\.(.+)", name)
        if found is None:
            return name
        part = _ENCODER_PARTS.get(found[2], found[2])
        return f"encoder.layers.{int(found[1]) - 1}.{part}"
