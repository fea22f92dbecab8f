"""Which number a cell of a foreign file states, with the unit that it may carry."""

import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from benchproof.audit.facts.sheet import Cell
from benchproof.audit.mention.units import UNITS, PrintedUnit

# Not measured, in any column; and what stands in a column of numbers where none was got.
BLANK = frozenset(("", "-", "--", "–", "—", "n/a", "na", "nan", "null", "?"))
_NOT_MEASURED = BLANK | frozenset((
    "none", "inf", "-inf", "+inf", "infinity", "-infinity", "+infinity", "-nan", "+nan", "oom",
    "failed", "fail", "failure", "error", "err", "timeout", "skipped", "skip", "crash", "crashed",
    "unsupported", "tbd", "out of memory", "not measured", "not available", "not supported",
))  # fmt: skip
_NUMBER = r"[+\-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_PLAIN = re.compile(rf"({_NUMBER})\s*[*†‡]?")
_QUANTITY = re.compile(
    rf"(?:(?P<label>[^\W\d][\w .+-]*?)\s*[:=]\s*)?[~≈]?\s*(?P<number>{_NUMBER})(?P<gap>\s*)"
    rf"(?P<unit>[^\s\d±(][^±(,;|]*?)?\s*"
    rf"(?:(?:±|\+/-)\s*(?P<spread>{_NUMBER})\s*(?P<after>[^\s\d,;|][^,;|]*?)?)?\s*[*†‡]?"
)
_BETWEEN = re.compile(r"\s*(?:[;|]|,(?!\d)|\s/\s)\s*")
_COMMA = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
# Without a space these stand for billions (7B) and others at least as often as for the unit.
_NO_UNIT_ATTACHED = frozenset(("B", "t", "h", "M"))
LONGEST = 400
_POWERS = {float(f"1e{power}"): power for power in (-9, -6, -3, 3, 6, 9, 12, 15)}


class TooLargeError(ValueError):
    """A number beyond what a double holds."""


class Quantity(NamedTuple):
    """A number with its unit; `label` is what a text says before it, `spread` the part after ±."""

    label: str
    number: float
    unit: PrintedUnit
    spread: float | None = None


def is_blank(cell: Cell) -> bool:
    """Whether a cell says nothing, whatever its column is."""
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in BLANK)


def is_missing(cell: Cell) -> bool:
    """Whether a cell of a column of numbers says that there is none."""
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in _NOT_MEASURED)


def number_of(cell: Cell) -> int | float | None:
    """The cell's plain number; None where it is none. TooLargeError beyond what a double holds."""
    if not isinstance(cell, str):
        return cell
    try:
        value = float(cell)
    except ValueError:
        match = _PLAIN.fullmatch(cell.strip()) if len(cell) < LONGEST else None
        return None if match is None else _finite(match[1].replace(",", "").replace("−", "-"))
    if not math.isfinite(value) or "_" in cell:
        if math.isinf(value) and any(character.isdigit() for character in cell):
            raise TooLargeError(cell)
        return None
    return int(value) if value.is_integer() and _is_integer(cell) else value


def _finite(text: str) -> int | float:
    value = float(text)
    if math.isinf(value):
        raise TooLargeError(text)
    return int(value) if value.is_integer() and _is_integer(text) else value


def _is_integer(text: str) -> bool:
    return text.strip().lstrip("+-").isdigit() and len(text) < 19


def quantities(cell: str) -> tuple[Quantity, ...]:
    """The quantities that a text consists of, as in `comp: 1618 MB/s, decomp: 4 GB/s`."""
    if len(cell) > LONGEST:
        return ()
    found = [_quantity(part) for part in _BETWEEN.split(cell.strip())]
    told = tuple(one for one in found if one is not None)
    labelled = len(told) == 1 or len({one.label for one in told}) == len(told)
    return told if len(told) == len(found) and labelled else ()


def _quantity(part: str) -> Quantity | None:
    match = _QUANTITY.fullmatch(part.strip())
    if match is None:
        return None
    name = (match["unit"] or match["after"] or "").strip()
    unit = UNITS.get(name)
    if unit is None or (not match["gap"] and name in _NO_UNIT_ATTACHED):
        return None
    spread = None if match["spread"] is None else _finite(match["spread"].replace(",", ""))
    plain = match["number"].replace(",", "").replace("−", "-")
    return Quantity((match["label"] or "").strip(), _finite(plain), unit, spread)


def in_base_unit(number: float, factor: float) -> float:
    """The number times the factor; exact in decimal, as 812.66 ms are 0.81266 s and no less."""
    power = _POWERS.get(factor)
    if power is None:
        return number * factor
    digits = repr(number)
    return float(f"{digits}e{power}" if "e" not in digits else Decimal(digits).scaleb(power))


def without_decimal_commas(cells: Sequence[Cell]) -> Sequence[Cell]:
    """The cells with 3,14 as 3.14, where the column shows that it writes decimals so."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str)]
    written = [text for text in texts if _COMMA.fullmatch(text)]
    if not written or all(_THOUSANDS.fullmatch(text) for text in written):
        return cells
    return list(_with_points(cells))


def _with_points(cells: Sequence[Cell]) -> Iterator[Cell]:
    for cell in cells:
        is_decimal = isinstance(cell, str) and _COMMA.fullmatch(cell.strip())
        yield (
            cell.replace(".", "").replace(",", ".")
            if is_decimal and isinstance(cell, str)
            else cell
        )
