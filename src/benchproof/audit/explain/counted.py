"""Counts of a whole: wins 4 of 5, faster on four of five, higher in 6 of the 10 cells."""

import re
from collections.abc import Iterator

from benchproof.audit.explain.compared import pairs_of
from benchproof.audit.explain.contests import beaten, below, speeds, took, values_of, won
from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.facts.cube import Value
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Mention, Role

_NOUNS = {
    "model": r"architectures?|models?|workloads?|networks?|categor(?:y|ies)|benchmarks?|cases?|"
    r"tasks?",
    "batch": r"batch\s+sizes|batches",
    "framework": r"frameworks?|libraries",
    "device": r"devices?|backends?|machines?",
    "variant": r"variants?|modes?",
}
_RECORDS = (
    r"pairs|records?|rows|cells|configurations|combinations|measurements|entries|data\s+points"
)
_WINS = re.compile(
    r"\b(?:wins?|won|winning|fastest|leads?|takes?|first|best|ahead)\b", re.IGNORECASE
)
_BEATS = re.compile(
    r"\b(?:beats?|faster|quicker|outperform\w*|slower|loses?|regress\w*|higher|lower|better|worse)\b",
    re.IGNORECASE,
)
_LOSES = re.compile(
    r"\b(?:slower|loses?|regress\w*|worse|lower(?!\s+(?:\w+\s+)?(?:latenc|time|runtime|memor))|"
    r"higher(?=\s+(?:\w+\s+)?(?:latenc|time|runtime)))",
    re.IGNORECASE,
)
_COVERS = re.compile(
    r"\b(?:benchmark\w*|test\w*|measur\w+|compar\w+|cover\w*|evaluat\w+|span\w*|hold\w*|contain\w*|"
    r"compris\w+|has|have|there\s+are|includ\w+|across|runs?|ran)\b",
    re.IGNORECASE,
)
_COMPUTE = re.compile(
    r"\b(?:right\s+of\s+the\s+ridge|compute[\s-]bound|bound\s+by\s+(?:compute|arithmetic))",
    re.IGNORECASE,
)
_MEMORY = re.compile(
    r"\b(?:left\s+of\s+the\s+ridge|memory[\s-]bound|bandwidth[\s-]bound|bound\s+by\s+memory)",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:of|all|other|remaining)\s+(?:the\s+|its\s+|these\s+|those\s+)?$", re.IGNORECASE
)
_AMOUNTS = (
    Dimension.TIME, Dimension.RATE, Dimension.BYTES, Dimension.FLOPS_RATE, Dimension.BYTES_RATE,
)  # fmt: skip
_SPEEDS = (Dimension.TIME, Dimension.RATE)
_MOST = 10_000  # counts beyond are amounts of something
RECORDS = "record"


def noun_of(key: str) -> str:
    """A pattern of what a text calls the values of a key."""
    return _NOUNS.get(key, rf"{re.escape(key)}s?")


def is_count(scene: Scene) -> bool:
    """Whether a bare number counts what the data has: `three frameworks`, `slower on 2`."""
    mention = scene.mention
    is_bare = mention.dimension is Dimension.UNKNOWN or mention.worded
    is_bare = is_bare and mention.role is Role.ALONE
    if not is_bare or mention.value != int(mention.value) or not 0 <= mention.value < _MOST:
        return False
    if scene.here.passage.spot is not None:
        return _head_key(scene) is not None
    return _noun_key(scene, mention.end) is not None or bool(_on_so_many(scene))


def _head_key(scene: Scene) -> str | None:
    """What the head of a cell's column says to be counted there: `Models`, `# of records`."""
    head = list(scene.around())[1]
    nouns = {RECORDS: _RECORDS} | {
        key: _NOUNS.get(key, rf"{re.escape(key)}s") for key in scene.cube.keys
    }
    for key, noun in nouns.items():
        if re.fullmatch(rf"\W*(?:number\s+of\s+|#\s*)?(?:{noun})(?<=s)\W*", head, re.IGNORECASE):
            return key
    return None


