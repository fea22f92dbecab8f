"""After how many calls compiling has paid: what the first call took more, over what each saves."""

import math
import re
from collections.abc import Iterator

from benchproof.audit.explain.compared import pairs_of
from benchproof.audit.explain.reading import Reading, Readings
from benchproof.audit.explain.scene import Scene, narrowed
from benchproof.audit.explain.side import Sides
from benchproof.audit.explain.sides import sides_of
from benchproof.audit.facts.fact import Dimension

_PAYS = re.compile(
    r"\b(?:pays?(?:\s+(?:off|back|for\s+itself))?\s+after|break(?:s|ing)?[\s-]?even|amorti[sz]\w+|"
    r"calls\s+until)\b",
    re.IGNORECASE,
)
FIRST, LATER = "first call", "latency"


def is_break_even(scene: Scene) -> bool:
    """Whether a bare number is so many calls: by its column's head, or its clause."""
    known = scene.cube.telemetry.measures
    if scene.mention.dimension is not Dimension.UNKNOWN or FIRST not in known:
        return False
    return bool(_PAYS.search(scene.own_words))


def break_even(scene: Scene) -> Readings:
    """The calls of each comparison in which anything is saved and anything was paid."""
    readings = tuple(_calls(scene))
    return Readings(readings, firm=bool(readings))


def _calls(scene: Scene) -> Iterator[Reading]:
    measure = scene.cube.telemetry.measures[LATER]
    for sides in sides_of(scene) or _over_eager(scene):
        for base, other in pairs_of(scene, sides, measure):
            told = [group.value(name) for name in (FIRST, LATER) for group in (base, other)]
            first, second, slow, fast = (one or math.nan for one in told)
            if second > first and slow > fast:
                calls = math.ceil((second - first) / (slow - fast))
                what = f"calls until it has paid, by {sides.why}"
                yield Reading(float(calls), what, (*base.places, *other.places))


def _over_eager(scene: Scene) -> list[Sides]:
    """Compiling pays against eager, where the text names nothing else."""
    eager = frozenset(["eager"])
    if scene.limits.get("variant", eager) & eager:
        return []
    return [Sides(narrowed(scene.limits, "variant", eager), scene.limits, "variant")]
