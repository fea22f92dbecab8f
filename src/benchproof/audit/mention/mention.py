"""A number found in a text: where it stands, what it says, and which values it may stand for."""

from enum import StrEnum

import msgspec

from benchproof.audit.facts.fact import Dimension


class Role(StrEnum):
    """What a number is beside its neighbour."""

    ALONE = ""
    LOW = "low"  # of a range: 1.05-1.79x
    HIGH = "high"
    FROM = "from"  # of a change: from 18.2 ms to 10.2 ms
    TO = "to"
    COUNT = "count"  # 4 of 5
    TOTAL = "total"


OF_CHANGE = (Role.FROM, Role.TO)


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """A number in a passage; `value`, `low` and `high` are in the base unit of its dimension.

    Between `low` and `high` lie the values that print as this text: half a unit of its last digit
    to each side, more where the text hedges. `step` is one unit of the last digit.
    """

    start: int
    end: int
    text: str
    value: float
    step: float
    dimension: Dimension
    unit: str = ""
    factor: float = 1.0
    hedged: bool = False
    bound: str = ""  # "<" or ">", where the text gives only a limit
    role: Role = Role.ALONE
    partner: int | None = None  # the start of the other number of a range, change or count
    side: Role = Role.ALONE  # of a range that a change starts from or leads to: from 2-8% to 7-25%
    worded: bool = False

    @property
    def reach(self) -> float:
        """How far a value may lie from the printed one, in base units."""
        return self.step * (1.0 if self.hedged else 0.5)

    @property
    def low(self) -> float:
        """The least value that prints so."""
        return self.value - self.reach

    @property
    def high(self) -> float:
        """The largest value that prints so."""
        return self.value + self.reach

    def admits(self, value: float) -> bool:
        """Whether a value prints as this text; ties round either way."""
        slack = 1e-9 * max(abs(value), abs(self.value))
        if self.bound == "<":
            return value < self.value + slack
        if self.bound == ">":
            return value > self.value - slack
        return self.low - slack <= value <= self.high + slack

    def truncates(self, value: float) -> bool:
        """Whether the text is the value cut off after its last digit."""
        slack = 1e-9 * max(abs(value), abs(self.value))
        return self.value - slack <= value < self.value + self.step - slack
