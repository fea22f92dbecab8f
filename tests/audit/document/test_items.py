"""What the items of lists and definitions stand under."""

import pytest
from audit.document.documents import html, markdown

from benchproof.audit.document.passage import Document


def parents(document: Document) -> dict[str, str | None]:
    """The text of each passage with that of what it stands under."""
    passages = document.passages
    return {
        passage.text: None if passage.parent is None else passages[passage.parent].text
        for passage in passages
    }


NESTED = {"a": None, "b": "a", "c": "b", "d": "a", "e": None}


@pytest.mark.parametrize(
    "source",
    [
        "- a\n  - b\n    - c\n  - d\n- e\n",
        "1. a\n   * b\n     1) c\n   * d\n2. e\n",
        "> - a\n>   - b\n>     - c\n>   - d\n> - e\n",
        "- a\n\n  - b\n\n    - c\n\n  - d\n\n- e\n",
    ],
)
def test_an_item_of_markdown_stands_under_the_one_around_its_list(source: str) -> None:
    assert parents(markdown(source)) == NESTED


@pytest.mark.parametrize(
    "source",
    [
        "<ul><li>a<ul><li>b<ol><li>c</ol><li>d</ul><li>e</ul>",
        "<ol><li><p>a</p><ul><li>b<menu><li>c</menu></li><li>d</li></ul></li><li>e</li></ol>",
        "<ul><li><b>a</b><div><ul><li>b<ul><li>c</ul><li>d</ul></div><li>e</ul>",
    ],
)
def test_an_item_of_html_stands_under_the_one_around_its_list(source: str) -> None:
    assert parents(html(source)) == NESTED


DEFINED = {"Term": None, "one": "Term", "two": "Term", "Other": None, "three": "Other"}


def test_a_definition_of_markdown_stands_under_its_term() -> None:
    assert parents(markdown("Term\n: one\n: two\n\nOther\n\n: three\n")) == DEFINED


@pytest.mark.parametrize(
    "source",
    [
        "<dl><dt>Term<dd>one<dd>two<dt>Other<dd>three</dl>",
        "<dl><div><dt>Term</dt><dd>one</dd><dd>two</dd></div>"
        "<div><dt>Other</dt><dd>three</dd></div></dl>",
    ],
)
def test_a_definition_of_html_stands_under_its_term(source: str) -> None:
    assert parents(html(source)) == DEFINED


def test_of_two_terms_in_a_row_the_last_is_defined() -> None:
    assert parents(html("<dl><dt>a<dt>b<dd>c</dl>")) == {"a": None, "b": None, "c": "b"}


def test_a_list_in_a_definition_stands_under_the_definition() -> None:
    assert parents(html("<dl><dt>a<dd>b<ul><li>c</ul></dl>")) == {"a": None, "b": "a", "c": "b"}


@pytest.mark.parametrize(
    "document",
    [
        markdown("- a\n\n  b\n\n  - c\n"),
        html("<ul><li><p>a</p><p>b</p><ul><li>c</ul></ul>"),
    ],
)
def test_all_of_an_item_stands_under_its_first_paragraph(document: Document) -> None:
    assert parents(document) == {"a": None, "b": "a", "c": "a"}


def test_paragraphs_around_a_list_are_nothing_that_it_stands_under() -> None:
    expected = {"a": None, "b": None, "c": None, "d": None}
    assert parents(markdown("a\n\n- b\n\nc\n\n- d\n")) == expected
    assert parents(html("<p>a<ul><li>b</ul><p>c<ul><li>d</ul>")) == expected


def test_an_item_without_text_of_its_own_is_skipped() -> None:
    assert parents(html("<ul><li>a<ul><li><ul><li>b</ul></ul></ul>")) == {"a": None, "b": "a"}
