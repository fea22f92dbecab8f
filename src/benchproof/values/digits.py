"""How a plain number is rounded, in posts and in figures alike.

Half to even on the exact value of the double, once: 7.498 rounds to 7, never to 8 by way of 7.5.
"""

from decimal import ROUND_HALF_EVEN, Decimal


def rounded(number: float, places: int) -> Decimal:
    """The number rounded to `places` after the point; negative ones lie left of it."""
    return Decimal(number).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)


def places_of_significant(number: float, significant: int) -> int:
    """How many places after the point show a number with so many significant digits."""
    if number == 0:
        return significant - 1
    exponent = int(f"{abs(number):.{significant - 1}e}".partition("e")[2])
    return significant - 1 - exponent
