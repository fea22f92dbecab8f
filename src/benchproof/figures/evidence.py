"""What the figures of one study show: its rows, restricted to one scope, and its series."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from benchproof.errors import InputError
from benchproof.figures.palette import Fill, Look, framework_look, variant_fill
from benchproof.figures.reading import REBUILD, R, TableRows
from benchproof.figures.rows import CellRow, RoofRow, Scope

T = TypeVar("T")

DEVICE_NAMES = {"cpu": "CPU", "mps": "GPU (mps)", "cuda": "GPU (cuda)"}


class Series(NamedTuple):
    """One framework's way to run a model, and how it looks in every figure."""

    framework: str
    variant: str
    look: Look
    fill: Fill

    @property
    def name(self) -> str:
        """Framework and variant."""
        return f"{self.framework} {self.variant}"


class Place(NamedTuple):
    """A device at one batch: one panel of a figure."""

    device: str
    batch: int

    @property
    def title(self) -> str:
        """How the panel is headed."""
        return f"{device_name(self.device)}, batch {self.batch}"


class Evidence(msgspec.Struct, frozen=True):
    """Rows of one scope; models, devices and series in the order of `results.csv`."""

    scope: Scope
    other_scopes: tuple[Scope, ...]
    tables: TableRows
    models: tuple[str, ...]
    devices: tuple[str, ...]
    batches: tuple[int, ...]
    series: tuple[Series, ...]

    @property
    def frameworks(self) -> tuple[str, ...]:
        """Frameworks in their order."""
        return _distinct(one.framework for one in self.series)

    @property
    def scope_text(self) -> str:
        """What every figure shows, and what it leaves out."""
        shown = f"Shown: {_scope_text(self.scope)}."
        if not self.other_scopes:
            return shown
        others = "; ".join(map(_scope_text, self.other_scopes))
        return f"{shown} Measured too, but not shown: {others}."

    def cells(self) -> dict[tuple[str, int, str, str, str], CellRow]:
        """Cells by device, batch, model, framework and variant."""
        return {
            (row.device, row.batch, row.model, row.framework, row.variant): row
            for row in reversed(self.tables.results)
        }

    def roofs(self) -> dict[tuple[str, int, str, str, str], RoofRow]:
        """Rows of the roofline by device, batch, model, framework and variant."""
        return {
            (row.device, row.batch, row.model, row.framework, row.variant): row
            for row in reversed(self.tables.roofline)
        }

    def roof_name(self) -> str:
        """Whose roof the roofline shows: the datasheet's, the measured one, or both by device."""
        kinds = {row.ceilings for row in self.tables.roofline if row.ceilings}
        if kinds == {"measured"}:
            return "the measured roof"
        other = ", or the measured one where a device has none" if "measured" in kinds else ""
        return f"the datasheet's roof{other}"

    def largest_places(self) -> list[Place]:
        """Each device with evidence, at its largest measured batch."""
        return [
            Place(device, max(batches))
            for device in self.devices
            if (batches := self.measured_batches(device))
        ]

    def places_that_matter(self) -> list[Place]:
        """Each device at its largest batch, and at the largest batch that all devices share."""
        largest = self.largest_places()
        shared = set(self.batches).intersection(
            *(self.measured_batches(place.device) for place in largest)
        )
        wanted = {max(shared)} if len(largest) > 1 and shared else set()
        return [
            Place(place.device, batch)
            for place in largest
            for batch in sorted(wanted | {place.batch})
        ]

    def measured_batches(self, device: str) -> set[int]:
        """Batches at which a device has evidence."""
        return {row.batch for row in self.tables.results if row.device == device and row.counts}


def select_evidence(tables: TableRows) -> Evidence:
    """The study's most frequent scope; InputError where `results.csv` has no row at all."""
    if not tables.results:
        raise InputError("results.csv", "has no rows", "collect the study, then " + REBUILD)
    scopes = _distinct(row.scope for row in tables.results)
    votes = Counter(row.scope for row in tables.results if row.latency_s is not None)
    scope = max(scopes, key=lambda one: votes[one])
    kept = TableRows(
        results=_within(tables.results, scope),
        compile_speedup=_within(tables.compile_speedup, scope),
        cpu_gpu=_within(tables.cpu_gpu, scope),
        best_throughput=_within(tables.best_throughput, scope),
        roofline=_within(tables.roofline, scope),
    )
    return Evidence(
        scope=scope,
        other_scopes=tuple(one for one in scopes if one != scope and votes[one]),
        tables=kept,
        models=_distinct(row.model for row in kept.results),
        devices=_distinct(row.device for row in kept.results),
        batches=tuple(sorted({row.batch for row in kept.results})),
        series=_series(kept.results),
    )


def _within(rows: Sequence[R], scope: Scope) -> list[R]:
    return [row for row in rows if row.scope == scope]


def _series(rows: Sequence[CellRow]) -> tuple[Series, ...]:
    frameworks = _distinct(row.framework for row in rows)
    pairs = _distinct((row.framework, row.variant) for row in rows)
    series = []
    for framework in frameworks:
        variants = tuple(variant for owner, variant in pairs if owner == framework)
        look = framework_look(framework, frameworks)
        series += [Series(framework, v, look, variant_fill(v, variants)) for v in variants]
    return tuple(series)


def device_name(device: str) -> str:
    """How a device is called in a figure."""
    return DEVICE_NAMES.get(device, device)


def gap_text(row: CellRow | None) -> str:
    """Why a cell has no evidence: what its status says, or that it was not measured."""
    if row is None or row.status == "ok":
        return "not measured"
    if row.quarantined:
        return f"ran on {device_name(row.ran_on) if row.ran_on else 'another device'}"
    return row.status


def _scope_text(scope: Scope) -> str:
    parts = (scope.task, f"scale {scope.scale}" if scope.scale else "", scope.precision)
    return ", ".join(part for part in parts if part)


def _distinct(items: Iterable[T]) -> tuple[T, ...]:
    """Each item once, in order of its first appearance."""
    return tuple(dict.fromkeys(items))
