"""How a value is printed: its unit, its digits and its form; `digits` rounds."""

import math
from enum import StrEnum

import msgspec

from benchproof.errors import UnitError
from benchproof.values.digits import places_of_significant, rounded
from benchproof.values.units import Unit
from benchproof.values.value import Value

WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
SI = {"T": 12, "G": 9, "M": 6, "k": 3, "": 0, "m": -3, "µ": -6, "n": -9}
BINARY = {"GiB": 2**30, "MiB": 2**20, "KiB": 2**10}
TIME = ("", "m", "µ", "n")
RATE = ("T", "G", "M", "k", "")


class Form(StrEnum):
    """Shape of the printed number."""

    DIGITS = "digits"
    WORD = "word"
    CAPITAL = "capital"


class Style(msgspec.Struct, frozen=True):
    """How one value is to be printed; None leaves the choice to the value's unit.

    `unit` is the unit to print in ("ms", "GFLOP/s", "B"); `show_unit` False leaves it to the
    column head.
    """

    significant: int | None = None
    places: int | None = None
    unit: str | None = None
    show_unit: bool = True
    signed: bool = False
    form: Form = Form.DIGITS


class Printed(msgspec.Struct, frozen=True):
    """A value as printed: `value` is the full number in `unit`, `digits` those after the point.

    `factor` leads from the base unit to the printed one; negative digits round left of the point.
    """

    text: str
    value: float
    unit: str
    digits: int
    factor: float


def show(value: Value, style: Style | None = None) -> Printed:
    """The value in its printed form; UnitError where it cannot be printed in the style's unit."""
    style = style or Style()
    number = value.number
    if not math.isfinite(number):
        raise UnitError(f"{value.derivation}: {number} cannot be printed")
    unit, factor = _unit(value, style)
    scaled = number if factor == 1 else number * factor
    if style.form is not Form.DIGITS:
        return _in_words(value, scaled, unit, style)
    digits = _digits(value.unit, scaled, unit, style)
    text = _grouped(scaled, digits)
    if style.signed and scaled > 0:
        text = f"+{text}"
    shown = text + _suffix(unit) if style.show_unit else text
    return Printed(shown, scaled, unit, digits, factor)


def printings(value: float, unit: str, digits: int) -> set[str]:
    """Every text that a number in its printed unit may stand as, for whoever checks one."""
    plain = _grouped(value, digits)
    bare = {plain, f"+{plain}"} if value > 0 else {plain}
    word = WORDS[int(value)] if value in range(len(WORDS)) and not unit else plain
    return bare | {text + _suffix(unit) for text in bare} | {word, word.capitalize()}


def _unit(value: Value, style: Style) -> tuple[str, float]:
    """Unit to print in, and the factor that leads there from the base unit."""
    options = dict(_options(value.unit))
    if style.unit is not None:
        if style.unit not in options:
            named = ", ".join(filter(None, options))
            raise UnitError(
                f"{value.derivation}: {value.unit.value or 'a count'} cannot be printed as "
                f"{style.unit!r}; {f'choose from {named}' if named else 'it has no unit'}"
            )
        return style.unit, options[style.unit]
    if style.places is not None and value.unit in (Unit.SECOND, Unit.BYTE):
        raise UnitError(f"{value.derivation}: fixed places need a unit; say which")
    size = abs(value.number)
    for unit, factor in options.items():
        # The rounded number decides, so that 999.96 us prints as 1.00 ms.
        if float(f"{size * factor:.2e}") >= 1:
            return unit, factor
    return list(options.items())[-1] if size else next(iter(options.items()))


def _options(unit: Unit) -> list[tuple[str, float]]:
    """Units that a base unit may be printed in, largest first, with their factors."""
    if unit is Unit.SECOND:
        return [(f"{prefix}s", 10.0 ** -SI[prefix]) for prefix in TIME]
    if unit in (Unit.FLOP, Unit.FLOP_PER_S, Unit.BYTE_PER_S):
        return [(f"{prefix}{unit.value}", 10.0 ** -SI[prefix]) for prefix in RATE]
    if unit is Unit.BYTE:
        return [*((name, 1 / size) for name, size in BINARY.items()), ("bytes", 1.0)]
    return [(unit.value, 1.0)]


def _digits(base: Unit, scaled: float, unit: str, style: Style) -> int:
    if style.places is not None:
        return style.places
    if style.significant is not None:
        return places_of_significant(scaled, style.significant)
    if base is Unit.COUNT or unit == "bytes":
        return 0
    if base is Unit.RATIO:
        return 2
    if base is Unit.PROBABILITY:
        return 3
    if base in (Unit.PERCENT, Unit.POINT, Unit.FLOP_PER_BYTE):
        return 1
    return places_of_significant(scaled, 3)


def _grouped(scaled: float, digits: int) -> str:
    """The number rounded to `digits`, with thousands separators and no negative zero."""
    return f"{rounded(scaled, digits) + 0:,.{max(digits, 0)}f}"


def _suffix(unit: str) -> str:
    if unit in ("", Unit.RATIO.value):
        return unit
    return f" {unit}"


def _in_words(value: Value, scaled: float, unit: str, style: Style) -> Printed:
    if value.unit is not Unit.COUNT or not scaled.is_integer() or not 0 <= scaled < len(WORDS):
        raise UnitError(
            f"{value.derivation}: {scaled:g}{_suffix(unit)} cannot be printed as a number word"
        )
    word = WORDS[int(scaled)]
    return Printed(word.capitalize() if style.form is Form.CAPITAL else word, scaled, unit, 0, 1.0)
