"""A rendered source holds Markdown and a post's settings: nothing that runs or fetches."""

import pytest

from benchproof.errors import TemplateError
from benchproof.report.source import refuse_unsafe

FRONT = "---\ntitle: A\nformat:\n  html:\n    css: benchproof.css\n---\n"


@pytest.mark.parametrize(
    "text",
    [
        "See @fig-x.\n\n::: {#fig-x}\n:::\n",
        "`<script>` and `a {python} b` and \\<b> and 3 < 4 and a <https://example.org/x?y=1>",
        "[a](https://example.org/#b) [c](#d) [e](figures/x.svg) [f](mailto:a@example.org)",
        "``` {.python}\nx\n```\n",
    ],
)
def test_markdown_passes(text: str) -> None:
    refuse_unsafe(FRONT + text, "t")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a <script>alert(1)</script>", "raw HTML '<script>"),
        ("a </div>", "raw HTML"),
        ("a <!-- b -->", "raw HTML"),
        ("a\n<img src=x onerror=y>", "raw HTML"),
        ("`open\n\n<b>not code</b>`", "raw HTML"),
        ("[x](javascript:alert(1))", "link to 'javascript:alert(1'"),
        ("[x]( JavaScript:alert(1))", "link to"),
        ("[x](java&Tab;script:a)", "link to"),
        ("[x](data:text/html,a)", "link to"),
        ("[x][y]\n\n[y]: javascript:a\n", "link to 'javascript:a'"),
        ("```{python}\n1\n```", "would be run"),
        ("> ~~~ {r}\n> 1\n> ~~~", "would be run"),
        ("a `{python} 1` b", "would be run"),
        ("a `<b>`{=html} b", "passed on raw"),
        ("```{=html}\n<b>\n```", "passed on raw"),
        ("See @tbl-none.", "@tbl-none refers to nothing"),
    ],
)
def test_what_runs_or_leads_nowhere_is_refused(text: str, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        refuse_unsafe(FRONT + text, "templates/p.qmd.j2")
    assert message in str(caught.value)
    assert str(caught.value).startswith("templates/p.qmd.j2: ")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("filters: [evil.lua]", "setting 'filters'"),
        ("bibliography: /etc/passwd", "setting 'bibliography'"),
        ("engine: jupyter", "setting 'engine' is 'jupyter'"),
        ("format:\n  html:\n    include-in-header: x", "setting 'format/html/include-in-header'"),
        ("format:\n  html:\n    css: http://example.org/x.css", "setting 'css'"),
        ("format:\n  pdf: default", "setting 'format/pdf'"),
        ("title: a: b", "the front matter is no YAML"),
        ("- a", "the front matter is no mapping"),
    ],
)
def test_settings_that_a_post_does_not_need_are_refused(settings: str, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        refuse_unsafe(f"---\n{settings}\n---\ntext\n", "t")
    assert message in str(caught.value)
