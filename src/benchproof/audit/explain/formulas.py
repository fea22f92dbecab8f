"""Which formula the words about a comparison ask for: how many times, how much less, which way."""

import re
from collections.abc import Callable

from benchproof.audit.binding.sentence import piece_at
from benchproof.audit.explain.scene import Scene
from benchproof.audit.facts.fact import Dimension

_FASTER = re.compile(
    r"\b(?:faster|fastest|speed-?ups?|(?:speeds?|sped)\s+(?:\w+\s+){0,4}up|(?:as\s+fast|as\s+quick)|quicker|outperform\w*|beats?|wins?|ahead|"
    r"leads?|the\s+speed\s+of|so\s+schnell|"
    r"improv\w+|gains?|accelerat\w+|schneller)\b",
    re.IGNORECASE,
)
_SLOWER = re.compile(
    r"\b(?:slower|slow-?downs?|slows?|regress\w*|worse|longer|behind|loses?|lost|langsamer|"
    r"takes?|needs?|costs?)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:more|higher|larger|greater|increas\w+|raised?|rises?|rose|grow\w*|grew|climb\w*|"
    r"as\s+many|as\s+much|the\s+(?:throughput|rate)\s+of|up(?!\s+to)|above|mehr)\b",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:less|lower|fewer|smaller|sav\w+|reduc\w+|decreas\w+|drop\w*|fell|falls?|cut\w*|down|below|"
    r"shorter|weniger)\b",
    re.IGNORECASE,
)
_OF = re.compile(r"^\s*of\b|^\s*as\s+(?:long|much|many|fast)\b", re.IGNORECASE)
_SPEEDUPS = re.compile(r"\bspeed-?ups?\b|\btimes\s+(?:as\s+fast|faster)\b", re.IGNORECASE)
_LONG = 50  # characters; a longer cell holds a sentence
_SPEEDS = ("faster", "slower")
Derive = Callable[[float, float], float]


def formulas(scene: Scene, is_time: bool) -> list[tuple[str, Derive]]:
    """Each formula by its name, from the values of the base and of the other."""
    text = scene.here.passage.text
    near = text[slice(*scene.clause)] if _is_prose(scene) else " ".join(list(scene.around())[:2])
    after = text[scene.mention.end : scene.sentence.end]
    word = _direction(text, scene, near)
    if scene.mention.dimension is Dimension.PERCENT:
        return _percents(word, after, is_time)
    if scene.mention.dimension is Dimension.POINT:
        return [("difference", lambda base, other: other - base)]
    is_noun = not _SLOWER.match(text[scene.mention.end :].lstrip())
    if word == "slower" and abs(scene.mention.value) < 1 and is_noun:
        word = "faster"  # "a regression (0.33x)" is a speedup below one
    return _ratios(word, is_time)


def _is_prose(scene: Scene) -> bool:
    """Whether the number stands in a sentence, be it one in a cell."""
    return scene.here.passage.spot is None or len(scene.here.passage.text) > _LONG


def _direction(text: str, scene: Scene, near: str) -> str:
    """The word of direction that stands nearest after the number, else nearest before it."""
    kinds = (("faster", _FASTER), ("slower", _SLOWER), ("more", _MORE), ("less", _LESS))
    piece = piece_at(text, scene.sentence, max(scene.mention.start, scene.mention.end - 1))
    end = piece.end
    after = [
        (match.start(), name)
        for name, pattern in kinds
        if (match := pattern.search(text, scene.mention.end, end))
    ]
    if after and min(after)[0] - scene.mention.end < 25:
        return min(after)[1]
    start = scene.clause.start if scene.here.passage.spot is None else 0
    before = [
        (match.end(), match.end() - match.start(), name)
        for name, pattern in kinds
        for match in pattern.finditer(text, start, scene.mention.start)
        if name in _SPEEDS or "," not in text[match.end() : scene.mention.start]
    ]
    if before:
        return max(before)[2]  # of two that end alike the longer: "speeds it up" is no "up"
    for where in (near, text[: scene.mention.start] if _is_prose(scene) else ""):
        named = [name for name, pattern in kinds if pattern.search(where)]
        if len(named) == 1 and (named[0] in _SPEEDS or not _is_prose(scene)):
            return named[0]
    if after:
        return min(after)[1]
    return "faster" if any(map(_SPEEDUPS.search, scene.leads())) else ""


def _ratios(word: str, is_time: bool) -> list[tuple[str, Derive]]:
    """Base over other, or the other way round; both where the words give no direction."""
    speedup = ("ratio", lambda base, other: base / other)
    growth = ("growth", lambda base, other: other / base)
    if word == "faster":
        return [speedup if is_time else growth]
    if word == "slower":
        return [growth if is_time else speedup]
    if word == "more":
        return [growth]
    if word == "less":
        return [speedup]
    return [speedup, growth]


def _percents(word: str, after: str, is_time: bool) -> list[tuple[str, Derive]]:
    if _OF.search(after):
        return [("share", lambda base, other: 100 * other / base)]
    less: tuple[str, Derive] = ("saving", lambda base, other: 100 * (1 - other / base))
    more: tuple[str, Derive] = ("increase", lambda base, other: 100 * (other / base - 1))
    rate: tuple[str, Derive] = ("gain in rate", lambda base, other: 100 * (base / other - 1))
    inverse: Derive = lambda base, other: 100 * (1 - base / other)  # noqa: E731 - as those above
    if word == "faster":
        return [less, rate] if is_time else [more, ("time saved", inverse)]
    if word == "slower":
        return [more, ("loss in rate", inverse)] if is_time else [less, ("more time", rate[1])]
    if word == "more":
        return [more, rate] if is_time else [more]
    if word == "less":
        return [less]
    return [less, more, rate]
