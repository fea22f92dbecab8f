"""Names of measures and statistics in a text, so that they bind as keys do."""

import re
from collections.abc import Iterable, Iterator, Mapping

from benchproof.audit.binding.vocabulary import Hit
from benchproof.audit.facts.fact import Dimension, Measure
from benchproof.audit.facts.measures import BY_NAME

MEASURE, STATISTIC = "measure", "statistic"

# How texts name the measures that records have; several may share a word.
_NAMES: Mapping[str, str] = {
    "latency": r"latenc(?:y|ies)|runtimes?|run[\s-]times?|durations?|execution\s+times?|"
    r"inference\s+times?|per\s+call",
    "first call": r"first[\s-]calls?|compile\s+times?|compilation\s+times?|time\s+to\s+compile",
    "coefficient of variation": r"coefficients?\s+of\s+variation|CVs?",
    "throughput": r"throughputs?",
    "achieved FLOP/s": r"achieved\s+(?:FLOP/?s|[GT]FLOP/?s|arithmetic|compute|throughput)",
    "achieved bytes/s": r"achieved\s+bandwidth",
    "arithmetic intensity": r"arithmetic\s+intensit(?:y|ies)|operational\s+intensit(?:y|ies)|AI|"
    r"intensit(?:y|ies)",
    "roofline efficiency": r"(?:roofline\s+)?efficienc(?:y|ies)|roof(?:line)?s?|peak|"
    r"utili[sz]ation",
    "ridge point": r"ridge(?:\s+points?)?",
    "peak FLOP/s": r"peak\s+(?:FLOP/?s|[GT]FLOP/?s|compute|arithmetic)|compute\s+(?:roof|ceiling)|"
    r"roofs?|ceilings?|peak",
    "peak bytes/s": r"peak\s+bandwidth|memory\s+bandwidth|bandwidth\s+(?:roof|ceiling)|"
    r"roofs?|ceilings?|peak",
    "measured bytes/s": r"triads?|STREAM|measured\s+bandwidth",
    "FLOPs per call": r"(?:[GMK]?FLOPs?)\s+(?:per|a)\s+call|work\s+per\s+call|"
    r"[GMK]?FLOPs?(?!\s*/)|operations",
    "bytes per call": r"(?:bytes|traffic)\s+(?:per|a)\s+call",
    "parameters": r"parameters?|params?|weights",
    "parameter bytes": r"parameter\s+(?:bytes|memory|size)|model\s+size|bytes|parameters?|params?|"
    r"weights",
    "peak memory": r"peak\s+memory|memory\s+(?:use|usage|footprint)",
    "samples": r"(?:timed\s+)?(?:samples|repetitions|repeats|timed\s+runs)(?!\s*/)",
}
_STATISTICS: Mapping[str, str] = {
    "mean": r"means?|averages?|averaged|avg\.?|Mittelwerte?",
    "median": r"medians?|Mediane?",
    "p95": r"p95|95th(?:\s+percentile)?|tail",
    "stddev": r"standard\s+deviations?|std(?:\.|dev)?",
    "min": r"min\.?|minim(?:um|a)|quickest",
    "max": r"max\.?|maxim(?:um|a)|worst[\s-]case|"
    r"slowest(?!\s+(?:model|framework|is|was|of|one|arch|variant|network))",
}


def measure_key(dimension: Dimension) -> str:
    """The key of measures of one dimension: beside `24.8 %` stands no latency."""
    return MEASURE if dimension is Dimension.UNKNOWN else f"{MEASURE}:{dimension}"


class MeasureNames:
    """Finds names of measures and statistics; names of foreign measures come from their fields."""

    def __init__(self, told: Iterable[Measure]) -> None:
        measures = list(told)
        spelled = {
            one.name: _NAMES.get(one.name, "") if one.name in BY_NAME else _from_field(one.name)
            for one in measures
        }
        self._measures = [
            (name, _compiled(pattern)) for name, pattern in spelled.items() if pattern
        ]
        self._dimensions = {one.name: one.dimension for one in measures}
        self._statistics = [(name, _compiled(pattern)) for name, pattern in _STATISTICS.items()]

    def hits(self, text: str) -> Iterator[Hit]:
        """Every name, the longest first where several begin at one place."""
        by_span: dict[tuple[int, int], set[str]] = {}
        for name, pattern in self._measures:
            for match in pattern.finditer(text):
                by_span.setdefault(match.span(), set()).add(name)
        spans = sorted(by_span, key=lambda span: (span[0], -span[1]))
        end = -1
        for span in spans:
            if span[0] >= end:
                yield Hit(*span, MEASURE, frozenset(by_span[span]))
                for dimension in {self._dimensions[name] for name in by_span[span]}:
                    of_it = {n for n in by_span[span] if self._dimensions[n] is dimension}
                    yield Hit(*span, measure_key(dimension), frozenset(of_it))
                end = span[1]
        for name, pattern in self._statistics:
            for match in pattern.finditer(text):
                yield Hit(*match.span(), STATISTIC, frozenset([name]))


def _compiled(pattern: str) -> re.Pattern[str]:
    # An underscore parts words of a field's name: `latency_ms`.
    return re.compile(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", re.IGNORECASE)


_UNIT_WORDS = frozenset(
    (
        "ms", "us", "ns", "s", "sec", "secs", "seconds", "second", "bytes", "byte", "kb", "mb",
        "gb", "kib", "mib", "gib", "pct", "percent", "per", "tps", "mean", "median", "avg", "std",
        "p50", "p95", "p99", "min", "max", "value",
    )
)  # fmt: skip


def _from_field(name: str) -> str:
    """`generation_tps` is named by words that begin like `generation`."""
    words = [word for word in re.split(r"[^A-Za-z]+", name) if word]
    telling = [word for word in words if word.lower() not in _UNIT_WORDS and len(word) > 2]
    if not telling:
        return re.escape(name)
    return r"[\s_-]+".join(re.escape(word[:5]) + r"\w*" for word in telling)
