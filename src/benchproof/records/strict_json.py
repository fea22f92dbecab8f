"""Reading JSON that may be hostile: bounded, UTF-8, no repeated keys, no NaN or Infinity.

msgspec alone would take the last of two equal keys where DuckDB takes the first, so that a
number and its query could disagree; it also cannot say where a NaN stands.
"""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchproof.errors import InputError

MAX_BYTES = 256 * 1024 * 1024
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_json(path: Path, shown: str, error: type[InputError] = InputError) -> tuple[Any, bytes]:
    """The document in `path` and its bytes; `shown` is how errors name the file."""
    content = read_bounded(path, shown, error)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as bad:
        raise error(
            shown,
            f"not UTF-8 at byte {bad.start}",
            "save the file as UTF-8 without a byte order mark",
        ) from None
    try:
        document = json.loads(
            text, object_pairs_hook=lambda pairs: unique_object(pairs, shown, error)
        )
    except json.JSONDecodeError as bad:
        raise error(shown, _what_is_malformed(bad, text), "restore the whole file") from None
    except (RecursionError, ValueError) as bad:
        raise error(shown, f"not JSON that can be read ({bad})", "restore the whole file") from None
    for pointer, number in _leaves(document):
        if isinstance(number, float) and not math.isfinite(number):
            raise error(
                f"{shown}#{pointer}",
                f"{number} is not a number JSON has",
                "leave out what was not measured",
            )
        if isinstance(number, str) and _SURROGATE.search(number):
            raise error(
                f"{shown}#{pointer}",
                f"{number!r} holds half of a surrogate pair, which is no character",
                "write the whole character",
            )
    return document, content


def read_bounded(path: Path, shown: str, error: type[InputError] = InputError) -> bytes:
    """Bytes of a file, refused above `MAX_BYTES` or when it cannot be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise error(shown, f"larger than {MAX_BYTES} bytes", "split the file")
        return path.read_bytes()
    except OSError as bad:
        raise error(shown, f"cannot be read ({bad.strerror})", "check the path") from None


def unique_object(
    pairs: list[tuple[str, Any]], shown: str, error: type[InputError]
) -> dict[str, Any]:
    """An object of its pairs; `error` where a key stands twice."""
    document = dict(pairs)
    if len(document) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise error(shown, f"key {twice!r} stands twice in one object", "keep one of them")
    return document


def _what_is_malformed(bad: json.JSONDecodeError, text: str) -> str:
    if not text[bad.pos :].strip():
        return f"JSON ends early, at line {bad.lineno} column {bad.colno}"
    return f"not JSON at line {bad.lineno} column {bad.colno} ({bad.msg})"


def _leaves(document: Any) -> Iterator[tuple[str, Any]]:
    """Pointer and value of everything that is no container, and of every key as text.

    It keeps its own stack: Python's would overflow on nesting that the parser still took.
    """
    waiting: list[tuple[str, Any]] = [("", document)]
    while waiting:
        pointer, node = waiting.pop()
        if isinstance(node, dict):
            yield from ((pointer, key) for key in node)
            waiting += [(f"{pointer}/{escape(key)}", node[key]) for key in reversed(node)]
        elif isinstance(node, list):
            inner = [(f"{pointer}/{position}", child) for position, child in enumerate(node)]
            waiting += reversed(inner)
        else:
            yield pointer, node


def escape(key: str) -> str:
    """A key as a JSON pointer writes it (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")
