"""From the number's own piece, clause or sentence, and from lists that run in step."""

import re
from collections.abc import Sequence

import msgspec

from benchproof.audit.binding.bound import (
    Bound,
    Level,
    Look,
    chain_of,
    chosen,
    joint_of,
    names_in,
    series_of,
)
from benchproof.audit.binding.measured import MEASURE, STATISTIC
from benchproof.audit.binding.outline import Prepared
from benchproof.audit.binding.sentence import (
    Span,
    clause_at,
    holds_amount,
    piece_at,
    sentence_at,
)
from benchproof.audit.binding.vocabulary import Hit
from benchproof.audit.mention.mention import OF_CHANGE, Mention, Role

_BEHIND = re.compile(r"^\s*(?:(?:in|with|on|for|by|under|using|of)\s+)?(?:the\s+)?$", re.IGNORECASE)
# A size is told with the name of its key: `39x at batch 1 to 3.6x at batch 128`.
_BEHIND_SIZED = re.compile(
    r"^\s*(?:at|for|with|on|in)\s+(?:an?\s+|the\s+)?[a-z]+(?:\s+(?:size|length|level|count))?(?:\s+of)?[\s=]+$",
    re.IGNORECASE,
)
_TO = re.compile(r"^(?:to|→|->|bis|–)$")
_APPENDS = re.compile(
    r",\s*(?:(?:the\s+)?(?:most|least|best|worst)|except|especially|above\s+all|mainly)\b"
)
_LONGEST_LABEL = 80  # characters, what stands before it among them
_LABEL = re.compile(
    r"(?:^|[;:,.!?]\s+|\s[–—-]\s|[(\[])(?P<label>(?:(?![;:,.!?]\s)[^()\[\]]|\([^()]*\)){1,60}):\s*\W?$"
)
_CONTRASTS = re.compile(
    r"\b(?:while|whereas|but|though|although|then|and|except\w*|dagegen|während)\b|[;:]\s",
    re.IGNORECASE,
)
_OPPOSES = re.compile(
    r"\b(?:instead|than|over|against|versus|vs|compared|beats?|leads?|outperforms?)\b",
    re.IGNORECASE,
)
_BASE = re.compile(
    r"\b(?:than|what|over|against|versus|vs\.?|compared\s+(?:to|with))\s+(?:[\w`'’-]+\s+){0,2}[`(]?$",
    re.IGNORECASE,
)
_SAME = re.compile(r"\b(?:the\s+same|these|those)\s+\w+s\b|\bin\s+that\s+order\b", re.IGNORECASE)


def in_sentence(look: Look) -> Bound | None:
    """From the nearest part of the number's sentence that names the key."""
    here, text, mention = look.here, look.text, look.mention
    if look.key not in here.by_key and len(here.mentions) < 2:
        return None
    sentence = sentence_at(text, mention.start)
    paired = _paired(look, sentence)
    if paired is not None:
        return paired
    every = [hit for hit in names_in(here, look.key) if sentence.holds(hit.start)]
    own = next((hit for hit in every if _touches(text, mention, hit)), None)
    if own is not None:
        return Bound(own.values, Level.PIECE, own.known)
    inside = [
        hit
        for hit in every
        if not _is_bracketed(here, hit, mention) and not _is_base_of_next(here, hit, mention)
    ]
    free = [hit for hit in inside if not _is_behind(here, hit, mention)] or inside
    for level, region in _regions(text, sentence, mention.start):
        hits = [hit for hit in free if region.holds(hit.start)]
        if hits:
            found = chosen(here, hits, level, mention.start)
            of_others = level is Level.SENTENCE and _are_of_others(look, sentence, hits)
            of_others = of_others or _is_appended(look, hits)
            if of_others or (level is not Level.PIECE and _is_later_measure(look, hits)):
                found = msgspec.structs.replace(found, firm=False, others=frozenset())
            return _whole(look, sentence, hits, found)
    return None


def _regions(text: str, sentence: Span, at: int) -> tuple[tuple[Level, Span], ...]:
    piece = piece_at(text, sentence, at)
    return (
        (Level.PIECE, piece),
        (Level.PIECE, _label(text, piece)),
        (Level.PIECE, _before_bracket(text, piece)),
        (Level.CLAUSE, _with_bracket(text, piece)),
        (Level.CLAUSE, clause_at(text, sentence, at)),
        (Level.SENTENCE, sentence),
    )


