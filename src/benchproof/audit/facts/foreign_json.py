"""JSON and JSON Lines as others write them: bare NaN and Infinity are missing, no more."""

import json
import math
from typing import Any

from benchproof.errors import InputError
from benchproof.records.strict_json import unique_object

MAX_DEPTH = 64
_NESTED = (dict, list)


def parse_json(text: str, file: str, *, lines: bool) -> Any:
    """The document of a file; `lines` gives the list of its lines' documents, None for empty ones.

    Text that is no single document, but lines of objects, is read as JSON Lines in any case.
    InputError gives the place of what is wrong.
    """
    if not lines:
        try:
            return _checked(_parse(text, file), file, escapes="\\ud" in text.lower())
        except json.JSONDecodeError as bad:
            if not (bad.msg == "Extra data" and _is_lines(text)):
                raise _malformed(bad, text, file, bad.lineno) from None
    documents = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            documents.append(_parse(line, f"{file}#/line/{number}") if line.strip() else None)
        except json.JSONDecodeError as bad:
            raise _malformed(bad, line, file, number) from None
    return _checked(documents, file, escapes="\\ud" in text.lower())


def _is_lines(text: str) -> bool:
    first, _, rest = text.strip().partition("\n")
    return first.rstrip().endswith("}") and rest.lstrip().startswith("{")


def _parse(text: str, file: str) -> Any:
    try:
        return json.loads(
            text,
            object_pairs_hook=lambda pairs: unique_object(pairs, file, InputError),
            parse_constant=lambda _: None,
            parse_float=lambda number: _finite(number, file),
            parse_int=lambda number: int(number) if len(number) < 19 else _finite(number, file),
        )
    except RecursionError:
        raise _too_deep(file) from None


def _malformed(bad: json.JSONDecodeError, text: str, file: str, line: int) -> InputError:
    if not text[bad.pos :].strip():
        return InputError(file, f"JSON ends early, in line {line}", "restore the whole file")
    what = f"not JSON at line {line} column {bad.colno} ({bad.msg})"
    return InputError(file, what, "restore the whole file")


def _finite(number: str, file: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise too_large(number, file)
    return value


def too_large(number: str, where: str) -> InputError:
    """The error of a number beyond what a double holds."""
    shown = number if len(number) < 24 else f"{number[:20]}..."
    return InputError(where, f"{shown} is too large for a number", "correct it at its source")


def _too_deep(file: str) -> InputError:
    what = f"nested deeper than {MAX_DEPTH} levels"
    return InputError(file, what, "give the records as a list of objects")


def _checked(document: Any, file: str, *, escapes: bool) -> Any:
    """The document, where it is not nested too deep and all its texts are characters."""
    level = [document]
    for _ in range(MAX_DEPTH + 1):
        inner: list[Any] = []
        for node in level:
            if isinstance(node, dict):
                inner += [child for child in node.values() if isinstance(child, _NESTED)]
            elif isinstance(node, list):
                inner += [child for child in node if isinstance(child, _NESTED)]
        if not inner:
            return _with_characters(document, file) if escapes else document
        level = inner
    raise _too_deep(file)


def _with_characters(document: Any, file: str) -> Any:
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError(
            file, "a text holds half of a surrogate pair, which is no character", "write it whole"
        ) from None
    return document
