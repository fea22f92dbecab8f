"""Which raw files load, what their records hold, and how a bad file is refused."""

import hashlib
import json
from pathlib import Path
from statistics import fmean, median, stdev

import pytest
from factory import (
    CEILINGS,
    DATA,
    ROOT,
    SAMPLES,
    committed_paths,
    committed_study,
    make_cell,
    make_raw,
    make_record,
    write_raw_file,
)

from benchproof.errors import RawError
from benchproof.model.keys import CeilingKind, CeilingQuantity, Device, Status
from benchproof.model.raw import RawFile
from benchproof.model.record import Record, citations
from benchproof.records.load import load_file, load_records

FIX = "correct the collector or importer and write the file again"
BROKEN = {
    "truncated": "truncated.json: not JSON at line 18 column 5 (Unterminated string starting at); "
    "restore the whole file",
    "truncated-between-fields": "truncated-between-fields.json: JSON ends early, "
    "at line 11 column 5; restore the whole file",
    "not-utf8": "not-utf8.json: not UTF-8 at byte 284; "
    "save the file as UTF-8 without a byte order mark",
    "bom": "bom.json: not JSON at line 1 column 1 (Unexpected UTF-8 BOM "
    "(decode using utf-8-sig)); restore the whole file",
    "empty": "empty.json: JSON ends early, at line 1 column 1; restore the whole file",
    "not-an-object": "not-an-object.json#/schema: no schema, this version reads "
    "'benchproof/raw@1'; import or collect it again",
    "wrong-version": "wrong-version.json#/schema: schema 'benchproof/raw@2', this version reads "
    "'benchproof/raw@1'; import or collect it again",
    "no-version": "no-version.json#/schema: no schema, this version reads "
    "'benchproof/raw@1'; import or collect it again",
    "duplicate-cell": "duplicate-cell.json#/cells/1: cell eager, batch 32, fp32 stands also at "
    "/cells/0; keep one of them, or give each its own round",
    "negative-sample": f"negative-sample.json#/cells/0/samples_ns/1: expected `int` >= 1; {FIX}",
    "zero-bytes": f"zero-bytes.json#/cells/0/bytes_per_call: expected `int` >= 1; {FIX}",
    "huge-count": "huge-count.json#/cells/0/flops_per_call: expected `int` <= "
    f"9223372036854775807; {FIX}",
    "string-for-number": "string-for-number.json#/cells/0/batch: expected `int`, got `str`; "
    f"{FIX}",
    "nan": "nan.json#/cells/0/flops_per_call: nan is not a number JSON has; "
    "leave out what was not measured",
    "infinity": "infinity.json#/cells/0/flops_per_call: -inf is not a number JSON has; "
    "leave out what was not measured",
    "overflow": "overflow.json#/cells/0/flops_per_call: inf is not a number JSON has; "
    "leave out what was not measured",
    "duplicate-key": "duplicate-key.json: key 'batch' stands twice in one object; "
    "keep one of them",
    "deep": "deep.json: not JSON that can be read (maximum recursion depth exceeded while "
    "decoding a JSON array from a unicode string); restore the whole file",
    "unknown-field": "unknown-field.json#/cells/0: object contains unknown field `latency_ms`; "
    f"{FIX}",
    "unknown-device": f"unknown-device.json#/device: invalid enum value 'tpu'; {FIX}",
    "missing-field": f"missing-field.json#/workload: object missing required field `task`; {FIX}",
    "neither-evidence": "neither-evidence.json#/cells/0: status ok with neither samples nor a "
    "summary; keep exactly one of the two",
    "both-evidence": "both-evidence.json#/cells/0: status ok with both samples and a summary; "
    "keep exactly one of the two",
    "failed-without-reason": "failed-without-reason.json#/cells/0: status failed without a "
    "reason; say why in /reason",
    "surrogate": "surrogate.json#/workload/model: 'C\\ud800N' holds half of a surrogate pair, "
    "which is no character; write the whole character",
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_broken_file_is_refused_with_place_fault_and_remedy(fault: str) -> None:
    folder = DATA / "broken"
    with pytest.raises(RawError) as caught:
        load_file(folder / f"{fault}.json", folder)
    if fault == "deep":  # the words in brackets are Python's own, and differ by version
        assert str(caught.value).startswith("deep.json: not JSON that can be read (")
    else:
        assert str(caught.value) == BROKEN[fault]


def test_every_broken_file_has_its_message() -> None:
    assert {path.stem for path in (DATA / "broken").iterdir()} == set(BROKEN)


def test_an_error_gives_its_three_parts(tmp_path: Path) -> None:
    with pytest.raises(RawError) as caught:
        load_file(DATA / "broken" / "wrong-version.json", ROOT)
    assert caught.value.where == "tests/data/broken/wrong-version.json#/schema"
    assert caught.value.what.startswith("schema 'benchproof/raw@2'")
    assert caught.value.remedy == "import or collect it again"


def test_place_names_file_from_the_root_pointer_and_hash(tmp_path: Path) -> None:
    path = write_raw_file(tmp_path / "results" / "raw" / "a.json", cells=[make_cell()])
    (record,) = load_records([path], tmp_path)
    (place,) = record.places
    assert str(place) == "results/raw/a.json#/cells/0"
    assert place.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    document = json.loads(path.read_bytes())
    assert document["cells"][0]["batch"] == record.batch


def test_good_file_loads(tmp_path: Path) -> None:
    (record,) = load_records([DATA / "good.json"], DATA)
    assert record.name == "PyTorch eager CNN on cpu, batch 32, fp32"
    assert record.median_s == 11e-9
    assert record.cell.bytes_per_call is None
    assert record.p95_s == 12e-9


def test_committed_study_has_every_record_of_its_source() -> None:
    assert len(load_records(committed_paths(), ROOT)) == 160
    assert len({place for r in committed_study().everything for place in r.places}) == 160


def two_rounds(tmp_path: Path, **second: object) -> list[Record]:
    first = make_raw(round=1)
    other = make_raw(**{"round": 2, **second})
    paths = [
        write_raw_file(tmp_path / f"{name}.json", raw) for name, raw in (("a", first), ("b", other))
    ]
    return list(load_records(paths, tmp_path))


def test_samples_of_rounds_are_pooled(tmp_path: Path) -> None:
    cells = [make_cell(samples_ns=(1_000_000, 9_000_000))]
    (record,) = two_rounds(tmp_path, cells=cells)
    pooled = (*SAMPLES, 1_000_000, 9_000_000)
    assert record.samples_ns == pooled
    assert record.median_s == median(pooled) / 1e9
    assert record.mean_s == fmean(pooled) / 1e9
    assert record.stddev_s == stdev(pooled) / 1e9
    assert record.p95_s == 9e-3
    assert [str(place) for place in record.places] == ["a.json#/cells/0", "b.json#/cells/0"]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            {"round": 1},
            "b.json#/cells/0: the same cell and round 1 stand at a.json#/cells/0; "
            "remove one file, or give it the round it belongs to",
        ),
        (
            {"cells": [make_cell(flops_per_call=7)]},
            "b.json#/cells/0/flops_per_call: 7, but 1000000000 at a.json#/cells/0; "
            "rounds of one cell do the same work on one machine: collect them again",
        ),
        (
            {"cells": [make_cell(parameter_bytes=None)]},
            "b.json#/cells/0/parameter_bytes: None, but 4000 at a.json#/cells/0; "
            "rounds of one cell do the same work on one machine: collect them again",
        ),
        (
            {"cells": [make_cell(kind="compiled")]},
            "b.json#/cells/0/kind: compiled, but eager at a.json#/cells/0; "
            "rounds of one cell do the same work on one machine: collect them again",
        ),
        (
            {"chip": "Other"},
            "b.json#/machine/chip: Other, but Chip at a.json#/cells/0; "
            "rounds of one cell do the same work on one machine: collect them again",
        ),
        (
            {"input_shape": [3, 32, 32]},
            "b.json#/workload/input_shape: (3, 32, 32), but None at a.json#/cells/0; "
            "rounds of one cell do the same work on one machine: collect them again",
        ),
        (
            {"cells": [make_cell(summary={"median_ns": 5.0})]},
            "b.json#/cells/0/summary: a summary cannot be pooled with the round at "
            "a.json#/cells/0; keep the two in separate studies",
        ),
    ],
)
def test_rounds_that_cannot_be_pooled_are_refused(
    tmp_path: Path, second: dict[str, object], message: str
) -> None:
    with pytest.raises(RawError) as caught:
        two_rounds(tmp_path, **second)
    assert str(caught.value) == message


