"""Which format a file is read as, and how a file that cannot be read is refused."""

from pathlib import Path

import pytest

from benchproof.audit.document.passage import Place
from benchproof.audit.document.read import MAX_BYTES, read_document
from benchproof.errors import InputError


def saved(tmp_path: Path, name: str, content: bytes | str) -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_document(path, "post")
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", "**5** ms"),
        ("a.qmd", "---\nlang: en\n---\n\n**5** ms"),
        ("a.Rmd", "**5** ms"),
        ("a.markdown", "**5** ms"),
        ("a.html", "<b>5</b> ms"),
        ("a.HTM", "<b>5</b> ms"),
        ("a.txt", "<!DOCTYPE html><b>5</b> ms"),
        ("a", "\n<html><b>5</b> ms"),
        ("a.txt", "5 ms"),
        ("a.rst", "5 ms"),
    ],
)
def test_a_file_is_read_by_its_name_and_its_start(tmp_path: Path, name: str, content: str) -> None:
    document = read_document(saved(tmp_path, name, content))
    assert [passage.text for passage in document.passages] == ["5 ms"]
    assert document.path == str(tmp_path / name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_are_told_by_their_marks(tmp_path: Path, encoding: str) -> None:
    document = read_document(saved(tmp_path, "a.md", "x\r\n\r\n8 µs".encode(encoding)))
    assert document.passages[1].text == "8 µs"
    assert document.passages[0].place(0) == Place(1, 1)
    assert document.passages[1].place(2) == Place(3, 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "post: holds no visible text; name the file of the post"),
        (b"<!-- x -->\n", "post: holds no visible text; name the file of the post"),
        (b"5 ms\0", "post: is binary, not text; name the Markdown, HTML or text of the post"),
        (b"5 \xe9", "post: not UTF-8 at byte 2; save the post as UTF-8"),
        (b"\xff\xfea", "post: not UTF-16 at byte 2; save the post as UTF-8"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    assert refusal(saved(tmp_path, "a.md", content)) == message


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a.md") == (
        "post: cannot be read (No such file or directory); check the path"
    )
    assert refusal(tmp_path) == "post: is a folder; name the file of the post"


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert refusal(path) == (
        "post: larger than 20 MB; leave out what is not text, such as embedded images"
    )
