"""Which cells a study could hold: the grid on which a missing cell shows as missing."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from benchproof.model.keys import Device, Framework, Precision, Task, VariantKind
from benchproof.model.record import Record


class Work(msgspec.Struct, frozen=True):
    """What is computed, whoever computes it where: the part of a key that a contest shares."""

    model: str
    task: Task
    scale: str | None
    precision: Precision


class Grid:
    """Records by key, and the values that each part of the key takes in a study."""

    def __init__(self, records: Sequence[Record], models: Sequence[str] = ()) -> None:
        self.records = tuple(records)
        self.devices = [d for d in Device if any(r.requested is d for r in records)]
        self.frameworks = [f for f in Framework if any(r.framework is f for r in records)]
        known = dict.fromkeys(r.model for r in records)
        self.models = [m for m in models if m in known] + [m for m in known if m not in models]
        self.works = sorted(
            dict.fromkeys(map(work_of, records)), key=lambda w: self.models.index(w.model)
        )
        self._cells = {_key(r): r for r in records}

    def find(
        self, device: Device, framework: Framework, work: Work, variant: str, batch: int
    ) -> Record | None:
        """The record of one cell; None where it was not measured."""
        return self._cells.get((device, framework, work, variant, batch))

    def variants(self, framework: Framework) -> list[tuple[VariantKind, str]]:
        """Variants of a framework anywhere in the study, eager first."""
        found = {(r.kind, r.variant) for r in self.records if r.framework is framework}
        order = list(VariantKind)
        return sorted(found, key=lambda pair: (order.index(pair[0]), pair[1]))

    def eager(self, framework: Framework) -> str:
        """The framework's eager variant, against which its compiled ones are held."""
        eager = (name for kind, name in self.variants(framework) if kind is VariantKind.EAGER)
        return next(eager, VariantKind.EAGER.value)

    def batches(self, work: Work) -> list[int]:
        """Batch sizes of a work anywhere in the study."""
        return sorted({r.batch for r in self.records if work_of(r) == work})

    def select(
        self, device: Device, work: Work, batch: int, framework: Framework | None = None
    ) -> list[Record]:
        """Records of one device, work and batch, in the order of frameworks and variants."""
        frameworks = [framework] if framework else self.frameworks
        found = (
            self.find(device, each, work, variant, batch)
            for each in frameworks
            for _, variant in self.variants(each)
        )
        return [record for record in found if record is not None]

    def cells(self) -> Iterator[tuple[Device, Framework, Work, VariantKind, str, int]]:
        """Every cell that the study's own values span, measured or not."""
        for device in self.devices:
            for framework in self.frameworks:
                for work in self.works:
                    for kind, variant in self.variants(framework):
                        for batch in self.batches(work):
                            yield device, framework, work, kind, variant, batch

    def series(self) -> Iterator[list[Record]]:
        """Records that differ in their batch alone, in the order of batches."""
        for device in self.devices:
            for framework in self.frameworks:
                for work in self.works:
                    for _, variant in self.variants(framework):
                        found = [
                            self.find(device, framework, work, variant, batch)
                            for batch in self.batches(work)
                        ]
                        records = [record for record in found if record is not None]
                        if records:
                            yield records


def work_of(record: Record) -> Work:
    """The part of a record's key that says what is computed."""
    return Work(record.model, record.workload.task, record.workload.scale, record.precision)


def _key(record: Record) -> tuple[Device, Framework, Work, str, int]:
    return record.requested, record.framework, work_of(record), record.variant, record.batch


def places_text(records: Iterable[Record]) -> str:
    """Places of the records, as a table's last column names them."""
    return " ".join(str(place) for record in records for place in record.places)
