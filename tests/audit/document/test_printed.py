"""What a program printed is read as lines and tables; the program itself stays code."""

import pytest
from audit.document.documents import cells, html, markdown, misplaced, told

from benchproof.audit.document.passage import Place

TABLE = {(0, 0): "#Model", (0, 1): "#ms", (1, 0): "FF DNN", (1, 1): "4.8"}
COLUMNS = "Model    ms\nFF DNN  4.8\n"


def fenced(shown: str, language: str = "") -> str:
    return f"Text.\n\n```{language}\n{shown}```\n"


def test_printed_lines_are_items() -> None:
    source = fenced("warmup done\n\nlatency: 5 ms\n")
    document = markdown(source)
    assert told(document)[1:] == [("item", "warmup done"), ("item", "latency: 5 ms")]
    assert document.passages[2].place(9) == Place(6, 10)
    assert misplaced(document, source) == []


@pytest.mark.parametrize(
    ("shown", "language"),
    [
        (COLUMNS, ""),
        (COLUMNS, "text"),
        ("-----------\nModel    ms\n===========\nFF DNN  4.8\n", ""),
        ("| Model  | ms  |\n|--------|-----|\n| FF DNN | 4.8 |\n", ""),
        ("Model  │ ms\n───────┼────\nFF DNN │ 4.8\n", "console"),
        ("Model,ms\nFF DNN,4.8\n", "csv"),
        ("Model; ms\nFF DNN; 4.8\n", "csv"),
        ("Model\tms\nFF DNN\t4.8\n", "tsv"),
    ],
)
def test_printed_columns_are_a_table(shown: str, language: str) -> None:
    source = fenced(shown, language)
    document = markdown(source)
    assert cells(document) == TABLE
    assert misplaced(document, source) == []


def test_a_printed_cell_stands_at_its_line_and_column() -> None:
    document = markdown("> ```\n> Model    ms\n> FF DNN  4.8\n> ```\n")
    assert [passage.place(0) for passage in document.passages] == [
        Place(2, 3),
        Place(2, 12),
        Place(3, 3),
        Place(3, 11),
    ]


def test_a_cell_of_csv_stands_at_its_line_and_column() -> None:
    document = markdown("```csv\nModel,ms\nRNN,  5.2\n```\n")
    assert document.passages[-1].text == "5.2"
    assert document.passages[-1].place(0) == Place(3, 7)


def test_lines_beside_a_table_are_no_rows_of_it() -> None:
    document = markdown(fenced(f"Seed: 3\n{COLUMNS}done in 8 s\n"))
    assert told(document)[1] == ("item", "Seed: 3")
    assert cells(document) == TABLE
    assert told(document)[-1] == ("item", "done in 8 s")


def test_a_line_between_them_parts_two_tables() -> None:
    document = markdown(fenced(f"{COLUMNS}On the GPU: 2 of them\n{COLUMNS}"))
    assert [passage.spot.table for passage in document.passages if passage.spot] == [0] * 4 + [
        1
    ] * 4


def test_a_single_row_is_a_line() -> None:
    assert told(markdown(fenced("FF DNN  4.8\n")))[1:] == [("item", "FF DNN 4.8")]


@pytest.mark.parametrize(
    ("shown", "language"),
    [
        ("import time\nstart = 5\n", ""),
        ("def run(batch):\n    return 5\n", ""),
        ("pip install torch==2.3\n", "console"),
        ("batch  32\nmodel  5\n", "python"),
        ("no number\nat all\n", "text"),
    ],
)
def test_programs_stay_code(shown: str, language: str) -> None:
    assert told(markdown(fenced(shown, language)))[1:] == [("code", " ".join(shown.split()))]


@pytest.mark.parametrize("prompt", ["$", ">", ">>>", "In [3]:"])
def test_what_stands_behind_a_prompt_stays_code(prompt: str) -> None:
    document = markdown(fenced(f"{prompt} run(32)\nlatency: 5 ms\n{prompt} import x\n", "console"))
    assert told(document)[1:] == [
        ("code", f"{prompt} run(32)"),
        ("item", "latency: 5 ms"),
        ("code", f"{prompt} import x"),
    ]


def test_indented_output_is_read_as_fenced_output_is() -> None:
    source = "    Model    ms\n    FF DNN  4.8\n"
    document = markdown(source)
    assert cells(document) == TABLE
    assert misplaced(document, source) == []


@pytest.mark.parametrize(
    "opening", ["<pre>", "<pre><code class='language-text'>", "<pre class='highlight-console'>"]
)
def test_output_in_html_is_read_as_in_markdown(opening: str) -> None:
    source = f"{opening}{COLUMNS}</pre>"
    document = html(source)
    assert cells(document) == TABLE
    assert misplaced(document, source) == []


def test_a_program_in_html_is_told_by_its_class() -> None:
    document = html(f"<pre class='sourceCode python'>{COLUMNS}</pre>")
    assert told(document) == [("code", "Model ms FF DNN 4.8")]