def in_step(look: Look, bound: Bound) -> Bound:
    """Of a list of names the one whose place is the number's in its own list: `a / b` in a cell."""
    numbers = look.here.mentions
    if len(bound.listed) < 2 or look.mention not in numbers:
        return bound
    if len(bound.listed) == 2 and look.mention.role in OF_CHANGE and _TO.match(bound.joint):
        own = bound.listed[OF_CHANGE.index(look.mention.role)]
        return Bound(own, bound.level, bound.known, paired=True)
    series = series_of(look.text, numbers, numbers.index(look.mention))
    if len(series) != len(bound.listed):
        return bound
    own = bound.listed[series.index(look.mention)]
    return Bound(own, bound.level, bound.known, paired=True)


def _is_later_measure(look: Look, hits: Sequence[Hit]) -> bool:
    """Whether a measure is named only after the number: `50.5 FLOP/byte, right of the ridge`."""
    return look.key.startswith(MEASURE) and all(hit.start > look.mention.start for hit in hits)


def _is_appended(look: Look, hits: Sequence[Hit]) -> bool:
    """Whether names follow a range behind a comma: `1.3x to 6.9x, most for the RNN`."""
    end = look.mention.end
    is_range = look.mention.role in (Role.LOW, Role.HIGH)
    return is_range and all(
        hit.start > end and _APPENDS.search(look.text[end : hit.start]) for hit in hits
    )


def _are_of_others(look: Look, sentence: Span, hits: Sequence[Hit]) -> bool:
    """Whether names after the number stand in another number's clause, and may be about that."""
    if any(hit.start < look.mention.start for hit in hits):
        return False
    if _is_shared(look, sentence, hits):
        return False
    for hit in hits:
        clause = clause_at(look.text, sentence, hit.start)
        if any(clause.holds(one.start) for one in look.here.mentions if one != look.mention):
            return True
    return False


def _is_behind(here: Prepared, hit: Hit, mention: Mention) -> bool:
    """Whether a name stands right behind another number: `from 9 ms in eager to 8 ms`."""
    text = here.passage.text
    owner = next((one for one in reversed(here.mentions) if one.end <= hit.start), None)
    if owner is None or owner.start == mention.start or not _touches(text, owner, hit):
        return False
    if owner.start == mention.partner:
        return mention.role in (Role.FROM, Role.TO)
    return mention.start > hit.start


def _touches(text: str, owner: Mention, hit: Hit) -> bool:
    behind = text[owner.end : hit.start]
    is_size = text[hit.start : hit.start + 1].isdigit() and _BEHIND_SIZED.match(behind)
    return owner.end <= hit.start and bool(is_size or _BEHIND.match(behind))


def _is_base_of_next(here: Prepared, hit: Hit, mention: Mention) -> bool:
    """Whether a later number is held against a name: `64 ms, 17x what the compiled one needs`."""
    later = [one for one in here.mentions if mention.end <= one.start and one.end <= hit.start]
    return bool(later) and bool(_BASE.search(here.passage.text[later[-1].end : hit.start]))


def _is_shared(look: Look, sentence: Span, hits: Sequence[Hit]) -> bool:
    """Whether the one name of a key goes for all of a sentence, whatever else it compares."""
    span = (look.mention.end, hits[0].start)
    if len({hit.values for hit in hits}) > 1 or _CONTRASTS.search(look.text, *span):
        return False
    if not _OPPOSES.search(look.text, *span):
        return True
    told = (
        {hit.values for hit in names if sentence.holds(hit.start)}
        for key, names in look.here.by_key.items()
        if key != look.key and not key.startswith((MEASURE, STATISTIC))
    )
    return any(len(values) > 1 for values in told)


