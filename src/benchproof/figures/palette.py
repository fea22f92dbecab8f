"""Which colours, markers and fills the figures use, and what each colour is on a dark page.

The framework colours follow Okabe and Ito, darkened where white paper needs it. Every colour is
drawn in its light form and is unique, so that the dark figure is the light one with its colours
exchanged one for one.
"""

import re
from enum import Enum, StrEnum
from typing import NamedTuple


class Colour(StrEnum):
    """Every colour that a figure may use, as it is on a light page."""

    PAPER = "#ffffff"
    INK = "#1b1f24"
    MUTED = "#545d66"
    AXIS = "#a9b0b7"
    GRID = "#e2e5e9"
    BAND = "#f4f6f8"
    GUIDE = "#7d868f"
    HATCH = "#cfd4d9"
    STRONG_TEXT = "#fdfefe"
    VERMILLION = "#c95400"
    VERMILLION_TINT = "#f5cfb4"
    BLUE = "#0072b2"
    BLUE_TINT = "#b3d8ee"
    GREEN = "#008560"
    GREEN_TINT = "#b0dfd0"
    PURPLE = "#a8467f"
    PURPLE_TINT = "#ebc4db"
    OLIVE = "#7a6500"
    OLIVE_TINT = "#e2d8a4"
    SLATE = "#3f4b57"
    SLATE_TINT = "#c6ced6"
    STEP_1 = "#eef4fb"
    STEP_2 = "#d3e3f3"
    STEP_3 = "#abcbe6"
    STEP_4 = "#7db2d9"
    STEP_5 = "#2f7ab4"
    STEP_6 = "#1b5c93"
    STEP_7 = "#0b3f72"


DARK: dict[Colour, str] = {
    Colour.PAPER: "#0f1419",
    Colour.INK: "#e7eaed",
    Colour.MUTED: "#a5afb8",
    Colour.AXIS: "#5b656e",
    Colour.GRID: "#2a3138",
    Colour.BAND: "#171d23",
    Colour.GUIDE: "#8a949d",
    Colour.HATCH: "#3d464e",
    Colour.STRONG_TEXT: "#0b0f13",
    Colour.VERMILLION: "#ff8b42",
    Colour.VERMILLION_TINT: "#6e3c18",
    Colour.BLUE: "#5cb8ec",
    Colour.BLUE_TINT: "#1d4c68",
    Colour.GREEN: "#2ecb9b",
    Colour.GREEN_TINT: "#155443",
    Colour.PURPLE: "#e895c5",
    Colour.PURPLE_TINT: "#653a54",
    Colour.OLIVE: "#e3cf57",
    Colour.OLIVE_TINT: "#57501f",
    Colour.SLATE: "#c2ccd6",
    Colour.SLATE_TINT: "#46515c",
    Colour.STEP_1: "#16202b",
    Colour.STEP_2: "#1a2f44",
    Colour.STEP_3: "#1f4566",
    Colour.STEP_4: "#285f8a",
    Colour.STEP_5: "#5b9fd0",
    Colour.STEP_6: "#86bce2",
    Colour.STEP_7: "#bcdcf4",
}

STEPS = tuple(colour for colour in Colour if colour.name.startswith("STEP_"))
FIRST_STRONG_STEP = STEPS.index(Colour.STEP_5)

_PAINT = re.compile(r'((?:fill|stroke)(?:: |="))(#[0-9a-f]{6})\b')


class Fill(Enum):
    """How much of a marker is filled: hollow is eager, the rest are ways to compile."""

    HOLLOW = "none"
    FULL = "full"
    LEFT = "left"
    BOTTOM = "bottom"


class Look(NamedTuple):
    """Colour, pale colour and marker shape of one framework."""

    colour: Colour
    tint: Colour
    marker: str


KNOWN_LOOKS = {
    "PyTorch": Look(Colour.VERMILLION, Colour.VERMILLION_TINT, "o"),
    "JAX": Look(Colour.BLUE, Colour.BLUE_TINT, "s"),
    "TensorFlow": Look(Colour.GREEN, Colour.GREEN_TINT, "^"),
    "MLX": Look(Colour.PURPLE, Colour.PURPLE_TINT, "D"),
}
OTHER_LOOKS = (
    Look(Colour.OLIVE, Colour.OLIVE_TINT, "v"),
    Look(Colour.SLATE, Colour.SLATE_TINT, "P"),
    Look(Colour.OLIVE, Colour.OLIVE_TINT, "X"),
    Look(Colour.SLATE, Colour.SLATE_TINT, "p"),
)
COMPILED_FILLS = (Fill.FULL, Fill.LEFT, Fill.BOTTOM)


def framework_look(framework: str, frameworks: tuple[str, ...]) -> Look:
    """Look of a framework: the same in every figure of one study, for the known ones everywhere."""
    if framework in KNOWN_LOOKS:
        return KNOWN_LOOKS[framework]
    others = [name for name in frameworks if name not in KNOWN_LOOKS]
    return OTHER_LOOKS[others.index(framework) % len(OTHER_LOOKS)]


def variant_fill(variant: str, variants: tuple[str, ...]) -> Fill:
    """Fill of a variant among its framework's variants: eager is hollow."""
    if variant == "eager":
        return Fill.HOLLOW
    compiled = [name for name in variants if name != "eager"]
    return COMPILED_FILLS[compiled.index(variant) % len(COMPILED_FILLS)]


def darken(svg: str) -> str:
    """The same figure for a dark page; a colour that the palette lacks raises ValueError."""
    return _PAINT.sub(lambda paint: paint[1] + DARK[Colour(paint[2])], svg)
