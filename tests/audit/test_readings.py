"""What kinds of numbers an audit reads, each true and wrong, on the telemetry of the Apple M3."""

from functools import cache
from pathlib import Path

import pytest
from factory import make_record

from benchproof.audit.audit import audit
from benchproof.audit.document.markdown import read_markdown
from benchproof.audit.explain.verdict import Judgement, Verdict
from benchproof.audit.facts.fact import Telemetry
from benchproof.audit.facts.measures import BY_NAME
from benchproof.audit.facts.records import fact_of
from benchproof.evidence.sampled import interval
from benchproof.model.record import Record
from benchproof.records.load import load_records

ROOT = Path(__file__).parents[2]
RAW = ROOT / "results/raw"
SAMPLED = "sampled"


EAGER_NS = tuple(10_000_000 + 100_000 * (step % 7) for step in range(40))
COMPILED_NS = tuple(4_000_000 + 60_000 * (step % 5) for step in range(40))


@cache
def sampled() -> tuple[Record, Record]:
    """Records with samples, which the committed study has not: medians of 10.3 and 4.12 ms."""
    compiled = {"variant": "torch.compile", "kind": "compiled"}
    return (
        make_record(samples_ns=EAGER_NS, first_call_ns=20_000_000),
        make_record(samples_ns=COMPILED_NS, first_call_ns=300_000_000, **compiled),
    )


@cache
def telemetry(study: str) -> Telemetry:
    if study == SAMPLED:
        return Telemetry(tuple(map(fact_of, sampled())), BY_NAME, ())
    records = load_records((RAW / study).rglob("*.json"), ROOT)
    return Telemetry(tuple(map(fact_of, records)), BY_NAME, ())


def judgement(post: str, number: str, study: str = "apple-m3") -> Judgement:
    """Of the first number of a post that is printed so."""
    made = audit(read_markdown(post, "post.md"), telemetry(study))
    return next(one.judgement for one in made.mentions if one.scene.mention.text == number)


CPU_32 = "PyTorch in eager mode on the CPU at batch 32"
TABLE = "| Model | PyTorch | JAX |\n|---|---|---|\n| CNN | 9.07 | 6.35 |\n| RNN | 1.78 | 1.49 |\n"

