"""The raw files of one job: read to go on where an earlier launch was killed, written whole."""

import json
import re
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

from benchproof import __version__
from benchproof.collectors.plan import CellKey, Job
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.errors import InputError
from benchproof.files import write_atomically

SCHEMA = "benchproof/raw@1"
# A JSON string has no line break in it, so that this meets lists of integers only.
_INTEGERS = re.compile(r"\[\n\s*((?:\d+,\n\s*)*\d+)\n\s*\]")
_PARTS = ("framework", "workload", "run", "machine", "protocol")
_CELL_KEY = {"variant", "batch", "precision", "status"}
Told = dict[str, Any]


class RawFiles:
    """The files of a job, one a workload, in memory and on disk.

    `header` is what all of them share: run, framework, machine, protocol. A file is written after
    each cell; it has `run.ended` when nothing is left to measure.
    """

    def __init__(self, job: Job, folder: Path) -> None:
        self.job = job
        self.folder = folder
        self._files: dict[str, Told] = {}
        for workload in job.workloads:
            path = self.path(workload)
            told = _read(path) if path.exists() else {}
            # Without a version no framework was there to measure with: it may be now.
            if told.get("framework", {}).get("version"):
                self._files[workload] = told

    def path(self, workload: str) -> Path:
        """The file of one workload."""
        return self.folder / f"{workload}.json"

    def open(self, header: Mapping[str, Any], started: str) -> None:
        """Begin the files that are not there, and go on with those that are.

        InputError where one is of another study, machine, framework or protocol.
        """
        for workload in self.job.workloads:
            begun = self._begin(workload, header, started)
            old = self._files.get(workload)
            if old is None:
                self._files[workload] = begun
            else:
                _require_same(self.path(workload), old, begun)
                old["run"].setdefault("resumed", []).append(started)
                old["run"].pop("ended", None)

    def _begin(self, workload: str, header: Mapping[str, Any], started: str) -> Told:
        spec = WORKLOADS[workload]
        run = {
            "id": f"{self.job.study}/{self.job.name}",
            "round": self.job.round,
            "benchproof": __version__,
            "started": started,
        }
        return {
            "schema": SCHEMA,
            "study": self.job.study,
            "device": self.job.device,
            "framework": header["framework"],
            "workload": {
                "model": spec.name,
                "task": "inference",
                "input_shape": list(spec.input_shape),
                "fingerprint": spec.fingerprint,
            },
            "run": run | header["run"],
            "machine": header["machine"],
            "protocol": header["protocol"],
            "cells": [],
        }

    def require_asked(self) -> None:
        """InputError where a file was measured under other settings than the job's."""
        # Variants are told where some were chosen, so that none told is a choice as well.
        asked = {"variants": None} | self.job.settings
        for workload, file in self._files.items():
            path = self.path(workload)
            _require_equal(f"{path}#/study", file.get("study"), self.job.study)
            told = file.get("protocol", {})
            for name, value in asked.items():
                _require_equal(f"{path}#/protocol/{name}", told.get(name), value)

    @property
    def done(self) -> list[CellKey]:
        """Cells that are on disk, whatever their status."""
        return [
            CellKey(workload, cell["batch"], cell["precision"], cell["variant"])
            for workload, file in self._files.items()
            for cell in file["cells"]
        ]

    @property
    def has_control(self) -> bool:
        """Whether the job's A/A control is on disk."""
        return any(file.get("controls") for file in self._files.values())

    @property
    def is_complete(self) -> bool:
        """Whether every workload's file is there, closed, and has every batch and precision."""
        done = {(key.workload, key.batch, key.precision) for key in self.done}
        precisions = [p.value for p in self.job.precisions] or sorted({p for _, _, p in done})
        closed = all(
            self._files.get(workload, {}).get("run", {}).get("ended")
            for workload in self.job.workloads
        )
        return closed and all(
            (workload, batch, precision) in done
            for workload in self.job.workloads
            for batch in self.job.batches
            for precision in precisions
        )

    def add(self, workload: str, cell: Told, *, control: bool = False) -> None:
        """Keep a cell, and write its file whole."""
        self._files[workload].setdefault("controls" if control else "cells", []).append(cell)
        self._write(workload)

    def close(self, ended: str) -> None:
        """Say in every file that nothing is left to measure."""
        for workload, file in self._files.items():
            file["run"]["ended"] = ended
            self._write(workload)

    def _write(self, workload: str) -> None:
        text = json.dumps(self._files[workload], indent=1, allow_nan=False, ensure_ascii=False)
        write_atomically(self.path(workload), _INTEGERS.sub(_in_a_line, text) + "\n")


