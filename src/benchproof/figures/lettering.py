"""How wide a text is about, and how it is shortened or wrapped to a width."""

import unicodedata

_NARROW = frozenset("iljtfrI.,:;|!'`()[]{} /\\-·")
_WIDE = frozenset("mwMW@%—×→←")
NARROW_EM, PLAIN_EM, CAPITAL_EM, WIDE_EM = 0.38, 0.61, 0.69, 0.95
# How much wider bold text is.
BOLD_FACTOR = 1.14


def clean(text: str) -> str:
    """The text on one line, without characters that XML forbids."""
    visible = "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or not unicodedata.category(character).startswith("C")
    )
    return " ".join(visible.split())


def width_pt(text: str, size_pt: float) -> float:
    """Estimated width in points; a little generous, because readers have other fonts."""
    return size_pt * sum(map(_em, text))


def _em(character: str) -> float:
    if character in _NARROW:
        return NARROW_EM
    if character in _WIDE or unicodedata.east_asian_width(character) in "WF":
        return WIDE_EM
    return CAPITAL_EM if character.isupper() else PLAIN_EM


def shorten(text: str, size_pt: float, room_pt: float) -> str:
    """The text, its end replaced by an ellipsis where it does not fit."""
    if width_pt(text, size_pt) <= room_pt:
        return text
    while text and width_pt(text + "…", size_pt) > room_pt:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(text: str, size_pt: float, room_pt: float, most_lines: int = 6) -> list[str]:
    """The text in lines that fit; what exceeds the last line is cut with an ellipsis."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_pt(longer, size_pt) <= room_pt:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most_lines:
        lines[most_lines - 1 :] = [" ".join(lines[most_lines - 1 :])]
    return [shorten(line, size_pt, room_pt) for line in lines]
