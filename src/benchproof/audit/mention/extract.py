"""Every number of a text as a mention: digits and words, units, ranges, counts, hedges."""

import re
from collections.abc import Iterator, Sequence

from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.labels import is_label
from benchproof.audit.mention.mention import Mention, Role
from benchproof.audit.mention.pairs import MINUS, lead, paired
from benchproof.audit.mention.units import UNITS, PrintedUnit, units_from

_SPACES = "\u00a0\u202f\u2009"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_MOST_POWER = 200  # no amount of anything goes beyond, and a float would not either
_SUFFIXES = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "T": 1e12}
_SUFFIX_WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

NUMBER = re.compile(
    rf"""
    (?<![\w.,#$/\\@^])(?<![A-Za-z][-–])         # no tail of a name, a version, a path
    (?P<sign>[+~≈]|[{MINUS}](?=[\d.]))?
    (?P<number>(?!0[,'’])\d{{1,3}}(?:(?P<mark>[,'’{_SPACES}])\d{{3}})(?:(?P=mark)\d{{3}})*(?:\.\d+)?
      |\d+(?:[.,]\d+)?|\.\d+)
    (?P<power>[eE][+-]?\d+|\s?[×x·*]\s?10(?:\^\{{?[-−]?\d+\}}?|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?
    (?![\d])(?!\.\d)(?!:\d)
    """,
    re.VERBOSE,
)
_GAP = re.compile(rf"[\s{_SPACES}]")
_WORD_AHEAD = re.compile(r"[A-Za-z0-9²]")
_SUFFIX = re.compile(
    r"(?:(?P<letter>[kKMBGT])|\s(?P<word>thousand|million|billion|trillion))(?![A-Za-z])"
)
_NAME_AHEAD = re.compile(r"[A-Za-z_]|-[A-Za-z]|[x×]\d")

_WORDS = {
    "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
}  # fmt: skip
_COUNTED = {"one": 1, "none": 0, "all": None, **_WORDS}
_MULTIPLES = {
    "half": 0.5, "halves": 0.5, "halved": 0.5, "twice": 2.0, "double": 2.0, "doubles": 2.0,
    "doubled": 2.0, "triple": 3.0, "triples": 3.0, "tripled": 3.0, "thrice": 3.0,
    "quadruple": 4.0, "quadruples": 4.0,
}  # fmt: skip
_WORD = re.compile(r"\b(?:" + "|".join([*_WORDS, *_MULTIPLES]) + r")\b(?!-)", re.IGNORECASE)
_WORD_UNIT = re.compile(r"(?P<gap>[\s-])(?P<unit>times|fold|percent|percentage points?)\b")
_OF = re.compile(
    r"\b(?P<count>\d{1,4}|" + "|".join(k for k in _COUNTED if k != "all") + r")\s+"
    r"(?:out\s+of|of|von)\s+(?:the\s+|its\s+|all\s+|these\s+|those\s+|den\s+)?"
    r"(?P<total>\d{1,4}|" + "|".join(_WORDS) + r")\b(?![.,]\d)",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca\.?|near|"
    r"close\s+to|on\s+the\s+order\s+of|etwa|rund|ungefähr|well\s+over|just\s+(?:over|under)|"
    r"slightly\s+(?:over|under|more\s+than|less\s+than|above|below))\s+(?:a\s+)?|[~≈\u223c]\s*)$",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"(?:[<≤\u2039]\s*(?:±\s*)?|\b(?:less|fewer|lower|smaller)\s+than\s+|\bbelow\s+|\bunder\s+|"
    r"\bat\s+most\s+|\bno\s+more\s+than\s+|\bwithin\s+)$",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"(?:[>≥\u203a]\s*|\b(?:more|larger|greater|higher)\s+than\s+|\babove\s+|\bover\s+|\bat\s+least\s+|"
    r"\bexceed(?:s|ing)?\s+)$",
    re.IGNORECASE,
)
_FACTOR = re.compile(
    r"\b(?:(?:by\s+)?a\s+factor\s+of|(?:um\s+)?(?:den|einen)\s+Faktor(?:\s+von)?)\s+(?:about\s+|~\s*)?$",
    re.IGNORECASE,
)


def mentions_of(text: str, *, comma_decimals: bool = False, in_cell: bool = False) -> list[Mention]:
    """All numbers of a text, in its order; `comma_decimals` where it writes 4,81 for 4.81.

    In a cell 1980 is no year.
    """
    counts = list(_counts(text))
    taken = [(one.start, one.end) for one in counts]
    every = (one for one in _digits(text, comma_decimals) if not is_label(text, one, in_cell))
    digits = [one for one in every if not _overlaps(one, taken)]
    taken += [(one.start, one.end) for one in digits]
    words = [one for one in _worded(text) if not _overlaps(one, taken)]
    return sorted((*counts, *paired(text, digits), *words), key=lambda one: one.start)


def _overlaps(one: Mention, taken: Sequence[tuple[int, int]]) -> bool:
    return any(one.start < end and start < one.end for start, end in taken)


def _digits(text: str, comma_decimals: bool) -> Iterator[Mention]:
    for match in NUMBER.finditer(text):
        made = _number(text, match, comma_decimals)
        if made is not None:
            yield made


