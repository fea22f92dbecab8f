"""What is refused before a document is looked at, and how the refusal reads."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchproof.errors import InputError, RawError
from benchproof.records import strict_json
from benchproof.records.strict_json import escape, read_json


def refusal(tmp_path: Path, content: bytes | str) -> str:
    path = tmp_path / "a.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(RawError) as caught:
        read_json(path, "a.json", RawError)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.json: JSON ends early, at line 1 column 1; restore the whole file"),
        (b'{"a": [1,', "a.json: JSON ends early, at line 1 column 10; restore the whole file"),
        (
            b'{"a": tru',
            "a.json: not JSON at line 1 column 7 (Expecting value); restore the whole file",
        ),
        (
            b'{"a": "\xe9"}',
            "a.json: not UTF-8 at byte 7; save the file as UTF-8 without a byte order mark",
        ),
        (
            b'\xef\xbb\xbf{"a": 1}',
            "a.json: not JSON at line 1 column 1 (Unexpected UTF-8 BOM (decode using utf-8-sig)); "
            "restore the whole file",
        ),
        (
            b'{"a": [0, {"b/c~d": NaN}]}',
            "a.json#/a/1/b~1c~0d: nan is not a number JSON has; leave out what was not measured",
        ),
        (
            b'{"a": -Infinity}',
            "a.json#/a: -inf is not a number JSON has; leave out what was not measured",
        ),
        (b"1e999", "a.json#: inf is not a number JSON has; leave out what was not measured"),
        (
            b'{"a": {"b": 1, "c": 2, "b": 3}}',
            "a.json: key 'b' stands twice in one object; keep one of them",
        ),
        (
            b'{"a": "x\\ud800"}',
            "a.json#/a: 'x\\ud800' holds half of a surrogate pair, which is no character; "
            "write the whole character",
        ),
        (
            b'{"a": {"\\udfff": 1}}',
            "a.json#/a: '\\udfff' holds half of a surrogate pair, which is no character; "
            "write the whole character",
        ),
    ],
)
def test_malformed_json_is_refused_with_its_place(
    tmp_path: Path, content: bytes, message: str
) -> None:
    assert refusal(tmp_path, content) == message


@pytest.mark.parametrize("depth", [900, 990, 1500, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_any_depth_of_nesting_is_read_or_refused_in_one_line(
    tmp_path: Path, depth: int, opening: str, closing: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text(opening * depth + "1" + closing * depth)
    try:
        read_json(path, "a.json", RawError)
    except RawError as refused:
        assert str(refused).startswith("a.json: not JSON that can be read (")  # noqa: PT017
        assert str(refused).endswith("; restore the whole file")  # noqa: PT017


def test_an_integer_too_long_to_read_is_refused(tmp_path: Path) -> None:
    assert "not JSON that can be read" in refusal(tmp_path, "1" * 5000)


def test_a_file_over_the_limit_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strict_json, "MAX_BYTES", 10)
    message = refusal(tmp_path, '"0123456789"')
    assert message == "a.json: larger than 10 bytes; split the file"


def test_a_missing_file_and_a_folder_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^x: cannot be read \(No such file .*; check the path$"):
        read_json(tmp_path / "absent.json", "x")
    with pytest.raises(InputError, match=r"^x: cannot be read \(Is a directory\); check the path$"):
        read_json(tmp_path, "x")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(JSON)
def test_what_json_can_say_is_read_as_it_is(tmp_path_factory: Any, document: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert read_json(path, "any.json")[0] == document


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,0e9.-NaI tru\\u', max_size=40))
def test_bytes_of_any_kind_are_read_or_refused_but_never_crash(
    tmp_path_factory: Any, content: bytes | str
) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    try:
        read_json(path, "bytes.json", RawError)
    except RawError as refused:
        assert str(refused).count("; ") >= 1  # noqa: PT017


@given(st.text())
def test_pointer_escapes_can_be_undone(key: str) -> None:
    assert "/" not in escape(key)
    assert escape(key).replace("~1", "/").replace("~0", "~") == key
