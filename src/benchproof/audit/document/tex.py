r"""What a reader sees of TeX mathematics: `AI \approx 50.5` as `AI ≈ 50.5`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# Pandoc's rule: no space inside the dollars, no digit behind them, so that "$5 and $6" is money.
INLINE = re.compile(
    r"\$\$(?P<display>[^$]{1,2000})\$\$"
    r"|\$(?=[^\s$])(?P<inline>(?:\\[\s\S]|[^$\\]){1,2000})(?<=[^\s\\])\$(?!\d)"
)
_TOKEN = re.compile(
    r"\\(?:begin|end)\s*\{[a-zA-Z*]{1,20}\}|\\[a-zA-Z]+\*?|\\[\s\S]|[{}$&~]|[^\\{}$&~]+"
)
_SIGNS = {
    "approx": "≈", "simeq": "≃", "sim": "~", "times": "×", "cdot": "·", "div": "÷",
    "to": "→", "rightarrow": "→", "Rightarrow": "⇒", "leftarrow": "←", "mapsto": "↦",
    "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥",
    "ll": "≪", "gg": "≫", "ne": "≠", "neq": "≠", "equiv": "≡", "propto": "∝",
    "pm": "±", "mp": "∓", "infty": "∞", "ldots": "…", "dots": "…", "cdots": "…",
    "alpha": "\u03b1", "beta": "β", "delta": "δ", "Delta": "Δ", "eta": "η", "lambda": "λ",
    "mu": "µ", "pi": "π", "rho": "\u03c1", "sigma": "σ", "tau": "τ", "theta": "θ",
    "sum": "∑", "prod": "∏", "sqrt": "√", "ell": "\u2113", "lt": "<", "gt": ">",
    "lbrace": "{", "rbrace": "}", "log": "log", "ln": "ln", "exp": "exp", "min": "min",
    "max": "max", "quad": " ", "qquad": " ", "degree": "°", "circ": "°",
}  # fmt: skip
_ESCAPES = {
    "%": "%", "$": "$", "&": "&", "#": "#", "_": "_", "{": "{", "}": "}",
    ",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "\\": " ",
}  # fmt: skip


class Seen(NamedTuple):
    """A visible run, where in the TeX it comes from, and whether it stands there as it is."""

    text: str
    at: int
    literal: bool


def visible(tex: str) -> Iterator[Seen]:
    """Visible runs of a formula in reading order; commands without a sign and braces are dropped.

    A fraction keeps its two parts with a slash between them.
    """
    slashes: list[int] = []  # depths at which the numerator of a fraction ends
    depth = 0
    for match in _TOKEN.finditer(tex):
        token, at = match.group(), match.start()
        if token == "{":
            depth += 1
        elif token == "}":
            depth = max(depth - 1, 0)
            if slashes and slashes[-1] == depth:
                slashes.pop()
                yield Seen("/", at, literal=False)
        elif token in ("\\frac", "\\dfrac", "\\tfrac"):
            slashes.append(depth)
        elif token[0] == "\\":
            yield from _command(token[1:], at)
        elif token in "$&~":
            yield Seen(" ", at, literal=False)
        else:
            yield Seen(token, at, literal=True)


def _command(name: str, at: int) -> Iterator[Seen]:
    if name in _ESCAPES:
        # The escaped character itself stands one further: only a space does not.
        sign = _ESCAPES[name]
        yield Seen(sign, at + 1 if sign == name else at, literal=sign == name)
    elif name in _SIGNS:
        sign = _SIGNS[name]
        literal = sign == name
        yield Seen(sign, at + literal, literal=literal)
