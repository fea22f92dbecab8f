"""Sides that a sentence opposes: `than`, `over`, `beats`, and amounts beside the number."""

import re
from collections.abc import Iterator

from benchproof.audit.binding.bound import names_with
from benchproof.audit.binding.sentence import clause_at, sentence_at, sentences
from benchproof.audit.binding.vocabulary import Hit
from benchproof.audit.document.passage import Kind
from benchproof.audit.explain.scene import Scene, narrowed
from benchproof.audit.explain.scenes import scene_of
from benchproof.audit.explain.side import Sides
from benchproof.audit.facts.cube import Value
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Mention, Role

_THAN = re.compile(
    r"\b(?:of\s+the\s+(?:time|latency|runtime|memory)\s+(?:that\s+(?:of\s+)?|of\s+|(?=the\b))|than|over|versus|vs\.?|against|compared\s+(?:to|with)|relative\s+to|from|(?<!\bout\s)of|als|wie|what|instead\s+of|"
    r"as\s+(?:the|on|with|in))\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?:than|of|over|versus|vs\.?|against|to|with|as)\s+(?:the\s+|on\s+(?:the\s+)?)?$",
    re.IGNORECASE,
)
_FASTER = re.compile(r"\b(?:faster|speeds?\s+up|speed-?ups?|slower)\b", re.IGNORECASE)
_USING = re.compile(r"\b(?:using|with|by|running|switching\s+to|moving\s+to)\b", re.IGNORECASE)
_BEATS = re.compile(
    r"\b(?:beats?|outperform\w*|outpaces?|leads?|trails?|overtakes?|(?:is\s+)?ahead\s+of|wins?\s+(?:over|against)|"
    r"loses?\s+(?:to|against))\b",
    re.IGNORECASE,
)
_SPEEDUP = re.compile(
    r"\b(?:speed-?ups?|leads?|gains?|advantages?)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)
# What may stand between `than` and the name that it is about.
_LEADS = re.compile(
    r"^[\s(]*(?:(?:the|on|in|with|of|that|for|an?|its|under|using|as|plain|pure|running|using|same)\s+)*$",
    re.IGNORECASE,
)
_AMOUNTS = (Dimension.TIME, Dimension.RATE, Dimension.FLOPS_RATE, Dimension.BYTES)


def explicit(scene: Scene) -> Iterator[Sides]:
    """`A is 2.1x faster than B`: what stands after `than` differs from what stands before."""
    match = _comparator(scene)
    if match is None:
        return
    clause = clause_at(scene.here.passage.text, scene.sentence, match.end())
    following = (one.start for one in scene.here.mentions if one.start > match.end())
    end = min(next(following, clause.end), clause.end)
    after = _names(scene, match.end(), end)
    base = dict(scene.limits)
    subject = dict(scene.limits)
    for hit in {hit.key: hit for hit in reversed(after)}.values():
        base[hit.key] = hit.values
        before = _before(scene, hit.key, match.start())
        later = [one.values for one in after if one.key == hit.key and one.values != hit.values]
        if before is not None:
            subject[hit.key] = before
        elif later and _USING.search(scene.here.passage.text[hit.end : after[-1].start]):
            subject[hit.key] = later[0]  # `a speedup of 8x over A when using B`
        elif hit is not after[0]:
            subject[hit.key] = hit.values  # `than eager on the CPU`: both are on the CPU
        elif scene.limits.get(hit.key, frozenset()) > hit.values:
            subject[hit.key] = scene.limits[hit.key] - hit.values  # `from A to B`: both stand there
        elif scene.limits.get(hit.key) == hit.values:
            subject.pop(hit.key, None)
            other = frozenset(scene.cube.keys.get(hit.key, ())) - hit.values
            if len(other) == 1:
                subject[hit.key] = other
    differing = [hit.key for hit in after if base.get(hit.key) != subject.get(hit.key)]
    if differing:
        yield Sides(base, subject, " and ".join(dict.fromkeys(differing)))


def _comparator(scene: Scene) -> re.Match[str] | None:
    """The first `than`, `over`, `of` after the number that has a name after it."""
    text = scene.here.passage.text
    for match in _THAN.finditer(text, scene.mention.end, scene.sentence.end):
        loose = match[0].lower() in ("of", "from")  # "of the time" compares nothing
        reach = match.end() + (6 if loose else 60)
        if _names(scene, match.end(), reach + 1):
            return match
    return None


def repeated(scene: Scene) -> Iterator[Sides]:
    """`A generates 1.6x as fast as B, and reads 80 % faster`: the same two once more."""
    text, sentence = scene.here.passage.text, scene.sentence
    start = sentence.start
    if text[:start].rstrip().endswith("?"):
        start = sentence_at(text, max(0, len(text[:start].rstrip()) - 1)).start
    for match in _THAN.finditer(text, start, scene.mention.start):
        is_over = match[0].lower() in ("over", "versus", "against", "vs", "vs.")
        is_lead = is_over and _SPEEDUP.search(text[start : match.start()])
        if not is_lead and not re.match(r"than|as|compared|relative", match[0], re.IGNORECASE):
            continue
        following = (one.start for one in scene.here.mentions if one.start > match.end())
        end = next(following, scene.mention.start)
        for hit in _names(scene, match.end(), end):
            if not _LEADS.match(text[match.end() : hit.start]):
                break
            subject = _before(scene, hit.key, match.start()) or _next(scene, hit)
            if subject is not None and subject != hit.values:
                yield _of_names(scene, hit, subject, match.start())
                return


def _of_names(scene: Scene, hit: Hit, subject: frozenset[Value], start: int) -> Sides:
    """Two sides by a name and what it is opposed to, with the names that go with each of them.

    `PyTorch torch.compile leads TensorFlow tf.function`: the variants go with their frameworks.
    """
    base, other = narrowed(scene.limits, hit.key, hit.values), dict(scene.limits)
    other[hit.key] = subject
    differing = [hit.key]
    for one in names_with(scene.here, hit):
        before = _before(scene, one.key, start) or _next(scene, one)
        base[one.key] = one.values
        if before is not None and before != one.values:
            other[one.key] = before
            differing.append(one.key)
    return Sides(base, other, " and ".join(differing))


def _next(scene: Scene, base: Hit) -> frozenset[Value] | None:
    """`Compared with FP32, BF16 is faster`: who is compared follows."""
    following = [
        hit.values
        for hit in scene.here.hits
        if hit.key == base.key and base.end <= hit.start < scene.mention.start
    ]
    return following[0] if following else None


def _amounts(scene: Scene) -> list[Mention]:
    """The times, rates and sizes of the number's sentence."""
    return [
        one
        for one in scene.here.mentions
        if scene.sentence.holds(one.start) and one.dimension in _AMOUNTS
    ]


def _names(scene: Scene, start: int, end: int) -> list[Hit]:
    """The names of keys that begin in a part of the number's passage."""
    return [
        hit for hit in scene.here.hits if start <= hit.start < end and hit.key in scene.cube.keys
    ]


def amount_beside(scene: Scene) -> Dimension | None:
    """What the two amounts in a ratio's sentence are of: `4.3 GB instead of 4.7 GB, 7 % less`."""
    if scene.here.passage.spot is not None:
        return None
    told = [one.dimension for one in _amounts(scene)]
    clause = scene.here.passage.text[slice(*scene.clause)]
    if told and told[0] not in (Dimension.TIME, Dimension.RATE) and _FASTER.search(clause):
        return None  # what is faster is no memory, whatever else the sentence tells
    return told[0] if len(told) == 2 and told[0] is told[1] else None


def beside(scene: Scene) -> Iterator[Sides]:
    """Two amounts in the same sentence: `B needs 8.6 s where A needs 12.4 s: 31 % less`."""
    if scene.mention.dimension not in (Dimension.RATIO, Dimension.PERCENT):
        return
    pair = _pair(scene)
    if len(pair) < 2 or pair[0][1].dimension is not pair[1][1].dimension:
        return
    first, second = (scene_of(scene.outline, at, one, scene.cube).limits for at, one in pair)
    differing = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    if differing:
        why = " and ".join(differing)
        amount = pair[0][1].dimension
        yield Sides(second, first, why, ordered=False, amount=amount)
        yield Sides(first, second, why, ordered=False, amount=amount)


def _pair(scene: Scene) -> list[tuple[int, Mention]]:
    """The two amounts that a number is about, each with its passage.

    They stand in its sentence, else before it in its passage; an item of a list compares its own
    amount with that of the item before.
    """
    near = _amounts(scene)
    before = [one for one in near if one.end <= scene.mention.start]
    pair = before[-2:] if len(before) > 1 else [one for one in near if one not in before][:2]
    if len(pair) < 2 and len(near) < 2:
        told = [one for one in scene.here.mentions if one.dimension in _AMOUNTS]
        pair = [one for one in told if one.end <= scene.mention.start][-2:]
    if len(pair) == 2:
        return [(scene.at, one) for one in pair]
    earlier = scene.at - 1
    if scene.here.passage.kind is not Kind.ITEM or not before or earlier < 0:
        return []
    there = scene.outline.prepared[earlier]
    same = (one for one in there.mentions if one.dimension is before[0].dimension)
    other = next(same, None) if there.passage.kind is Kind.ITEM else None
    return [(earlier, other), (scene.at, before[0])] if other is not None else []


def is_of_one_change(scene: Scene) -> bool:
    """Whether it is about a change that stands before it, whose cause the text does not name.

    `A goes from 32 to 223 GFLOP/s (6.9x)`: by its batch, by its device, by a newer version?
    """
    near = [one for one in _amounts(scene) if one.end <= scene.mention.start]
    return len(near) > 1 and (near[-2].role, near[-1].role) == (Role.FROM, Role.TO)


def transitive(scene: Scene) -> Iterator[Sides]:
    """`The GPU beats the CPU on four of five`: who beats stands before the verb."""
    text, sentence = scene.here.passage.text, scene.sentence
    for match in _BEATS.finditer(text, sentence.start, sentence.end):
        for hit in _names(scene, match.end(), sentence.end):
            before = _before(scene, hit.key, match.start())
            if before is not None and before != hit.values:
                yield _of_names(scene, hit, before, match.start())
                return


def _before(scene: Scene, key: str, end: int) -> frozenset[Value] | None:
    """The values of a key that are named last before a place, in its sentence or an earlier one."""
    start = sentence_at(scene.here.passage.text, max(0, end - 1)).start
    hits = [
        hit
        for hit in scene.here.hits
        if hit.key == key and min(start, scene.sentence.start) <= hit.start and hit.end <= end
    ]
    # What follows `than` or `of` is what another number is held against, no subject.
    hits = [hit for hit in hits if not _OBJECT.search(scene.here.passage.text[: hit.start])] or hits
    if hits:
        return hits[-1].values
    text = scene.here.passage.text
    earlier = [one for one in sentences(text) if one.end <= scene.sentence.start]
    for sentence in reversed(earlier):
        named = [hit for hit in scene.here.hits if hit.key == key and sentence.holds(hit.start)]
        if named:
            return named[-1].values
    return None
