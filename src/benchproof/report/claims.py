"""Sentences whose truth is an expression over values: `{% claim "id" expression %}`."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from benchproof.errors import BenchproofError
from benchproof.model.record import Record
from benchproof.report.registry import Claim, Registry, Side
from benchproof.report.seals import Seals
from benchproof.report.text import escape
from benchproof.values.expression import Arithmetic, Constant, Expression, Extreme
from benchproof.values.recomputed import query_of
from benchproof.values.rounding import show
from benchproof.values.value import Truth, Value

_HOLDS = {True: "holds", False: "does not hold"}
_SPAN = re.compile(r"\[([^\[\]]*)\]\{\.bp[^{}]*\}")


class ClaimError(BenchproofError):
    """A claim that is false, or not an expression over values."""


class Verdict(msgspec.Struct, frozen=True):
    """Several truths joined; `expression` gives 1 where the whole holds.

    `refuting` are the truths that decide against it.
    """

    expression: Expression
    truths: tuple[Truth, ...]
    refuting: tuple[Truth, ...]

    def __bool__(self) -> bool:
        return self.expression.number == 1

    @property
    def query(self) -> str:
        """DuckDB query that gives 1 where the verdict holds and 0 where not."""
        return query_of(self.expression)

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
    verdicts = _verdicts(truths)
    return Verdict(
        Arithmetic(Constant(1.0), "-", _extreme("greatest", verdicts)),
        _truths(verdicts),
        tuple(truth for verdict in verdicts if verdict for truth in verdict.truths),
    )


def _join(which: str, parts: Sequence[object]) -> Verdict:
    verdicts = _verdicts(parts)
    against = tuple(truth for verdict in verdicts for truth in verdict.refuting)
    return Verdict(_extreme(which, verdicts), _truths(verdicts), against)


def _verdicts(parts: Sequence[object]) -> list[Verdict]:
    verdicts = [as_verdict(part) for part in _flat(parts)]
    if not verdicts:
        raise ClaimError("a claim needs at least one comparison of values")
    return verdicts


def _extreme(which: str, verdicts: Sequence[Verdict]) -> Expression:
    return Extreme(which, tuple(verdict.expression for verdict in verdicts))


def _truths(verdicts: Sequence[Verdict]) -> tuple[Truth, ...]:
    return tuple(truth for verdict in verdicts for truth in verdict.truths)


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
        return Verdict(part.expression, (part,), () if part else (part,))
    given = f"the value {part.derivation!r}" if isinstance(part, Value) else repr(part)[:80]
    raise ClaimError(
        f"{given} is not a comparison of values; compare values with <, <=, >, >=, == or !="
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


def check(
    registry: Registry, seals: Seals, name: str, expression: str, verdict: object, text: str
) -> Markup:
    """Note a claim and give its text marked; ClaimError with the refuting values when false."""
    judged = as_verdict(verdict)
    if name in registry.claims:
        raise ClaimError(f"claim {name!r} stands twice; give each claim its own id")
    if not judged:
        told = "; ".join(f"{side(truth).about} {_HOLDS[bool(truth)]}" for truth in judged.refuting)
        raise ClaimError(f"claim {name!r} is false: {told}")
    sentence = " ".join(text.split())
    registry.note(judged.expression)
    registry.claims[name] = Claim(
        id=name,
        text=_SPAN.sub(r"\1", seals.open(sentence)),
        expression=expression,
        holds=True,
        sides=tuple(side(truth) for truth in judged.truths),
        query=judged.query,
    )
    return Markup("[" + sentence + "]") + seals.seal(f'{{.bp-claim data-claim="{escape(name)}"}}')


class ClaimTag(Extension):
    """`{% claim "id" expression %}sentence{% endclaim %}` in a template."""

    tags = {"claim"}  # noqa: RUF012 - the base class declares it so

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Keep the line break behind a claim: it ends a sentence, where other tags end a line."""
        del name, filename
        return re.sub(r"\{%(-?)\s*endclaim\s*%\}", r"{%\1 endclaim +%}", source)

    def parse(self, parser: Parser) -> nodes.Node:
        """The tag as a call of `check(id, expression text, verdict)` with the sentence inside."""
        line = next(parser.stream).lineno
        name = parser.parse_expression()
        parser.stream.skip_if("comma")
        source = _source_of(parser, name, line)
        verdict = self._joined(parser.parse_expression())
        body = parser.parse_statements(("name:endclaim",), drop_needle=True)
        # Called by attribute, not by name: a template cannot put a function of its own in place.
        call = self.call_method("check", [name, nodes.Const(source), verdict], lineno=line)
        return nodes.CallBlock(call, [], [], body).set_lineno(line)

    def check(self, name: str, expression: str, verdict: object, caller: Callable[[], str]) -> str:
        """What the tag calls: checks the claim once its sentence is rendered."""
        post: Any = self.environment
        return check(post.registry, post.seals, name, expression, verdict, caller())

    def _joined(self, node: nodes.Expr) -> nodes.Expr:
        """Joined and chained comparisons as calls that keep every part's values, not the last's."""
        if isinstance(node, nodes.Compare) and len(node.ops) > 1:
            return self._call("all_of", _links(node))
        if type(node) in _JOINERS:
            parts = [child for child in node.iter_child_nodes() if isinstance(child, nodes.Expr)]
            return self._call(_JOINERS[type(node)], parts)
        if isinstance(node, nodes.Call) and getattr(node.node, "name", None) in _OF_TRUTHS:
            node.args = [self._joined(part) for part in node.args]
        if isinstance(node, nodes.List | nodes.Tuple):
            node.items = [self._joined(part) for part in node.items]
        return node

    def _call(self, name: str, parts: list[nodes.Expr]) -> nodes.Expr:
        return self.call_method(
            name, [self._joined(part) for part in parts], lineno=parts[0].lineno
        )

    all_of = staticmethod(all_of)
    any_of = staticmethod(any_of)
    none_of = staticmethod(none_of)


_OF_TRUTHS = ("all_of", "any_of", "none_of", "count_if")
_JOINERS: dict[type[nodes.Node], str] = {
    nodes.And: "all_of",
    nodes.Or: "any_of",
    nodes.Not: "none_of",
}


def _links(chain: nodes.Compare) -> list[nodes.Expr]:
    """The comparisons of a chain, `a < b < c` as `a < b` and `b < c`."""
    sides = [chain.expr, *(operand.expr for operand in chain.ops)]
    return [
        nodes.Compare(left, [operand], lineno=chain.lineno)
        for left, operand in zip(sides, chain.ops, strict=False)
    ]


def _source_of(parser: Parser, name: nodes.Expr, line: int) -> str:
    """The text of the claim's expression, as the template writes it."""
    lines = (parser.environment.bp_sources.get(parser.name) or "").split("\n")  # type: ignore[attr-defined]
    rest = "\n".join(lines[line - 1 :])
    written = re.escape(str(getattr(name, "value", "")))  # several claims may stand on one line
    found = re.search(
        rf"\{{%[-+]?\s*claim\s+(?:\"{written}\"|'{written}')\s*,?\s*(.*?)\s*[-+]?%\}}",
        rest,
        re.DOTALL,
    )
    return " ".join(found.group(1).split()) if found else ""
