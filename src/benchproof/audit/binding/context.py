"""What the context of a number fixes: each key's values, from the nearest place that tells."""

from collections.abc import Callable, Sequence

from benchproof.audit.binding.around import (
    in_headings,
    in_neighbour,
    in_paragraph,
    in_parents,
    in_titles,
    stated,
)
from benchproof.audit.binding.bound import Bound, Look
from benchproof.audit.binding.cells import in_caption, in_table
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
    for key in keys:
        look = Look(outline, at, mention, key)
        bound = next((bound for one in _LOOKS if (bound := one(look)) is not None), None)
        if bound is not None:
            found[key] = in_step(look, bound)
    return found