def test_one_failed_round_fails_the_record(tmp_path: Path) -> None:
    (record,) = two_rounds(tmp_path, cells=[make_cell(status="failed", reason="out of memory")])
    assert record.status is Status.FAILED


def test_a_round_on_another_device_decides_for_the_record(tmp_path: Path) -> None:
    rounds = [
        write_raw_file(
            tmp_path / f"{number}.json",
            device="mps",
            round=number,
            cells=[make_cell(actual_device=device, device_text=f"{device}:0")],
        )
        for number, device in ((1, "mps"), (2, "cpu"), (3, "mps"))
    ]
    (record,) = load_records(rounds, tmp_path)
    assert record.actual is Device.CPU
    assert record.device_text == "cpu:0"


def test_device_text_falls_back_to_the_device() -> None:
    assert make_record(actual_device="cpu").device_text == "cpu"
    assert make_record().device_text is None


def test_ceilings_of_all_rounds_count(tmp_path: Path) -> None:
    higher = {**CEILINGS[3], "value": 6e10}
    (record,) = two_rounds(tmp_path, ceilings=[higher])
    found = record.ceiling(CeilingQuantity.BYTES_PER_S, CeilingKind.MEASURED)
    assert found is not None
    assert found.value == 6e10
    assert record.ceiling(CeilingQuantity.FLOPS_PER_S, CeilingKind.DATASHEET) is not None