# A post with a hole for a number, what is true there, what is not, and by which rule.
KINDS = {
    "difference": (
        "On the CPU at batch 32, eager JAX is {} faster than eager PyTorch for the CNN.",
        ("2.72 ms", "2.75 ms", "last-digit"),
    ),
    "apart": (
        "For the CNN at batch 32 on the CPU, {} separate PyTorch and JAX in eager mode.",
        ("2.72 ms", "2.62 ms", "stale"),
    ),
    "time of one item": (
        f"{CPU_32} takes {{}} per sample on the CNN.",
        ("0.283 ms", "0.298 ms", "stale"),
    ),
    "speedup of one over another": (
        "A speedup of JAX over PyTorch of {} stands for the CNN (CPU, batch 32, eager).",
        ("1.43x", "0.70x", "inverted"),
    ),
    "subject behind its base": (
        "On the CPU in eager mode at batch 32, the CNN has a speedup of {} over PyTorch when using "
        "JAX.",
        ("1.43x", "1.34x", "stale"),
    ),
    "points for percent": (
        "On the CPU at batch 32, eager JAX needs {} less time than eager PyTorch for the CNN.",
        ("30 %", "30 percentage points", "points-for-percent"),
    ),
    "mean of a column": (
        "On the CPU at batch 32, eager, median latency in ms\n\n"
        f"{TABLE}| Average | {{}} | 3.92 |\n",
        ("5.42", "5.62", "stale"),
    ),
    "least of a column": (
        "Median latency of eager PyTorch on the CPU at batch 32, in ms, over all models\n\n"
        "| Framework | Min | Max |\n|---|---|---|\n| PyTorch | {} | 9.07 |\n",
        ("0.0622", "0.0602", "stale"),
    ),
    "held against a name in the lead": (
        "Speedup over PyTorch on the CPU at batch 32 in eager mode:\n\n"
        "| Model | JAX |\n|---|---|\n| CNN | {} |\n",
        ("1.43×", "0.70×", "inverted"),
    ),
    "held against a name in the head": (
        "On the CPU at batch 32, eager:\n\n"
        "| Model | Framework | Speedup vs PyTorch |\n|---|---|---|\n| CNN | JAX | {} |\n",
        ("1.43x", "0.70x", "inverted"),
    ),
    "margin of a winner": (
        "On the CPU at batch 32, the fastest variant of each:\n\n"
        "| Model | Frameworks | Winner | Margin |\n|---|---|---|---|\n"
        "| CNN | PyTorch, JAX, TensorFlow | TensorFlow | {} |\n",
        ("1.27×", "1.33×", "stale"),
    ),
    "label before a colon": (
        "On the CPU at batch 32, eager, the CNN takes:\n\n- PyTorch: {} (1.43x slower than JAX)\n",
        ("9.07 ms", "6.35 ms", "wrong-framework"),
    ),
    "item under an item": (
        "PyTorch in eager mode at batch 32:\n\n- CNN\n  - CPU: {}\n  - GPU: 2.40 ms\n",
        ("9.07 ms", "2.40 ms", "wrong-device"),
    ),
    "printed by a program": (
        f"{CPU_32}:\n\n```\nmodel    ms\nCNN      {{}}\nRNN      1.78\n```\n",
        ("9.07", "8.71", "stale"),
    ),
    "sides of a change": (
        "On the CPU at batch 32, TensorFlow's CNN goes from 8.65 ms to {} when switching from "
        "eager to tf.function.",
        ("5.01 ms", "5.21 ms", "stale"),
    ),
    "two amounts in a bracket": (
        "On the CPU at batch 32 in eager mode, JAX beats PyTorch on the CNN by 1.43x (6.35 ms vs "
        "{}).",
        ("9.07 ms", "9.45 ms", "stale"),
    ),
    "largest of a kind": (
        f"The slowest model takes {{}} with {CPU_32}.",
        ("9.07 ms", "4.83 ms", "wrong-model"),
    ),
    "records": (
        "The telemetry holds {} for JAX on the CPU.",
        ("40 records", "41 records", "count"),
    ),
    "models below a limit": (
        f"With {CPU_32}, {{}} models stay below 3 ms.",
        ("3 of 5", "4 of 5", "count"),
    ),
    "calls until it has paid": (
        "A compiled variant against eager, PyTorch on the CPU at batch 32\n\n"
        "| Model | Variant | Pays after |\n|---|---|---|\n| CNN | torch.compile | {} |\n",
        ("46", "48", "stale"),
    ),
    "end of an interval": (
        "PyTorch on the CPU at batch 32\n\n"
        "| Model | Variant | Latency (ms) | 95 % interval (ms) |\n|---|---|---|---|\n"
        f"| CNN | eager | 10.3 | {{}} to {interval(sampled()[0]).high * 1e3:.3f} |\n",
        (f"{interval(sampled()[0]).low * 1e3:.3f}", "9.800", "stale"),
    ),
}
WITH_SAMPLES = ("calls until it has paid", "end of an interval")
WEAK = ("models below a limit",)  # a random count of five would fit as easily


def printed(text: str) -> str:
    """The number of a text as a mention has it: `3 of 5` is the mention of a 3."""
    return text.split(" ")[0] if text.endswith(("records", "of 5")) else text


@pytest.mark.parametrize("kind", KINDS)
def test_a_true_number_is_verified(kind: str) -> None:
    post, (true, _, _) = KINDS[kind]
    study = SAMPLED if kind in WITH_SAMPLES else "apple-m3"
    made = judgement(post.format(true), printed(true), study)
    expected = Verdict.AMBIGUOUS if kind in WEAK else Verdict.VERIFIED
    assert (made.verdict, made.rule) == (expected, "weak" if kind in WEAK else "")


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_number_is_contradicted_by_its_rule(kind: str) -> None:
    post, (_, wrong, rule) = KINDS[kind]
    study = SAMPLED if kind in WITH_SAMPLES else "apple-m3"
    made = judgement(post.format(wrong), printed(wrong), study)
    assert (made.verdict, made.rule) == (Verdict.CONTRADICTED, rule)