def counted(scene: Scene) -> Readings:
    """Readings of a count, one for each selection rule; of a total how many there are."""
    key = _counted_key(scene)
    if key is None:
        return Readings()
    every = _every(scene, key)
    is_whole = _WHOLE.search(scene.here.passage.text[: scene.mention.start])
    if scene.mention.role is Role.TOTAL or (scene.mention.role is Role.ALONE and is_whole):
        return Readings(tuple(every), total=max((one.value for one in every), default=0.0))
    found = tuple(_met(scene, key))
    total = _total(scene, key)
    if found:
        return Readings(found, firm=True, total=total)
    if scene.here.passage.spot is not None and _head_key(scene) is not None:
        return Readings(tuple(every), firm=True, total=float(len(scene.cube.telemetry.facts)))
    if scene.mention.role is Role.ALONE and _COVERS.search(_sentence(scene)):
        limit = max((one.value for one in every), default=0.0)
        # So many and no more: what a text calls three frameworks may be three of five.
        is_beyond = scene.mention.value > limit
        return Readings(tuple(every), firm=is_beyond or _is_of_all(scene), total=limit)
    return Readings()


def _met(scene: Scene, key: str) -> Iterator[Reading]:
    """How many meet the condition that the number's words name."""
    bound = _bound(scene)
    if bound:
        yield from _bound_by(scene, key, bound)
    limit = _limit(scene)
    if limit is not None:
        yield from below(scene, key, limit)
        return
    if key == RECORDS:
        yield from _pairs_beaten(scene)
        return
    text = scene.here.passage.text[slice(*scene.clause)]
    verb = _verb(scene)
    if verb is not None:
        yield from beaten(scene, key, _loses(verb))
    elif _WINS.search(text):
        yield from won(scene, key)


def _limit(scene: Scene) -> Mention | None:
    """The amount below or above which those counted lie: `2 of 5 models stay below 7 ms`."""
    text, end = scene.here.passage.text, scene.clause.end
    for one in scene.here.mentions:
        if scene.mention.end <= one.start < end and one.bound and one.dimension in _AMOUNTS:
            return one if not _BEATS.search(text, scene.mention.end, one.start) else None
    return None


def _pairs_beaten(scene: Scene) -> Iterator[Reading]:
    """In how many pairs of records one side of a comparison beats the other."""
    verb = _verb(scene)
    for measure in speeds(scene.cube) if verb is not None else ():
        for sides in sides_of(scene):
            pairs = list(pairs_of(scene, sides, measure))
            loses = verb is not None and _loses(verb)
            met = [
                one for one in pairs if (took(one[1], measure) < took(one[0], measure)) is not loses
            ]
            places = tuple(place for one, two in met for place in (*one.places, *two.places))
            if pairs:
                yield Reading(float(len(met)), f"pairs where {sides.why} decides", places)


def _sentence(scene: Scene) -> str:
    return scene.here.passage.text[slice(*scene.sentence)]


def _verb(scene: Scene) -> re.Match[str] | None:
    """The word that says what is counted: the last before the number, else the first after it."""
    text, (start, end) = scene.here.passage.text, scene.clause
    before = list(_BEATS.finditer(text, start, scene.mention.start))
    after = _BEATS.search(text, scene.mention.end, end)
    return before[-1] if before else after


def _loses(verb: re.Match[str]) -> bool:
    """Whether it is the losing side that is counted: `slower`, but no `lower latency`."""
    return bool(_LOSES.match(verb.string, verb.start()))


def _is_of_all(scene: Scene) -> bool:
    """Whether nothing narrows down what is counted."""
    return not any(key in scene.context for key in scene.cube.keys)