def _is_bracketed(here: Prepared, hit: Hit, mention: Mention) -> bool:
    """Whether a name stands in the bracket behind another number: `3 % (CNN) to 25 % (LSTM)`."""
    text = here.passage.text
    opening = text.rfind("(", 0, hit.start)
    if opening < 0 or ")" in text[opening : hit.start]:
        return False
    closing = text.find(")", hit.start)
    if opening <= mention.start < (closing if closing >= 0 else len(text)):
        return False
    owner = next((one for one in here.mentions if 0 <= opening - one.end <= 1), None)
    is_range = mention.role in (Role.LOW, Role.HIGH)
    own = {mention.start, mention.partner if is_range else None}
    return owner is not None and owner.start not in own


def _whole(look: Look, sentence: Span, near: Sequence[Hit], found: Bound) -> Bound:
    """A name that ends a list means all of the list: `CNN, RNN and LSTM climb to 25 %`."""
    every = [hit for hit in names_in(look.here, look.key) if sentence.holds(hit.start)]
    own = next(hit for hit in near if hit.values <= found.values)
    chain = chain_of(look.here, every, own)
    told = tuple(dict.fromkeys(hit.values for hit in chain))
    if len(told) <= max(1, len(found.listed)):
        return found
    return msgspec.structs.replace(
        found,
        values=frozenset().union(*told),
        listed=told,
        joint=joint_of(look.here, chain),
    )


def _before_bracket(text: str, piece: Span) -> Span:
    """The word right before the bracket that a number stands in: `CNN (9.27 ms)`."""
    if text[piece.start - 1 : piece.start] != "(":
        return piece
    word = text.rfind(" ", 0, max(0, piece.start - 2))
    return Span(word + 1, piece.end)


def _label(text: str, piece: Span) -> Span:
    """What stands before the colon that a piece follows: `PyTorch (eager): 4.8 ms`."""
    match = _LABEL.search(text, max(0, piece.start - _LONGEST_LABEL), piece.start)
    return Span(match.start("label"), match.end("label")) if match else Span(0, 0)


def _with_bracket(text: str, piece: Span) -> Span:
    """A piece with the bracket that follows it: `the best run at batch 128 (JAX jit)`."""
    if text[piece.end - 1 : piece.end] != "(":
        return piece
    closing = text.find(")", piece.end)
    if closing < 0 or holds_amount(text[piece.end : closing]):
        return piece
    return Span(piece.start, closing)


def _paired(look: Look, sentence: Span) -> Bound | None:
    """A list of names and a list of as many numbers in one sentence belong together in order."""
    text, mention = look.text, look.mention
    numbers = [one for one in look.here.mentions if sentence.holds(one.start)]
    series = series_of(text, numbers, numbers.index(mention)) if mention in numbers else []
    if len(series) < 2:
        return None
    own = series.index(mention)
    hits = [hit for hit in names_in(look.here, look.key) if sentence.holds(hit.start)]
    clause = clause_at(text, sentence, mention.start)
    in_clause = any(clause.holds(hit.start) for hit in hits)
    if not in_clause and _SAME.search(text, clause.start, clause.end):
        return _as_before(look, len(series), own)
    for hit in hits:
        chain = chain_of(look.here, hits, hit)
        if len(chain) == len(series) and len({one.values for one in chain}) == len(chain):
            return Bound(chain[own].values, Level.CLAUSE, chain[own].known, paired=True)
    return _respectively(text, sentence, series, hits, own)


def _respectively(
    text: str, sentence: Span, series: Sequence[Mention], hits: Sequence[Hit], own: int
) -> Bound | None:
    """As many names before the numbers as there are numbers, where the text says so."""
    before = [hit for hit in hits if hit.end <= series[0].start]
    opens = text[: series[0].start].rstrip().endswith("(")
    if not opens and "respectively" not in text[sentence.start : sentence.end]:
        return None
    if len(before) == len(series) == len({hit.values for hit in before}):
        return Bound(before[own].values, Level.SENTENCE, before[own].known, paired=True)
    return None


def _as_before(look: Look, count: int, own: int) -> Bound | None:
    """`for the same lengths`: as many as an earlier passage listed, in its order."""
    for earlier in look.outline.earlier_with(look.key, look.at):
        names = names_in(look.outline.prepared[earlier], look.key)
        told = list(dict.fromkeys(hit.values for hit in names))
        if len(told) == count:
            return Bound(told[own], Level.STATEMENT)
    return None