def require_one_study(folder: Path, studies: Set[str]) -> None:
    """InputError where a folder holds another study's telemetry, or is no folder."""
    if folder.exists() and not folder.is_dir():
        raise InputError(str(folder), "is no folder", "name another one with -o")
    firsts = [next(iter(sorted(one.glob("*.json"))), None) for one in (folder, *_jobs_in(folder))]
    for path in filter(None, firsts):
        told = _study_of(path)
        if told is not None and told not in studies:
            raise InputError(
                f"{path}#/study",
                f"holds {_short(told)}, and what would be measured now has {_short(min(studies))}",
                "choose another folder, or name the study with --study",
            )


def _jobs_in(folder: Path) -> list[Path]:
    return sorted(one for one in folder.glob("*-r*") if one.is_dir())


def _study_of(path: Path) -> str | None:
    """The study of a raw file; None for what is none."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return told.get("study") if isinstance(told, dict) and told.get("schema") == SCHEMA else None


def begin_from(done: RawFiles, work: Path) -> None:
    """Let a job that is measured in `work` go on from files that are in place already."""
    target = work / done.job.name
    if target == done.folder or target.exists():
        return
    for workload in done.job.workloads:
        if done.path(workload).exists():
            write_atomically(target / f"{workload}.json", done.path(workload).read_bytes())


def move_to(files: RawFiles, output: Path) -> None:
    """Put a finished job's files in place, where it was measured elsewhere."""
    target = output / files.job.name
    if target == files.folder:
        return
    target.mkdir(parents=True, exist_ok=True)
    for workload in files.job.workloads:
        files.path(workload).replace(target / f"{workload}.json")
    files.folder.rmdir()


def _read(path: Path) -> Told:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as bad:
        raise InputError(str(path), f"cannot be read ({bad})", "move it away") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise InputError(str(path), f"is no {SCHEMA} file", "move it away")
    if not _is_ours(found):
        raise InputError(str(path), "is no file of these collectors", "move it away")
    return found


def _is_ours(told: Told) -> bool:
    """Whether a raw file has the parts that going on with it needs."""
    cells = told.get("cells")
    return (
        all(isinstance(told.get(part), dict) for part in _PARTS)
        and isinstance(told["machine"].get("chip"), str)
        and isinstance(cells, list)
        and all(isinstance(cell, dict) and cell.keys() >= _CELL_KEY for cell in cells)
    )


def _require_same(path: Path, old: Told, new: Told) -> None:
    for name in ("study", "device", "framework", "workload", "protocol"):
        _require_equal(f"{path}#/{name}", old.get(name), json.loads(json.dumps(new[name])))
    _require_equal(f"{path}#/machine/chip", old["machine"]["chip"], new["machine"]["chip"])


def _require_equal(where: str, old: object, new: object) -> None:
    if old != new:
        raise InputError(
            where,
            f"holds {_short(old)}, and what would be measured now has {_short(new)}",
            "choose another folder, or move the old file away",
        )


def _short(told: object) -> str:
    return "none" if told is None else json.dumps(told, ensure_ascii=False)[:300]


def _in_a_line(match: re.Match[str]) -> str:
    return f"[{' '.join(match[1].split())}]"
