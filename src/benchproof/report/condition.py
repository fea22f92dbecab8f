"""Which rows of the raw files a selection is: its condition in SQL, for counts and extremes.

A post knows by the gates what it selects from. A query knows what the files say, and a file may
hold more cells than those: some that failed, some that ran on another device.
"""

from collections.abc import Callable, Sequence

import msgspec

from benchproof.model.record import Record
from benchproof.records.gates import is_timed, ran_elsewhere
from benchproof.values import sql
from benchproof.values.aggregates import key_of

Narrowing = tuple[tuple[str, str | int], ...]


class Gate(msgspec.Struct, frozen=True):
    """What records have to be, here and in SQL; `named` are the columns of the condition."""

    admits: Callable[[Record], bool]
    condition: str
    named: frozenset[str]


TIMED = Gate(is_timed, "status IN ('ok', 'unstable')", frozenset({"status"}))
UNTIMED = Gate(
    lambda record: not is_timed(record),
    "status IN ('failed', 'skipped')",
    frozenset({"status"}),
)
AT_HOME = Gate(
    lambda record: not ran_elsewhere(record),
    "coalesce(actual, device) = device",
    frozenset({"actual", "device"}),
)
ELSEWHERE = Gate(ran_elsewhere, "actual <> device", frozenset({"actual", "device"}))


class Root(msgspec.Struct, frozen=True):
    """What a selection starts from: its name in templates, and the gates that its records passed.

    Conditions of `told` gates stand in every query; those of `silent` ones where a file that the
    query reads holds what they keep out. `everything` are all records of the study.
    """

    name: str
    told: tuple[Gate, ...] = ()
    silent: tuple[Gate, ...] = ()
    everything: tuple[Record, ...] = ()


class Rows(msgspec.Struct, frozen=True):
    """The rows of a selection: the condition that they meet, and the columns that it names.

    `beside` are records that a query has to read only to leave them out.
    """

    condition: str
    named: frozenset[str]
    beside: tuple[Record, ...]


def rows_of(records: Sequence[Record], narrowing: Narrowing, root: Root) -> Rows:
    """The rows of the selected records, which are all of a root's that match the narrowing."""
    met = _met(records, [one for one in root.everything if _could_match(one, narrowing)])
    silent = (gate for gate in root.silent if not all(map(gate.admits, met)))
    gates = (*root.told, *silent)
    conditions = [*(_equal(*one) for one in narrowing), *(gate.condition for gate in gates)]
    read = _files(records)
    return Rows(
        " AND ".join(conditions) or "true",
        frozenset(name for name, _ in narrowing).union(*(gate.named for gate in gates)),
        tuple(one for one in met if not _files([one]) <= read),
    )


def _equal(name: str, value: str | int) -> str:
    if isinstance(value, int):
        return f"{name} = {value}"
    return f"{name} = {sql.text(value)}" if value else f"{name} IS NULL"


def _could_match(record: Record, narrowing: Narrowing) -> bool:
    """Whether a record matches to whoever read some of its rounds: status is theirs together."""
    return all(key_of(record, name) == value for name, value in narrowing if name != "status")


def _met(records: Sequence[Record], rivals: Sequence[Record]) -> list[Record]:
    """Rivals with a round in the files that have to be read to know every one of them whole."""
    files = _files(records)
    while True:
        met = [rival for rival in rivals if files & _files([rival])]
        if _files(met) <= files:
            return met
        files |= _files(met)


def _files(records: Sequence[Record]) -> set[str]:
    return {place.file for record in records for place in record.places}
