"""What text extracted from a page says, and where it stands."""

from audit.document.documents import WORDS, cells, misplaced, plain, texts, told
from hypothesis import given, settings
from hypothesis import strategies as st

LONG = "This sentence goes on about latency " * 4 + "for long."


def test_short_lines_between_empty_ones_are_headings() -> None:
    document = plain("Title of 2026\n\nText here.\n\n1. Where models land\n\nMore text.\n")
    assert told(document) == [
        ("heading", "Title of 2026"),
        ("paragraph", "Text here."),
        ("heading", "1. Where models land"),
        ("paragraph", "More text."),
    ]
    assert [passage.headings for passage in document.passages] == [(), (0,), (0,), (0, 2)]


def test_a_short_line_between_paragraphs_is_a_heading() -> None:
    assert told(plain(f"{LONG}\nCode: mnist\n{LONG}"))[1] == ("heading", "Code: mnist")


def test_lines_of_a_list_are_no_headings() -> None:
    document = plain("T\n\nCPU: 340 ms per batch\nMPS: 95 ms per batch\n\nNo heading:\n")
    assert [kind for kind, _ in told(document)] == ["heading", *["paragraph"] * 3]


def test_bullets_are_items_and_vanish() -> None:
    assert told(plain("T.\n\n• one 5\n- two\n* three\n"))[1:] == [
        ("item", "one 5"),
        ("item", "two"),
        ("item", "three"),
    ]


def test_tabs_and_aligned_spaces_make_tables() -> None:
    for gap in ("\t", "   "):
        document = plain(f"T.\n\nModel{gap}ms\nRNN x{gap}4.81\n\nEnd.\n")
        assert cells(document) == {(0, 0): "#Model", (0, 1): "#ms", (1, 0): "RNN x", (1, 1): "4.81"}


def test_pipe_tables_are_tables() -> None:
    document = plain("T.\n| A | B |\n|---|---|\n| 1 | 2 |\nEnd.\n")
    assert cells(document) == {(0, 0): "#A", (0, 1): "#B", (1, 0): "1", (1, 1): "2"}


def test_numbered_captions_are_captions() -> None:
    document = plain("Text.\n\nFigure 3: Latency by batch\n\nTable 1: Times\nA\tB\n1\t2\n")
    assert told(document)[1:3] == [
        ("caption", "Figure 3: Latency by batch"),
        ("caption", "Table 1: Times"),
    ]
    assert document.passages[2].table == 0


def test_programs_are_code() -> None:
    document = plain("T.\n\nimport time\n\ndef run(x):\n    return x * 5\n\nIt took 5 ms.\n")
    assert told(document)[1:] == [
        ("code", "import time def run(x): return x * 5"),
        ("paragraph", "It took 5 ms."),
    ]


def test_formulas_are_read() -> None:
    assert texts(plain(r"The LSTM ($AI \approx 50.5$ FLOP/byte) costs $5.")) == [
        "The LSTM (AI ≈ 50.5 FLOP/byte) costs $5."
    ]


def test_a_sentence_broken_over_lines_is_one_paragraph() -> None:
    source = "The final column is the total training time for that one run of\nthe model.\n"
    assert texts(plain(source)) == [" ".join(source.split())]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            WORDS, st.sampled_from(["{}", "• {}", "{}.\n", "a\t{}", "| {} |", "    {}", "${}$"])
        ).map(lambda pair: pair[1].replace("{}", pair[0])),
        min_size=1,
        max_size=8,
    )
)
def test_every_letter_stands_where_it_is_said_to(lines: list[str]) -> None:
    source = "\n".join(lines)
    assert misplaced(plain(source), source) == []
