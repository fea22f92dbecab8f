"""What a reader sees of Markdown, and where it stands."""

import pytest
from audit.document.documents import WORDS, cells, lost, markdown, misplaced, part, texts, told
from hypothesis import given, settings
from hypothesis import strategies as st

from benchproof.audit.document.passage import Kind, Place


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ('It took [4.81 ms]{.bp data-bp="n17"} here.', "It took 4.81 ms here."),
        ("See [the **paper**](https://a.example/9) now.", "See the paper now."),
        ("See [the paper][p].\n\n[p]: https://a.example/9", "See the paper."),
        ("<https://a.example/9> says", "https://a.example/9 says"),
        (r"At $AI \approx 50.5$ FLOP/byte", "At AI ≈ 50.5 FLOP/byte"),
        (r"$$t \le 5\,\text{ms}$$", "t ≤ 5 ms"),
        (r"$\frac{a}{b} = 3 \times 10^{6}$", "a/b = 3 × 10^6"),
        ("costs $5 or $6", "costs $5 or $6"),
        ("4.81&nbsp;ms &plusmn; 3&thinsp;%", "4.81 ms ± 3 %"),
        ("one\ntwo  \nthree\\\nfour", "one two three four"),
        ("<±11% and <5 ms, a < b", "<±11% and <5 ms, a < b"),
        ("a <!-- 9 ms --> b", "a b"),
        ("a <span hidden>9 ms</span> b", "a b"),
        ("{{< video 9.mp4 >}} 5 ms", "5 ms"),
        ("10^6^ and 10<sup>6</sup>", "10^6 and 10^6"),
        ("~~4~~ 5 ms, ~340 ms", "4 5 ms, ~340 ms"),
        (r"5\*3 and 2\_048", "5*3 and 2_048"),
        ("a `4 ms`{.py} b", "a 4 ms b"),
        ("snake_case_256 * 3 ** 2", "snake_case_256 * 3 ** 2"),
        ("@tbl-x shows [@smith2020]", "@tbl-x shows [@smith2020]"),
    ],
)
def test_only_what_is_seen_of_a_paragraph_is_kept(source: str, seen: str) -> None:
    document = markdown(source)
    assert told(document) == [("paragraph", seen)]
    assert misplaced(document, source) == []


def test_headings_lose_attributes_and_pass_on_to_what_is_below() -> None:
    document = markdown("# A {#sec-a .x}\n\n## B ##\n\none\n\nC\n=\n\ntwo\n")
    assert told(document) == [
        ("heading", "A"),
        ("heading", "B"),
        ("paragraph", "one"),
        ("heading", "C"),
        ("paragraph", "two"),
    ]
    assert [passage.level for passage in document.passages] == [1, 2, 0, 1, 0]
    assert [passage.headings for passage in document.passages] == [(), (0,), (0, 1), (), (3,)]


def test_bold_and_code_are_told_by_their_ranges() -> None:
    (passage,) = markdown("**Bold  one** and `code 1` and __b__").passages
    assert part(passage, passage.strong) == ["Bold one", "b"]
    assert part(passage, passage.code) == ["code 1"]


def test_strings_of_the_front_matter_are_told_with_their_places() -> None:
    source = (
        '---\ntitle: "It\'s 5 ms"\nlang: de\nabstract: |\n  We saw\n  6 ms.\ndate: 2026\n---\n\nx\n'
    )
    document = markdown(source)
    assert document.language == "de"
    assert told(document) == [("meta", "It's 5 ms"), ("meta", "We saw 6 ms."), ("paragraph", "x")]
    assert document.passages[0].place(5) == Place(2, 14)
    assert document.passages[1].place(7) == Place(6, 3)
    assert misplaced(document, source) == []


def test_front_matter_that_is_no_yaml_is_left_out() -> None:
    assert texts(markdown("---\na: [\n---\n\n5 ms\n")) == ["5 ms"]


def test_cells_have_their_places_in_the_table_and_in_the_source() -> None:
    source = "> | M | **A** |\n> |---|--:|\n> | x \\| y |  5 ms |\n> |  | 7 |\n"
    document = markdown(source)
    assert cells(document) == {
        (0, 0): "#M",
        (0, 1): "#A",
        (1, 0): "x | y",
        (1, 1): "5 ms",
        (2, 1): "7",
    }
    assert misplaced(document, source) == []


def test_rows_of_pipes_above_a_table_are_header_rows() -> None:
    document = markdown("|   | GPU | CPU |\n| M | ms | ms |\n|---|---|---|\n| x | 1 | 2 |\n")
    assert cells(document) == {
        (0, 1): "#GPU",
        (0, 2): "#CPU",
        (1, 0): "#M",
        (1, 1): "#ms",
        (1, 2): "#ms",
        (2, 0): "x",
        (2, 1): "1",
        (2, 2): "2",
    }


TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    "source",
    [
        f"Text.\n\n: Cap *1* {{#tbl-x}}\n\n{TABLE}\nMore.\n",
        f"Text.\n\n{TABLE}\n: Cap *1* {{#tbl-x}}\n\nMore.\n",
        f"Text.\n\nTable: Cap 1\n\n{TABLE}\nMore.\n",
        f"Text.\n\n::: {{#tbl-x}}\n\n{TABLE}\nCap 1\n\n:::\n\nMore.\n",
    ],
)
def test_a_tables_caption_comes_before_its_cells(source: str) -> None:
    document = markdown(source)
    assert told(document)[:3] == [("paragraph", "Text."), ("caption", "Cap 1"), ("header", "a")]
    assert told(document)[-1] == ("paragraph", "More.")
    assert document.passages[1].table == 0
    assert misplaced(document, source) == []


