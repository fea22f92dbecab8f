"""Sentences that the data decides without a number: all are memory-bound, only X is faster."""

import re
from collections.abc import Callable, Iterator, Sequence

from benchproof.audit.binding.bound import chain_of
from benchproof.audit.binding.outline import Outline
from benchproof.audit.binding.sentence import Span
from benchproof.audit.explain.contests import fastest, speeds, took
from benchproof.audit.explain.reading import Reading
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.scenes import scene_of
from benchproof.audit.facts.cube import Cube, Group, Value
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.mention import Mention

FLAT = 1.05  # a speedup up to here is called flat by whoever calls one flat
_BOUND = re.compile(
    r"\b(?P<every>every|all|each|everything|both)\b(?!\s+else)(?P<who>[^.;:]{0,60}?)\b"
    r"(?P<side>memory|bandwidth|compute)(?:[\s-]bandwidth)?[\s-]bound\b",
    re.IGNORECASE,
)
_ONLY_BOUND = re.compile(
    r"\bonly\b[^.;:]{0,60}?\b(?P<side>memory|compute)[\s-]bound\b", re.IGNORECASE
)
_EXCEPT = re.compile(
    r"\b(?:beats?|faster|wins?|quicker|ahead)\b[^.;:]{0,60}?\b(?:everything|everywhere|all|every\s+\w+)"
    r"\s+(?:except|but|apart\s+from|other\s+than)\b",
    re.IGNORECASE,
)
_ONLY_WIN = re.compile(
    r"\bonly\b[^.;:]{0,60}?\b(?:stays?|remains?|is|are|runs?)\s+(?:still\s+)?faster\s+on\b|"
    r"\bthe\s+(?:one|only)\s+(?:place|case|model|architecture|workload)\b[^.;:]{0,40}?\bwins?\b",
    re.IGNORECASE,
)
_FLAT = re.compile(
    r"\b(?:is|are|was|were|stays?)\s+(?:flat\s+or\s+slower|slower\s+or\s+flat|never\s+faster)\b",
    re.IGNORECASE,
)
_REGRESSES = re.compile(r"\b(?:regress(?:es|ed)?|slows?\s+down)\s+(?:on\s+)?", re.IGNORECASE)

_PROPORTIONAL = re.compile(
    r"\blatenc(?:y|ies)\b[^.;:]{0,40}?\b(?:grows?|grew|scales?|scaled|rises?|rose|increas\w+)\b"
    r"[^.;:]{0,20}?\b(?:in\s+proportion|proportional(?:ly)?|linear(?:ly)?)\b(?!\w)",
    re.IGNORECASE,
)
_PROPORTION = (0.5, 2.0)  # of the growth of the batch: what a reader would still call so


class Claim:
    """A claim in its scene, with what speaks for it and against it."""

    def __init__(self, scene: Scene, holds: bool, reading: Reading) -> None:
        self.scene = scene
        self.holds = holds
        self.reading = reading


def claims_of(outline: Outline, at: int, cube: Cube) -> Iterator[Claim]:
    """The claims of one passage that can be put as a statement about the data."""
    text = outline.prepared[at].passage.text
    kinds: Sequence[tuple[re.Pattern[str], Callable[[Scene, re.Match[str]], Claim | None]]] = (
        (_BOUND, _all_bound),
        (_ONLY_BOUND, _only_bound),
        (_EXCEPT, _except),
        (_ONLY_WIN, _only_win),
        (_FLAT, _never_faster),
        (_REGRESSES, _regresses),
        (_PROPORTIONAL, _proportional),
    )
    for pattern, decide in kinds:
        for match in pattern.finditer(text):
            made = decide(_scene(outline, at, match, cube), match)
            if made is not None:
                yield made


def _scene(outline: Outline, at: int, match: re.Match[str], cube: Cube) -> Scene:
    words = Mention(
        start=match.start(), end=match.end(), text=match[0], value=0.0, step=0.0,
        dimension=Dimension.UNKNOWN, worded=True,
    )  # fmt: skip
    return scene_of(outline, at, words, cube)


def _told(scene: Scene, key: str, start: int, end: int) -> list[frozenset[Value]]:
    """The values of a key that stand in a part of the passage."""
    return [hit.values for hit in scene.here.by_key.get(key, ()) if start <= hit.start < end]


def _firm_limits(scene: Scene, *without: str) -> dict[str, frozenset[Value]]:
    return {
        key: bound.values
        for key, bound in scene.context.items()
        if key in scene.cube.keys and bound.firm and key not in without
    }


def _is_compute(group: Group) -> bool | None:
    intensity, ridge = group.value("arithmetic intensity"), group.value("ridge point")
    return None if intensity is None or ridge is None else intensity >= ridge


def _all_bound(scene: Scene, match: re.Match[str]) -> Claim | None:
    # Who is meant by "every" stands right beside it; devices and batches may stand further away.
    far = [k for k in ("framework", "variant") if k in scene.context and scene.context[k].level]
    groups = [
        group
        for group in scene.cube.select(_firm_limits(scene, "model", *far))
        if _is_compute(group) is not None
    ]
    if not groups:
        return None
    is_compute = match["side"].lower() == "compute"
    against = [group for group in groups if _is_compute(group) is not is_compute]
    return _claim(scene, not against, f"{len(against)} of {len(groups)} are not", against)


