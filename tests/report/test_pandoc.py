"""What a post looks like after pandoc: pages without gaps, Markdown without HTML."""

import re
import shutil
from pathlib import Path

import pytest

from benchproof.errors import RenderError
from benchproof.report.pandoc import ASSETS, to_gfm, to_html

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>'
FRONT_MATTER = """\
---
title: "GPU: fast?"
subtitle: Numbers
date: 2026-03-04
author: Ada
lang: en
---

"""
PNG = b"\x89PNG\r\n\x1a\n"

FIGURE = """\
::: {#fig-roofline}
::: {.light-content}
![](figures/roofline-light.svg){fig-alt="A roof" alt="A roof"}
:::
::: {.dark-content}
![](figures/roofline-dark.svg){fig-alt="A roof" alt="A roof"}
:::

PyTorch reaches [4.81 ms]{.bp data-bp="n3"}.
:::
"""
SINGLE_FIGURE = (
    '![Scaling.](figures/roofline-light.svg){#fig-scaling fig-alt="A line" alt="A line"}\n'
)
TABLE = """\
| Model | PyTorch | JAX | MLX and a heading that makes this row longer than columns |
|:---|---:|---:|---:|
| MLP | [4.81 ms]{.bp data-bp="n1"} | [5 ms]{.bp data-bp="n2"} | **[6 ms]{.bp data-bp="n4"}** |

: Latency at batch [32]{.bp data-bp="n5"}. {#tbl-latency}
"""
CALLOUT = '::: {.callout-note}\n**One round.** It may move by [3 %]{.bp data-bp="n6"}.\n:::\n'
CLAIM = '[PyTorch wins [4]{.bp data-bp="n7"}.]{.bp-claim data-claim="wins"}\n'


def make_post(folder: Path, body: str) -> Path:
    """A post's source in `folder`, with every file that rendering needs beside it."""
    figures = folder / "figures"
    figures.mkdir(exist_ok=True)
    for name in ("roofline-light", "roofline-dark"):
        (figures / f"{name}.svg").write_text(SVG, encoding="utf-8")
        (figures / f"{name}.png").write_bytes(PNG)
    (folder / "benchproof.css").write_bytes((ASSETS / "benchproof.css").read_bytes())
    script = (ASSETS / "benchproof.js").read_text(encoding="utf-8")
    data = '<script type="application/json" id="bp-numbers">{"numbers":{},"claims":{}}</script>'
    after_body = f"{data}\n<script>\n{script}</script>\n"
    (folder / "after-body.html").write_text(after_body, encoding="utf-8")
    source = folder / "index.qmd"
    source.write_text(FRONT_MATTER + body, encoding="utf-8")
    return source


def html_of(folder: Path, body: str) -> str:
    target = folder / "index.html"
    to_html(make_post(folder, body), target)
    return target.read_text(encoding="utf-8")


def gfm_of(folder: Path, body: str) -> str:
    target = folder / "index.md"
    to_gfm(make_post(folder, body), target)
    return target.read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def without_quarto(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)


def test_page_numbers_figures_and_tables_and_links_to_them(tmp_path: Path) -> None:
    references = "See @fig-scaling, [-@fig-roofline], @tbl-latency.\n"
    page = html_of(tmp_path, "\n".join((references, FIGURE, SINGLE_FIGURE, TABLE)))
    assert '<a href="#fig-scaling" class="bp-ref">Figure\u00a02</a>' in page
    assert '<a href="#fig-roofline" class="bp-ref">1</a>' in page
    assert '<a href="#tbl-latency" class="bp-ref">Table\u00a01</a>' in page
    assert page.count('<figure id="fig-roofline">') == 1
    assert '<span class="bp-label">Figure\u00a01:</span> PyTorch reaches' in page
    assert '<figure id="tbl-latency" class="bp-table">' in page


def test_page_keeps_every_binding(tmp_path: Path) -> None:
    heading = '## At [7 ms]{.bp data-bp="n8"} {#sec-x}\n\nSee @sec-x.[^a]\n'
    footnote = '[^a]: [9]{.bp data-bp="n9"}\n'
    page = html_of(tmp_path, "\n".join((heading, footnote, FIGURE, TABLE, CALLOUT, CLAIM)))
    bound = set(re.findall(r'<span class="bp"\s+data-bp="(n\d+)">', page))
    assert bound == {f"n{i}" for i in range(1, 10)}
    assert '<span class="bp-claim" data-claim="wins">' in page
    assert '<a href="#sec-x" class="bp-ref">At 7 ms</a>' in page


def test_page_embeds_both_figures_and_loads_nothing(tmp_path: Path) -> None:
    page = html_of(tmp_path, FIGURE)
    assert page.count('src="data:image/svg+xml;base64,') == 2
    assert page.count('alt="A roof"') == 2
    assert "figures/" not in page


def test_table_columns_take_their_natural_width(tmp_path: Path) -> None:
    page = html_of(tmp_path, TABLE)
    assert "<col " not in page
    assert page.index("</figcaption>") < page.index('<div class="bp-scroll">')


def test_callout_becomes_an_aside(tmp_path: Path) -> None:
    page = html_of(tmp_path, CALLOUT + "\n::: {.callout-tip}\nRun it.\n:::\n")
    assert '<aside class="callout callout-note" role="note" aria-label="Note">' in page
    assert "<strong>Tip.</strong> Run it." in page


def test_long_bound_text_may_break(tmp_path: Path) -> None:
    page = html_of(tmp_path, '[between 4.81 ms and 5.92 ms at batch 32]{.bp data-bp="n1"}\n')
    assert 'class="bp bp-long"' in page


