"""What raw files tell of how and where records were measured, as text that a post may print."""

from collections.abc import Callable, Iterable

from benchproof.derive import quantities as q
from benchproof.errors import SelectionError
from benchproof.model.keys import CeilingQuantity
from benchproof.model.record import Record
from benchproof.report.selection import Cells
from benchproof.report.text import DataText


def told(selection: Cells, name: str) -> list[DataText]:
    """What the files of the selected records say of one thing, each text once.

    Empty where none of them says anything; SelectionError for a thing that nobody tells.
    """
    if name not in _TOLD:
        raise SelectionError(f"nothing tells {name!r}; told are {', '.join(_TOLD)}")
    texts = (text for record in selection.records for text in _TOLD[name](record))
    return [DataText(text) for text in dict.fromkeys(texts) if text]


def _roof_source(quantity: CeilingQuantity) -> Callable[[Record], Iterable[str | None]]:
    def of(record: Record) -> Iterable[str | None]:
        kind = q.ceilings_kind(record)
        ceiling = record.ceiling(quantity, kind) if kind else None
        return [ceiling.source] if ceiling else []

    return of


_TOLD: dict[str, Callable[[Record], Iterable[str | None]]] = {
    "chip": lambda r: [r.machine.chip],
    "os": lambda r: [r.machine.os],
    "driver": lambda r: [r.machine.driver],
    "version": lambda r: [r.framework_version],
    "clock": lambda r: [r.protocol.clock],
    "synchronisation": lambda r: [r.protocol.synchronisation],
    "sampling_rule": lambda r: [r.protocol.sampling_rule],
    "compile_cache": lambda r: [cell.compile_cache for cell in r.cells],
    "arithmetic_roof": _roof_source(CeilingQuantity.FLOPS_PER_S),
    "memory_roof": _roof_source(CeilingQuantity.BYTES_PER_S),
}
