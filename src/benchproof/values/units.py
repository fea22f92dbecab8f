"""Which units values have, and which combinations of them mean something."""

from enum import StrEnum


class Unit(StrEnum):
    """Unit of a value in its base form; percent and percentage points are different types."""

    SECOND = "s"
    FLOP = "FLOP"
    FLOP_PER_S = "FLOP/s"
    BYTE = "B"
    BYTE_PER_S = "B/s"
    FLOP_PER_BYTE = "FLOP/byte"
    SAMPLE_PER_S = "samples/s"
    RATIO = "×"
    PERCENT = "%"
    POINT = "percentage points"
    PROBABILITY = "probability"
    COUNT = ""


QUOTIENTS: dict[tuple[Unit, Unit], Unit] = {
    (Unit.FLOP, Unit.SECOND): Unit.FLOP_PER_S,
    (Unit.BYTE, Unit.SECOND): Unit.BYTE_PER_S,
    (Unit.FLOP, Unit.BYTE): Unit.FLOP_PER_BYTE,
    (Unit.FLOP_PER_S, Unit.BYTE_PER_S): Unit.FLOP_PER_BYTE,
    (Unit.COUNT, Unit.SECOND): Unit.SAMPLE_PER_S,
    (Unit.FLOP, Unit.FLOP_PER_S): Unit.SECOND,
    (Unit.BYTE, Unit.BYTE_PER_S): Unit.SECOND,
}


def quotient(above: Unit, below: Unit) -> Unit | None:
    """Unit of a quotient; None where dividing the two means nothing."""
    return Unit.RATIO if above is below else QUOTIENTS.get((above, below))


def difference(left: Unit, right: Unit) -> Unit | None:
    """Unit of a difference: percent less percent gives percentage points."""
    if left is not right:
        return None
    return Unit.POINT if left is Unit.PERCENT else left
