"""Writing converted telemetry: all files or none, and never over different evidence."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from benchproof.errors import InputError
from benchproof.files import write_atomically
from benchproof.model.raw import RawFile
from benchproof.records.load import load_file


def encode(raw: RawFile) -> bytes:
    """The bytes of a raw file: indented, in the order of the format, one newline at the end."""
    return msgspec.json.format(msgspec.json.encode(raw), indent=1) + b"\n"


def _check(path: Path, content: bytes) -> None:
    """InputError where the file would not load, because a name or a text of it is too long."""
    try:
        msgspec.json.decode(content, type=RawFile)
    except msgspec.ValidationError as bad:
        raise InputError(
            str(path), f"would not load: {bad}", "correct the name or the value at its source"
        ) from None


def write_raw(files: Mapping[str, RawFile], folder: Path) -> list[Path]:
    """Write raw files into a folder; refuses, before it writes any, to replace other bytes."""
    contents = {folder / name: encode(raw) for name, raw in files.items()}
    for path, content in contents.items():
        _check(path, content)
    for path, content in contents.items():
        if path.is_symlink() or (path.exists() and path.read_bytes() != content):
            raise InputError(
                str(path),
                "holds other evidence already",
                "choose a new folder, or move the old file away",
            )
    _refuse_other_machines({raw.machine.chip for raw in files.values()}, folder, set(contents))
    for path, content in contents.items():
        write_atomically(path, content)
    return list(contents)


def _refuse_other_machines(chips: set[str], folder: Path, own: set[Path]) -> None:
    """InputError where a folder holds, or would hold, telemetry of more than one chip."""
    found = dict.fromkeys(chips, "these files")
    for path in sorted(set(folder.rglob("*.json")) - own):
        chip = load_file(path, folder)[1].machine.chip
        found.setdefault(chip, str(path))
    if len(found) > 1:
        told = "; ".join(f"{chip} in {where}" for chip, where in found.items())
        raise InputError(
            str(folder), f"telemetry of different chips: {told}", "give each machine its own study"
        )
