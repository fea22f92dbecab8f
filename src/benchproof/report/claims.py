"""Sentences whose truth is an expression over values: `{% claim "id" expression %}`."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

from benchproof.errors import BenchproofError
from benchproof.model.record import Record
from benchproof.report.registry import Claim, Registry, Side
from benchproof.report.text import escape
from benchproof.values import sql
from benchproof.values.expression import Arithmetic, Constant, Expression, Extreme
from benchproof.values.rounding import show
from benchproof.values.value import Truth, Value

_SPAN = re.compile(r"\[([^\[\]]*)\]\{\.bp[^{}]*\}")


class ClaimError(BenchproofError):
    """A claim that is false, or not an expression over values."""


class Verdict(msgspec.Struct, frozen=True):
    """Several truths joined; `expression` gives 1 where the whole holds."""

    expression: Expression
    truths: tuple[Truth, ...]

    def __bool__(self) -> bool:
        return self.expression.number == 1

    @property
    def query(self) -> str:
        """DuckDB query that gives 1 where the verdict holds and 0 where not."""
        return sql.query(self.expression.sql(), self.records, self.expression.fields)

    @property
    def records(self) -> tuple[Record, ...]:
        """Records of all truths."""
        return self.expression.records


def all_of(*truths: object) -> Verdict:
    """Holds when every part does."""
    return _join("least", truths)


def any_of(*truths: object) -> Verdict:
    """Holds when at least one part does."""
    return _join("greatest", truths)


def none_of(*truths: object) -> Verdict:
    """Holds when no part does."""
    joined = _join("greatest", truths)
    return Verdict(Arithmetic(Constant(1.0), "-", joined.expression), joined.truths)


def _join(which: str, parts: Sequence[object]) -> Verdict:
    verdicts = [as_verdict(part) for part in _flat(parts)]
    if not verdicts:
        raise ClaimError("a claim needs at least one comparison of values")
    return Verdict(
        Extreme(which, tuple(verdict.expression for verdict in verdicts)),
        tuple(truth for verdict in verdicts for truth in verdict.truths),
    )


def _flat(parts: Sequence[object]) -> list[object]:
    return [
        item
        for part in parts
        for item in (_flat(part) if isinstance(part, list | tuple) else [part])
    ]


def as_verdict(part: object) -> Verdict:
    """A truth or a verdict as a verdict; anything else is an error."""
    if isinstance(part, Verdict):
        return part
    if isinstance(part, Truth):
        return Verdict(part.expression, (part,))
    raise ClaimError(
        f"{part!r} is not a comparison of values; compare values with <, <=, >, >=, == or !="
    )


def side(truth: Truth) -> Side:
    """A truth as numbers.json tells it."""
    return Side(
        left=truth.left.number,
        comparison=truth.symbol,
        right=truth.right.number,
        unit=truth.left.unit.value,
        about=f"{about(truth.left)} {truth.symbol} {about(truth.right)}",
    )


def about(value: Value) -> str:
    """A value in words: printed form, derivation and, for one record, its name."""
    records = value.records
    of = f" of {records[0].name}" if len(records) == 1 else ""
    return f"{show(value).text} ({value.derivation}{of})"


def check(registry: Registry, name: str, expression: str, verdict: object, text: str) -> str:
    """Note a claim and give its text marked; ClaimError with the refuting values when false."""
    judged = as_verdict(verdict)
    if name in registry.claims:
        raise ClaimError(f"claim {name!r} stands twice; give each claim its own id")
    if not judged:
        against = "; ".join(side(truth).about for truth in judged.truths if not truth)
        told = against or "; ".join(side(truth).about for truth in judged.truths)
        raise ClaimError(f"claim {name!r} is false: not so: {told}")
    sentence = " ".join(text.split())
    registry.claims[name] = Claim(
        id=name,
        text=_SPAN.sub(r"\1", sentence),
        expression=expression,
        holds=True,
        sides=tuple(side(truth) for truth in judged.truths),
        query=judged.query,
    )
    return f'[{sentence}]{{.bp-claim data-claim="{escape(name)}"}}'


class ClaimTag(Extension):
    """`{% claim "id" expression %}sentence{% endclaim %}` in a template."""

    tags = {"claim"}  # noqa: RUF012 - the base class declares it so

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Keep the line break behind a claim: it ends a sentence, where other tags end a line."""
        del name, filename
        return re.sub(r"\{%(-?)\s*endclaim\s*%\}", r"{%\1 endclaim +%}", source)

    def parse(self, parser: Parser) -> nodes.Node:
        """The tag as a call of `_claim(id, expression text, verdict)` with the sentence inside."""
        line = next(parser.stream).lineno
        name = parser.parse_expression()
        parser.stream.skip_if("comma")
        source = _source_of(parser, line)
        verdict = _joined(parser.parse_expression())
        body = parser.parse_statements(("name:endclaim",), drop_needle=True)
        call = nodes.Call(
            nodes.Name("_claim", "load"), [name, nodes.Const(source), verdict], [], None, None
        )
        return nodes.CallBlock(call, [], [], body).set_lineno(line)


def _source_of(parser: Parser, line: int) -> str:
    """The text of the claim's expression, as the template writes it."""
    lines = (parser.environment.bp_sources.get(parser.name) or "").split("\n")  # type: ignore[attr-defined]
    rest = "\n".join(lines[line - 1 :])
    found = re.search(
        r"\{%-?\s*claim\s+(?:\"[^\"]*\"|'[^']*')\s*,?\s*(.*?)\s*-?%\}", rest, re.DOTALL
    )
    return " ".join(found.group(1).split()) if found else ""


def _joined(node: nodes.Expr) -> nodes.Expr:
    """`and`, `or` and `not` as calls that keep every part's values instead of the last one's."""
    joiners: dict[type[nodes.Expr], str] = {
        nodes.And: "all_of",
        nodes.Or: "any_of",
        nodes.Not: "none_of",
    }
    name = joiners.get(type(node))
    if name is None:
        return node
    parts = [_joined(child) for child in node.iter_child_nodes() if isinstance(child, nodes.Expr)]
    call = nodes.Call(nodes.Name(name, "load"), parts, [], None, None)
    call.set_lineno(node.lineno)
    return call


def tag_function(registry: Registry) -> Callable[..., Any]:
    """What the tag calls: checks the claim once its sentence is rendered."""

    def claim(name: str, expression: str, verdict: object, caller: Callable[[], str]) -> str:
        return check(registry, name, expression, verdict, str(caller()))

    return claim
