"""Groups of facts that a number's limits leave, and what is open between them."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from benchproof.audit.facts.cube import Cube, Group, Limits
from benchproof.audit.facts.fact import Measure

# A text that names no variant means the fastest, the plain one, or the compiled one.
RULED = ("variant",)


class Selected(msgspec.Struct, frozen=True):
    """The groups within limits; in `open_keys` they differ, and nothing in the text says why."""

    groups: tuple[Group, ...]
    open_keys: tuple[str, ...]
    absent: str = ""

    @property
    def is_firm(self) -> bool:
        """Whether the groups differ in nothing, or only in what a named rule decides."""
        return bool(self.groups) and all(key in RULED for key in self.open_keys)


def selected(cube: Cube, limits: Limits) -> Selected:
    """What the limits leave of the data, and what keys still differ."""
    groups = _that_ran_there(cube.select(limits))
    if not groups:
        return Selected((), (), _absence(cube, limits))
    open_keys = tuple(
        key for key in cube.keys if len({group.keys.get(key) for group in groups}) > 1
    )
    return Selected(groups, open_keys)


def _that_ran_there(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Without those that ran on another device than they are filed under, unless all did."""
    true = tuple(group for group in groups if not group.ran_elsewhere)
    return true or tuple(groups)


def _absence(cube: Cube, limits: Limits) -> str:
    """What the data has not: one value that is nowhere, or a combination that was not measured."""
    for key, values in limits.items():
        if not values & set(cube.keys.get(key, ())):
            told = ", ".join(map(str, sorted(values, key=str)))
            return f"no {key} {told} in the data"
    told = ", ".join(
        f"{key} {'/'.join(map(str, sorted(values, key=str)))}" for key, values in limits.items()
    )
    return f"not measured: {told}"


def by_rule(groups: Sequence[Group], measure: Measure) -> Iterator[tuple[str, Group]]:
    """The groups that named rules choose among variants: the best, then each by its name."""
    variants = list(dict.fromkeys(group.keys.get("variant") for group in groups))
    if len(variants) < 2:
        yield from (("", group) for group in groups)
        return
    told = [(group.value(measure.name), group) for group in groups]
    known = [(value, group) for value, group in told if value is not None]
    if known:
        pick: Callable[..., tuple[float, Group]] = min if measure.smaller_is_better else max
        best = pick(known, key=lambda each: each[0])[1]
        yield "the best variant", best
        yield from ((str(group.keys["variant"]), group) for _, group in known if group is not best)
