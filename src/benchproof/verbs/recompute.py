"""Bounds and p-values of a post again, from the samples in its raw files."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from benchproof.config import inside
from benchproof.errors import InputError
from benchproof.evidence.intervals import CONFIDENCE, METHOD
from benchproof.evidence.levels import RESAMPLES
from benchproof.evidence.sampled import has_spread, seed_of
from benchproof.model.record import Record
from benchproof.records.load import Loaded, load_file, pool_rounds
from benchproof.values.recomputed import Recomputation, Sampled, compute

AGAIN = "render the post again"


class Recomputer:
    """Recomputes numbers from the raw files of a project; each file is read once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._load = cache(self._loaded)

    def numbers(self, told: Mapping[str, Recomputation], where: str) -> dict[str, float]:
        """Every recomputed number by its name; InputError where one cannot be computed so."""
        return {name: self._number(one, f"{where}#{name}") for name, one in told.items()}

    def _number(self, told: Recomputation, where: str) -> float:
        known = (told.method, told.resamples, told.confidence)
        if known != (METHOD, RESAMPLES, CONFIDENCE) or len(told.of) not in (1, 2):
            raise InputError(where, f"no recomputation by {told.method!r} is known", AGAIN)
        return compute(told, [self._record(one, where) for one in told.of])

    def _record(self, sampled: Sampled, where: str) -> Record:
        """The record whose rounds lie at these places, all of them, with its own seed."""
        wanted = [(place.file, place.pointer) for place in sampled.rounds]
        found = [one for one in self._records(sampled) if _places(one) == sorted(wanted)]
        if len(found) != 1 or not has_spread(found[0]):
            listed = ", ".join(map(str, sampled.rounds))
            raise InputError(where, f"no samples of one record lie at {listed}", AGAIN)
        if seed_of(found[0]) != sampled.seed:
            raise InputError(where, f"seed {sampled.seed} is not that of {found[0].name}", AGAIN)
        return found[0]

    def _records(self, sampled: Sampled) -> Sequence[Record]:
        files = [self._load(file) for file in sorted({place.file for place in sampled.rounds})]
        return (*pool_rounds(files), *pool_rounds(files, "controls"))

    def _loaded(self, file: str) -> Loaded:
        return load_file(inside(self._root, file), self._root)


def _places(record: Record) -> list[tuple[str, str]]:
    return sorted((place.file, place.pointer) for place in record.places)
