"""Which records a set of raw files holds; every error names file, JSON pointer and remedy."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchproof.errors import RawError
from benchproof.model.keys import Status
from benchproof.model.raw import SCHEMA, Cell, Machine, RawFile
from benchproof.model.record import Place, Record
from benchproof.records.strict_json import read_json

Loaded = tuple[str, RawFile, str]  # path from the root, file, SHA-256
Key = tuple[object, ...]
_WORK_FIELDS = ("kind", "flops_per_call", "bytes_per_call", "parameter_count", "parameter_bytes")


def load_records(paths: Iterable[Path], root: Path) -> tuple[Record, ...]:
    """Records of the raw files, rounds pooled, in the order of their paths and cells."""
    return pool_rounds([load_file(path, root) for path in sorted(paths)])


def load_file(path: Path, root: Path) -> Loaded:
    """One raw file, checked: path from the root, file and SHA-256; RawError tells what is wrong."""
    shown = shown_path(path, root)
    document, content = read_json(path, shown, RawError)
    _check_version(document, shown)
    try:
        raw = msgspec.convert(document, RawFile)
    except msgspec.ValidationError as bad:
        what, pointer = _explain(str(bad))
        raise RawError(
            f"{shown}#{pointer}", what, "correct the collector or importer and write the file again"
        ) from None
    _check_cells(raw, shown)
    return shown, raw, hashlib.sha256(content).hexdigest()


def shown_path(path: Path, root: Path) -> str:
    """The path as records and queries name it: from the project's root, with forward slashes."""
    absolute = path.resolve()
    base = root.resolve()
    return absolute.relative_to(base).as_posix() if absolute.is_relative_to(base) else str(path)


def _check_version(document: Any, shown: str) -> None:
    found = document.get("schema") if isinstance(document, dict) else None
    if found != SCHEMA:
        told = "no schema" if found is None else f"schema {found!r}"
        raise RawError(
            f"{shown}#/schema",
            f"{told}, this version reads {SCHEMA!r}",
            "import or collect it again",
        )


def _explain(message: str) -> tuple[str, str]:
    """What a msgspec message says, and the place as a JSON pointer."""
    what, _, path = message.partition(" - at ")
    steps = re.findall(r"\.([^.\[\]`]+)|\[(\d+|\.\.\.)\]", path)
    pointer = "".join(f"/{field or index}" for field, index in steps)
    return what[0].lower() + what[1:] if what else message, pointer


def _check_cells(raw: RawFile, shown: str) -> None:
    cells = _check_part(raw.cells, f"{shown}#/cells")
    for key, position in _check_part(raw.controls, f"{shown}#/controls").items():
        if key not in cells:
            raise RawError(
                f"{shown}#/controls/{position}",
                f"no cell {key[0]}, batch {key[1]}, {key[2]} to be a control of",
                "measure the cell too, or leave out its control",
            )


def _check_part(cells: Sequence[Cell], where: str) -> dict[Key, int]:
    """Position of each cell of one part of the file; RawError where one is not as it must be."""
    seen: dict[Key, int] = {}
    for position, cell in enumerate(cells):
        key = (cell.variant, cell.batch, cell.precision)
        if key in seen:
            raise RawError(
                f"{where}/{position}",
                f"cell {cell.variant}, batch {cell.batch}, {cell.precision} stands also at "
                f"{where.partition('#')[2]}/{seen[key]}",
                "keep one of them, or give each its own round",
            )
        seen[key] = position
        _check_evidence(cell, f"{where}/{position}")
    return seen


def _check_evidence(cell: Cell, where: str) -> None:
    timed = bool(cell.samples_ns) + (cell.summary is not None)
    if cell.status in (Status.OK, Status.UNSTABLE) and timed != 1:
        found = "both samples and a summary" if timed else "neither samples nor a summary"
        raise RawError(where, f"status {cell.status} with {found}", "keep exactly one of the two")
    if cell.status in (Status.FAILED, Status.SKIPPED) and not cell.reason:
        raise RawError(where, f"status {cell.status} without a reason", "say why in /reason")


def pool_rounds(
    files: Sequence[Loaded], part: Literal["cells", "controls"] = "cells"
) -> tuple[Record, ...]:
    """Records of loaded files: cells of one key from different rounds become one record.

    Controls are pooled by themselves: they are never more evidence for their cell.
    """
    pooled: dict[Key, list[tuple[RawFile, Cell, Place]]] = {}
    for path, raw, sha256 in files:
        cells = raw.cells if part == "cells" else raw.controls
        for position, cell in enumerate(cells):
            place = Place(path, f"/{part}/{position}", sha256)
            key = _key(raw, cell)
            _check_round(pooled.setdefault(key, []), raw, cell, place)
            pooled[key].append((raw, cell, place))
    return tuple(_record(rounds) for rounds in pooled.values())


def _key(raw: RawFile, cell: Cell) -> Key:
    work = raw.workload
    return (
        raw.study, raw.device, raw.framework.name, work.model, work.task, work.scale,
        cell.variant, cell.batch, cell.precision,
    )  # fmt: skip


def _check_round(
    earlier: Sequence[tuple[RawFile, Cell, Place]], raw: RawFile, cell: Cell, place: Place
) -> None:
    for other, other_cell, other_place in earlier:
        if other.run.round == raw.run.round:
            raise RawError(
                str(place),
                f"the same cell and round {raw.run.round} stand at {other_place}",
                "remove one file, or give it the round it belongs to",
            )
        for where, own, others in _shared_by_rounds(raw, cell, place, other, other_cell):
            if own != others:
                raise RawError(
                    where,
                    f"{own}, but {others} at {other_place}",
                    "rounds of one cell do the same work on one machine: collect them again",
                )
        if cell.summary is not None or other_cell.summary is not None:
            raise RawError(
                f"{place}/summary",
                f"a summary cannot be pooled with the round at {other_place}",
                "keep the two in separate studies",
            )


def _shared_by_rounds(
    raw: RawFile, cell: Cell, place: Place, other: RawFile, other_cell: Cell
) -> Iterator[tuple[str, object, object]]:
    """What rounds of one cell have to agree in: where it stands, and its values in both."""
    for field in _WORK_FIELDS:
        yield f"{place}/{field}", getattr(cell, field), getattr(other_cell, field)
    shapes = (raw.workload.input_shape, other.workload.input_shape)
    yield (f"{place.file}#/workload/input_shape", *shapes)
    yield f"{place.file}#/machine/chip", raw.machine.chip, other.machine.chip


def _machine_of(first: RawFile, rounds: Sequence[tuple[RawFile, Cell, Place]]) -> Machine:
    """The first round's machine, with the ceilings that any of them tells."""
    told = dict.fromkeys(ceiling for raw, _, _ in rounds for ceiling in raw.machine.ceilings)
    return msgspec.structs.replace(first.machine, ceilings=tuple(told))


def _record(rounds: Sequence[tuple[RawFile, Cell, Place]]) -> Record:
    raw = min((raw for raw, _, _ in rounds), key=lambda raw: raw.run.round)
    return Record(
        study=raw.study,
        requested=raw.device,
        framework=raw.framework.name,
        framework_version=raw.framework.version,
        workload=raw.workload,
        machine=_machine_of(raw, rounds),
        protocol=raw.protocol,
        source=raw.source,
        cells=tuple(cell for _, cell, _ in rounds),
        places=tuple(place for _, _, place in rounds),
    )
