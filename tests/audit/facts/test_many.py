"""Many facts: found by their keys, in the order of the data, and gathered without collection."""

import gc
import json
import random
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from benchproof.audit.facts.cube import Cube, Limits
from benchproof.audit.facts.fact import Dimension, Fact, Measure, Telemetry
from benchproof.audit.facts.numbers import in_base_unit
from benchproof.audit.facts.read import read_telemetry
from benchproof.errors import InputError
from benchproof.garbage import without_collection

TIME = Measure("latency_ms", Dimension.TIME, "ms", 1e-3)
SIZE = Measure("size", Dimension.BYTES, "B")


def cube_of(*facts: Fact, repeats: frozenset[str] = frozenset()) -> Cube:
    return Cube(Telemetry(facts, {TIME.name: TIME, SIZE.name: SIZE}, (), repeats))


def swept() -> Cube:
    return cube_of(
        *(
            Fact(f"a.csv#/line/{at}", {"device": device, "batch": batch}, {TIME.name: 1.0 + at})
            for at, (device, batch) in enumerate((d, b) for b in (32, 1, 8) for d in ("gpu", "cpu"))
        ),
        Fact("a.csv#/line/9", {"device": "cpu"}, {TIME.name: 9.0}),
    )


@pytest.mark.parametrize(
    ("limits", "lines"),
    [
        ({}, [0, 1, 2, 3, 4, 5, 9]),
        ({"colour": frozenset(["red"])}, [0, 1, 2, 3, 4, 5, 9]),
        ({"device": frozenset(["cpu"])}, [1, 3, 5, 9]),
        ({"batch": frozenset([8, 32])}, [0, 1, 4, 5]),
        ({"batch": frozenset([8.0, 7]), "device": frozenset(["cpu", "gpu"])}, [4, 5]),
        ({"batch": frozenset([7]), "device": frozenset(["cpu"])}, []),
    ],
)
def test_groups_within_limits_come_in_the_order_of_the_data(
    limits: Limits, lines: list[int]
) -> None:
    found = swept().select(limits)
    assert [group.places for group in found] == [(f"a.csv#/line/{line}",) for line in lines]


def test_selecting_leaves_the_index_as_it_was() -> None:
    cube = swept()
    before = cube.select({"device": frozenset(["cpu"])})
    cube.select({"device": frozenset(["cpu", "gpu"]), "batch": frozenset([1])})
    assert cube.select({"device": frozenset(["cpu"])}) == before


def test_keys_and_their_values_are_in_the_order_of_the_data() -> None:
    assert swept().keys == {"device": ["gpu", "cpu"], "batch": [32, 1, 8]}


def test_repeats_are_no_keys_of_a_group() -> None:
    facts = [Fact(f"#{run}", {"run": run, "batch": 8}, {TIME.name: run}) for run in (1, 2, 6)]
    cube = cube_of(*facts, repeats=frozenset(["run"]))
    assert [group.keys for group in cube.groups] == [{"batch": 8}]
    assert cube.groups[0].value(TIME.name) == 3
    assert facts[0].keys == {"run": 1, "batch": 8}


def test_the_span_of_a_dimension_is_of_what_is_above_zero_and_known() -> None:
    values = ({TIME.name: 0.01}, {TIME.name: -5.0, SIZE.name: 3.0}, {TIME.name: 10.0, "odd": 1e9})
    cube = cube_of(*(Fact(f"#{at}", {"n": at}, one) for at, one in enumerate(values)))
    assert cube.decades == {Dimension.TIME: pytest.approx(3.0), Dimension.BYTES: 0.0}


def test_a_power_of_ten_is_applied_exactly() -> None:
    numbers = random.Random(3)
    for _ in range(2000):
        number = numbers.uniform(-1, 1) * 10.0 ** numbers.randint(-20, 20)
        power = numbers.choice((-9, -6, -3, 3, 6, 9))
        exact = float(Decimal(repr(number)).scaleb(power))
        assert in_base_unit(number, float(f"1e{power}")) == exact


def test_large_numbers_are_seen_in_every_form(tmp_path: Path) -> None:
    data = tmp_path / "a.json"
    data.write_text('[{"batch": 8, "latency_ms": 1e999}, {"batch": 16, "latency_ms": 2}]')
    with pytest.raises(InputError, match="too large"):
        read_telemetry([str(data)], None, tmp_path)


def test_collection_goes_on_afterwards_even_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_telemetry([str(tmp_path / "none.csv")], None, tmp_path)
    assert gc.isenabled()
    gc.disable()
    try:
        with without_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_foreign_data_needs_nothing_of_what_reads_our_own_records(tmp_path: Path) -> None:
    data = tmp_path / "a.json"
    data.write_text(json.dumps([{"batch": n, "latency_ms": n / 7} for n in (1, 8, 32)]))
    script = (
        "import sys; from pathlib import Path\n"
        "from benchproof.audit.facts.read import read_telemetry\n"
        f"assert len(read_telemetry([{str(data)!r}], None, Path()).facts) == 3\n"
        "print(*sorted(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert not loaded & {"yaml", "benchproof.derive.quantities", "benchproof.audit.facts.own"}