def test_an_interval_reckoned_in_another_way_is_left_open() -> None:
    high = f"{interval(sampled()[0]).high * 1e3:.3f}"
    post, _ = KINDS["end of an interval"]
    made = judgement(post.format("9.800").replace(high, "10.900"), "9.800", SAMPLED)
    assert (made.verdict, made.rule) == (Verdict.AMBIGUOUS, "interval")


def test_a_ratio_may_be_reckoned_from_the_printed_cells() -> None:
    post = (
        "On the CPU at batch 32, median latency in ms, PyTorch\n\n"
        "| Model | eager | compiled | Speedup |\n|---|---|---|---|\n| CNN | 9.1 | 8.4 | {} |\n"
    )
    made = judgement(post.format("1.0833x"), "1.0833x")
    assert made.verdict is Verdict.VERIFIED
    assert made.reading is not None
    assert made.reading.derivation == "ratio of the printed cells"
    assert judgement(post.format("1.0933x"), "1.0933x").verdict is Verdict.CONTRADICTED


def test_where_two_names_could_be_meant_a_number_is_wrong_only_of_both() -> None:
    post = (
        "Eager PyTorch at batch 32. We start with the GPU. The CPU comes later. The CNN takes {}."
    )
    found = [judgement(post.format(one), one).verdict for one in ("9.07 ms", "2.40 ms", "7.50 ms")]
    assert found == [Verdict.VERIFIED, Verdict.AMBIGUOUS, Verdict.CONTRADICTED]


TWO_COUNTS = (
    "On the CPU at batch 32, JAX wins 4 of 5 models. On the GPU at batch 256, PyTorch wins 4 of 5 "
    "models."
)


def test_counts_that_need_different_rules_are_a_finding() -> None:
    made = audit(read_markdown(TWO_COUNTS, "post.md"), telemetry("apple-m3"))
    (found,) = (one for one in made.telemetry.findings if one.rule == "selection-rule")
    assert found.records == ("post.md:1:34", "post.md:1:87")
    assert "“compiled only”" in found.message
    assert "“any variant”" in found.message


def test_counts_that_name_their_rule_are_none() -> None:
    named = TWO_COUNTS.replace("JAX wins", "compiled JAX wins")
    made = audit(read_markdown(named, "post.md"), telemetry("apple-m3"))
    assert not [one for one in made.telemetry.findings if one.rule == "selection-rule"]


@pytest.mark.parametrize(
    ("named", "expected"),
    [("the FF DNN and the RNN are", Verdict.VERIFIED), ("the FF DNN is", Verdict.CONTRADICTED)],
)
def test_a_claim_may_name_several(named: str, expected: Verdict) -> None:
    post = f"At batch 32 with PyTorch eager, only {named} faster on the CPU than on the GPU."
    made = audit(read_markdown(post, "post.md"), telemetry("apple-m3"))
    assert [one.judgement.verdict for one in made.mentions] == [expected]


def test_a_published_number_is_a_quotation() -> None:
    post = f"{CPU_32} takes 9.07 ms for the CNN; the published 8.07 ms was another run."
    assert judgement(post, "8.07 ms").verdict is Verdict.NOT_A_CLAIM


def test_a_name_after_what_belongs_to_the_multiple_before_it() -> None:
    post = (
        "## TensorFlow on the CPU at batch 32\n\nThe eager RNN takes {} per call, roughly 17.6× "
        "what `tf.function` needs.\n"
    )
    assert judgement(post.format("64.5 ms"), "64.5 ms").verdict is Verdict.VERIFIED
    assert judgement(post.format("62.0 ms"), "62.0 ms").verdict is Verdict.CONTRADICTED


def test_a_count_over_a_list_of_sizes_is_of_all_of_them() -> None:
    post = "On the CPU, there are {} records, with batch sizes 1, 8, 32 and 128."
    assert judgement(post.format("120"), "120").verdict is Verdict.VERIFIED
    assert judgement(post.format("140"), "140").rule == "count"
