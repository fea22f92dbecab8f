"""How a text divides: sentences, clauses and pieces, so that near can be told from far."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple


class Span(NamedTuple):
    """A part of a text, from `start` up to `end`."""

    start: int
    end: int

    def holds(self, at: int) -> bool:
        """Whether a position lies in it."""
        return self.start <= at < self.end


_SENTENCE = re.compile(
    r"(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\bca)(?<!\bapprox)(?<!\bcf)(?<!\bFig)(?<!\bSec)(?<!\bNo)"
    r"[.!?](?=[\"')\]]*(?:\s+(?=[^a-z\s])|\s*$))|"
    # Lines run together: "CPU: 2.59 ms GPU: 2.00 ms".
    r"(?:(?<=[\d%)x×])(?<![A-Za-z]\d)(?<![A-Za-z]\d\d)|(?<=[mµμun]s)|(?<=\d\ss)|(?<=/s)|(?<=[kMG]B))\s(?=[A-Z][\w.()-]*(?:\s[\w.()-]+){0,3}:\s*[~≈]?\d)"
)
_CLAUSE = re.compile(
    r"[;:()\[\]]|\s[—–]\s|—|,?\s+(?:while|whereas|but|although|though|however|yet|because|so\s+that|"
    r"where)\s+|,\s+(?:and\s+)?(?=(?:its|the|on|at|with|in|for)\s)",
    re.IGNORECASE,
)
_PIECE = re.compile(
    r"[,;:()\[\]]|\s[—–-]\s|—|/(?=\s)|\s+(?:and|or|but|while|whereas|versus|vs\.?|against|than|over|"
    r"compared\s+(?:to|with)|relative\s+to|respectively|und)\s+",
    re.IGNORECASE,
)
# What a bracket holds that is no name or setting: `(4.8 ms)`, `(-31 %)`, no `(FP16, batch 32)`.
_AMOUNT = re.compile(
    r"\d\.\d|\d\s?(?:[µμmn]?s|x|fold|min|h|[kMGTKi]*B|[kMGT]?FLOPs?|[kMGT]?FLOPS|W|J|[kMG]?Hz|tok\w*|"
    r"samples|images|imgs?|items|seconds|percent\w*|times)\b|\d\s?[%×°]|^\W*\d[\d,]*\W*$|"
    r"(?<![A-Za-z\d])\d[\d,]*\s*(?:/|vs\.?|→|to|of)\s*\d"
)


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a text."""
    return _cut(text, Span(0, len(text)), _SENTENCE)


def sentence_at(text: str, at: int) -> Span:
    """The sentence that holds a position."""
    return _holding(sentences(text), at)


def clause_at(text: str, within: Span, at: int) -> Span:
    """The clause of a sentence that holds a position."""
    return _holding(_cut(text, within, _CLAUSE), at)


def piece_at(text: str, within: Span, at: int) -> Span:
    """The smallest part of a sentence around a position: between commas, brackets, `and`."""
    return _holding(_cut(text, within, _PIECE), at)


def pieces(text: str, within: Span) -> tuple[Span, ...]:
    """The smallest parts of a sentence, in its order."""
    return _cut(text, within, _PIECE)


@lru_cache(maxsize=16384)
def _cut(text: str, within: Span, at: re.Pattern[str]) -> tuple[Span, ...]:
    def spans() -> Iterator[Span]:
        start = within.start
        for match in at.finditer(text, within.start, within.end):
            if _inside_number(text, match) or _is_aside(text, match):
                continue
            yield Span(start, match.end())
            start = match.end()
        yield Span(start, within.end)

    return tuple(span for span in spans() if span.start < span.end)


def _inside_number(text: str, match: re.Match[str]) -> bool:
    """Whether what divides stands within a number: the comma of 14,300."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return before.isdigit() and after.isdigit() and match[0] in ",.:"


def _is_aside(text: str, match: re.Match[str]) -> bool:
    """Whether a bracket holds no number: `PyTorch (eager) needs` is one piece."""
    if match[0] not in "()[]":
        return False
    opening = text.rfind("(", 0, match.start() + 1)
    closing = text.find(")", match.start())
    inside = text[opening + 1 : closing] if 0 <= opening < closing else "0"
    return not holds_amount(inside)


def holds_amount(text: str) -> bool:
    """Whether a bracket's text holds an amount of its own, more than names and settings."""
    return bool(_AMOUNT.search(text))


def _holding(spans: Sequence[Span], at: int) -> Span:
    return next((span for span in spans if span.holds(at)), spans[-1])