def test_same_source_gives_same_bytes(tmp_path: Path) -> None:
    body = FIGURE + "\n" + TABLE
    assert html_of(tmp_path, body) == html_of(tmp_path, body)
    assert gfm_of(tmp_path, body) == gfm_of(tmp_path, body)


def test_gfm_is_plain_markdown(tmp_path: Path) -> None:
    heading = "## Why & how? {#sec-m}\n"
    parts = ("See @fig-roofline and @sec-m.\n", FIGURE, TABLE, CALLOUT, CLAIM, heading)
    body = "\n".join(parts)
    assert gfm_of(tmp_path, body) == (
        "# GPU: fast?\n\n*Numbers*\n\nAda · 2026-03-04\n\n"
        "See Figure 1 and [Why & how?](#why--how).\n\n"
        "![A roof](figures/roofline-light.png)\n\n"
        "*Figure 1: PyTorch reaches 4.81 ms.*\n\n"
        "*Table 1: Latency at batch 32.*\n\n"
        "| Model | PyTorch | JAX | MLX and a heading that makes this row longer than columns |\n"
        "|:---|---:|---:|---:|\n"
        "| MLP | 4.81 ms | 5 ms | **6 ms** |\n\n"
        "> [!NOTE]\n> **One round.** It may move by 3 %.\n\n"
        "PyTorch wins 4.\n\n"
        "## Why & how?\n"
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("See @fig-none.", "unresolved reference @fig-none; give its target the id #fig-none"),
        ("See @sec-none.", "unresolved reference @sec-none"),
        ("By @somebody.", "citation @somebody without a bibliography"),
        ("![T](figures/none.svg)", "image figures/none.[a-z]+ is missing; make the figures first"),
        ("a ![T](https://example.org/a.png)", "is outside the post's folder"),
        ("a ![T](../../secret.png)", "is outside the post's folder"),
        ("a ![T](/etc/passwd)", "is outside the post's folder"),
        ("a ![](figures/roofline-light.svg)", "has no alternative text; add fig-alt and alt"),
        ("![T](figures/roofline-light.svg){#fig-x}", "only repeats its caption"),
        (SINGLE_FIGURE + "\n" + SINGLE_FIGURE, "duplicate id #fig-scaling"),
        ("## A {#sec-a}\n\n## B {#sec-a}", "duplicate id #sec-a"),
        ("{{< include a.md >}}", "a Quarto shortcode"),
    ],
)
def test_what_would_be_silently_wrong_is_refused(tmp_path: Path, body: str, message: str) -> None:
    for render in (html_of, gfm_of):
        with pytest.raises(RenderError, match=message):
            render(tmp_path, body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("[a]{#one} [b]{#one}", r"duplicate id #one \(2 times\)"),
        ("[there](#nowhere)", "link to #nowhere, which is not on the page"),
        ("[x](javascript:alert)", "link to javascript:alert"),
        ("[x]{onclick=go}", "attribute onclick would run code"),
        ("[x]{style='background:url(http://example.org/a.png)'}", "a style loads a file"),
    ],
)
def test_page_with_gaps_or_loads_is_refused(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(RenderError, match=message):
        html_of(tmp_path, body)


def test_raw_html_is_shown_as_text(tmp_path: Path) -> None:
    body = 'A <script>alert(1)</script> and <img src="http://example.org/a.png" alt="a">.'
    page = html_of(tmp_path, body)
    assert "&lt;script&gt;" in page
    assert "<img" not in page


def test_gfm_refuses_a_table_that_it_cannot_show(tmp_path: Path) -> None:
    grid = """\
+-----+-----+
| a   | b   |
+=====+=====+
| 1   | - x |
|     | - y |
+-----+-----+
"""
    with pytest.raises(RenderError, match="has a cell that GFM cannot show; use one line a cell"):
        gfm_of(tmp_path, grid)


def test_failed_rendering_keeps_the_old_page(tmp_path: Path) -> None:
    old = html_of(tmp_path, "Fine.")
    with pytest.raises(RenderError):
        html_of(tmp_path, "See @fig-none.")
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == old


@pytest.mark.parametrize("name", ["index.qmd", "benchproof.css", "after-body.html"])
def test_missing_neighbour_is_named(tmp_path: Path, name: str) -> None:
    source = make_post(tmp_path, "Fine.")
    (tmp_path / name).unlink()
    with pytest.raises(RenderError, match=f"{name}: no such file; run `benchproof render`"):
        to_html(source, tmp_path / "index.html")


def use_fake_quarto(monkeypatch: pytest.MonkeyPatch, folder: Path, messages: str) -> None:
    """Let `quarto render SOURCE --to html --output NAME` write a page and say `messages`."""
    script = folder / "fake-quarto"
    page = """echo '<p id="q">by quarto</p>' > "$6\""""
    script.write_text(f"#!/bin/sh\n{page}\nprintf '%s\\n' '{messages}' >&2\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda _name: str(script))


def test_quarto_renders_the_page_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_fake_quarto(monkeypatch, tmp_path, "title: WARNING signs")
    assert "by quarto" in html_of(tmp_path, "Fine.")
    assert not list(tmp_path.glob(".index*"))


def test_a_warning_of_quarto_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_fake_quarto(monkeypatch, tmp_path, "[WARNING] Unable to resolve crossref @fig-x")
    with pytest.raises(RenderError, match=r"quarto refused it; .*\n.*crossref @fig-x"):
        html_of(tmp_path, "Fine.")
