"""What a document binds: its numbers, claims, literals and selection rules, as numbers.json."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from benchproof.model.record import Citation, citations
from benchproof.records.gates import SelectionRule
from benchproof.values.expression import Expression
from benchproof.values.recomputed import Recomputation, recomputed_in
from benchproof.values.rounding import Printed
from benchproof.values.value import Value

SCHEMA = "benchproof/numbers@1"


class BoundNumber(msgspec.Struct, frozen=True):
    """One number of a document. `value` is in `unit`; `query` gives it again from the raw JSON.

    What no SQL can give stands in the query as `$NAME`: the document's `recomputations` tell it.
    """

    id: str
    text: str
    value: float
    unit: str
    digits: int
    rounding: str
    derivation: str
    records: tuple[Citation, ...]
    query: str


class Side(msgspec.Struct, frozen=True):
    """One comparison behind a claim: both full values, in the base unit of the comparison."""

    left: float
    comparison: str
    right: float
    unit: str
    about: str


class Claim(msgspec.Struct, frozen=True):
    """A sentence whose truth the expression decides; `query` gives 1 where it holds."""

    id: str
    text: str
    expression: str
    holds: bool
    sides: tuple[Side, ...]
    query: str


class Literal(msgspec.Struct, frozen=True):
    """A number in the text that no record stands behind, and why it may stand there."""

    text: str
    reason: str


class Numbers(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole of numbers.json.

    `recomputations` are the parameters of the queries: bounds of intervals and p-values.
    """

    schema: str
    post: str
    study: str
    numbers: tuple[BoundNumber, ...]
    claims: tuple[Claim, ...]
    literals: tuple[Literal, ...]
    recomputations: dict[str, Recomputation] = {}


class Registry:
    """Collects what one rendering of a template binds, in the order of the text."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str, str], BoundNumber] = {}
        self._literals: dict[Literal, None] = {}
        self._recomputations: dict[str, Recomputation] = {}
        self.claims: dict[str, Claim] = {}
        self.rules: list[tuple[SelectionRule, str]] = []

    def bind(self, value: Value, printed: Printed) -> str:
        """The id of a printed value; the same number printed twice keeps its id."""
        query = value.query(printed.factor)
        key = (printed.text, value.derivation, query)
        if key not in self._numbers:
            self._numbers[key] = BoundNumber(
                id=f"n{len(self._numbers) + 1}",
                text=printed.text,
                value=printed.value,
                unit=printed.unit,
                digits=printed.digits,
                rounding=f"half to even, {printed.digits} digits after the point",
                derivation=value.derivation,
                records=citations(value.records),
                query=query,
            )
            self.note(value.expression)
        return self._numbers[key].id

    def note(self, expression: Expression) -> None:
        """Note how the parameters of an expression's query are recomputed."""
        for one in recomputed_in(expression):
            self._recomputations.setdefault(one.told.name, one.told)

    def literal(self, text: str, reason: str) -> None:
        """Note a number that may stand unbound."""
        self._literals.setdefault(Literal(text, reason))

    def numbers(self, post: str, study: str) -> Numbers:
        """Everything collected, as the document's numbers.json."""
        return Numbers(
            schema=SCHEMA,
            post=post,
            study=study,
            numbers=tuple(self._numbers.values()),
            claims=tuple(self.claims.values()),
            literals=tuple(self._literals),
            recomputations=self._recomputations,
        )


def encode(numbers: Numbers) -> bytes:
    """numbers.json as bytes: indented, one newline at the end."""
    return msgspec.json.format(msgspec.json.encode(numbers), indent=1) + b"\n"


SHOWN_RECORDS = 6
SHOWN_PARAMETERS = 2


def for_page(numbers: Numbers) -> dict[str, Any]:
    """What the page's script looks up: numbers and claims by id.

    A number that stands on many records names the first of them and how many there are; all of
    them are in numbers.json.
    """
    plain = msgspec.to_builtins(numbers)
    for one in (*plain["numbers"], *plain["claims"]):
        one["query"] = _explained(one["query"], numbers.recomputations)
    for number in plain["numbers"]:
        number["total"] = len(number["records"])
        number["records"] = number["records"][:SHOWN_RECORDS]
    return {
        "numbers": {number.pop("id"): number for number in plain["numbers"]},
        "claims": {claim.pop("id"): claim for claim in plain["claims"]},
    }


def _explained(query: str, recomputations: Mapping[str, Recomputation]) -> str:
    """A query with a comment on each of its parameters; of many, on the first and their number."""
    used = [recomputations[name] for name in parameters(query) if name in recomputations]
    shown = [f"-- ${one.name}: {one}" for one in used[:SHOWN_PARAMETERS]]
    more = len(used) - len(shown)
    shown += [f"-- and {more} more, as numbers.json tells"] if more else []
    return "\n".join([*shown, query])


def parameters(query: str) -> list[str]:
    """Names of the parameters in a query, each once; text in quotes holds none."""
    bare = re.sub(r"'(?:[^']|'')*'", "''", query)
    return list(dict.fromkeys(re.findall(r"\$([a-z]\w*)", bare)))
