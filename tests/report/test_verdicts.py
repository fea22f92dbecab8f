"""Intervals, verdicts and ties in a post; `verify` computes them again from the samples."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from factory import make_cell, make_raw, make_study
from report.support import refusal, rendered

from benchproof.errors import InputError
from benchproof.records.study import Study
from benchproof.report.registry import encode, for_page, parameters
from benchproof.report.render import Document
from benchproof.verbs.verify import verify

MS = 1_000_000
MEDIANS = {
    ("cpu", "PyTorch", "eager"): 5.0, ("cpu", "PyTorch", "torch.compile"): 4.0,
    ("cpu", "JAX", "eager"): 5.02, ("cpu", "JAX", "jax.jit"): 4.01,
    ("cuda", "PyTorch", "eager"): 1.0, ("cuda", "PyTorch", "torch.compile"): 0.6,
    ("cuda", "JAX", "eager"): 1.2, ("cuda", "JAX", "jax.jit"): 0.9,
}  # fmt: skip
BASE = 'cells(device="cpu", framework="PyTorch", kind="eager")'
FAST = 'cells(device="cpu", framework="PyTorch", kind="compiled")'
SAME = 'cells(device="cpu", framework="JAX", kind="eager")'
GPU = 'cells(device="cuda", framework="PyTorch", kind="eager")'


def samples(key: tuple[str, str, str], number: int) -> tuple[int, ...]:
    random = np.random.default_rng([number, *map(ord, "".join(key))])
    logs = random.normal(0, 0.01) + random.normal(0, 0.02, 30)
    return tuple(np.rint(MEDIANS[key] * MS * np.exp(logs)).astype(int).tolist())


def make_raws() -> Iterator[Any]:
    for device, framework in {key[:2] for key in MEDIANS}:
        for number in (1, 2, 3):
            cells = [
                make_cell(
                    variant=key[2],
                    kind="eager" if key[2] == "eager" else "compiled",
                    samples_ns=samples(key, number),
                )
                for key in MEDIANS
                if key[:2] == (device, framework)
            ]
            yield make_raw(device=device, framework=framework, round=number, cells=cells,
                           controls=[cells[0]])  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Study]:
    root = tmp_path_factory.mktemp("project")
    raws = sorted(make_raws(), key=lambda raw: (raw.device, raw.framework.name, raw.run.round))
    return root, make_study(root, raws)


def post(project: tuple[Path, Study], template: str) -> Document:
    root, study = project
    return rendered(root, template, study)


def checked(project: tuple[Path, Study], document: Document, **changes: Any) -> int:
    root, _ = project
    told = json.loads(encode(document.numbers)) | changes
    (root / "numbers.json").write_text(json.dumps(told))
    return verify(root / "numbers.json", root)


PRINTED = {
    f"{{{{ {BASE}.interval.low }}}}": "ms",
    f"{{{{ {BASE}.interval.high }}}}": "ms",
    f"{{{{ {BASE}.throughput_interval.low }}}}": "samples/s",
    f"{{{{ {BASE}.rounds }}}}": "",
    f"{{{{ {BASE}.sample_count }}}}": "",
    f"{{{{ {BASE}.between_rounds }}}}": "%",
    f"{{{{ ratio_interval({BASE}, {FAST}).low }}}}": "×",
    f"{{{{ ratio_interval({BASE}, {GPU}).high }}}}": "×",
    f"{{{{ family([[{BASE}, {FAST}], [{BASE}, {SAME}]])[0].low }}}}": "×",
    f"{{{{ family([[{BASE}, {FAST}], [{BASE}, {SAME}]])[1].adjusted_p }}}}": "probability",
    "{{ tables.winners[0].margin_low }}": "×",
    "{{ tables.winners[0].adjusted_p }}": "probability",
    "{{ tables.compile_speedup[0].speedup_high }}": "×",
    "{{ tables.controls[0].second_s }}": "ms",
    "{{ tables.controls[0].ratio }}": "×",
    "{{ tables.stability[0].between_rounds_percent }}": "%",
    '{{ wins("PyTorch", "cuda", 32, "any variant") }}': "",
    '{{ wins("PyTorch", "cpu", 32, "any variant") }}': "",
    f'{{{{ quotient({BASE}.interval.high, {BASE}.interval.low, "width") }}}}': "×",
    f"{{{{ lowest([{BASE}.interval.low, {GPU}.latency], 'least') }}}}": "µs",
}
CLAIMS = [
    f"faster({BASE}, {FAST})",
    f"slower({FAST}, {BASE})",
    f"conclusive({BASE}, {FAST}) and not conclusive({BASE}, {SAME})",
    f"inconclusive({BASE}, {SAME})",
    f"not faster({BASE}, {SAME}) and {GPU}.latency < {BASE}.latency",
    f"ratio_interval({BASE}, {FAST}).low > 1.02",
    f"{BASE}.interval.low < {BASE}.latency < {BASE}.interval.high",
    f"all_of(family([[{BASE}, {FAST}], [{BASE}, {GPU}]]) | map(attribute='faster') | list)",
    f"none_of(family([[{BASE}, {FAST}], [{BASE}, {GPU}]]) | map(attribute='slower') | list)",
    f"count_if([faster({BASE}, {FAST}), faster({BASE}, {SAME})], 'n') == 1",
    "sole_winner(cells(device='cuda'), 'any variant')",
    "not sole_winner(cells(device='cpu'), 'any variant')",
    "wins('PyTorch', 'cuda', 32, 'any variant') == 1",
    "wins('PyTorch', 'cpu', 32, 'any variant') == 0 and wins('JAX', 'cpu', 32, 'any variant') == 0",
    "tables.compile_speedup[0].adjusted_p | conclusive",
    "count_if(tables.compile_speedup | map(attribute='adjusted_p') | map('conclusive') | list, 'n')"
    " == 4",
    f"{BASE}.between_rounds < 10",
]


@pytest.mark.parametrize("expression", PRINTED)
def test_what_is_printed_is_computed_again(
    project: tuple[Path, Study], expression: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = post(project, expression)
    (number,) = document.numbers.numbers
    assert number.unit == PRINTED[expression]
    assert number.records
    assert checked(project, document) == 0, capsys.readouterr().out


@pytest.mark.parametrize("expression", CLAIMS)
def test_what_is_claimed_is_computed_again(
    project: tuple[Path, Study], expression: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = post(project, f'{{% claim "x" {expression} %}}It is so.{{% endclaim %}}')
    assert document.numbers.claims[0].holds
    assert checked(project, document) == 0, capsys.readouterr().out


@pytest.mark.parametrize("expression", [
    f"faster({FAST}, {BASE})", f"slower({BASE}, {FAST})", f"faster({BASE}, {SAME})",
    f"conclusive({BASE}, {SAME})", f"inconclusive({BASE}, {FAST})",
    "sole_winner(cells(device='cpu'), 'any variant')",
])  # fmt: skip
def test_a_false_claim_about_evidence_stops_the_build(tmp_path: Path, expression: str) -> None:
    study = make_study(tmp_path, make_raws())
    told = refusal(tmp_path, f'{{% claim "x" {expression} %}}So.{{% endclaim %}}', evidence=study)
    assert "claim 'x' is false" in str(told)
    assert "p-value" in str(told)


def test_verdicts_and_ties_are_text(project: tuple[Path, Study]) -> None:
    template = (
        f"{{{{ verdict({BASE}, {FAST}) }}}} {{{{ verdict({FAST}, {BASE}) }}}} "
        f"{{{{ verdict({BASE}, {SAME}) }}}} {{{{ threshold }}}} "
        "{% for one in tied(cells(device='cpu'), 'any variant') %}{{ one }};{% endfor %} "
        "{% for one in tied(cells(device='cuda'), 'any variant') %}{{ one }};{% endfor %}"
        "{% for row in tables.winners %}{{ row.verdict }} {% endfor %}"
        f"{{% if {BASE}.has_interval and {BASE}.between_rounds_measured %}}known{{% endif %}}"
    )
    shown = post(project, template).qmd
    assert shown.startswith("faster slower inconclusive 2 % ")
    assert "PyTorch;JAX; " in shown or "JAX;PyTorch; " in shown
    assert shown.endswith(" tie wins known")


def test_a_bound_names_its_samples_and_their_seed(project: tuple[Path, Study]) -> None:
    document = post(project, f"{{{{ {BASE}.interval.low }}}}")
    told = json.loads(encode(document.numbers))
    ((name, recomputation),) = told["recomputations"].items()
    assert told["numbers"][0]["query"] == f"SELECT 1000 * ${name}"
    assert (recomputation["gives"], recomputation["resamples"]) == ("low", 2000)
    (side,) = recomputation["of"]
    assert len(side["rounds"]) == 3
    assert 0 <= side["seed"] < 2**32
    shown = for_page(document.numbers)["numbers"]["n1"]["query"]
    assert shown.startswith(f"-- ${name}: low by median-rounds-bootstrap-t@1, 2000 resamples, of [")
    assert shown.endswith(f"\nSELECT 1000 * ${name}")


def test_a_post_without_intervals_has_no_recomputations(project: tuple[Path, Study]) -> None:
    document = post(project, f"{{{{ {BASE}.latency }}}}")
    assert "recomputations" not in json.loads(encode(document.numbers))


def test_text_in_quotes_holds_no_parameter() -> None:
    assert parameters("SELECT $low_ab + (SELECT x WHERE k = 'a $b it''s $c')") == ["low_ab"]


def tampered(document: Document, **changes: Any) -> dict[str, Any]:
    """The recomputations of a post, the only one changed."""
    told: dict[str, Any] = json.loads(encode(document.numbers))["recomputations"]
    return {name: one | changes for name, one in told.items()}


def test_verify_finds_a_bound_that_is_another_end(
    project: tuple[Path, Study], capsys: pytest.CaptureFixture[str]
) -> None:
    document = post(project, f"{{{{ {BASE}.interval.low }}}}")
    assert checked(project, document, recomputations=tampered(document, gives="high")) == 1
    assert "stands for" in capsys.readouterr().out


@pytest.mark.parametrize(("change", "message"), [
    ({"method": "mean"}, "no recomputation by 'mean' is known"),
    ({"resamples": 3}, "no recomputation by"),
    ({"of": []}, "no recomputation by"),
    ({"of": [{"seed": 1, "rounds": None}]}, "seed 1 is not that of PyTorch eager CNN on cpu"),
    ({"of": [{"seed": None, "rounds": 1}]}, "no samples of one record lie at"),
])  # fmt: skip
def test_verify_refuses_what_is_not_how_bounds_are_made(
    project: tuple[Path, Study], change: dict[str, Any], message: str
) -> None:
    document = post(project, f"{{{{ {BASE}.interval.low }}}}")
    (told,) = json.loads(encode(document.numbers))["recomputations"].values()
    (side,) = told["of"]
    if change.get("of"):
        mine = change["of"][0]
        cut = side["rounds"][:1] if mine["rounds"] else side["rounds"]
        cut = [{**place, "pointer": "/cells/99"} for place in cut] if mine["rounds"] else cut
        change = {"of": [{"seed": mine["seed"] or side["seed"], "rounds": cut}]}
    with pytest.raises(InputError, match=message):
        checked(project, document, recomputations=tampered(document, **change))


def test_verify_finds_other_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = make_study(tmp_path, make_raws())
    document = rendered(tmp_path, f"{{{{ {BASE}.interval.low }}}}", study)
    path = tmp_path / document.numbers.numbers[0].records[0].file
    content = json.loads(path.read_bytes())
    slower = [2 * sample for sample in content["cells"][0]["samples_ns"]]
    content["cells"][0]["samples_ns"] = slower
    path.write_text(json.dumps(content))
    assert checked((tmp_path, study), document) == 1
    out = capsys.readouterr().out
    assert "its query gives" in out
    assert "is not the file that the post cites" in out


def test_without_samples_a_verdict_is_refused(tmp_path: Path) -> None:
    cnn = 'cells(device="mps", model="CNN", batch=32, kind="eager")'
    jit = 'cells(device="mps", model="CNN", batch=32, kind="compiled")'
    for expression in (f"{cnn}.interval.low", f"verdict({cnn}, {jit})", f"faster({cnn}, {jit})"):
        told = str(refusal(tmp_path, f"{{{{ {expression} }}}}"))
        assert "no interval without two timed samples" in told


def test_a_contest_has_to_be_one(project: tuple[Path, Study], tmp_path: Path) -> None:
    _, study = project
    told = str(refusal(tmp_path, "{{ tied(cells, 'any variant') }}", evidence=study))
    assert "takes part in 2 contests under the rule 'any variant'" in told


def test_only_a_p_value_can_be_conclusive(project: tuple[Path, Study], tmp_path: Path) -> None:
    _, study = project
    told = str(refusal(tmp_path, f"{{{{ {BASE}.latency | conclusive }}}}", evidence=study))
    assert "is no p-value: take a row's adjusted_p" in told
