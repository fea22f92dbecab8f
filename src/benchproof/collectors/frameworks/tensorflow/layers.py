"""Keras layers that Keras lacks."""

from typing import Any

from benchproof.collectors.frameworks.tensorflow.runtime import keras


class ClassToken(keras.layers.Layer):  # type: ignore[misc] # Keras has no types
    """A learned first step before the sequence, and a learned position added to every step."""

    def build(self, input_shape: tuple[int | None, int, int]) -> None:
        """Make token and positions for sequences of this shape."""
        _batch, steps, width = input_shape
        self.token = self.add_weight(shape=(1, width), name="token")
        self.position = self.add_weight(shape=(steps + 1, width), name="position")

    def call(self, inputs: Any) -> Any:
        """The longer sequence."""
        batch = keras.ops.shape(inputs)[0]
        token = keras.ops.broadcast_to(self.token, (batch, *self.token.shape))
        return keras.ops.concatenate((token, inputs), axis=1) + self.position


class LayerScale(keras.layers.Layer):  # type: ignore[misc]
    """Each channel times a learned factor."""

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        """Make a factor for each channel."""
        self.scale = self.add_weight(shape=input_shape[-1:], name="scale")

    def call(self, inputs: Any) -> Any:
        """The scaled input."""
        return inputs * self.scale
