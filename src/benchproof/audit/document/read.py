"""Reading a post of any format from a file, refused in one line when that cannot be."""

import codecs
from pathlib import Path

from benchproof.audit.document.html import looks_like_html, read_html
from benchproof.audit.document.markdown import read_markdown
from benchproof.audit.document.passage import Document
from benchproof.audit.document.plain import read_plain
from benchproof.errors import InputError

MAX_BYTES = 20 * 1000 * 1000
_MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".qmd", ".rmd"})
_HTML = frozenset({".html", ".htm", ".xhtml"})


def read_document(path: Path, shown: str | None = None) -> Document:
    """The document in a file; `shown` is how errors and the document itself name it.

    Markdown and HTML go by the file's suffix, and a page of HTML by its start as well; anything
    else is text that was extracted from a page.
    """
    name = shown if shown is not None else str(path)
    source = _decode(_content(path, name), name)
    suffix = path.suffix.lower()
    if suffix in _HTML or looks_like_html(source):
        document = read_html(source, name)
    elif suffix in _MARKDOWN:
        document = read_markdown(source, name)
    else:
        document = read_plain(source, name)
    if not document.passages:
        raise InputError(name, "holds no visible text", "name the file of the post")
    return document


def _content(path: Path, shown: str) -> bytes:
    try:
        if path.is_dir():
            raise InputError(shown, "is a folder", "name the file of the post")
        if path.exists() and not path.is_file():
            raise InputError(shown, "is no regular file", "save the post as a file")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(
                shown,
                f"larger than {MAX_BYTES // 1_000_000} MB",
                "leave out what is not text, such as embedded images",
            )
        return path.read_bytes()
    except OSError as bad:
        raise InputError(shown, f"cannot be read ({bad.strerror})", "check the path") from None
    except ValueError:
        raise InputError(shown, "is no path", "check the path") from None


def _decode(content: bytes, shown: str) -> str:
    """The text without a byte order mark, each line ended by a line feed alone."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as bad:
        encoding = "UTF-16" if wide else "UTF-8"
        raise InputError(
            shown, f"not {encoding} at byte {bad.start}", "save the post as UTF-8"
        ) from None
    if "\0" in text:
        raise InputError(
            shown, "is binary, not text", "name the Markdown, HTML or text of the post"
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")
