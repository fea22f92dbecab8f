"""How likely a random number of the same format would have been explained."""

import math

from benchproof.audit.facts.cube import Cube
from benchproof.audit.mention.mention import Mention, Role

WEAK = 0.05


def chance(
    mention: Mention, cube: Cube, tried: int, *, derived: bool, total: float | None = None
) -> float:
    """Chance that one of `tried` readings fits a number drawn log-uniformly over a decade or more.

    The range is that of the dimension's values in the data, a decade at least: a random number
    outside of it would be noticed by anybody. Ratios and changes that are `derived` from several
    values are drawn from one decade, and counts from none to their `total`.
    """
    if total is not None or mention.role in (Role.COUNT, Role.TOTAL):
        return 1.0 if total is None else min(1.0, tried / (total + 1))
    low, high = max(mention.low, 1e-12), max(mention.high, 1e-12)
    width = math.log10(high / low) if high > low else 0.0
    decades = 1.0 if derived else max(1.0, cube.decades.get(mention.dimension, 1.0))
    one = min(1.0, width / decades)
    return 1.0 - (1.0 - one) ** max(1, tried)
