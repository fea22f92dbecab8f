"""Names from telemetry show as they are and do nothing, in every output."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pypandoc
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from report.support import LSTM, drawn, hostile_study, rendered

from benchproof.errors import RenderError
from benchproof.report.pandoc import to_gfm, to_html
from benchproof.report.render import write_document
from benchproof.report.text import escape, one_line

HOSTILE = [
    "<script>alert(1)</script>|*x*",
    "a]{.bp data-bp=\"n9\" onclick='alert(1)'}[b",
    "![x](javascript:alert(1)){onerror=x}",
    "`x`{=html} ``",
    "$x$ \\(y\\) $$z$$ \\alpha",
    "::: {.callout-note}\nx\n:::",
    "@fig-x [@key] [-@x]",
    "one\n\n# two\n\n---\ntitle: x\n---",
    "a | b | c\n|---|---|\n",
    "x[^1] \n\n[^1]: note",
    "{{ cells.count }} {% raw %}",
    'quote " and \' and \\" end',
    "<!-- x --> &lt; &amp; &#60;",
    "~~x~~ ^y^ ~z~ __w__ **v** ==u==",
    "http://example.org/x <http://example.org>",
    "- x\n- y",
    "1. x",
    "a) x",
    "# x {#id .class}",
    "\u202etxt.exe\u200b",
    "Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz",
    "\\",
    "x\\",
    "...--- ---",
    ": x",
    "| x",
    "% x",
    "=== ---",
]
TEMPLATE = """\
---
title: "About {{ machine.chip }}"
author: Ada
lang: en
---

{% set one = cells(batch=32, kind="eager") %}
Model {{ one.model }}, chip {{ machine.chip }}, text {{ one.device_text | code }}.

{{ one.model }}

## About {{ one.model }} {#sec-a}

: Caption {{ one.model }} {#tbl-a}

| Model | Text | Latency |
|-------|------|--------:|
{% for each in one %}
| {{ each.model }} | {{ each.device_text | code }} | {{ each.latency }} |
{% endfor %}

{% set alt %}A plot of {{ one.model }}.{% endset %}
{% call figure("latency", alt) %}Figure of {{ one.model }}.{% endcall %}

{% claim "x" one.latency > 0 %}It is {{ one.model }} at {{ one.latency }}.{% endclaim %}

"""


class Page(HTMLParser):
    """Tags with their attributes, and the text, of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(autouse=True)
def without_quarto(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)


def built(folder: Path, name: str) -> Path:
    """A folder with the post that names everything in the telemetry `name`."""
    document = rendered(folder, TEMPLATE, hostile_study(folder, name, name, name))
    target = folder / "post"
    write_document(document, drawn(folder / "figures", "latency"), target)
    to_html(target / "index.qmd", target / "index.html")
    to_gfm(target / "index.qmd", target / "index.md")
    return target


@pytest.fixture(scope="module")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> Page:
    folder = tmp_path_factory.mktemp("harmless")
    return Page((built(folder, "Net") / "index.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", HOSTILE)
def test_name_shows_as_it_is_and_adds_nothing_to_the_page(
    tmp_path: Path, harmless: Page, name: str
) -> None:
    post = built(tmp_path, name)
    page = Page((post / "index.html").read_text(encoding="utf-8"))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in harmless.tags]
    for (tag, found), (_, expected) in zip(page.tags, harmless.tags, strict=True):
        assert found.keys() == expected.keys(), tag
        if tag == "img" and "latency" in str(expected):
            assert found["alt"] == f"A plot of {one_line(name)}."
    assert one_line(name) in " ".join("".join(page.text).split())

    gfm = (post / "index.md").read_text(encoding="utf-8")
    back = ast(gfm, "gfm")
    assert not {"RawInline", "RawBlock", "Note", "Math"} & kinds(back)
    rows = [line for line in gfm.splitlines() if line.startswith("|")]
    assert len(rows) == 3
    front = (post / "index.qmd").read_text(encoding="utf-8").split("---\n")[1]
    assert set(yaml.safe_load(front)) == {"title", "author", "lang"}


def ast(text: str, source: str) -> dict[str, Any]:
    """What pandoc reads in a text."""
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "-f", source, "-t", "json"],
        input=text.encode(),
        capture_output=True,
        check=True,
    )
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def kinds(node: object) -> set[str]:
    """Kinds of all nodes of a pandoc document."""
    if isinstance(node, list):
        return set().union(*map(kinds, node))
    if not isinstance(node, dict):
        return set()
    own = {node["t"]} if "t" in node else set()
    return own.union(*map(kinds, node.values()))


