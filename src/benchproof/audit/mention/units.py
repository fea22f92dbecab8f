"""Which units texts print, what dimension each has, and the factor to its base."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from benchproof.audit.facts.fact import Dimension


class PrintedUnit(NamedTuple):
    """A unit as a text spells it; `factor` leads to the dimension's base unit."""

    name: str
    dimension: Dimension
    factor: float


_SI = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40}
_PREFIX_WORDS = {"kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12}
_PER_S = ("/s", "/sec", "/second", " per second", " / s", "·s⁻¹", " s⁻¹", " s^-1")
# What is counted in a rate: a reader takes all of them for the items of a batch.
ITEMS = (
    "samples", "sample", "images", "image", "imgs", "img", "tokens", "token", "tok", "items",
    "item", "examples", "example", "sequences", "sequence", "seq", "requests", "request", "req",
    "inferences", "inference", "inf", "iterations", "iteration", "iters", "iter", "it", "steps",
    "step", "queries", "calls", "batches", "frames", "rows", "ops", "t",
)  # fmt: skip


def _times() -> Iterator[PrintedUnit]:
    spelled = {
        1.0: ("s", "sec", "secs", "second", "seconds", "Sekunden", "Sekunde"),
        1e-3: ("ms", "msec", "millisecond", "milliseconds", "Millisekunden", "millis"),
        1e-6: ("µs", "μs", "us", "usec", "microsecond", "microseconds", "Mikrosekunden"),
        1e-9: ("ns", "nsec", "nanosecond", "nanoseconds"),
        60.0: ("min", "mins", "minute", "minutes"),
        3600.0: ("h", "hour", "hours"),
    }
    for factor, names in spelled.items():
        yield from (PrintedUnit(name, Dimension.TIME, factor) for name in names)


def _bytes() -> Iterator[PrintedUnit]:
    for prefix, factor in {**_SI, **_BINARY}.items():
        yield PrintedUnit(f"{prefix}B", Dimension.BYTES, factor)
        for per in _PER_S:
            yield PrintedUnit(f"{prefix}B{per}", Dimension.BYTES_RATE, factor)
        yield PrintedUnit(f"{prefix}Bps", Dimension.BYTES_RATE, factor)
    for name in ("byte", "bytes", "Byte", "Bytes"):
        yield PrintedUnit(name, Dimension.BYTES, 1.0)
        yield PrintedUnit(f"{name}/s", Dimension.BYTES_RATE, 1.0)
    for word, factor in _PREFIX_WORDS.items():
        yield PrintedUnit(f"{word}bytes", Dimension.BYTES, factor)
        yield PrintedUnit(f"{word}byte", Dimension.BYTES, factor)


def _flops() -> Iterator[PrintedUnit]:
    for prefix, factor in _SI.items():
        for stem in ("FLOP", "FLOPs", "Flop", "Flops", "flop", "flops"):
            yield PrintedUnit(f"{prefix}{stem}", Dimension.FLOPS, factor)
            for per in _PER_S:
                yield PrintedUnit(f"{prefix}{stem}{per}", Dimension.FLOPS_RATE, factor)
        # All in capitals it is a rate nearly always; a text that means work says FLOPs.
        for stem in ("FLOPS", "FLOP/sec"):
            yield PrintedUnit(f"{prefix}{stem}", Dimension.FLOPS_RATE, factor)
    for stem in ("FLOP", "FLOPs", "FLOPS", "Flop", "flop", "flops"):
        for per in ("/byte", "/bytes", "/B", "/Byte", " per byte", " / byte"):
            yield PrintedUnit(f"{stem}{per}", Dimension.INTENSITY, 1.0)


def _rates() -> Iterator[PrintedUnit]:
    for item in (*ITEMS, *(item.capitalize() for item in ITEMS if len(item) > 3)):
        for prefix in ("", "k", "K", "M"):
            spaced = f"{prefix} " if prefix else ""
            for per in _PER_S:
                yield PrintedUnit(f"{prefix}{item}{per}", Dimension.RATE, _SI[prefix])
                if spaced and len(item) > 3:
                    yield PrintedUnit(f"{spaced}{item}{per}", Dimension.RATE, _SI[prefix])
    for name in ("qps", "QPS", "fps", "FPS", "tps", "TPS", "/s", "/sec", "per second", "rps"):
        yield PrintedUnit(name, Dimension.RATE, 1.0)


def _others() -> Iterator[PrintedUnit]:
    ratios = ("×", "x", "X", "times", "fold", "-fold", "-times", "✕", "mal", "fach", "-fach")
    yield from (PrintedUnit(name, Dimension.RATIO, 1.0) for name in ratios)
    percents = ("%", "percent", "per cent", "pct", "Prozent")
    yield from (PrintedUnit(name, Dimension.PERCENT, 1.0) for name in percents)
    points = (
        "percentage points", "percentage point", "%-points", "% points", "percent points", "pp",
        "pp.", "ppt", "p.p.", "points", "Prozentpunkte", "Prozentpunkten",
    )  # fmt: skip
    yield from (PrintedUnit(name, Dimension.POINT, 1.0) for name in points)
    for prefix, factor in {"": 1.0, "m": 1e-3, "k": 1e3}.items():
        yield PrintedUnit(f"{prefix}W", Dimension.POWER, factor)
        yield PrintedUnit(f"{prefix}J", Dimension.ENERGY, factor)
    yield from (PrintedUnit(name, Dimension.POWER, 1.0) for name in ("watt", "watts"))
    yield from (PrintedUnit(name, Dimension.ENERGY, 1.0) for name in ("joule", "joules"))
    for prefix, factor in {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}.items():
        yield PrintedUnit(f"{prefix}Hz", Dimension.FREQUENCY, factor)
    yield from (PrintedUnit(name, Dimension.TEMPERATURE, 1.0) for name in ("°C", "℃"))


def _all() -> dict[str, PrintedUnit]:
    known: dict[str, PrintedUnit] = {}
    for made in (_times(), _bytes(), _flops(), _rates(), _others()):
        for unit in made:
            known.setdefault(unit.name, unit)
    return known


UNITS = _all()


def _by_initial() -> dict[str, tuple[int, ...]]:
    lengths: dict[str, set[int]] = {}
    for name in UNITS:
        lengths.setdefault(name[0], set()).add(len(name))
    return {initial: tuple(sorted(told, reverse=True)) for initial, told in lengths.items()}


# A pattern of all units would take a quarter of a second to compile.
_LENGTHS = _by_initial()
_AHEAD = re.compile(r"(?P<said>\b(?:in|of)\s)|[(\[/]|,\s|(?<=[a-z])\s")
_BEHIND = re.compile(r"\s*(?:$|[)\].,;:|/↓↑]|per\b|a\b)")
_WORD = re.compile(r"[A-Za-z0-9/]")


def units_from(text: str, at: int) -> Iterator[str]:
    """Units that begin at a place, the longest first: `ms` is no `m`, and `GB/s` no `GB`."""
    for length in _LENGTHS.get(text[at : at + 1], ()):
        name = text[at : at + length]
        if name in UNITS:
            yield name


@lru_cache(maxsize=4096)
def hinted_units(text: str) -> tuple[PrintedUnit, ...]:
    """Units that a text states without a number: `Latency (ms)`, `in samples/s`, in its order."""
    return tuple(_hinted(text))


def _hinted(text: str) -> Iterator[PrintedUnit]:
    first = len(text) - len(text.lstrip())
    said = _AHEAD.match(text)
    found = _stated(text, said.end(), said=True) if said and said["said"] else None
    found = found or _stated(text, first, said=False)
    at = 0
    while True:
        if found is not None:
            yield UNITS[found[0]]
            at = found[1]
        lead = _AHEAD.search(text, at)
        if lead is None:
            return
        found = _stated(text, lead.end(), said=lead["said"] is not None)
        at = lead.start() + 1


def _stated(text: str, at: int, *, said: bool) -> tuple[str, int] | None:
    """The unit at a place, and its end, if what follows ends it: after `in` anything but a word."""
    for name in units_from(text, at):
        end = at + len(name)
        if (not _WORD.match(text, end)) if said else _BEHIND.match(text, end):
            return name, end
    return None
