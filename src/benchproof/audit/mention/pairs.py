"""Numbers that belong together: ranges, changes, lists that share a unit."""

import re
from collections.abc import Sequence

import msgspec

from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Mention, Role

MINUS = "-−–"
_NEAR = 300  # characters before a number that can say what it is
_DASH = re.compile(rf"^\s?[{MINUS}—]\s?$")
_ARROW = re.compile(r"^\s*(?:→|->|=>|⟶|➜)\s*$")
_TO = re.compile(r"^\s+(?:to|bis|down\s+to|up\s+to)\s+(?:about\s+|~\s*)?$", re.IGNORECASE)
_AND = re.compile(r"^\s+and\s+(?:about\s+|~\s*)?$", re.IGNORECASE)
_FROM = re.compile(
    r"\b(?:from|grows?|grew|goes|went|rises?|rose|drops?|dropped|falls?|fell|climbs?|climbed|"
    r"increases?|increased|decreases?|decreased|reduc\w+|improves?|improved|von)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_SHARED = re.compile(r"^\s*(?:,|and|or|,\s*and|versus|vs\.?|against|/|und|&)\s*$", re.IGNORECASE)
_QUALIFIED_TO = re.compile(
    r"^\s+(?:in|with|on|by|under|at|for)\s+[^.;:,]{1,30}?\s+to\s+(?:about\s+|~\s*)?$",
    re.IGNORECASE,
)
_SPANS = re.compile(
    r"\b(?:runs?|ranges?|ranging|spans?|spanning|var(?:y|ies|ying)|lies?|anywhere)\s+(?:anywhere\s+)?"
    r"from\s+(?:about\s+|~\s*)?$",
    re.IGNORECASE,
)
# Of a second span the verb is left out: "they run from 1 to 2 ms; on B from 3 to 4 ms".
_SPANNED = re.compile(
    r"\b(?:runs?|ranges?|ranging|spans?|spanning|var(?:y|ies|ying)|lies?)\s+from\s[^.]*(?:\d\.\d[^.]*)*"
    r"[;,]\s[^.;]*\bfrom\s+(?:about\s+|~\s*)?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:between|zwischen)\s+(?:about\s+|~\s*)?$", re.IGNORECASE)


def lead(text: str, at: int) -> str:
    """What stands before a place, as far as it can matter: a paragraph may be long."""
    return text[max(0, at - _NEAR) : at]


def paired(text: str, found: Sequence[Mention]) -> list[Mention]:
    """Neighbours that are the ends of a range or the sides of a change know each other."""
    made = list(found)
    _share_units(text, made)
    _qualified(text, made)
    for at in range(len(made) - 1):
        first, second = made[at], made[at + 1]
        if first.partner is not None or second.partner is not None:
            continue
        roles = _roles(text, first, second)
        if roles is None:
            continue
        if first.dimension is Dimension.UNKNOWN and second.dimension is not Dimension.UNKNOWN:
            first = _with_unit(first, second)
        if second.value < 0 and text[second.start] in MINUS and roles[0] is Role.LOW:
            second = msgspec.structs.replace(second, value=-second.value)
        made[at] = msgspec.structs.replace(first, role=roles[0], partner=second.start)
        made[at + 1] = msgspec.structs.replace(
            second, role=roles[1], partner=first.start, hedged=second.hedged or first.hedged
        )
    _share_sides(text, made)
    return made


def _qualified(text: str, made: list[Mention]) -> None:
    """`from 39x at batch 1 to 3.6x at batch 128`: between the two sides stands a size."""
    for at in range(len(made) - 2):
        first, size, second = made[at : at + 3]
        is_bare = size.dimension is Dimension.UNKNOWN and first.dimension is second.dimension
        between, before = (
            text[first.end : second.start],
            lead(text, first.start),
        )
        if is_bare and _QUALIFIED_TO.match(between) and _FROM.search(before):
            made[at] = msgspec.structs.replace(first, role=Role.FROM, partner=second.start)
            made[at + 1] = msgspec.structs.replace(size, partner=size.start)
            made[at + 2] = msgspec.structs.replace(second, role=Role.TO, partner=first.start)


def _share_units(text: str, made: list[Mention]) -> None:
    """In a list the last number's unit is that of all: `0.062 vs. 0.076 ms`."""
    for at in range(len(made) - 2, -1, -1):
        first, second = made[at], made[at + 1]
        bare = first.dimension is Dimension.UNKNOWN and second.dimension is not Dimension.UNKNOWN
        if bare and _SHARED.match(text[first.end : second.start]):
            made[at] = _with_unit(first, second)


def _share_sides(text: str, made: list[Mention]) -> None:
    """A change may lead from one range to another."""
    for at in range(len(made) - 3):
        four = made[at : at + 4]
        if [one.role for one in four] != [Role.LOW, Role.HIGH] * 2:
            continue
        between = text[four[1].end : four[2].start]
        if _ARROW.match(between) or (
            _TO.match(between) and _FROM.search(lead(text, four[0].start))
        ):
            for step, side in enumerate((Role.FROM, Role.FROM, Role.TO, Role.TO)):
                made[at + step] = msgspec.structs.replace(made[at + step], side=side)


def _with_unit(bare: Mention, told: Mention) -> Mention:
    return msgspec.structs.replace(
        bare, value=bare.value * told.factor, step=bare.step * told.factor,
        dimension=told.dimension, unit=told.unit, factor=told.factor,
    )  # fmt: skip


def _roles(text: str, first: Mention, second: Mention) -> tuple[Role, Role] | None:
    between, before = text[first.end : second.start], lead(text, first.start)
    if second.text[:1] in tuple(MINUS) and between.strip() == "" and len(between) < 2:
        between += second.text[0]  # "2–8%": the dash was taken for a sign
    told = {first.dimension, second.dimension} - {Dimension.UNKNOWN}
    if len(told) > 1:
        return None
    if _ARROW.match(between):
        return Role.FROM, Role.TO
    if _DASH.match(between):
        return Role.LOW, Role.HIGH
    if _QUALIFIED_TO.match(between) and _FROM.search(before):
        return Role.FROM, Role.TO
    if _TO.match(between):
        is_span = Dimension.RATIO in told or any(one.search(before) for one in (_SPANS, _SPANNED))
        is_change = bool(_FROM.search(before)) and not is_span
        return (Role.FROM, Role.TO) if is_change else (Role.LOW, Role.HIGH)
    if _AND.match(between) and _BETWEEN.search(before):
        return Role.LOW, Role.HIGH
    return None
