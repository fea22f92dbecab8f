import pytest

from benchproof.collectors.progress import Progress, describe, duration, latency

OK = {"status": "ok", "samples_ns": [2_000_000] * 40}


def test_each_cell_has_a_line_with_the_time_that_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter((0.0, 10.0, 20.0, 30.0, 40.0))
    monkeypatch.setattr("benchproof.collectors.progress.time.monotonic", lambda: next(now))
    progress = Progress(2)
    progress.expect(cells=3, done=1)
    progress.cell("a", OK)
    progress.cell("b", OK)
    progress.expect(cells=3, done=2)
    progress.cell("c", {"status": "failed", "reason": "out of memory"})
    told = capsys.readouterr().err.splitlines()
    assert told == [
        # One of two cells took 10 s; another one is left, and a job of three that is yet to come.
        "[2/3, 1 more jobs] a: 2 ms (median of 40); about 40 s left",
        "[3/3, 1 more jobs] b: 2 ms (median of 40); about 30 s left",
        "[6/6] c: failed: out of memory",
    ]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.4, "about 0 s"), (89, "about 89 s"), (150, "about 2 min"), (9_000, "about 2.5 h")],
)
def test_a_time_left_is_as_exact_as_it_is_known(seconds: float, told: str) -> None:
    assert duration(seconds) == told


@pytest.mark.parametrize(
    ("ns", "told"), [(1_234, "1.23 us"), (4_560_000, "4.56 ms"), (2.5e9, "2.5 s")]
)
def test_latencies_have_three_digits_and_a_unit(ns: float, told: str) -> None:
    assert latency(ns) == told


def test_an_unstable_cell_says_why() -> None:
    cell = OK | {"status": "unstable", "reason": "overloaded"}
    assert describe(cell) == "2 ms (median of 40), unstable: overloaded"
