"""What a name binds a number to: the values that a key may have, and how near they stand."""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import msgspec

from benchproof.audit.binding.outline import Outline, Prepared
from benchproof.audit.binding.vocabulary import Hit
from benchproof.audit.facts.cube import Value
from benchproof.audit.mention.mention import Mention


class Level(IntEnum):
    """How near to a number a name stands; the nearer wins."""

    PIECE = 0
    CLAUSE = 1
    SENTENCE = 2
    ROW = 3
    COLUMN = 4
    CAPTION = 5
    PARAGRAPH = 6
    STATEMENT = 7
    HEADING = 8
    TITLE = 9
    NEIGHBOUR = 10


class Bound(msgspec.Struct, frozen=True):
    """The values that one key may have, where they were read, and whether the data knows them.

    `listed` are several that stand there as a list, in their order, and `joint` is what stands
    between the first two. It is `firm` where nothing else of its key stands as near, so that no
    other name could have been meant; where it is not, `others` are those that could, if all of
    them are known. `paired` is one of a list that runs in step with a list of numbers.
    """

    values: frozenset[Value]
    level: Level
    known: bool = True
    listed: tuple[frozenset[Value], ...] = ()
    firm: bool = True
    joint: str = ""
    others: frozenset[frozenset[Value]] = frozenset()
    paired: bool = False

    def choices(self) -> tuple[frozenset[Value], ...]:
        """All that could have been meant; none where that is not known."""
        if self.firm:
            return (self.values,)
        told = self.listed or ((self.values, *self.others) if self.others else ())
        return tuple(dict.fromkeys(told))


Context = dict[str, Bound]

JOINT = re.compile(
    r"^\s*(?:,|and|,\s*and|or|/|&|\+|±|versus|vs\.?|over|against|to|–|→|->|-|bis|und)"
    r"\s*(?:the\s+|its\s+)?$",
    re.IGNORECASE,
)
_ADJACENT = 3  # characters between the parts of a name, at most
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]|\s+")


class Look(NamedTuple):
    """Whose context is looked for: a number in the passage at `at`, and the key it is about.

    `labels` are the cells that name what the row of a number in a table is about.
    """

    outline: Outline
    at: int
    mention: Mention
    key: str
    labels: tuple[int, ...] = ()

    @property
    def here(self) -> Prepared:
        """The number's passage."""
        return self.outline.prepared[self.at]

    @property
    def text(self) -> str:
        """The number's text."""
        return self.here.passage.text


def names_in(prepared: Prepared, key: str) -> tuple[Hit, ...]:
    """The names of a key in a passage, in their order."""
    return prepared.by_key.get(key, ())


def names_with(there: Prepared, hit: Hit) -> Iterator[Hit]:
    """The names of other keys that follow a name as parts of it: `PyTorch torch.compile`."""
    end = hit.end
    for one in there.hits:
        if one.start < end or one.key == hit.key:
            continue
        if one.start - end > _ADJACENT or there.passage.text[end : one.start].strip(" ('\u2019s/"):
            return
        if not one.key.startswith(("measure", "statistic")):
            yield one
        end = one.end


def chosen(there: Prepared, hits: Sequence[Hit], level: Level, before: int | None = None) -> Bound:
    """Of several names the last before a place, else the first after it; lists stay whole."""
    if len({hit.values for hit in hits}) == 1:
        return Bound(hits[0].values, level, hits[0].known)
    earlier = [hit for hit in hits if before is None or hit.end <= before]
    chain = chain_of(there, hits, earlier[-1] if earlier else hits[0])
    told = tuple(dict.fromkeys(hit.values for hit in chain))
    values = frozenset().union(*told)
    firm = len(chain) == len(hits) or level is Level.PIECE
    return Bound(
        values,
        level,
        all(hit.known for hit in chain),
        told if len(told) > 1 else (),
        firm=firm,
        joint=joint_of(there, chain),
        others=frozenset() if firm or len(told) > 1 else frozenset(hit.values for hit in hits),
    )


@lru_cache(maxsize=4096)
def union(outline: Outline, passages: tuple[int, ...], key: str, level: Level) -> Bound | None:
    """What the names of some passages have in common, else all that they name."""
    hits = [hit for at in passages for hit in names_in(outline.prepared[at], key)]
    if not hits:
        return None
    told = tuple(dict.fromkeys(hit.values for hit in hits))
    each = [names_in(outline.prepared[at], key) for at in passages]
    common = frozenset.intersection(
        *(frozenset().union(*(hit.values for hit in names)) for names in each if names)
    )
    if common and (len(told) == 1 or len([names for names in each if names]) > 1):
        return Bound(common, level, all(hit.known for hit in hits))
    values = frozenset().union(*told)
    known = all(hit.known for hit in hits)
    joints = (_between_two(outline, at, key) for at in passages)
    joint = next((one for one in joints if one), "")
    return Bound(values, level, known, told, firm=False, joint=joint)


def _between_two(outline: Outline, at: int, key: str) -> str:
    """What stands between the first two names of a key in one passage."""
    hits = names_in(outline.prepared[at], key)
    return joint_of(outline.prepared[at], hits)


def joint_of(there: Prepared, chain: Sequence[Hit]) -> str:
    """What stands between the first two names of a list."""
    return _between(there, *chain[:2]).strip().lower() if len(chain) > 1 else ""


def chain_of(there: Prepared, hits: Sequence[Hit], one: Hit) -> list[Hit]:
    """The names that stand in one list with `one`: `A, B and C`."""
    at = hits.index(one)
    first = last = at
    while first > 0 and JOINT.match(_between(there, hits[first - 1], hits[first])):
        first -= 1
    while last + 1 < len(hits) and JOINT.match(_between(there, hits[last], hits[last + 1])):
        last += 1
    return list(hits[first : last + 1])


def _between(there: Prepared, one: Hit, two: Hit) -> str:
    """What stands between two names, without names of other keys: `A (eager) against B`."""
    text, start = "", one.end
    for hit in there.hits:
        if one.end <= hit.start and hit.end <= two.start and hit.key != one.key:
            text, start = text + there.passage.text[start : hit.start], max(start, hit.end)
    text += there.passage.text[start : two.start]
    return _EMPTY.sub(" ", re.sub(rf"(?<=\W){re.escape(one.key)}(?:\s+size)?\s*$", "", text))


def series_of(text: str, numbers: Sequence[Mention], at: int) -> list[Mention]:
    """Numbers that stand in one list with that at `at`; the ends of a range are no list."""
    if numbers[at].partner is not None:
        return [numbers[at]]
    first = last = at
    while first > 0 and JOINT.match(text[numbers[first - 1].end : numbers[first].start]):
        first -= 1
    while last + 1 < len(numbers) and JOINT.match(
        text[numbers[last].end : numbers[last + 1].start]
    ):
        last += 1
    return list(numbers[first : last + 1])