def _every(scene: Scene, key: str) -> list[Reading]:
    """How many there are: under what the text fixes, and in all of the data."""
    if key == RECORDS:
        certain = {k: v for k, v in scene.limits.items() if scene.context[k].firm}
        groups = scene.cube.select(certain)
        facts = [fact for group in groups for fact in group.facts]
        speeds = [
            one.name for one in scene.cube.telemetry.measures.values() if one.dimension in _SPEEDS
        ]
        timed = sum(any(name in fact.values for name in speeds) for fact in facts)
        told = {len(groups): "groups of records", len(facts): "records", timed: "timed records"}
    else:
        told = {len(scene.cube.keys[key]): f"number of {key}s"}
        told = {len(values_of(scene, scene.limits, key)): f"number of {key}s"} | told
    return [Reading(float(number), name, ()) for number, name in told.items()]


def _total(scene: Scene, key: str) -> float:
    partner = scene.partner
    if partner is not None:
        return partner.value
    return float(len(scene.cube.keys[key])) if key in scene.cube.keys else float(_MOST)


def _noun_key(scene: Scene, end: int) -> str | None:
    """The key whose noun stands right behind a place: `five model architectures`."""
    after = scene.here.passage.text[end : end + 40]
    for key in scene.cube.keys:
        noun = noun_of(key)
        if re.match(rf"\s+(?:[\w-]+\s+)?(?:{noun})\b", after, re.IGNORECASE):
            return key
    if re.match(rf"\s+(?:[\w-]+\s+){{0,2}}(?:{_RECORDS})\b", after, re.IGNORECASE):
        return RECORDS
    return None


def _on_so_many(scene: Scene) -> re.Match[str] | None:
    """`faster on three models and slower on [2]`: what is counted was named before."""
    text = scene.here.passage.text
    is_verb = re.search(
        r"\b(?:faster|slower|ahead|behind|better|worse)\s+(?:on|in|for)\s+(?:the\s+other\s+)?$",
        text[: scene.mention.start],
    )
    is_end = re.match(r"\s*(?:[.,;)]|and\b|$)", text[scene.mention.end :])
    return is_verb if is_end else None


def _counted_key(scene: Scene) -> str | None:
    """The key whose values are counted: by the noun after the total, else by their number."""
    if scene.here.passage.spot is not None and (key := _head_key(scene)) is not None:
        return key
    total = scene.partner
    is_count = total is not None and scene.mention.role is Role.COUNT
    key = _noun_key(scene, total.end if total is not None and is_count else scene.mention.end)
    if key is not None:
        return key
    if scene.mention.role is Role.ALONE:
        inside = [one for one in scene.here.mentions if scene.sentence.holds(one.start)]
        named = (_noun_key(scene, one.end) for one in inside)
        return next((key for key in named if key is not None), None)
    size = scene.mention.value if scene.mention.role is Role.TOTAL else total and total.value
    if _bound(scene) and len(scene.cube.select(scene.limits)) == size:
        return RECORDS
    free = [
        key
        for key in scene.cube.keys
        if key not in _near(scene) and len(values_of(scene, scene.limits, key)) == size
    ]
    return free[0] if len(free) == 1 else None


def _bound(scene: Scene) -> str:
    """What the number's sentence says that the counted are bound by."""
    text = _sentence(scene)
    is_compute, is_memory = _COMPUTE.search(text), _MEMORY.search(text)
    if bool(is_compute) == bool(is_memory):
        return ""
    return "compute" if is_compute else "memory"


def _bound_by(scene: Scene, key: str, bound: str) -> Iterator[Reading]:
    """Records on one side of the ridge, or values of a key whose records all lie there."""
    told: dict[Value, list[bool]] = {}
    places: list[str] = []
    for at, group in enumerate(scene.cube.select(scene.limits)):
        intensity, ridge = group.value("arithmetic intensity"), group.value("ridge point")
        if intensity is None or ridge is None:
            continue
        is_met = (intensity >= ridge) is (bound == "compute")
        name = at if key == RECORDS else group.keys.get(key, "")
        told.setdefault(name, []).append(is_met)
        places += group.places if is_met else ()
    if told:
        yield Reading(float(sum(map(all, told.values()))), f"{bound}-bound {key}s", tuple(places))


def _near(scene: Scene) -> set[str]:
    return {key for key, bound in scene.context.items() if len(bound.values) == 1}
