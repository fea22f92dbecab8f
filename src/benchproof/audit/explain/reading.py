"""One way to read a number: the value it would state, how that is derived, and from which facts."""

import msgspec


class Reading(msgspec.Struct, frozen=True):
    """A value in the base unit of the mention's dimension; `choice` is what the text left open."""

    value: float
    derivation: str
    places: tuple[str, ...]
    choice: str = ""
    end: str = ""  # "low" or "high" of a range
    pair: tuple[float, float] | None = None  # what a ratio is of


class Slip(msgspec.Struct, frozen=True):
    """What a known slip of this kind of number would print, by the name of its rule."""

    rule: str
    reading: Reading


class Readings(msgspec.Struct, frozen=True):
    """All readings of one number; `firm` where nothing but named rules was left open.

    `absent` says what the text speaks of and the data has not.
    """

    readings: tuple[Reading, ...] = ()
    firm: bool = False
    absent: str = ""
    slips: tuple[Slip, ...] = ()
    total: float | None = None  # of what a count is
    open_keys: tuple[str, ...] = ()
