"""Sides that a table opposes: a ratio's columns, a change beside its amount, a winner's margin."""

import re
from collections.abc import Iterator

from benchproof.audit.binding.bound import Level, names_with
from benchproof.audit.binding.cells import AGAINST
from benchproof.audit.binding.outline import Prepared
from benchproof.audit.explain.scene import Scene, narrowed
from benchproof.audit.explain.scenes import scene_of
from benchproof.audit.explain.side import COMPARED, Sides
from benchproof.audit.facts.cube import Limits, Value

_PLAIN = frozenset(("eager", "cpu", "fp32"))
_OF_RUNS = re.compile(
    r"\b(?:second|next|other)\s+(?:\w+\s+)?(?:run|variant|cell|record)s?\b", re.IGNORECASE
)
_WINNER = re.compile(r"\b(?:winners?|fastest|best|leaders?|first)\b", re.IGNORECASE)
_LEAD = re.compile(r"(?:its\s+)?(?:leads?|advantages?|margins?|gap)(?:\s*\(.*\))?", re.IGNORECASE)
_MARGIN = re.compile(
    r"\b(?:margins?|runner-?up|second[\s-]best|next[\s-]best|second\s+place)\b", re.IGNORECASE
)


_ENDS = re.compile(
    r"(?P<base>from|start|base(?:line)?|before|old|von)|(?P<other>to|end|new|after|bis|nach)",
    re.IGNORECASE,
)


# What a whole table is held against: "speedup over X", "relative to X", "X = 1".
_BASE = re.compile(
    r"\b(?:speed-?ups?|ratios?|gains?|faster|slower|factors?|improvements?|savings?|changes?|"
    r"differences?|normali[sz]ed|relative|compared|baseline|times|percent\w*|deltas?)\b[^.;:]{0,40}?"
    r"(?:\b(?:over|vs\.?|versus|against|than|to|with|from|is)|[=:])\s+(?:the\s+)?$",
    re.IGNORECASE,
)


def columns(scene: Scene) -> Iterator[Sides]:
    """`eager | compiled | speedup`: a ratio's sides are the two amounts to its left.

    In `8.1 | 7.3 (-10 %)` they are its own cell's amount, and the row's first or the one before.
    """
    spot = scene.here.passage.spot
    variant = scene.context.get("variant")
    if spot is None or (variant is not None and variant.listed):
        return
    row = scene.outline.tables[spot.table].row(spot.row)
    amounts = [one for at in row[: row.index(scene.at)] if (one := _amount(scene, at)) is not None]
    own = _amount(scene, scene.at)
    if own is not None and own.mention.end <= scene.mention.start and amounts:
        yield from _opposed(scene, amounts[0], own)
        if len(amounts) > 1:
            yield from _opposed(scene, amounts[-1], own)
    elif len(amounts) > 1:
        yield from _opposed(scene, amounts[-2], amounts[-1])
        if len(amounts) > 2:
            yield from _opposed(scene, amounts[0], amounts[-1])


def against(scene: Scene) -> Iterator[Sides]:
    """`vs eager` at a column's head, `speedup over eager` in the caption: each row against it."""
    spot = scene.here.passage.spot
    if spot is None or scene.mention.dimension not in COMPARED:
        return
    table = scene.outline.tables[spot.table]
    heads = [(at, AGAINST) for at in table.head(spot.column)]
    around = [(at, _BASE) for at in (table.caption, table.before) if at is not None]
    above = [(at, _BASE) for at in reversed(scene.here.passage.headings[-1:])]
    for at, pattern in (*heads, *around, *above):
        there = scene.outline.prepared[at]
        for hit in there.hits:
            own = scene.limits.get(hit.key)
            is_base = pattern.search(there.passage.text[: hit.start])
            if is_base and own and not own & hit.values:
                limits = narrowed(scene.limits, hit.key, hit.values)
                parts = {one.key: one.values for one in names_with(there, hit)}
                yield Sides({**limits, **parts}, scene.limits, " and ".join((hit.key, *parts)))
                return


