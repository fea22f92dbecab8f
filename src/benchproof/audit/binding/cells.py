"""From the table that a number stands in: its row, what heads its column, its caption."""

import re
from bisect import bisect_left
from collections.abc import Iterator

import msgspec

from benchproof.audit.binding.bound import Bound, Level, Look, chosen, names_in, union
from benchproof.audit.binding.outline import Outline
from benchproof.audit.binding.table import Table
from benchproof.audit.facts.cube import Value

AGAINST = re.compile(
    r"(?:\b(?:vs\.?|versus|against|over|relative\s+to|compared\s+(?:to|with)|than|of)|/|÷)\s+(?:the\s+)?$",
    re.IGNORECASE,
)


def in_table(look: Look) -> Bound | None:
    """From the cell's row, then from what heads its column; both where they agree in something."""
    spot = look.here.passage.spot
    if spot is None:
        return None
    outline, table = look.outline, look.outline.tables[spot.table]
    row = union(outline, look.labels, look.key, Level.ROW)
    row = row or _beside(look, table)
    column = _in_head(look, table, spot.column)
    column = column or _of_group(look, table)
    if row and column:
        both = row.values & column.values
        if both:
            return Bound(both, Level.ROW, row.known and column.known)
        return column
    return row or column


def _in_head(look: Look, table: Table, column: int) -> Bound | None:
    """From what heads a column; what its rows are held against is no name of theirs."""
    heads = table.head(column)
    found = union(look.outline, heads, look.key, Level.COLUMN)
    if found is None:
        return None
    texts = [look.outline.prepared[at] for at in heads]
    hits = [(one.passage.text, hit) for one in texts for hit in names_in(one, look.key)]
    is_base = len(hits) == 1 and AGAINST.search(hits[0][0][: hits[0][1].start])
    return None if is_base else found


def _of_group(look: Look, table: Table) -> Bound | None:
    """From a head further left where heads repeat: `GPU: latency | rate | CPU: latency | rate`."""
    spot = look.here.passage.spot
    assert spot is not None
    prepared = look.outline.prepared
    if not any(look.key in prepared[at].by_key for head in table.heads for at in head):
        return None
    heads = [look.outline.head_text(table, column).lower() for column in range(table.columns)]
    own = heads[spot.column] if spot.column < len(heads) else ""
    if not own or sum(head.endswith(own) for head in heads) < 2:
        return None
    for column in range(spot.column - 1, -1, -1):
        bound = union(look.outline, table.head(column), look.key, Level.COLUMN)
        if bound is not None:
            return bound
    return None


def in_caption(look: Look) -> Bound | None:
    """From the table's caption."""
    spot = look.here.passage.spot
    if spot is None:
        return None
    table = look.outline.tables[spot.table]
    bound = _around(look, table)
    told = _told_elsewhere(look, table) if bound is not None else frozenset()
    if bound is not None and told:
        return msgspec.structs.replace(bound, firm=False, others=told)
    return bound


def _around(look: Look, table: Table) -> Bound | None:
    """From the caption, else from the paragraph that touches the table."""
    if table.caption is not None:
        bound = union(look.outline, (table.caption,), look.key, Level.CAPTION)
        if bound is not None:
            return bound
    corner = table.cells.get((0, 0))
    spot = look.here.passage.spot
    if corner is not None and spot is not None and spot.column > 0:
        bound = union(look.outline, (corner,), look.key, Level.CAPTION)
        if bound is not None:
            return bound
    if table.before is None:
        return None
    there = look.outline.prepared[table.before]
    names = names_in(there, look.key)
    return chosen(there, names, Level.CAPTION) if names else None


def _told_elsewhere(look: Look, table: Table) -> frozenset[frozenset[Value]]:
    """What other columns name at their head: this one may go with one of them."""
    return frozenset(
        hit.values
        for head in table.heads
        for at in head
        for hit in names_in(look.outline.prepared[at], look.key)
    )


def row_labels(outline: Outline, at: int) -> Iterator[int]:
    """Cells of the row that name keys and hold no number; the group's title above the row too."""
    spot = outline.prepared[at].passage.spot
    if spot is None:
        return
    table = outline.tables[spot.table]
    for other in table.row(spot.row):
        if other == at or _is_after_numbers(outline, table, other):
            break
        if not outline.prepared[other].mentions:
            yield other
    yield from _going_on(outline, table, at)
    for position in range(bisect_left(table.lone, spot.row) - 1, -1, -1):
        (title,) = table.row(table.lone[position])
        if not outline.prepared[title].mentions and table.columns > 1:
            yield title
            return


def _going_on(outline: Outline, table: Table, at: int) -> Iterator[int]:
    """Labels of rows above that blank cells of this row stand for."""
    spot = outline.prepared[at].passage.spot
    assert spot is not None
    row = [outline.prepared[one].passage.spot for one in table.row(spot.row)]
    first = min((one.column for one in row if one is not None), default=0)
    for column in range(first):
        for above in range(spot.row - 1, table.head_rows - 1, -1):
            one = table.cells.get((above, column))
            if one is not None:
                if not outline.prepared[one].mentions:
                    yield one
                break


def _is_after_numbers(outline: Outline, table: Table, at: int) -> bool:
    """Whether a cell has a number to its left: it then speaks of that, not of the whole row."""
    spot = outline.prepared[at].passage.spot
    assert spot is not None
    for position, other in enumerate(table.row(spot.row)):
        if other == at:
            return False
        if position and outline.prepared[other].mentions:  # the first may be a rank
            return True
    return False


def _beside(look: Look, table: Table) -> Bound | None:
    """From names further right in the row: they may be about another number."""
    spot = look.here.passage.spot
    assert spot is not None
    row = table.row(spot.row)
    following = row[row.index(look.at) + 1 :][:1]
    labels = tuple(one for one in following if not look.outline.prepared[one].mentions)
    bound = union(look.outline, labels, look.key, Level.ROW)
    return msgspec.structs.replace(bound, firm=False) if bound else None
