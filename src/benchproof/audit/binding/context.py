"""What the context of a number fixes: each key's values, from the nearest place that tells."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from benchproof.audit.binding.around import (
    in_headings,
    in_neighbour,
    in_paragraph,
    in_parents,
    in_titles,
    stated,
)
from benchproof.audit.binding.bound import Bound, Level, Look
from benchproof.audit.binding.cells import in_caption, in_table, row_labels
from benchproof.audit.binding.outline import Outline
from benchproof.audit.binding.prose import in_sentence, in_step
from benchproof.audit.mention.mention import Mention

Context = dict[str, Bound]
# The nearest first: nearer wins.
_LOOKS: tuple[Callable[[Look], Bound | None], ...] = (
    in_sentence, in_table, in_caption, in_paragraph, in_parents, stated, in_headings, in_titles,
    in_neighbour,
)  # fmt: skip


def context_of(outline: Outline, at: int, mention: Mention, keys: Sequence[str]) -> Context:
    """What each key is for a number of the passage at `at`; what nothing tells is left out."""
    found: Context = {}
    labels = tuple(row_labels(outline, at))
    for key in keys:
        if key not in outline.with_key:
            continue
        look = Look(outline, at, mention, key, labels)
        bounds = (bound for one in _LOOKS if (bound := one(look)) is not None)
        bound = next(bounds, None)
        if bound is not None:
            found[key] = in_step(look, _or(bound, bounds))
    return found


def _or(bound: Bound, beyond: Iterator[Bound]) -> Bound:
    """A name of another number's clause, or what the context beyond the sentence names."""
    if bound.firm or bound.others or bound.listed or bound.level is not Level.SENTENCE:
        return bound
    other = next(beyond, None)
    if other is None or not other.firm:
        return bound
    return msgspec.structs.replace(bound, others=frozenset([other.values]))