def _number(text: str, match: re.Match[str], comma_decimals: bool) -> Mention | None:
    printed, end = match["number"], match.end()
    value, step = _parsed(printed, match["mark"], comma_decimals)
    if match["power"]:
        scale = _power(match["power"])
        value, step = value * scale, step * scale
    suffix = _SUFFIX.match(text, end)
    unit = _unit_at(text, end)
    if unit is None and suffix:
        scale = _SUFFIXES.get(suffix["letter"] or "") or _SUFFIX_WORDS[suffix["word"]]
        value, step, end = value * scale, step * scale, suffix.end()
        unit = _unit_at(text, end)
    if unit is not None:
        end = unit[1]
    elif _NAME_AHEAD.match(text, end) or text[end : end + 1] in {"²", "³"}:
        return None
    start = match.start()
    before = lead(text, start)
    found = unit[0] if unit else PrintedUnit("", _dimension_by(before), 1.0)
    sign = match["sign"] or ""
    hedged = sign in ("~", "≈") or bool(_HEDGE.search(before))
    if sign and sign in MINUS:
        value = -value
    bound = "<" if _BELOW.search(before) else ">" if _ABOVE.search(before) else ""
    return Mention(
        start=start, end=end, text=text[start:end], value=value * found.factor,
        step=step * found.factor, dimension=found.dimension, unit=found.name,
        factor=found.factor, hedged=hedged, bound=bound,
    )  # fmt: skip


def _dimension_by(before: str) -> Dimension:
    return Dimension.RATIO if _FACTOR.search(before) else Dimension.UNKNOWN


def _parsed(printed: str, mark: str | None, comma_decimals: bool) -> tuple[float, float]:
    """The value of the digits and one unit of the last one that counts."""
    if mark == "," and comma_decimals and printed.count(",") == 1 and "." not in printed:
        plain = printed.replace(",", ".")
    elif mark:
        plain = printed.replace(mark, "")
    else:
        plain = printed.replace(",", ".")
    whole, _, fraction = plain.partition(".")
    if fraction:
        return float(plain), 10.0 ** -len(fraction)
    zeros = len(whole) - len(whole.rstrip("0"))
    # A round number counts to its last digit that is none: 53,000 stands for 52,500 to 53,500.
    return float(plain), 10.0**zeros if len(whole) > 2 and float(plain) else 1.0


def _power(text: str) -> float:
    digits = re.sub(
        r"[^\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻−-]", "", text.replace("10", "", 1) if text[0] not in "eE" else text
    )
    power = int(digits.translate(_SUPERSCRIPTS).replace("−", "-"))
    return 10.0 ** max(-_MOST_POWER, min(power, _MOST_POWER))


def _unit_at(text: str, at: int) -> tuple[PrintedUnit, int] | None:
    found = _unit_behind(text, at)
    if found is None:
        return None
    gap, name = found
    end = at + len(gap) + len(name)
    # `16 x 16` is a shape, `5 h` and `3 t` with a space are rarely units of a benchmark.
    if name in ("x", "X") and re.match(r"\s?\d", text[end:]):
        return None
    if gap == "-" and name not in ("fold", "times", "percent", "mal", "fach"):
        return None
    if gap.strip(" ") == "" and gap and name in ("x", "X", "t", "T", "points", "h", "B"):
        if name not in ("x", "points"):
            return None
        if name == "points" and not re.search(r"%|percent", text[max(0, at - 40) : at + 40]):
            return None
    return UNITS[name], end


def _unit_behind(text: str, at: int) -> tuple[str, str] | None:
    """What stands between a number's end and its unit, and the unit; None where there is none."""
    ahead = text[at : at + 1]
    for gap in (ahead if _GAP.match(ahead) else "", "", "-" if ahead == "-" else ""):
        for name in units_from(text, at + len(gap)):
            if not _WORD_AHEAD.match(text, at + len(gap) + len(name)):
                return gap, name
    return None


def _worded(text: str) -> Iterator[Mention]:
    for match in _WORD.finditer(text):
        word = match[0].lower()
        unit = _WORD_UNIT.match(text, match.end())
        found = UNITS[unit["unit"]] if unit else None
        if word in _MULTIPLES:
            yield Mention(
                start=match.start(), end=match.end(), text=match[0], value=_MULTIPLES[word],
                step=0.2 * _MULTIPLES[word], dimension=Dimension.RATIO, worded=True, hedged=False,
            )  # fmt: skip
        else:
            end = unit.end() if unit else match.end()
            yield Mention(
                start=match.start(), end=end, text=text[match.start() : end],
                value=float(_WORDS[word]), step=1.0, worded=True,
                dimension=found.dimension if found else Dimension.COUNT,
                unit=found.name if found else "",
                hedged=bool(_HEDGE.search(lead(text, match.start()))),
            )  # fmt: skip


def _counts(text: str) -> Iterator[Mention]:
    for match in _OF.finditer(text):
        spans = [match.span("count"), match.span("total")]
        for role, (start, end), other in (
            (Role.COUNT, spans[0], spans[1][0]),
            (Role.TOTAL, spans[1], spans[0][0]),
        ):
            word = text[start:end]
            value = _COUNTED.get(word.lower())
            yield Mention(
                start=start, end=end, text=word, step=1.0, dimension=Dimension.COUNT, role=role,
                value=float(word) if word.isdigit() else float(value or 0), partner=other,
                worded=not word.isdigit(),
            )  # fmt: skip