def _only_bound(scene: Scene, match: re.Match[str]) -> Claim | None:
    named = frozenset().union(*_told(scene, "model", scene.sentence.start, match.end()))
    groups = [
        group
        for group in scene.cube.select(_firm_limits(scene, "model"))
        if _is_compute(group) is (match["side"].lower() == "compute")
    ]
    if not named or not groups:
        return None
    found = {group.keys["model"] for group in groups}
    against = [group for group in groups if group.keys["model"] not in named]
    return _claim(scene, found == named, f"it is {_listed(found)}", against)


def _except(scene: Scene, match: re.Match[str]) -> Claim | None:
    exceptions = _told(scene, "model", match.end(), scene.sentence.end)
    loser = frozenset().union(*exceptions[:1])
    return _winner_set(scene, loser)


def _only_win(scene: Scene, match: re.Match[str]) -> Claim | None:
    span = Span(scene.sentence.start, match.end())
    hits = [hit for hit in scene.here.by_key.get("model", ()) if span.holds(hit.start)]
    chain = chain_of(scene.here, hits, hits[-1]) if hits else []
    return _winner_set(scene, frozenset().union(*(hit.values for hit in chain)))


def _winner_set(scene: Scene, named: frozenset[Value]) -> Claim | None:
    """Whether the CPU wins on the named models and on no other; what ran elsewhere is no GPU."""
    batches = scene.limits.get("batch", frozenset())
    if not named or len(batches) != 1 or "cpu" not in scene.cube.keys.get("device", ()):
        return None
    cube = scene.cube
    measure = next(iter(speeds(cube)), None)
    if measure is None:
        return None
    won: dict[Value, Group] = {}
    met = 0
    for model in scene.cube.keys.get("model", ()):
        here = scene.cube.select({"batch": batches, "model": frozenset([model])})
        cpu = fastest([group for group in here if group.keys["device"] == "cpu"], measure)
        ran = [g for g in here if g.keys["device"] != "cpu" and not g.ran_elsewhere]
        gpu = fastest(ran, measure)
        if cpu is None or gpu is None:
            continue
        met += 1
        if took(cpu, measure) < took(gpu, measure):
            won[model] = cpu
    if met < 2:
        return None
    holds = set(won) == set(named)
    against = [group for model, group in won.items() if model not in named]
    return _claim(scene, holds, f"the CPU wins on {_listed(won)}", against)


def _never_faster(scene: Scene, match: re.Match[str]) -> Claim | None:
    del match
    pairs = [pair for pair in _compiled(scene) if _speedup(pair) > FLAT]
    if not list(_compiled(scene)):
        return None
    against = [pair[1] for pair in pairs]
    best = max((_speedup(pair) for pair in pairs), default=1.0)
    return _claim(scene, not against, f"up to {best:.2f}x faster in {len(against)} cells", against)


def _regresses(scene: Scene, match: re.Match[str]) -> Claim | None:
    named = frozenset().union(*_told(scene, "model", match.end(), scene.clause.end))
    if not named or len(scene.limits.get("batch", ())) != 1:
        return None
    pairs = [pair for pair in _compiled(scene) if pair[1].keys["model"] in named]
    if not pairs:
        return None
    against = [pair[1] for pair in pairs if _speedup(pair) > 1]
    return _claim(scene, not against, f"{len(against)} of {len(pairs)} are faster", against)


def _proportional(scene: Scene, match: re.Match[str]) -> Claim | None:
    """Whether most cells grow with their batch; `sub-linearly` is another claim."""
    if "sub" in scene.here.passage.text[max(0, match.end() - 14) : match.end()].lower():
        return None
    by_rest: dict[tuple[tuple[str, Value], ...], list[Group]] = {}
    for group in scene.cube.select(_firm_limits(scene, "model", "batch")):
        rest = tuple((key, value) for key, value in group.keys.items() if key != "batch")
        if group.value("latency") and "batch" in group.keys:
            by_rest.setdefault(rest, []).append(group)
    pairs = [_ends(groups) for groups in by_rest.values() if len(groups) > 1]
    against = [large for small, large in pairs if not _is_proportional(small, large)]
    if not pairs:
        return None
    says = f"{len(against)} of {len(pairs)} do not"
    return _claim(scene, 2 * len(against) <= len(pairs), says, against)


def _ends(groups: Sequence[Group]) -> tuple[Group, Group]:
    ordered = sorted(groups, key=lambda group: float(group.keys["batch"]))
    return ordered[0], ordered[-1]


def _is_proportional(small: Group, large: Group) -> bool:
    growth = (large.value("latency") or 0.0) / (small.value("latency") or 1.0)
    share = growth / (float(large.keys["batch"]) / float(small.keys["batch"]))
    return _PROPORTION[0] <= share <= _PROPORTION[1]


def _compiled(scene: Scene) -> Iterator[tuple[Group, Group]]:
    """Eager and compiled, of the variant that the context names, wherever both were measured."""
    variant = scene.context.get("variant")
    if variant is None or "eager" in variant.values:
        return
    limits = {**_firm_limits(scene, "model", "variant"), "variant": variant.values}
    for group in scene.cube.select(limits):
        keys = {key: frozenset([value]) for key, value in group.keys.items()}
        for eager in scene.cube.select({**keys, "variant": frozenset(["eager"])}):
            if eager.value("latency") and group.value("latency"):
                yield eager, group


def _speedup(pair: tuple[Group, Group]) -> float:
    return (pair[0].value("latency") or 0.0) / (pair[1].value("latency") or 1.0)


def _listed(values: object) -> str:
    return ", ".join(sorted(map(str, values))) or "none"  # type: ignore[call-overload]


def _claim(scene: Scene, holds: bool, says: str, against: Sequence[Group]) -> Claim:
    places = tuple(place for group in against for place in group.places)
    return Claim(scene, holds, Reading(0.0, says, places))
