"""Rows that claim the same keys: copies are merged, contradictions kept and named."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from benchproof.audit.facts.fact import Fact
from benchproof.records.findings import DataFinding, Level


class Settled(NamedTuple):
    """The facts without copies, and what of them contradicts each other."""

    facts: tuple[Fact, ...]
    findings: tuple[DataFinding, ...]


class _Conflict(NamedTuple):
    left: Fact
    right: Fact
    measure: str


def settle(facts: Sequence[Fact], runs: Collection[str]) -> Settled:
    """The facts of every key, each copy once; their keys have to stand in one order.

    `runs` are the files whose rows are runs of one thing, by whatever tells that: rows of equal
    keys within such a file are no duplicates.
    """
    by_key: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        by_key.setdefault((*fact.keys, *fact.keys.values()), []).append(fact)
    dropped: set[int] = set()
    conflicts: dict[tuple[str, str], list[_Conflict]] = {}
    for group in by_key.values():
        if len(group) > 1:
            kept = _without_copies(group, runs)
            dropped |= {id(fact) for fact in group} - {id(fact) for fact in kept}
            for conflict in _conflicts(kept, runs):
                pair = (_file(conflict.left), _file(conflict.right))
                conflicts.setdefault(pair, []).append(conflict)
    left = tuple(fact for fact in facts if id(fact) not in dropped)
    return Settled(left, tuple(_finding(pair, told) for pair, told in conflicts.items()))


def _file(fact: Fact) -> str:
    return fact.place.partition("#")[0]


def _without_copies(group: Sequence[Fact], runs: Collection[str]) -> list[Fact]:
    """The facts of one key without files that repeat another's, or themselves."""
    by_file: dict[str, list[Fact]] = {}
    for fact in group:
        by_file.setdefault(_file(fact), []).append(fact)
    kept: list[list[Fact]] = []
    for file, told in by_file.items():
        alike = all(fact.values == told[0].values for fact in told)
        once = told[:1] if alike and file not in runs else told
        if not any(_values(once) == _values(other) for other in kept):
            kept.append(once)
    return [fact for told in kept for fact in told]


def _values(facts: Iterable[Fact]) -> list[Mapping[str, float]]:
    return [fact.values for fact in facts]


def _conflicts(group: Sequence[Fact], runs: Collection[str]) -> Iterator[_Conflict]:
    """Facts that differ in a measure from the first one that has it, or from another file's."""
    first: dict[str, Fact] = {}
    for fact in group:
        for measure, value in fact.values.items():
            other = first.setdefault(measure, fact)
            is_run = _file(other) == _file(fact) and _file(fact) in runs
            if other.values[measure] != value and not is_run:
                yield _Conflict(other, fact, measure)
                break


def _finding(files: tuple[str, str], conflicts: Sequence[_Conflict]) -> DataFinding:
    left, right, measure = conflicts[0]
    facts = [fact for conflict in conflicts for fact in (conflict.left, conflict.right)]
    count = len({frozenset(conflict.left.keys.items()) for conflict in conflicts})
    where = f"twice in {files[0]}" if files[0] == files[1] else f"in both {files[0]} and {files[1]}"
    keys = ", ".join(f"{key} {value}" for key, value in left.keys.items()) or "no key"
    stands = "set of keys stands" if count == 1 else "sets of keys stand"
    return DataFinding(
        "duplicate-keys",
        Level.WARNING,
        tuple(dict.fromkeys(fact.place for fact in facts)),
        f"{count} {stands} {where} with different values, for example {keys}: {measure} is "
        f"{left.values[measure]:g} at {left.place} and {right.values[measure]:g} at {right.place}; "
        "both are kept: leave out what is superseded, or name what tells them apart",
    )
