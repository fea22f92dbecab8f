"""Bare numbers that only name or count: chapters, figures, dates, versions."""

import re

from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Mention

_ORDINAL = re.compile(r"^[.)]\s")
_REFERENCE = re.compile(
    r"(?:\b(?:sections?|chapters?|figures?|fig\.|tables?|steps?|parts?|equations?|eq\.|appendix|"
    r"pages?|issues?|versions?|release|python|cuda|macos|ios|ubuntu|no\.|nr\.)\s+|[#§]\s?)$",
    re.IGNORECASE,
)
_MONTHS = (
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?|Januar|Februar|März|Mai|Juni|"
    r"Juli|Oktober|Dezember"
)
_MONTH_BEFORE = re.compile(rf"\b(?:{_MONTHS})\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,\s+)?$")
_MONTH_AFTER = re.compile(rf"^\.?\s+(?:{_MONTHS})\b")
_DATE = re.compile(
    r"(?<![\d.])(?:\d{4}[-–/]\d{1,2}[-–/]\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?![\d.]*\d)"
)
_NEAR = 60  # characters around a number that can say that it only counts
_YEAR = re.compile(r"^(?:19|20)\d\d$")


def is_label(text: str, one: Mention, in_cell: bool = False) -> bool:
    """Whether a bare number only counts: a chapter, a figure, a date, a version."""
    if one.dimension is not Dimension.UNKNOWN:
        return False
    if re.search(
        r"(?:\d|\b(?:cpu|cuda|gpu|mps|xpu|tpu|device|hip)):$",
        text[max(0, one.start - _NEAR) : one.start],
        re.I,
    ):
        return True
    near = _DATE.finditer(text, max(0, one.start - 10), one.end + 10)
    if any(date.start() <= one.start < date.end() for date in near):
        return True
    before = text[max(0, one.start - _NEAR) : one.start]
    after = text[one.end : one.end + _NEAR]
    return bool(
        (one.start <= _NEAR and not before.strip() and _ORDINAL.match(after))
        or _REFERENCE.search(before)
        or _MONTH_BEFORE.search(before)
        or _MONTH_AFTER.match(after)
        or (not in_cell and _YEAR.match(one.text) and not re.match(r"\s+\w+s\b", after))
    )