@pytest.mark.parametrize("mark", ["*", "**", ""])
def test_a_paragraph_that_numbers_a_table_is_its_caption(mark: str) -> None:
    document = markdown(f"{mark}Table 2: Latency{mark}\n\n{TABLE}")
    assert told(document)[0] == ("caption", "Table 2: Latency")
    assert document.passages[0].table == 0


def test_a_sentence_about_a_table_is_no_caption() -> None:
    assert told(markdown(f"Table 2 shows 5 ms.\n\n{TABLE}"))[0][0] == "paragraph"


def test_divs_vanish_around_what_they_hold() -> None:
    document = markdown("::: {.callout-note}\n**In short.** 5 ms.\n\n:::: x\n- 6 ms\n::::\n:::\n")
    assert told(document) == [("paragraph", "In short. 5 ms."), ("item", "6 ms")]


def test_figures_have_a_text_and_a_caption() -> None:
    source = 'x ![alt *5*](a.png) y\n\n![Cap 6](b.png){#fig-b fig-alt="A &quot;7&quot;"}\n'
    document = markdown(source)
    assert told(document) == [
        ("paragraph", "x y"),
        ("alt", "alt 5"),
        ("alt", 'A "7"'),
        ("caption", "Cap 6"),
    ]
    assert misplaced(document, source) == []


def test_an_image_that_is_a_link_has_its_whole_text() -> None:
    assert told(markdown("[![The *first* 5](a.png)](a.md)")) == [("alt", "The first 5")]


def test_notes_are_paragraphs_and_their_marks_vanish() -> None:
    source = "It ran[^1] fast^[by 5 %] here.\n\n[^1]: On *M3*.\n"
    document = markdown(source)
    assert sorted(told(document)) == [
        ("paragraph", "It ran fast here."),
        ("paragraph", "On M3."),
        ("paragraph", "by 5 %"),
    ]
    assert misplaced(document, source) == []


def test_raw_html_is_read_as_html() -> None:
    source = "<table>\n<tr><th>A</th></tr>\n<tr><td>5 <b>ms</b></td></tr>\n</table>\n\n- <br>6 ms\n"
    document = markdown(source)
    assert told(document) == [("header", "A"), ("cell", "5 ms"), ("item", "6 ms")]
    assert misplaced(document, source) == []


def test_markdown_inside_hidden_html_is_hidden() -> None:
    assert texts(markdown('<div style="display: none">\n\n9 ms\n\n</div>\n\n5 ms\n')) == ["5 ms"]


def test_an_unclosed_element_ends_with_its_paragraph() -> None:
    document = markdown("a <b>5\n\nb 6")
    assert [passage.strong for passage in document.passages] == [((2, 3),), ()]


def test_code_blocks_lists_and_definitions_have_their_kinds() -> None:
    source = "```py\nx = 5\n```\n\n1. one\n   - two\n\nTerm\n: Meaning 3\n"
    document = markdown(source)
    assert told(document) == [
        ("code", "x = 5"),
        ("item", "one"),
        ("item", "two"),
        ("item", "Term"),
        ("item", "Meaning 3"),
    ]
    assert misplaced(document, source) == []


def test_the_mark_of_an_alert_vanishes() -> None:
    assert texts(markdown("> [!NOTE]\n> It took 5 ms.\n")) == ["It took 5 ms."]


@pytest.mark.parametrize(
    "source",
    [">" * 3000 + " 5 ms", "[" * 2000 + "5 ms" + "]" * 2000, "<div>\n\n" * 2000 + "5 ms"],
)
def test_deep_nesting_is_read(source: str) -> None:
    assert "5 ms" in texts(markdown(source))[-1]


SPANS = st.recursive(
    WORDS,
    lambda inner: st.tuples(
        inner,
        st.sampled_from(
            [
                "**{}**",
                "*{}*",
                "[{}]{{.bp data-bp=n7}}",
                "[{}](https://a.example/77)",
                "<b>{}</b>",
                "x&nbsp;{}&amp;",
                "{}\n{}",
                "`{}`",
                "a <!-- 9 --> {}",
                "{}\\\\",
                "![{}](a.png)",
                "$x \\times {}$",
                "x ~~{}~~",
                "{}<sup>9</sup>",
            ]
        ),
    ).map(lambda pair: pair[1].replace("{{", "{").replace("}}", "}").replace("{}", pair[0])),
    max_leaves=4,
)
BLOCKS = st.lists(
    st.tuples(
        SPANS,
        st.sampled_from(
            [
                "# {}",
                "{}",
                "- {}",
                "> {}",
                "1. > {}",
                "| a | {} |\n|---|---|\n| {} | b |",
                ": {} {{#tbl-x}}\n\n| a |\n|---|\n| {} |",
                "::: {{.x}}\n{}\n:::",
                "[^1]: {}",
                "<div><p>{}</p></div>",
                "    {}",
                "Term\n: {}",
            ]
        ),
    ).map(
        lambda pair: (
            pair[1]
            .replace("{{", "{")
            .replace("}}", "}")
            .replace(
                "{}", pair[0].replace("\n", " ") if "\n" in pair[1] or "#" in pair[1] else pair[0]
            )
        )
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=150, deadline=None)
@given(BLOCKS)
def test_every_letter_stands_where_it_is_said_to(blocks: list[str]) -> None:
    source = "\n\n".join(blocks)
    document = markdown(source)
    assert misplaced(document, source) == []
    assert lost(document, source) == []
    assert all(passage.text == " ".join(passage.text.split()) for passage in document.passages)
    assert all(
        document.passages[above].kind is Kind.HEADING
        for passage in document.passages
        for above in passage.headings
    )
