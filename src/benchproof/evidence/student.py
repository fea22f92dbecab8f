"""Student's t distribution: how much a mean of a few values may lie off.

SciPy has it too, but takes longer to import than most steps take to run.
"""

import math
from functools import lru_cache

_STEPS = 500
_TINY = 1e-300
_EPSILON = 1e-15


def upper_tail(t: float, df: float) -> float:
    """Probability that Student's t with `df` degrees of freedom exceeds `t` >= 0."""
    return 0.5 * _incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t))


@lru_cache(maxsize=4096)
def two_sided_quantile(confidence: float, df: float) -> float:
    """The t that |T| stays below with probability `confidence`, for any positive `df`.

    Newton's method on the logarithms, where the tail is nearly a straight line: it converges from
    anywhere, for one degree of freedom as for thousands.
    """
    tail = (1 - confidence) / 2
    t = 2.0
    for _ in range(_STEPS):
        above = upper_tail(t, df)
        step = math.log(above / tail) * above / (t * _density(t, df))
        t *= math.exp(min(max(step, -2.0), 2.0))
        if abs(step) < 1e-14:
            break
    return t


def _density(t: float, df: float) -> float:
    log_scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2
    return math.exp(log_scale - (df + 1) / 2 * math.log1p(t * t / df))


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Regularised incomplete beta function I_x(a, b), where `rest` is 1 - x in full precision."""
    if x <= 0.0 or rest <= 0.0:
        return 0.0 if x <= 0.0 else 1.0
    log_front = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    )
    if x < (a + 1) / (a + b + 2):
        return math.exp(log_front) * _continued_fraction(a, b, x) / a
    return 1.0 - math.exp(log_front) * _continued_fraction(b, a, rest) / b


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Lentz's evaluation of the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for factor in (even, odd):
            d = 1.0 / _not_zero(1.0 + factor * d)
            c = _not_zero(1.0 + factor / c)
            value *= c * d
        if abs(c * d - 1.0) < _EPSILON:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
