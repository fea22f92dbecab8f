"""Digits and number words in a template's text fail the build, wherever they stand."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report.support import TEMPLATE, refusal, rendered

from benchproof.report.lint import stray_numbers

DIGITS = ["4", "٤", "\uff14", "½", "²", "Ⅳ", "四", "४", "①", "₂", "⅔", "&frac12;", "&#52;"]
WORDS = [
    "one", "Two", "FOUR", "half", "twice", "a third", "two-thirds", "twofold", "tenfold", "dozen",
    "thirty-four", "thousands", "tripled", "quarter", "zero", "top-four", "_two_",
    "**two**", "a fifth", "fo\u00adur", "fo\u200bur", "ﬁve",
]  # fmt: skip
NO_NUMBERS = [
    "someone", "often", "stone", "threshold", "manifold", "unfold", "Anyone", "tension", "weight",
    "height", "network", "none", "phone", "content", "scaffold", "the third row", "second thoughts",
    "first", "bone-dry", "attention", "freight",
]  # fmt: skip

PLACES = {
    "prose": "It takes {} of them.\n",
    "heading": "## The {} cases {{#sec-cases}}\n",
    "table cell": "| a | b |\n|---|---|\n| x | {} |\n",
    "caption": "| a |\n|---|\n| x |\n\n: Table of {} {{#tbl-x}}\n",
    "figure caption": '{{% call figure("latency", "A plot.") %}}With {} bars.{{% endcall %}}\n',
    "alt text attribute": '![](figures/latency-light.svg){{fig-alt="A plot of {}" alt="A plot"}}\n',
    "alt text set": "{{% set alt %}}A plot of {}.{{% endset %}}\n{{{{ alt }}}}\n",
    "front matter": '---\ntitle: "The {} cases"\n---\n',
    "raw block": "{{% raw %}}A {} here.{{% endraw %}}\n",
    "claim": '{{% claim "x" cells.count > 3 %}}It wins {} times.{{% endclaim %}}\n',
    "macro": "{{% macro m() %}}It wins {} times.{{% endmacro %}}\n",
    "untaken branch": "{{% if false %}}It wins {} times.{{% endif %}}\n",
    "html comment": "<!-- {} -->\n",
    "code": "`{}`\n",
    "link": "[a](https://example.org/{})\n",
    "last line": "At {}",
}


@pytest.mark.parametrize("number", DIGITS + WORDS)
def test_number_in_text_is_refused(tmp_path: Path, number: str) -> None:
    bad = refusal(tmp_path, f"Line.\n\nIt takes {number} of them.\n")
    assert bad.where.endswith("post.j2:3")
    assert "number in the text that nothing binds" in bad.what
    assert "line 3" in bad.what


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("number", ["17", "Two", "½"])
def test_number_is_refused_in_every_place(tmp_path: Path, place: str, number: str) -> None:
    text = "No number.\n" + PLACES[place].format(number)
    bad = refusal(tmp_path, text)
    line = next(i for i, line in enumerate(text.split("\n"), 1) if number in line)
    assert bad.where.endswith(f"post.j2:{line}")
    assert repr(number) in bad.what


@pytest.mark.parametrize("word", NO_NUMBERS)
def test_word_that_only_looks_like_a_number_passes(tmp_path: Path, word: str) -> None:
    assert word in rendered(tmp_path, f"It is {word} here.\n").qmd


def test_number_in_a_comment_or_an_argument_passes(tmp_path: Path) -> None:
    template = '{## 5 of them, or two ##}\n{% set x = cells(batch=32).count_of("model") %}\nText.\n'
    assert rendered(tmp_path, template).qmd == "Text.\n"


@pytest.mark.parametrize(
    "template",
    [
        '{% include "part.j2" %}',
        '{% set name = "part" ~ ".j2" %}{% include name %}',
        '{% include ["none.j2", "part.j2"] %}',
        '{% from "part.j2" import m %}{{ m() }}',
        '{% import "part.j2" as part %}{{ part.m() }}',
        '{% extends "part.j2" %}',
    ],
)
def test_number_in_another_template_is_refused_there(tmp_path: Path, template: str) -> None:
    bad = refusal(tmp_path, template, part="{% macro m() %}\nAll 12 of them.\n{% endmacro %}\n")
    assert bad.where.endswith("part.j2:2")
    assert "'12'" in bad.what


def test_every_stray_is_told_at_once(tmp_path: Path) -> None:
    bad = refusal(tmp_path, "a 1\nb 2\n" + "c 3\n" * 12)
    assert "line 1: '1'; line 2: '2'" in bad.what
    assert "and 4 more" in bad.what
    assert 'literal("...", reason="...")' in bad.remedy


def test_private_characters_cannot_pose_as_bound_text(tmp_path: Path) -> None:
    bad = refusal(tmp_path, "{{ cells.count }}\n\U000f0000\n")
    assert bad.where.endswith("post.j2:2")
    assert "private character" in bad.what
    assert "that nothing binds" in refusal(tmp_path, '{{ "\\U000f0000" }}\n').what


def test_real_template_is_clean() -> None:
    text = "Somebody's network attention often loses tension, none of it on its own."
    assert list(stray_numbers(text)) == []
    assert TEMPLATE.is_file()


NUMBERS = st.one_of(
    st.integers().map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(lambda d: f"{Decimal(d):f}"),
    st.integers(min_value=0).map(lambda i: f"{i:,}"),
)
WORD_TEXT = st.text(st.sampled_from("abc .,\n*|"), max_size=30)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(number=NUMBERS, before=WORD_TEXT, after=WORD_TEXT)
def test_any_number_in_any_text_is_refused_by_line(
    tmp_path: Path, number: str, before: str, after: str
) -> None:
    text = f"{before} {number} {after}\n"
    bad = refusal(tmp_path, text)
    line = text[: text.index(number)].count("\n") + 1
    digits = number.lstrip("-")
    assert bad.where == f"{tmp_path}/templates/post.j2:{line}"
    assert f"line {line}: '{digits}'" in bad.what
