"""A claim is decided by its expression: true ones are noted with their sides, false ones fail."""

import contextlib
from pathlib import Path

import duckdb
import pytest
from report.support import CNN, LSTM, ROOT, answer, refusal, rendered

from benchproof.report.registry import Claim

A, B = f"{CNN}.latency", f"{LSTM}.latency"  # the CNN takes longer than the LSTM
LARGE = 'cells(device="mps", model="CNN", batch=256, kind="eager").latency'


def claim(expression: str, text: str = "It is so.", name: str = "x") -> str:
    return f'{{% claim "{name}" {expression} %}}{text}{{% endclaim %}}'


def claimed(folder: Path, template: str) -> Claim:
    (noted,) = rendered(folder, template).numbers.claims
    return noted


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def test_true_claim_is_marked_and_noted(tmp_path: Path) -> None:
    document = rendered(tmp_path, claim(f"{A} > {B}", "The CNN\n  is *slower*.", "cnn-slower"))
    assert document.qmd == '[The CNN is *slower*.]{.bp-claim data-claim="cnn-slower"}'
    (noted,) = document.numbers.claims
    assert (noted.id, noted.text, noted.holds) == ("cnn-slower", "The CNN is *slower*.", True)
    assert noted.expression == f"{A} > {B}"
    (side,) = noted.sides
    assert (side.comparison, side.unit) == (">", "s")
    assert side.left > side.right > 0
    assert side.about.startswith("2.40 ms (median latency of PyTorch eager CNN on mps, batch 32")


EXPRESSIONS = [
    (f"{A} > {B}", 1),
    (f"{A} > 0.001", 1),
    (f"0.001 < {A}", 1),
    (f"{A} != {B}", 1),
    (f"{A} > {B} and {A} < {LARGE}", 2),
    (f"{A} < {B} or {A} < {LARGE}", 2),
    (f"not {A} < {B}", 1),
    (f"not ({A} < {B} or {A} > {LARGE})", 2),
    (f"{B} < {A} < {LARGE}", 2),
    (f"{LARGE} > {A} > {B} > 0", 3),
    (f"not {A} < {B} < {LARGE}", 2),
    (f"all_of({A} > {B}, {A} < {LARGE} and {B} > 0)", 3),
    (f"any_of([{A} < {B}, {B} < {A} < {LARGE}])", 3),
    (f"none_of({A} < {B}, {B} > {A})", 2),
    (f"count_if([{A} > {B}, {A} < {B}], 'n') == 1", 1),
    (f"speedup({CNN}, cells(device='mps', model='CNN', batch=32, kind='compiled')) > 0.5", 1),
]


@pytest.mark.parametrize(("expression", "sides"), EXPRESSIONS)
def test_claim_keeps_every_comparison_and_a_query_that_gives_one(
    tmp_path: Path, connection: duckdb.DuckDBPyConnection, expression: str, sides: int
) -> None:
    noted = claimed(tmp_path, claim(expression))
    assert len(noted.sides) == sides
    assert noted.holds is True
    with contextlib.chdir(ROOT):
        assert answer(connection, noted.query) == 1


FALSE = [
    f"{A} < {B}",
    f"{A} > {B} and {A} < {B}",
    f"{A} < {B} and {A} > {B}",
    f"{A} < {B} < {LARGE}",
    f"{B} < {LARGE} < {A}",
    f"{A} < {B} or {A} > {LARGE}",
    f"not {A} > {B}",
    f"not ({A} > {B} or {A} > {LARGE})",
    f"all_of({A} < {B} and {A} > {B})",
    f"all_of({A} < {B} < {LARGE}, {A} > {B})",
    f"any_of({A} < {B}, {B} > {A})",
    f"none_of({A} > {B})",
]


@pytest.mark.parametrize("expression", FALSE)
def test_false_claim_fails_with_the_values_that_refute_it(tmp_path: Path, expression: str) -> None:
    bad = refusal(tmp_path, "Text.\n\n" + claim(expression, name="cnn-fast"))
    assert "claim 'cnn-fast' is false" in bad.what
    assert "2.40 ms (median latency of PyTorch eager CNN on mps, batch 32, fp32)" in bad.what
    assert bad.where.endswith("post.j2:3")
    assert bad.remedy == "correct the sentence to what the values say"


NO_COMPARISONS = [
    (f"{A}", "the value 'median latency' is not a comparison"),
    ("true", "True is not a comparison"),
    ("5 > 3", "True is not a comparison"),
    ("1 < 2 < 3", "True is not a comparison"),
    (f"{A}.number > 0", "True is not a comparison"),
    (f"{A} > {B} and true", "True is not a comparison"),
    ("cells.has(batch=32)", "True is not a comparison"),
    ("all_of()", "at least one comparison"),
    (", 'text'", "'text' is not a comparison"),
    (f"{A} > {CNN}.throughput", "s against samples/s"),
    (f"{A} > 'fast'", "not a value"),
]


@pytest.mark.parametrize(("expression", "told"), NO_COMPARISONS)
def test_claim_that_compares_no_values_is_refused(
    tmp_path: Path, expression: str, told: str
) -> None:
    bad = refusal(tmp_path, "Text.\n" + claim(expression))
    assert told in bad.what
    assert bad.where.endswith("post.j2:2")
    assert len(str(bad)) < 1000


def test_claim_id_stands_once(tmp_path: Path) -> None:
    bad = refusal(tmp_path, claim(f"{A} > {B}") + "\n" + claim(f"{A} > {B}"))
    assert "claim 'x' stands twice" in bad.what
    assert bad.where.endswith("post.j2:2")


def test_claim_may_hold_bound_numbers_and_keeps_their_text(tmp_path: Path) -> None:
    template = claim(f"{A} > {B}", f"It takes {{{{ {A} }}}} at batch {{{{ {CNN}.batch }}}}.")
    document = rendered(tmp_path, template)
    assert document.qmd == (
        '[It takes [2.40 ms]{.bp data-bp="n1"} at batch [32]{.bp data-bp="n2"}.]'
        '{.bp-claim data-claim="x"}'
    )
    assert document.numbers.claims[0].text == "It takes 2.40 ms at batch 32."


def test_number_typed_inside_a_claim_is_refused(tmp_path: Path) -> None:
    assert "'2.40'" in refusal(tmp_path, claim(f"{A} > {B}", "It takes 2.40 ms.")).what


def test_line_break_behind_a_claim_survives(tmp_path: Path) -> None:
    template = f"{claim(f'{A} > {B}')}\n\n: Caption {{#tbl-x}}\n\n| a |\n|---|\n| b |\n"
    assert '{.bp-claim data-claim="x"}\n\n: Caption' in rendered(tmp_path, template).qmd


def test_expression_over_several_lines_is_kept_as_one(tmp_path: Path) -> None:
    noted = claimed(tmp_path, claim(f"{A} >\n    {B}"))
    assert noted.expression == f"{A} > {B}"


def test_expression_is_that_of_its_own_claim(tmp_path: Path) -> None:
    both = claim(f"{A} > {B}", name="a") + " " + claim(f"{B} < {A}", name="b")
    first, second = rendered(tmp_path, both).numbers.claims
    assert (first.expression, second.expression) == (f"{A} > {B}", f"{B} < {A}")
