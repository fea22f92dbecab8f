"""Modules that `mlx.nn` lacks, or that give more than one output there."""

from typing import Any

from benchproof.collectors.frameworks.mlx.runtime import mx, nn


class MeanOverPositions(nn.Module):  # type: ignore[misc] # MLX has no types where it is missing
    """Mean over all axes but the first and the last."""

    def __call__(self, x: Any) -> Any:
        return mx.mean(x, axis=tuple(range(1, x.ndim - 1)))


class LastStep(nn.Module):  # type: ignore[misc]
    """The last step of a sequence."""

    def __call__(self, x: Any) -> Any:
        return x[:, -1]


class FirstStep(nn.Module):  # type: ignore[misc]
    """The first step of a sequence."""

    def __call__(self, x: Any) -> Any:
        return x[:, 0]


class Patches(nn.Module):  # type: ignore[misc]
    """An image's positions as a sequence."""

    def __call__(self, x: Any) -> Any:
        return mx.flatten(x, 1, 2)


class SelfAttention(nn.MultiHeadAttention):  # type: ignore[misc]
    """`nn.MultiHeadAttention` of a sequence with itself."""

    def __call__(self, x: Any) -> Any:
        return super().__call__(x, x, x)


class Rnn(nn.RNN):  # type: ignore[misc]
    """`nn.RNN` from a state of zeros; without one it leaves the first step's product out."""

    def __call__(self, x: Any) -> Any:
        return super().__call__(x, hidden=mx.zeros((len(x), self.hidden_size), x.dtype))


class Lstm(nn.LSTM):  # type: ignore[misc]
    """The hidden states of `nn.LSTM` from a state of zeros, as `Rnn`."""

    def __call__(self, x: Any) -> Any:
        zeros = mx.zeros((len(x), self.hidden_size), x.dtype)
        hidden, _cells = super().__call__(x, hidden=zeros, cell=zeros)
        return hidden


class Residual(nn.Module):  # type: ignore[misc]
    """The body's output added to its input."""

    def __init__(self, body: Any) -> None:
        super().__init__()
        self.body = body

    def __call__(self, x: Any) -> Any:
        return x + self.body(x)


class ClassToken(nn.Module):  # type: ignore[misc]
    """A learned first step before the sequence, and a learned position added to every step."""

    def __init__(self, steps: int, width: int) -> None:
        super().__init__()
        self.token = mx.zeros((1, width))
        self.position = mx.zeros((steps, width))

    def __call__(self, x: Any) -> Any:
        token = mx.broadcast_to(self.token, (len(x), *self.token.shape))
        return mx.concatenate((token, x), axis=1) + self.position


class LayerScale(nn.Module):  # type: ignore[misc]
    """Each channel times a learned factor."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = mx.ones((width,))

    def __call__(self, x: Any) -> Any:
        return x * self.scale
