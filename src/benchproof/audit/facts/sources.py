"""Which files the arguments of `--data` name, and their bounded, decoded content."""

import glob
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchproof.errors import InputError
from benchproof.records.load import shown_path
from benchproof.records.strict_json import read_bounded

MAX_BYTES = 200 * 1000 * 1000
SUFFIXES = frozenset((".json", ".jsonl", ".ndjson", ".csv", ".tsv"))
_MAGIC = "*?["


class Source(msgspec.Struct, frozen=True):
    """A file of telemetry; `named` is whether an argument names it, and not only its folder."""

    path: Path
    shown: str
    named: bool = True


class Content(msgspec.Struct, frozen=True):
    """What a source holds, decoded, and the SHA-256 of its bytes."""

    text: str
    sha256: str


def find_sources(arguments: Sequence[str], root: Path) -> list[Source]:
    """The files of the arguments, each once: files, all data files of folders, matches of globs.

    InputError where an argument names nothing.
    """
    found: dict[Path, Source] = {}
    for argument in arguments:
        for source in _sources(argument, root):
            known = found.get(source.path.resolve())
            if known is None or source.named:
                found[source.path.resolve()] = source
    return list(found.values())


def read_content(source: Source) -> Content:
    """A source's text and digest; InputError where it is too large, empty, or no text."""
    _check_size(source)
    content = read_bounded(source.path, source.shown)
    if not content.strip(b" \t\r\n\0\xef\xbb\xbf"):
        raise InputError(source.shown, "empty", "give a file with measurements")
    if b"\0" in content:
        raise InputError(source.shown, "binary, not text", "give JSON, JSON Lines or CSV in UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        raise InputError(
            source.shown, f"not UTF-8 at byte {bad.start}", "save the file as UTF-8"
        ) from None
    return Content(text, hashlib.sha256(content).hexdigest())


def _check_size(source: Source) -> None:
    try:
        size = source.path.stat().st_size
    except OSError as bad:
        raise InputError(
            source.shown, f"cannot be read ({bad.strerror})", "check the path"
        ) from None
    if size > MAX_BYTES:
        raise InputError(
            source.shown,
            f"{size / 1e6:.0f} MB, more than {MAX_BYTES / 1e6:.0f} MB",
            "split the file, or leave out what the document does not cite",
        )


def _sources(argument: str, root: Path) -> Iterator[Source]:
    path = _located(argument, root)
    if path.is_dir():
        inside = _in_folder(path)
        yield from (Source(one, shown_path(one, root), named=False) for one in inside)
    elif path.exists():
        yield Source(path, shown_path(path, root))
    elif any(character in argument for character in _MAGIC):
        yield from (Source(one, shown_path(one, root)) for one in _matches(argument, root))
    else:
        raise InputError(argument or "--data", "no such file or folder", "check the path")


def _located(argument: str, root: Path) -> Path:
    """The argument from the working directory, else from the project's root."""
    if not argument or "\0" in argument:
        raise InputError(repr(argument), "no path", "name a file, a folder or a pattern")
    path = Path(argument)
    try:
        return path if path.exists() or path.is_absolute() else root / path
    except OSError as bad:
        raise InputError(argument[:80], f"no path ({bad.strerror})", "check the path") from None


def _in_folder(folder: Path) -> list[Path]:
    """All data files below a folder, sorted; links that lead out of it and hidden ones are not."""
    base = folder.resolve()
    found = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in SUFFIXES
        and path.is_file()
        and path.resolve().is_relative_to(base)
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    if not found:
        raise InputError(
            str(folder),
            f"no file with {_listed(SUFFIXES)} in this folder",
            "name the data's folder",
        )
    return found


def _matches(pattern: str, root: Path) -> list[Path]:
    for base in (Path(), root):
        # Unlike Path.glob, this takes absolute patterns as well.
        names = sorted(glob.glob(pattern, root_dir=base, recursive=True))  # noqa: PTH207
        found = [base / name for name in names if (base / name).is_file()]
        if found:
            return found
    raise InputError(pattern, "the pattern matches no file", "correct the pattern")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
