"""How `index.qmd` becomes one self-contained `index.html` and a plain `index.md`.

HTML goes through Quarto where it is installed, and through pandoc with our filter otherwise. GFM
always goes through pandoc: Quarto's own GFM keeps a raw `<span>` around every bound number.
"""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pypandoc  # type: ignore[import-untyped]

from benchproof.errors import RenderError
from benchproof.files import write_atomically

ASSETS = Path(__file__).with_name("assets")
STYLESHEET = "benchproof.css"
AFTER_BODY = "after-body.html"
TIMEOUT_S = 120

# Attributes through which a browser loads something; a link's href is prose, not a load.
LOADING_ATTRIBUTES = ("src", "srcset", "poster", "data", "background")
LOADING_LINKS = ("link", "image", "use")
SCHEMES = ("", "http", "https", "mailto")
LOADING_CSS = re.compile(r"@import|url\(\s*['\"]?(?!data:|#)", re.IGNORECASE)
WARNING = re.compile(r"^\s*\[?(?:WARN(?:ING)?|ERROR)\b")
FILTER_PREFIX = re.compile(r"\[WARNING\]\s*(?:Scripting warning at .*? line \d+ column \d+:)?\s*")
TERMINAL_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

GFM_OPTIONS = (
    "--to=gfm-raw_html-tex_math_gfm+tex_math_dollars",
    "--wrap=none",
)
HTML_OPTIONS = (
    "--to=html5",
    "--wrap=preserve",
    "--standalone",
    "--toc",
    "--toc-depth=3",
    "--mathml",
    f"--template={ASSETS / 'post.html'}",
    f"--include-after-body={AFTER_BODY}",
)


def to_html(source: Path, target: Path) -> None:
    """Write the post at `source` as one HTML file that loads nothing from outside.

    The source's folder holds `benchproof.css`, `after-body.html` and the figures. Raises
    `RenderError` for a missing file, image, reference or duplicate id; `target` stays as it was.
    """
    require_files(source, (STYLESHEET, AFTER_BODY))
    quarto = shutil.which("quarto")
    text = run_quarto(quarto, source) if quarto else run_pandoc(source, HTML_OPTIONS)
    check_page(source, text)
    write_atomically(target, text)


def to_gfm(source: Path, target: Path) -> None:
    """Write the post at `source` as GitHub-flavoured Markdown without any raw HTML.

    Figures become PNG images with an italic caption, callouts become alerts. Raises `RenderError`
    as `to_html` does.
    """
    require_files(source, ())
    write_atomically(target, run_pandoc(source, GFM_OPTIONS))


def require_files(source: Path, neighbours: Sequence[str]) -> None:
    """Raise unless the source and the files that it needs beside it exist."""
    for path in (source, *(source.parent / name for name in neighbours)):
        if not path.is_file():
            raise RenderError(f"{path}: no such file; run `benchproof render` for this post first")


def run_pandoc(source: Path, options: Sequence[str]) -> str:
    """What pandoc and our filter make of the source, as text; any warning raises."""
    command = [
        pandoc_path(),
        "--from=markdown-raw_html-raw_attribute-raw_tex-native_divs-native_spans",
        "--fail-if-warnings",
        f"--lua-filter={ASSETS / 'crossref.lua'}",
        *options,
        *bibliography_options(source),
        source.name,
    ]
    done = run(command, source)
    refuse_messages(source, "pandoc", done)
    return done.stdout


def run_quarto(quarto: str, source: Path) -> str:
    """What Quarto makes of the source, as HTML text; any warning raises, though Quarto exits 0."""
    rendered = source.with_name(f".{source.stem}.quarto.html")
    command = [
        quarto,
        "render",
        source.name,
        "--to",
        "html",
        "--output",
        rendered.name,
        "--no-execute",
    ]
    try:
        refuse_messages(source, "quarto", run(command, source))
        if not rendered.is_file():
            raise RenderError(
                f"{source}: quarto wrote no {rendered.name}; run it by hand to see why"
            )
        return rendered.read_text(encoding="utf-8")
    finally:
        rendered.unlink(missing_ok=True)


def pandoc_path() -> str:
    """The pandoc that pypandoc brings, or the one on PATH."""
    try:
        return str(pypandoc.get_pandoc_path())
    except OSError as error:
        raise RenderError("pandoc: not found; install pypandoc_binary or pandoc") from error


