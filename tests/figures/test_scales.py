"""Ticks, numerals and lettering of the figures."""

import pytest

from benchproof.figures.lettering import clean, shorten, width_pt, wrap
from benchproof.figures.numerals import percent_text, ratio_text, tick_text, value_text
from benchproof.figures.palette import DARK, FIRST_STRONG_STEP, STEPS, Colour
from benchproof.figures.scale import log_scale


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1, "0.1"), (300, "300"), (1e4, "10k"), (3e6, "3M"), (1e-5, "10⁻⁵"), (1.5, "1.5")],
)
def test_ticks_are_written_short(value: float, text: str) -> None:
    assert tick_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(147.21, "147"), (11, "11.0"), (0.01649, "0.0165"), (1506626.8, "1.51M"), (9999.9, "10.0k"),
     (2.5e-5, "2.50×10⁻⁵"), (8909.5, "8910")],
)  # fmt: skip
def test_values_have_three_significant_digits(value: float, text: str) -> None:
    assert value_text(value) == text


def test_ratios_and_percentages_have_the_digits_of_the_text() -> None:
    assert ratio_text(3.4981) == "3.50×"
    assert ratio_text(0.0123) == "0.0123×"
    assert percent_text(12.638) == "12.6"
    assert percent_text(0.5182) == "0.52"


@pytest.mark.parametrize(
    "values", [[1.0], [1.02, 1.6], [1000, 4000], [0.05, 130], [1e-9, 1e9], [7.1, 7.2], []]
)
def test_every_axis_has_a_few_ticks_inside(values: list[float]) -> None:
    scale = log_scale(values, 0, 100)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 7
    assert all(0 <= scale.place(tick) <= 100 for tick in ticks)
    assert all(0 <= scale.place(value) <= 100 for value in values)


def test_long_text_is_shortened_to_its_room() -> None:
    assert shorten("short", 10, 100) == "short"
    cut = shorten("a very long model name", 10, 60)
    assert cut.endswith("…")
    assert width_pt(cut, 10) <= 60
    assert all(width_pt(line, 10) <= 60 for line in wrap("a very long model name", 10, 60))


def test_text_loses_line_breaks_and_control_characters() -> None:
    assert clean("a\x00b\nc\u202e d") == "ab c d"


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours, as WCAG 2 defines it."""
    lighter, darker = sorted(map(_luminance, (first, second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_text_and_markers_stand_out_in_both_themes() -> None:
    for ink in (Colour.INK, Colour.MUTED):
        for paper in (Colour.PAPER, Colour.BAND):
            assert contrast(ink, paper) >= 4.5
            assert contrast(DARK[ink], DARK[paper]) >= 4.5
    for mark in (Colour.VERMILLION, Colour.BLUE, Colour.GREEN, Colour.PURPLE, Colour.OLIVE):
        assert contrast(mark, Colour.BAND) >= 3.5
        assert contrast(DARK[mark], DARK[Colour.BAND]) >= 3.5
    for index, step in enumerate(STEPS):
        ink = Colour.STRONG_TEXT if index >= FIRST_STRONG_STEP else Colour.INK
        assert contrast(ink, step) >= 4.5, step
        assert contrast(DARK[ink], DARK[step]) >= 4.5, step