def shown(inlines: list[dict[str, Any]]) -> str:
    return "".join(" " if part["t"] in ("Space", "SoftBreak") else part["c"] for part in inlines)


MARKS = st.text(
    st.sampled_from("ab1 \\`*_{}[]<>()#+!|~^$@\"'&=:-.,;/%?\n"), min_size=1, max_size=25
)
NAMES = st.lists(st.one_of(MARKS, st.text(max_size=20)), min_size=30, max_size=30)


@settings(max_examples=12, deadline=None)
@given(names=NAMES)
def test_escaped_text_reads_as_exactly_itself(names: list[str]) -> None:
    names = [name for name in names if one_line(name)]
    text = "".join(f"x {escape(name)} y\n\n{escape(name)}\n\n" for name in names)
    blocks = ast(text, "markdown")["blocks"]
    assert kinds(blocks) <= {"Para", "Str", "Space", "SoftBreak"}
    told = [shown(block["c"]) for block in blocks]
    expected = [each for name in names for each in (f"x {one_line(name)} y", one_line(name))]
    assert [_plain_spaces(each) for each in told] == [_plain_spaces(each) for each in expected]


def _plain_spaces(text: str) -> str:
    # pandoc keeps an abbreviation, such as "n.", together with the next word: its only change.
    return re.sub(" +", " ", text.replace(".\u00a0", ". "))


def test_number_may_stand_in_a_quoted_title(tmp_path: Path) -> None:
    qmd = rendered(tmp_path, f'---\ntitle: "At {{{{ {LSTM}.latency }}}}"\n---\n').qmd
    title = yaml.safe_load(qmd.split("---\n")[1])["title"]
    assert title == 'At [1.77 ms]{.bp data-bp="n1"}'


def test_figure_is_a_light_and_a_dark_image_with_one_alternative_text(tmp_path: Path) -> None:
    alt = f'{{% set alt %}}From "{{{{ {LSTM}.latency | bare }}}}".{{% endset %}}'
    call = '{% call figure("latency", alt) %}A caption.{% endcall %}'
    assert rendered(tmp_path, f"{alt}\n{call}\n").qmd == (
        "::: {#fig-latency}\n::: {.light-content}\n"
        '![](figures/latency-light.svg){fig-alt="From &quot;1.77 ms&quot;." '
        'alt="From &quot;1.77 ms&quot;."}\n:::\n::: {.dark-content}\n'
        '![](figures/latency-dark.svg){fig-alt="From &quot;1.77 ms&quot;." '
        'alt="From &quot;1.77 ms&quot;."}\n:::\n\nA caption.\n:::\n'
    )


def test_figures_that_the_post_shows_are_copied_and_no_others(tmp_path: Path) -> None:
    document = rendered(tmp_path, '{% call figure("latency", "A plot.") %}x{% endcall %}')
    write_document(document, tmp_path / "figures", tmp_path / "post")
    names = {path.name for path in (tmp_path / "post/figures").iterdir()}
    assert {"latency-light.svg", "latency-dark.svg", "latency-light.png"} <= names
    assert not any("roofline" in name for name in names)


def test_name_that_looks_like_a_shortcode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="a Quarto shortcode"):
        built(tmp_path, "{{< include /etc/passwd >}}")
