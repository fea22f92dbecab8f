"""Counts of one document that hold only under different selection rules (gate 5)."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from benchproof.audit.binding.bound import Level as Nearness
from benchproof.audit.document.passage import Place
from benchproof.audit.explain.readings import readings_of
from benchproof.audit.explain.scene import Scene
from benchproof.audit.mention.mention import Role
from benchproof.records.findings import DataFinding, Level

_IMPLIED = ("any variant", "compiled only")


def under_different_rules(
    path: str, counts: Sequence[tuple[Place, Scene]]
) -> Iterator[DataFinding]:
    """A finding for the first two counts that no one rule makes true together.

    A count whose text names the variants that compete has its rule from there.
    """
    told = [
        (place, scene, rules)
        for place, scene in counts
        if scene.mention.role is Role.COUNT and not _names_rule(scene)
        if (rules := _rules(scene))
    ]
    for (one, first, ours), (other, second, theirs) in combinations(told, 2):
        if not ours & theirs:
            yield DataFinding(
                "selection-rule",
                Level.ERROR,
                (f"{path}:{one.line}:{one.column}", f"{path}:{other.line}:{other.column}"),
                f"no one selection rule makes both counts true: {_said(first)} holds under "
                f"{_listed(ours)}, {_said(second)} under {_listed(theirs)}",
            )
            return


def _names_rule(scene: Scene) -> bool:
    bound = scene.context.get("variant")
    return bound is not None and bound.level <= Nearness.SENTENCE


def _rules(scene: Scene) -> frozenset[str]:
    """The selection rules under which a count is true; empty where rules do not matter to it.

    A text that names no variant means the best of all or the compiled ones, hardly eager alone.
    """
    chosen = [one for one in readings_of(scene).readings if one.choice in _IMPLIED]
    rules = frozenset(one.choice for one in chosen if scene.admits(one.value))
    return rules if len(rules) < len({one.choice for one in chosen}) else frozenset()


def _said(scene: Scene) -> str:
    text, clause = scene.here.passage.text, scene.clause
    return f"\u201c{' '.join(text[clause.start : clause.end].split())[:80].strip(' ,;.')}\u201d"


def _listed(rules: frozenset[str]) -> str:
    return " and ".join(f"\u201c{rule}\u201d" for rule in _IMPLIED if rule in rules)
