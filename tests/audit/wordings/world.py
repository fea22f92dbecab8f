"""A world is one telemetry with the words that posts have for it; a chooser finds groups in it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from audit.planted import COMPILED, Writer

from benchproof.audit.facts.cube import Cube, Group

NAMES = {"cpu": "CPU", "mps": "GPU", "cuda": "GPU", "fp32": "FP32", "fp16": "FP16", "bf16": "BF16"}
TRIES = 300
CLEAR = 1.01  # what is hardly faster may be slower by another statistic


class Quantity(NamedTuple):
    """A measure as posts print it: what is stored times a factor, and the unit of that."""

    measure: str
    factor: float
    unit: str


@dataclass(frozen=True)
class World:
    """Telemetry of one shape: which measures and keys its posts speak of."""

    name: str
    cube: Cube
    time: Quantity | None
    rate: Quantity
    memory: Quantity | None
    way: str  # the key beside the framework: variant, precision, quantization
    plain: str  # its value that others are held against
    place: str  # device or chip
    batch: str | None = "batch"
    parameters: Mapping[str, int] = field(default_factory=dict)
    efficiency: Quantity | None = None

    @property
    def main(self) -> Quantity:
        return self.time or self.rate


class Chooser(Writer):
    """A writer that knows a world: it chooses groups and names them.

    Of two groups, the slow one always comes first.
    """

    def __init__(self, world: World, seed: int, salt: str = "") -> None:
        super().__init__(world.cube, seed)
        self.random = random.Random(f"{seed} {salt}")
        self.world = world
        self.groups = [group for group in world.cube.groups if group.value(world.main.measure)]

    # What things are called

    @property
    def unit(self) -> str:
        return self.world.main.unit

    @property
    def noun(self) -> str:
        return "latency" if self.world.time else "generation speed"

    @property
    def rate_unit(self) -> str:
        return self.world.rate.unit

    def shown(self, value: object) -> str:
        return NAMES.get(str(value), str(value))

    def framework(self, group: Group) -> str:
        return str(group.keys["framework"])

    def way(self, group: Group) -> str:
        return self.shown(group.keys[self.world.way])

    def program(self, group: Group) -> str:
        return f"{self.framework(group)} {self.way(group)}"

    def model(self, group: Group) -> str:
        return str(group.keys["model"])

    def program_model(self, group: Group) -> str:
        return f"{self.framework(group)}'s {self.model(group)}"

    def device(self, group: Group) -> str:
        return self.shown(group.keys[self.world.place])

    def the(self, group: Group) -> str:
        return f"the {self.device(group)}"

    def batch(self, group: Group) -> str:
        return str(group.keys.get("batch", ""))

    def at_batch(self, group: Group, words: str = " at batch {}") -> str:
        """Empty in a world without batches."""
        return words.format(self.batch(group)) if self.world.batch else ""

    def where(self, group: Group) -> str:
        return self.the(group) + self.at_batch(group)

    def place(self, group: Group) -> str:
        return self.device(group) + self.at_batch(group, ", batch {}")

    def by_variant(self, group: Group, eager: str, compiled: str, other: str) -> str:
        """One of three texts: eager, compiled, or of a world whose way is no variant."""
        if self.world.way != "variant":
            return other
        return eager if group.keys["variant"] == "eager" else compiled

    def mode(self, group: Group) -> str:
        """How a framework's way is said where another framework's is meant as well."""
        return self.by_variant(group, "eager", "compiled", self.way(group))

    def label(self, group: Group) -> str:
        """A framework, with its variant, which is its own; other ways are said beside it."""
        return self.program(group) if self.world.way == "variant" else self.framework(group)

    def beside_label(self, group: Group, words: str) -> str:
        return "" if self.world.way == "variant" else words.format(self.way(group))

    def setting(self, group: Group) -> str:
        """All that a label, with the model beside it, leaves open."""
        return f"{self.place(group)}{self.beside_label(group, ', {}')}"

    # Which groups there are

    def one(self) -> Group:
        return self.random.choice(self.groups)

    def having(self, **keys: object) -> list[Group]:
        return [g for g in self.groups if all(g.keys.get(k) == v for k, v in keys.items())]

    def along(self, group: Group, *free: str) -> list[Group]:
        """A group, and all that differ from it in these keys only."""
        return self.having(**{k: v for k, v in group.keys.items() if k not in (*free, "params")})

    def series(self, *free: str) -> tuple[Group, list[Group]]:
        """Some group, and three or more along these keys."""
        group = self.one()
        every = self.along(group, *free)
        if len(every) < 3:
            raise LookupError
        return group, every

    def like(self, group: Group, **keys: object) -> Group | None:
        """The group that differs in these keys only."""
        wanted = {**group.keys, **keys}
        if "model" in keys:
            wanted.pop("params", None)
        found = (g for g in self.groups if all(g.keys.get(k) == v for k, v in wanted.items()))
        return next(found, None)

    def each_model(self, group: Group) -> Iterator[Group]:
        for model in self.cube.keys["model"]:
            found = self.like(group, model=model)
            if found:
                yield found

    def over_models(self, first: Group, second: Group) -> Iterator[tuple[Group, Group]]:
        """Both sides for each model that ran on both."""
        for model in self.cube.keys["model"]:
            one, other = self.like(first, model=model), self.like(second, model=model)
            if one and other:
                yield one, other

    def others(self, group: Group, key: str) -> list[Group]:
        """What differs from a group in one key; of frameworks the same kind of variant."""
        found = []
        for value in self.cube.keys.get(key, []):
            if value == group.keys.get(key):
                continue
            keys: dict[str, object] = {key: value}
            if key == "framework" and self.by_variant(group, "", "compiled", ""):
                keys["variant"] = COMPILED[str(value)]
            other = self.like(group, **keys)
            elsewhere = other and (group.ran_elsewhere or other.ran_elsewhere)
            if other and not (key == self.world.place and elsewhere):
                found.append(other)
        return found

    def sides(self, key: str) -> list[Group]:
        """Some group, and all others that differ from it in one key only."""
        for _ in range(TRIES):
            group = self.one()
            found = self.others(group, key)
            if found:
                return [group, *found]
        raise LookupError(key)

    def rows(self, sides: Sequence[Group], key: str) -> list[list[Group]]:
        """The groups of all sides, for each value of a key that they all ran with."""
        every = ([self.like(one, **{key: value}) for one in sides] for value in self.cube.keys[key])
        rows = [found for row in every if len(found := list(filter(None, row))) == len(sides)]
        if len(rows) < 2:
            raise LookupError(key)
        return rows

    def pair(self, key: str) -> tuple[Group, Group]:
        """Two groups that differ in one key, the slow one first."""
        for _ in range(TRIES):
            group = self.one()
            found = self.others(group, key)
            if found:
                other = self.random.choice(found)
                slow, fast = sorted((group, other), key=self.cost, reverse=True)
                if self._differ(slow, fast):
                    return slow, fast
        raise LookupError(key)

    def ways(self) -> tuple[Group, Group]:
        """The plain way and a faster one, of one program."""
        for _ in range(TRIES):
            group = self.one()
            if group.keys[self.world.way] == self.world.plain:
                continue
            plain = self.like(group, **{self.world.way: self.world.plain})
            if plain and self._differ(plain, group):
                return plain, group
        raise LookupError(self.world.way)

    def _differ(self, slow: Group, fast: Group) -> bool:
        return 1.06 < self.cost(slow) / self.cost(fast) < 12

    # What their numbers are

    def cost(self, group: Group) -> float:
        """Its time, or of a rate the inverse."""
        value = self.main_value(group)
        return value if self.world.time else 1 / value

    def main_value(self, group: Group) -> float:
        value = group.value(self.world.main.measure)
        assert value
        return value

    def main_number(self, group: Group) -> float:
        return self.main_value(group) * self.world.main.factor

    def gain(self, slow: Group, fast: Group) -> float:
        """How many times as fast one is as the other."""
        return self.cost(slow) / self.cost(fast)

    def batch_size(self, group: Group) -> float:
        return float(group.keys["batch"])
