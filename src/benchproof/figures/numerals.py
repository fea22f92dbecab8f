"""How numbers are written in figures: ticks, measured values, ratios and percentages.

`values.rounding` prints what stands in a post's text. It needs a value with its records, which a
row of a CSV table no longer has; the digits here are the ones it prints.
"""

from math import floor, log10

from benchproof.values.digits import places_of_significant, rounded

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
PREFIXED_FROM = 1e4
PLAIN_FROM = 1e-3
LARGEST_PREFIXED = 1e15


def tick_text(value: float) -> str:
    """A round number in its shortest form: `0.1`, `300`, `10k`, `10⁻⁵`."""
    text = value_text(value)
    if "×" in text or "." not in text:
        return text.removeprefix("1.00×")
    digits, prefix = (text[:-1], text[-1]) if text[-1].isalpha() else (text, "")
    return digits.rstrip("0").rstrip(".") + prefix


def value_text(value: float) -> str:
    """A number with three significant digits: `0.0165`, `147`, `1.51M`, `2.50×10⁻⁵`."""
    shown = float(f"{value:.2e}")
    if shown < PLAIN_FROM or shown >= LARGEST_PREFIXED:
        exponent = floor(log10(shown))
        power = f"10{str(exponent).translate(_SUPERSCRIPTS)}"
        return f"{_fixed(shown / 10.0**exponent, 2)}×{power}"
    if shown < PREFIXED_FROM:
        return _significant(value)
    divisor, prefix = next(pair for pair in _PREFIXES if shown >= pair[0])
    return f"{_significant(value / divisor)}{prefix}"


def ratio_text(value: float) -> str:
    """A ratio with two places, `3.50×`; below 0.1 and from 100 with as many as it needs."""
    return f"{_fixed(value, 2) if 0.1 <= value < 100 else value_text(value)}×"


def percent_text(value: float) -> str:
    """A percentage without its sign: one place, and two significant digits below 1."""
    return _fixed(value, 1) if value >= 1 else _significant(value, 2)


def _significant(value: float, digits: int = 3) -> str:
    return _fixed(value, places_of_significant(value, digits))


def _fixed(value: float, places: int) -> str:
    return f"{rounded(value, places):.{max(places, 0)}f}"