def from_to(scene: Scene) -> Iterator[Sides]:
    """A row with a size under `From` and another under `To`: the second is held against it."""
    told: dict[str, dict[str, frozenset[Value]]] = {}
    for head, cell in _headed(scene):
        match = _ENDS.fullmatch(head.strip())
        if match is not None and match.lastgroup is not None:
            told[match.lastgroup] = {hit.key: hit.values for hit in cell.hits}
    base, other = told.get("base", {}), told.get("other", {})
    for key in base.keys() & other.keys():
        if key in scene.cube.keys and base[key] != other[key]:
            limits = scene.limits
            yield Sides(narrowed(limits, key, base[key]), narrowed(limits, key, other[key]), key)


def _amount(scene: Scene, at: int) -> Scene | None:
    """The first number of a cell, if it compares nothing itself."""
    mentions = scene.outline.prepared[at].mentions
    if not mentions:
        return None
    made = scene_of(scene.outline, at, mentions[0], scene.cube)
    return None if made.mention.dimension in COMPARED else made


def _opposed(scene: Scene, first: Scene, second: Scene) -> Iterator[Sides]:
    """The first is what the second is held against, unless names say otherwise."""
    if first.mention.dimension is not second.mention.dimension:
        return
    one, two = first.limits, second.limits
    differing = [key for key in {**one, **two} if one.get(key) != two.get(key)]
    if not differing:
        return
    turned = any(two.get(key, frozenset()) & _PLAIN for key in differing)
    turned = turned or _heads(scene, differing, one)
    base, other = (two, one) if turned else (one, two)
    values = (first.mention.value, second.mention.value)
    yield Sides(
        base, other, " and ".join(differing),
        amount=first.mention.dimension, printed=values[::-1] if turned else values,
    )  # fmt: skip


def _heads(scene: Scene, keys: list[str], limits: Limits) -> bool:
    """Whether the head of the number's column names a side: `GPU gain`."""
    spot = scene.here.passage.spot
    assert spot is not None
    heads = scene.outline.tables[spot.table].head(spot.column)
    return any(
        hit.key in keys and limits.get(hit.key) == hit.values
        for at in heads
        for hit in scene.outline.prepared[at].hits
    )


def margin(scene: Scene) -> Iterator[Sides]:
    """`wins by a margin of 1.3x`: the best is held against the best of the others.

    The others are those that its row lists, else all.
    """
    near = list(scene.around())
    is_lead = len(near) > 1 and _LEAD.fullmatch(near[1].strip())
    about = (*near, *scene.beside_table()) if is_lead else near[:2]
    if not any(_MARGIN.search(text) for text in about):
        return
    for key in (*_winners(scene), "framework", "device"):
        own = scene.context.get(key)
        if own is None or len(own.values) != 1:
            continue
        others = _contest(scene, key) or frozenset(scene.cube.keys.get(key, ()))
        variant = scene.context.get("variant")
        is_own = variant is not None and variant.level is Level.ROW  # the winner's, no rival's
        free = ("variant",) if is_own else ()
        limits = {name: found for name, found in scene.limits.items() if name not in free}
        if others - own.values:
            base = narrowed(limits, key, others - own.values)
            why = " and ".join((key, *free))
            # The second best run may be one of the winner's own.
            certain = not any(_OF_RUNS.search(text) for text in about)
            yield Sides(base, scene.limits, why, best_only=True, certain=certain)
            return


def _winners(scene: Scene) -> Iterator[str]:
    """The key whose value stands in the row's column of winners."""
    for head, cell in _headed(scene):
        if _WINNER.search(head):
            yield from (hit.key for hit in cell.hits)


def _headed(scene: Scene) -> Iterator[tuple[str, Prepared]]:
    """The cells of the number's row, each with what heads its column."""
    spot = scene.here.passage.spot
    if spot is None:
        return
    table = scene.outline.tables[spot.table]
    for column in range(table.columns):
        at = table.cells.get((spot.row, column))
        if at is not None:
            yield scene.outline.head_text(table, column), scene.outline.prepared[at]


def _contest(scene: Scene, key: str) -> frozenset[Value]:
    """The values of a key that a cell of the row lists."""
    spot = scene.here.passage.spot
    if spot is None:
        return frozenset()
    for at in scene.outline.tables[spot.table].row(spot.row):
        told = {hit.values for hit in scene.outline.prepared[at].hits if hit.key == key}
        if len(told) > 1:
            return frozenset().union(*told)
    return frozenset()