def test_a_flops_ceiling_holds_for_its_own_precision_only() -> None:
    peak = {
        precision: make_record(precision=precision).ceiling(
            CeilingQuantity.FLOPS_PER_S, CeilingKind.DATASHEET
        )
        for precision in ("fp32", "fp16", "bf16")
    }
    assert peak["bf16"] is None
    assert (peak["fp32"].value, peak["fp16"].value) == (1e12, 2e12)  # type: ignore[union-attr]


def test_names_tell_scale_and_task() -> None:
    record = make_record(scale="large", task="train-step", device="cuda", precision="bf16")
    assert record.name == "PyTorch eager CNN (large) train-step on cuda, batch 32, bf16"


def test_scales_and_precisions_are_different_cells(tmp_path: Path) -> None:
    paths = [
        write_raw_file(tmp_path / "a.json", cells=[make_cell(), make_cell(precision="fp16")]),
        write_raw_file(tmp_path / "b.json", scale="large"),
        write_raw_file(tmp_path / "c.json", task="train-step"),
    ]
    assert len(load_records(paths, tmp_path)) == 4


def test_citations_name_each_round_once_in_the_order_of_cells(tmp_path: Path) -> None:
    cells = [make_cell(batch=batch) for batch in range(1, 13)]
    records = load_records([write_raw_file(tmp_path / "a.json", cells=cells)], tmp_path)
    cited = citations([*reversed(records), records[0]])
    assert [citation.pointer for citation in cited] == [f"/cells/{n}" for n in range(12)]


def test_a_file_outside_the_root_keeps_its_own_path(tmp_path: Path) -> None:
    path = write_raw_file(tmp_path / "a.json")
    assert load_file(path, tmp_path / "elsewhere")[0] == str(path)


def test_missing_values_are_left_out_of_the_file(tmp_path: Path) -> None:
    cell = make_cell(parameter_count=None, bytes_per_call=None)
    raw: RawFile = make_raw(cells=[cell])
    written = json.loads(write_raw_file(tmp_path / "a.json", raw).read_bytes())
    assert "parameter_count" not in written["cells"][0]
    assert "null" not in json.dumps(written)


# --- controls ------------------------------------------------------------------------------


def test_a_control_needs_a_cell_of_its_key(tmp_path: Path) -> None:
    path = write_raw_file(tmp_path / "a.json", controls=[make_cell(batch=7)])
    with pytest.raises(RawError) as caught:
        load_file(path, tmp_path)
    assert str(caught.value) == (
        "a.json#/controls/0: no cell eager, batch 7, fp32 to be a control of; "
        "measure the cell too, or leave out its control"
    )


def test_a_control_stands_once_and_holds_evidence(tmp_path: Path) -> None:
    path = write_raw_file(tmp_path / "a.json", controls=[make_cell(), make_cell()])
    with pytest.raises(RawError, match=r"a\.json#/controls/1: .* stands also at /controls/0"):
        load_file(path, tmp_path)
    path = write_raw_file(tmp_path / "a.json", controls=[make_cell(samples_ns=())])
    with pytest.raises(RawError, match=r"a\.json#/controls/0: status ok with neither"):
        load_file(path, tmp_path)


def test_controls_are_no_evidence_for_their_cell(tmp_path: Path) -> None:
    path = write_raw_file(tmp_path / "a.json", controls=[make_cell(samples_ns=(1, 2))])
    (record,) = load_records([path], tmp_path)
    assert record.samples_ns == SAMPLES
