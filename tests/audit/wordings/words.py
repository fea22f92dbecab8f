"""The writer of all forms: numbers of a world, each with the slips that could be made of it."""

import re
from collections.abc import Iterator, Mapping

from audit.planted import Slot, _slips, significant
from audit.wordings.world import Chooser, Quantity

from benchproof.audit.facts.cube import Group

COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
COMMAS: Mapping[int, str | None] = {ord(","): ".", ord("."): ","}
NO_COMMAS: Mapping[int, str | None] = {ord(","): None}


class Words(Chooser):
    """Prints numbers as a chooser's groups have them; forms call it `w`.

    With `comma` they are printed as in German.
    """

    def number(
        self,
        group: Group,
        quantity: Quantity | None = None,
        *,
        unit: bool = True,
        comma: bool = False,
        gap: str = " ",
        bare: bool = False,
    ) -> str:
        """A quantity of a group to three digits, by default the world's main one.

        A `bare` one has no commas between its thousands.
        """
        measure, factor, name = quantity or self.world.main
        told = group.value(measure)
        assert told is not None
        number, tail = told * factor, f"{gap}{name}" if unit else ""
        text = significant(number)
        slot = Slot(text + tail)
        mean = group.value("mean latency") if measure == "latency" else None
        also = significant(mean * factor) + tail if mean else None
        for kind, other in self._near(group):
            there = other.value(measure)
            if there is not None and kind not in slot.wrong:
                self.plant(slot, kind, significant(there * factor) + tail, also, other.places[0])
        for kind, wrong in _slips(text, number, self.random):
            self.plant(slot, kind, wrong + tail, also)
        if unit and name == "ms":
            self.plant(slot, "unit", f"{text}{gap}µs", also)
        if bare:
            slot = _translated(slot, NO_COMMAS)
        return self.mark(_translated(slot, COMMAS) if comma else slot)

    def derived(
        self,
        number: float,
        places: int,
        tail: str,
        wrong: Mapping[str, str] | None = None,
        *,
        comma: bool = False,
    ) -> str:
        """A number reckoned from several groups, to so many places."""
        text = f"{number:,.{places}f}"
        slot = Slot(text + tail)
        for kind, one in (wrong or {}).items():
            self.plant(slot, kind, one)
        for kind, one in _slips(text, number, self.random):
            if kind != "factor 10" and not places and abs(number) <= 12:
                continue  # a whole number so small may be said of much
            shown = f"{float(one.replace(',', '')):,.{places}f}" if kind == "stale" else one
            self.plant(slot, kind, shown + tail)
        return self.mark(_translated(slot, COMMAS) if comma else slot)

    def times(
        self, slow: Group, fast: Group, tail: str = "×", places: int = 2, *, comma: bool = False
    ) -> str:
        """How many times as fast one is as the other."""
        number = self.cost(slow) / self.cost(fast)
        wrong = {"inverted": f"{1 / number:.{places}f}{tail}"}
        return self.derived(number, places, tail, wrong, comma=comma)

    def percent_less(
        self, slow: Group, fast: Group, tail: str = "%", places: int = 0, *, comma: bool = False
    ) -> str:
        """The time saved, of the slow one's."""
        return self._percent(1 - self.cost(fast) / self.cost(slow), tail, places, comma=comma)

    def percent_more(self, slow: Group, fast: Group, tail: str = "%", places: int = 0) -> str:
        """The time that the slow one needs more, of the fast one's."""
        return self._percent(self.cost(slow) / self.cost(fast) - 1, tail, places)

    def _percent(self, share: float, tail: str, places: int, *, comma: bool = False) -> str:
        number = 100 * share
        wrong = {"points": f"{number:.{places}f} percentage points"}
        return self.derived(number, places, tail, wrong, comma=comma)

    def difference(self, slow: Group, fast: Group, places: int | None = None) -> str:
        """What the slow one needs more, to so many places or to three digits."""
        number = (self.cost(slow) - self.cost(fast)) * self.world.main.factor
        if places is None:
            places = len(significant(number).partition(".")[2])
        return self.derived(number, places, f" {self.unit}")

    def count(self, number: int, total: int, words: str) -> str:
        """So many of a total, in digits."""
        wrong = number + 1 if number < total else number - 1
        return words.format(self.mark(Slot(str(number), {"count": str(wrong)})), total)

    def spoken(self, number: int) -> str:
        wrong = number + 1 if number < 5 else number - 1
        return self.mark(Slot(COUNTS[number], {"count": COUNTS[wrong]}))

    def plant(
        self, slot: Slot, kind: str, wrong: str, also: str | None = None, source: str = ""
    ) -> None:
        """Add an error to a slot, unless it says the same, or as what is true `also`."""
        if kind in slot.wrong or _same(slot.text, wrong) or wrong == also:
            return
        slot.wrong[kind] = wrong
        if source:
            slot.source[kind] = source

    def _near(self, group: Group) -> Iterator[tuple[str, Group]]:
        """Groups that differ in one key: the kind of swap, and the group."""
        kinds = {
            "batch": "batch",
            "framework": "framework",
            "model": "row",
            self.world.way: "variant",
            self.world.place: "device",
        }
        for key, kind in kinds.items():
            for other in self.others(group, key):
                yield kind, other


def _translated(slot: Slot, signs: Mapping[int, str | None]) -> Slot:
    wrong = {kind: text.translate(signs) for kind, text in slot.wrong.items()}
    return Slot(slot.text.translate(signs), wrong, slot.source)


def _same(true: str, wrong: str) -> bool:
    """Whether two texts say the same number of the same unit."""
    told = []
    for text in (true, wrong):
        match = re.match(r"([^\d]*)([\d,.]+)(.*)", text, re.DOTALL)
        if match is None:
            return true == wrong
        told.append((match[1], float(match[2].replace(",", "")), match[3]))
    return told[0] == told[1]