def bibliography_options(source: Path) -> tuple[str, ...]:
    """`--citeproc` for a post whose front matter names a bibliography; it costs time otherwise."""
    front_matter = source.read_text(encoding="utf-8").split("\n---", 1)[0]
    return ("--citeproc",) if re.search(r"^bibliography:", front_matter, re.MULTILINE) else ()


def run(command: Sequence[str], source: Path) -> subprocess.CompletedProcess[str]:
    """The finished process, run in the source's folder."""
    try:
        return subprocess.run(
            command,
            cwd=source.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RenderError(
            f"{source}: {Path(command[0]).name} took over {TIMEOUT_S} s; make the post smaller"
        ) from error
    except OSError as error:
        raise RenderError(
            f"{command[0]}: cannot be run ({error.strerror}); reinstall it"
        ) from error


def refuse_messages(source: Path, tool: str, done: subprocess.CompletedProcess[str]) -> None:
    """Raise if the tool failed or warned, naming each warning once."""
    messages = TERMINAL_COLOURS.sub("", done.stderr).strip()
    # pandoc continues a message on indented lines.
    lines = re.sub(r"\n  +", " ", messages).splitlines()
    warnings = [line for line in lines if WARNING.match(line)]
    if done.returncode == 0 and not warnings:
        return
    told = dict.fromkeys(FILTER_PREFIX.sub("", line).strip() for line in warnings or lines)
    problems = "\n  ".join(told) or f"exit status {done.returncode} without a message"
    raise RenderError(
        f"{source}: {tool} refused it; correct this in the post's template:\n  {problems}"
    )


def check_page(source: Path, page: str) -> None:
    """Raise if the page repeats an id, links to a missing one, or would load something."""
    parts = PageParts()
    parts.feed(page)
    parts.close()
    problems = [
        *repeated_ids(parts),
        *missing_targets(parts),
        *outside_loads(parts),
        *active(parts),
    ]
    if problems:
        listed = "\n  ".join(problems)
        raise RenderError(
            f"{source}: its page is broken; correct this in the template:\n  {listed}"
        )


class PageParts(HTMLParser):
    """The ids, link targets, loaded addresses and styles of a page, in document order."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.styles: list[str] = []
        self.handlers: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Sort the attributes of one element."""
        self._in_style = tag == "style"
        for name, value in attrs:
            self._sort(tag, name, value or "")

    def handle_data(self, data: str) -> None:
        """Keep the text of a style element."""
        if self._in_style:
            self.styles.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Leave the style element."""
        if tag == "style":
            self._in_style = False

    def _sort(self, tag: str, name: str, value: str) -> None:
        if name == "id":
            self.ids.append(value)
        elif name == "style":
            self.styles.append(value)
        elif name in LOADING_ATTRIBUTES or (tag in LOADING_LINKS and name.endswith("href")):
            self.loads.append(value)
        elif name == "href":
            self.links.append(value)
        elif name.startswith("on"):
            self.handlers.append(name)


def repeated_ids(parts: PageParts) -> Iterator[str]:
    """One sentence for each id that stands on more than one element."""
    for identifier, count in Counter(parts.ids).items():
        if count > 1:
            yield f"duplicate id #{identifier} ({count} times); give every element its own"


def missing_targets(parts: PageParts) -> Iterator[str]:
    """One sentence for each link into the page that leads nowhere."""
    known = {"", "top", *parts.ids}
    for target in dict.fromkeys(parts.links):
        if target.startswith("#") and unquote(target[1:]) not in known:
            yield f"link to {target}, which is not on the page; correct the id"


def active(parts: PageParts) -> Iterator[str]:
    """One sentence for each handler, and for each link that is no address to read."""
    for name in dict.fromkeys(parts.handlers):
        yield f"an attribute {name} would run code; leave it out"
    for target in dict.fromkeys(parts.links):
        scheme = urlsplit("".join(target.split())).scheme.lower()
        if scheme not in SCHEMES:
            yield f"link to {target[:200]}; link to http, mailto, a file or a heading"


def outside_loads(parts: PageParts) -> Iterator[str]:
    """One sentence for everything that a browser would fetch to show the page."""
    for address in parts.loads:
        if address and not address.startswith(("data:", "#")):
            yield f"{address[:200]} is loaded from outside; copy it to figures/ and use ![]()"
    if any(LOADING_CSS.search(css) for css in parts.styles):
        yield "a style loads a file (@import or url); put it into benchproof.css as a data: URL"
