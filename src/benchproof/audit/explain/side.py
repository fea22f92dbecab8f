"""The two sides of a comparison: what each is limited to, and which key differs."""

import msgspec

from benchproof.audit.facts.cube import Limits
from benchproof.audit.facts.fact import Dimension

COMPARED = (Dimension.RATIO, Dimension.PERCENT, Dimension.POINT)  # what comparisons are told in


class Sides(msgspec.Struct, frozen=True):
    """The limits of what a comparison starts from, and of what it is about.

    `why` names the key that differs. Where the text gives no order, `ordered` is False.
    """

    base: Limits
    other: Limits
    why: str
    ordered: bool = True
    printed: tuple[float, float] | None = None  # what the cells themselves say of the two
    best_only: bool = False  # the best of each side alone is meant
    certain: bool = True  # the text says that these two are compared
    amount: Dimension | None = None  # of the amounts beside it, where those are compared
