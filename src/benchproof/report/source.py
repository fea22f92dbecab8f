"""What a rendered source may hold: Markdown and known settings, nothing that runs or fetches.

Templates may be a stranger's. Quarto runs code cells, filters and includes that a source names,
and a browser runs scripts, handlers and `javascript:` links; a post needs none of them.
"""

import re
from collections.abc import Iterator

import yaml

from benchproof.errors import TemplateError

_TOP = frozenset(
    [
        "title",
        "subtitle",
        "date",
        "date-format",
        "author",
        "description",
        "abstract",
        "keywords",
        "categories",
        "lang",
        "engine",
        "format",
        "toc",
        "html-math-method",
    ]
)
_HTML = frozenset(
    [
        "theme",
        "css",
        "include-after-body",
        "embed-resources",
        "toc",
        "toc-depth",
        "number-sections",
        "html-math-method",
    ]
)
_FIXED = {
    "css": "benchproof.css",
    "include-after-body": "after-body.html",
    "engine": "markdown",
    "theme": "default",
    "html-math-method": "mathml",
}
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---(?:\n|\Z)", re.DOTALL)
_CODE = re.compile(r"(?<![\\`])(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
_CELL = re.compile(r"^[\s>]*(?:`{3,}|~{3,})\s*\{[^.#}][^\n]*", re.MULTILINE)
_INLINE_CELL = re.compile(r"\{\w+\}|r\s")  # `{python} x` and the older `r x`
_RAW = re.compile(r"`\{=\w+\}")
_TAG = re.compile(r"(?<!\\)<(?=[A-Za-z/!?])(?!(?:https?://|mailto:)[^\s<>]*>)[^\n]{0,40}")
_TARGET = re.compile(r"(?<!\\)\]\(\s*<?([^)\s>]*)|^\s*\[[^\]]+\]:\s*<?(\S+)", re.MULTILINE)
_SAFE_TARGET = re.compile(r"(?:https?://|mailto:|#)[^\s]*|[^:&\\]*|[^:&\\/]*/[^\s&]*")
_REFERENCE = re.compile(r"(?<![\w\\.])@((?:fig|tbl|sec)-[\w-]*\w)")


def refuse_unsafe(source: str, where: str) -> None:
    """TemplateError for the first thing in a rendered source that a post may not hold."""
    for what, remedy in (*_settings(source), *_text(_FRONT_MATTER.sub("", source, count=1))):
        raise TemplateError(where, what, remedy)


def _settings(source: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the front matter."""
    found = _FRONT_MATTER.match(source)
    try:
        settings = yaml.safe_load(found.group(1)) if found else {}
    except (yaml.YAMLError, ValueError, RecursionError) as bad:
        told = " ".join(str(bad).split())[:200]
        yield f"the front matter is no YAML ({told})", "quote titles that hold a colon"
        return
    if not isinstance(settings, dict):
        yield "the front matter is no mapping", "write `key: value` lines"
        return
    formats = settings.get("format", {})
    formats = formats if isinstance(formats, dict) else {formats: "default"}
    html = formats.get("html", {})
    html = html if isinstance(html, dict) else {}
    unknown = [key for key in settings if key not in _TOP]
    unknown += [f"format/{key}" for key in formats if key not in ("html", "gfm")]
    unknown += [f"format/html/{key}" for key in html if key not in _HTML]
    for key in unknown:
        yield f"setting {key!r} in the front matter is none of a post's", "leave it out"
    for key, value in (*settings.items(), *html.items()):
        if key in _FIXED and value != _FIXED[key]:
            yield f"setting {key!r} is {value!r}", f"write {_FIXED[key]}"


def _text(text: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the text behind the front matter."""
    cells = [found.group() for found in _CELL.finditer(text)]
    cells += [code for _, code in _CODE.findall(text) if _INLINE_CELL.match(code)]
    prose = _CODE.sub("`", text)
    cells += _RAW.findall(prose)
    for cell in cells:
        yield f"{cell.strip()!r} would be run, or passed on raw", "write Markdown"
    tag = _TAG.search(prose)
    if tag:
        yield f"raw HTML {tag.group()!r}", "write Markdown, or \\< for the sign"
    for first, second in _TARGET.findall(prose):
        if not _SAFE_TARGET.fullmatch(first or second):
            yield f"link to {first or second!r}", "link to http, mailto, a file or a heading"
    for name in _REFERENCE.findall(prose):
        if f"#{name}" not in text:
            yield f"@{name} refers to nothing", f"give a figure, table or heading {{#{name}}}"
