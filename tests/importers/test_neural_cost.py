"""What the telemetry of neural-cost becomes, and which of it is refused."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from factory import DATA, MODELS, ROOT, committed_paths, committed_study, shared, write_raw_file
from hypothesis import given
from hypothesis import strategies as st

from benchproof.derive import quantities as q
from benchproof.errors import ImportFormatError
from benchproof.importers.neural_cost import convert
from benchproof.importers.neural_cost_source import DEVICES, device_of
from benchproof.importers.write import encode
from benchproof.model.keys import Device, Framework, Precision, Task, VariantKind
from benchproof.model.raw import RawFile
from benchproof.records.load import load_records

CPU, GPU = DATA / "neural-cost-0.2.0-cpu.json", DATA / "neural-cost-0.2.0-gpu.json"
LATER_CPU, LATER_GPU = DATA / "neural-cost-0.8.0-cpu.json", DATA / "neural-cost-0.8.0-gpu.json"


def imported(*paths: Path, **options: Any) -> dict[str, RawFile]:
    return convert(paths, "tiny", **options)


def changed(tmp_path: Path, record: dict[str, Any], **hardware: Any) -> Path:
    """The first record of the CPU sweep with changed fields; None removes a field."""
    document = json.loads(CPU.read_bytes())
    document["records"] = [_merge(document["records"][0], record)]
    document["hardware"] = _merge(document["hardware"], hardware)
    path = tmp_path / "source.json"
    path.write_text(json.dumps(document))
    return path


def _merge(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in (old | new).items() if value is not None}


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(ImportFormatError) as caught:
        imported(path, **options)
    return str(caught.value).replace(str(path), "FILE")


# --- the public telemetry ------------------------------------------------------------------


def test_the_public_files_give_the_committed_bytes() -> None:
    folder = shared() / "data" / "neural-cost-0.2.0"
    files = [folder / "benchmark_data.json", folder / "benchmark_gpu_data.json"]
    converted = {name: encode(raw) for name, raw in convert(files, "apple-m3").items()}
    assert converted == {path.name: path.read_bytes() for path in committed_paths()}
    assert len(converted) == 25


def test_committed_telemetry_tells_where_it_is_from() -> None:
    for record in committed_study().everything:
        assert record.source is not None
        assert (record.source.name, record.source.version) == ("neural-cost", "0.2.0")
        assert record.source.licence == "MIT"
        assert record.source.url
        assert record.source.file in ("benchmark_data.json", "benchmark_gpu_data.json")
        assert record.source.sha256[:8] in ("e6e84c0e", "dd16f2d6")
        assert record.machine.chip == "Apple M3"


def test_committed_telemetry_holds_what_the_public_files_say() -> None:
    folder = shared() / "data" / "neural-cost-0.2.0"
    originals = {
        name: json.loads((folder / name).read_bytes())["records"]
        for name in ("benchmark_data.json", "benchmark_gpu_data.json")
    }
    seen = set()
    for record in committed_study().everything:
        assert record.source is not None
        pointer = record.cell.source_pointer
        assert pointer is not None
        seen.add((record.source.file, pointer))
        original = originals[record.source.file][int(pointer.removeprefix("/records/"))]
        summary = record.cell.summary
        assert summary is not None
        for field in ("median", "mean", "stddev", "p95"):
            exact = Decimal(repr(original[f"latency_{field}_ms"])) * 1_000_000
            assert getattr(summary, f"{field}_ns") == float(exact)
        assert record.cell.flops_per_call == original["flops"]
        assert record.cell.bytes_per_call == original["total_bytes"]
        assert record.cell.parameter_bytes == original["param_bytes"]
        assert record.cell.device_text == original.get("device")
        assert (record.framework, record.model, record.batch) == (
            original["framework"], original["architecture"], original["batch"],
        )  # fmt: skip
    assert len(seen) == 160


def test_what_we_derive_is_what_the_source_reported() -> None:
    for record in committed_study().everything:
        reported = record.cell.reported
        ours = {
            "achieved_gflops": q.achieved_flops(record).number / 1e9,
            "achieved_gbw": q.achieved_bytes(record).number / 1e9,
            "arith_intensity": q.intensity(record).number,
            "roofline_efficiency": q.efficiency(record).number / 100,
            "latency_cv_pct": q.variation(record).number,
        }
        assert ours == {name: pytest.approx(reported[name], rel=1e-9) for name in ours}
        assert reported["bottleneck"] == ("compute" if q.is_compute_bound(record) else "memory")


def test_measured_bandwidths_are_exact_in_decimal() -> None:
    measured = {q.measured_bandwidth(r).number for r in committed_study().everything}
    assert measured == {41818566630.096626, 48071215001.4676}


# --- this release and later ones -----------------------------------------------------------


def test_a_file_becomes_one_raw_file_per_device_framework_and_workload() -> None:
    files = imported(CPU, GPU)
    assert sorted(files) == [
        "cpu-jax-cnn.json", "cpu-jax-lstm.json", "cpu-pytorch-cnn.json", "cpu-pytorch-lstm.json",
        "mps-jax-cnn.json", "mps-pytorch-cnn.json",
    ]  # fmt: skip
    cells = files["mps-jax-cnn.json"].cells
    assert [(c.variant, c.kind, c.actual_device) for c in cells] == [
        ("eager", VariantKind.EAGER, Device.CPU),
        ("jax.jit", VariantKind.COMPILED, Device.CPU),
    ]
    assert [c.source_pointer for c in cells] == ["/records/2", "/records/3"]
    assert cells[0].reported["bottleneck"] == "memory"
    assert "flops" not in cells[0].reported


def test_the_cpu_sweep_names_no_device_and_none_is_made_up() -> None:
    for raw in imported(CPU).values():
        assert raw.device is Device.CPU
        assert {(c.actual_device, c.device_text) for c in raw.cells} == {(None, None)}


def test_later_fields_become_precision_task_scale_and_memory() -> None:
    files = imported(LATER_CPU)
    assert sorted(files) == [
        "cpu-pytorch-ff-dnn-standard-backward.json",
        "cpu-pytorch-ff-dnn-standard-train-step.json",
        "cpu-pytorch-ff-dnn-standard.json",
    ]
    cells = files["cpu-pytorch-ff-dnn-standard.json"].cells
    assert [c.precision for c in cells] == [
        Precision.FP32, Precision.FP32, Precision.FP16, Precision.BF16, Precision.INT8,
    ]  # fmt: skip
    assert cells[0].peak_memory_bytes == 101036224
    assert cells[0].reported["cache_resident"] is False
    assert cells[0].reported["cache_name"] is None
    assert cells[0].reported["theoretical_min_bytes"] == 100757544
    tasks = {raw.workload.task for raw in files.values()}
    assert tasks == {Task.INFERENCE, Task.TRAIN_STEP, Task.BACKWARD}
    assert {raw.workload.scale for raw in files.values()} == {"standard"}
    assert files["cpu-pytorch-ff-dnn-standard.json"].machine.chip == "Apple M1"


def test_later_device_strings_are_understood() -> None:
    files = imported(LATER_GPU)
    found = {
        (raw.framework.name.value, c.variant, c.device_text, c.actual_device)
        for raw in files.values()
        for c in raw.cells
    }
    assert {raw.device for raw in files.values()} == {Device.MPS}
    assert found == {
        ("PyTorch", "eager", "mps (Apple Silicon GPU)", Device.MPS),
        ("PyTorch", "torch.compile", "mps (Apple Silicon GPU)", Device.MPS),
        ("JAX", "eager", "mps:0 (gpu)", Device.MPS),
        ("JAX", "jax.jit", "mps:0 (gpu)", Device.MPS),
        ("TensorFlow", "eager", "cpu-fallback (no TF GPU)", Device.CPU),
        ("TensorFlow", "tf.function+XLA", "cpu-fallback (no TF GPU)", Device.CPU),
    }


def test_other_machines_device_strings_are_understood() -> None:
    files = imported(DATA / "neural-cost-devices.json")
    found = {c.device_text: c.actual_device for raw in files.values() for c in raw.cells}
    assert {raw.device for raw in files.values()} == {Device.CUDA}
    assert found == {
        "cuda:0 (NVIDIA H100)": Device.CUDA,
        "/GPU:0": Device.CUDA,
        "gpu": Device.CUDA,
        "cpu-fallback (no TF GPU)": Device.CPU,
        "NVIDIA H100": Device.CUDA,
    }
    assert {raw.machine.chip for raw in files.values()} == {"H100"}


def test_a_bare_gpu_is_the_accelerator_that_another_record_names(tmp_path: Path) -> None:
    document = json.loads((DATA / "neural-cost-devices.json").read_bytes())
    del document["hardware"]["torch_device"]
    path = tmp_path / "source.json"
    path.write_text(json.dumps(document))
    assert {raw.device for raw in imported(path).values()} == {Device.CUDA}


@pytest.mark.parametrize("text", ["gpu", "/GPU:0", "/device:GPU:1"])
def test_a_bare_gpu_alone_needs_a_name(tmp_path: Path, text: str) -> None:
    path = changed(tmp_path, {"device": text})
    assert refusal(path) == (
        f"FILE#/records/0/device: device {text!r} does not say which GPU; name it with --requested"
    )
    (raw,) = imported(path, requested=Device.CUDA).values()
    assert raw.cells[0].actual_device is Device.CUDA


@given(
    st.sampled_from(sorted(DEVICES)),
    st.sampled_from([str.lower, str.upper, str.title]),
    st.from_regex(r"\A([^a-z].*)?\Z"),
)
def test_a_device_is_known_by_its_first_word(word: str, case: Any, rest: str) -> None:
    if rest and rest.lower()[0].isalpha() and rest.lower()[0].isascii():
        rest = ":" + rest
    assert device_of(case(word) + rest, None, "x") is DEVICES[word]


def test_a_release_is_recognised_by_its_bytes_or_told(tmp_path: Path) -> None:
    (raw, *_) = imported(CPU).values()
    assert raw.source is not None
    assert raw.source.version is None
    (raw, *_) = imported(CPU, version="9.9").values()
    assert raw.source is not None
    assert raw.source.version == "9.9"


def test_what_the_source_does_not_tell_stays_unknown(tmp_path: Path) -> None:
    gone = (
        "latency_mean_ms", "latency_stddev_ms", "latency_p95_ms", "flops", "param_bytes",
        "total_bytes",
    )  # fmt: skip
    path = changed(tmp_path, dict.fromkeys(gone), peak_flops=None, measured_bw_gb_s=None)
    (raw,) = imported(path).values()
    (record,) = load_records([write_raw_file(tmp_path / "raw.json", raw)], tmp_path)
    told = (record.mean_s, record.stddev_s, record.p95_s, record.cell.flops_per_call)
    assert told == (None, None, None, None)
    assert len(record.machine.ceilings) == 1
    assert b'"flops_per_call"' not in encode(raw)


def test_conversion_gives_the_same_bytes_each_time() -> None:
    first, second = (
        {name: encode(raw) for name, raw in imported(LATER_CPU, LATER_GPU).items()}
        for _ in range(2)
    )
    assert first == second


def test_imported_files_load(tmp_path: Path) -> None:
    files = imported(LATER_CPU, LATER_GPU, DATA / "neural-cost-devices.json")
    paths = [write_raw_file(tmp_path / name, raw) for name, raw in files.items()]
    assert len(load_records(paths, tmp_path)) == 7 + 6 + 5


def test_models_with_similar_names_get_files_of_their_own(tmp_path: Path) -> None:
    document = json.loads(CPU.read_bytes())
    first = document["records"][0]
    document["records"] = [first | {"architecture": name} for name in ("A B", "A-B", "a/b")]
    path = tmp_path / "source.json"
    path.write_text(json.dumps(document))
    files = imported(path)
    assert sorted(files) == [
        "cpu-pytorch-a-b-2.json", "cpu-pytorch-a-b-3.json", "cpu-pytorch-a-b.json",
    ]  # fmt: skip
    assert {raw.workload.model for raw in files.values()} == {"A B", "A-B", "a/b"}


def test_a_name_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    (name,) = imported(changed(tmp_path, {"architecture": "../../etc/passwd"}))
    assert name == "cpu-pytorch-etc-passwd.json"


# --- refusals ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"framework": "Caffe"},
            "/framework: invalid enum value 'Caffe'; correct the value at its source",
        ),
        (
            {"variant": "jit"},
            "/variant: variant 'jit' of PyTorch is not known; expected one of baseline, "
            "compiled, eager",
        ),
        (
            {"mode": "dreaming"},
            "/mode: mode 'dreaming' is not known; expected one of inference, train_step, "
            "backward_only",
        ),
        (
            {"precision": "fp8"},
            "/precision: invalid enum value 'fp8'; correct the value at its source",
        ),
        (
            {"device": "tpu:0"},
            "/device: device 'tpu:0' is not known; expected one that starts with cpu, mps, "
            "metal, cuda, nvidia",
        ),
        (
            {"latency_median_ms": -1.0},
            "/latency_median_ms: expected `float` > 0.0; correct the value at its source",
        ),
        (
            {"latency_median_ms": "4.8"},
            "/latency_median_ms: expected `float`, got `str`; correct the value at its source",
        ),
        (
            {"latency_median_ms": None},
            ": object missing required field `latency_median_ms`; correct the value at its source",
        ),
        ({"batch": 0}, "/batch: expected `int` >= 1; correct the value at its source"),
        (
            {"total_bytes": 0},
            "/total_bytes: expected `int` >= 1; correct the value at its source",
        ),
        (
            {"extra": {"a": 1}},
            "/extra: not a plain value; leave the field out",
        ),
    ],
)
def test_a_record_that_cannot_be_read_is_refused_by_its_field(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    assert refusal(changed(tmp_path, change)) == f"FILE#/records/0{message}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "[]",
            "FILE: no `records` list; give a benchmark_data.json or benchmark_gpu_data.json",
        ),
        (
            '{"hardware": {"name": "x"}, "prefill": {}, "decode": {}}',
            "FILE: no `records` list; give a benchmark_data.json or benchmark_gpu_data.json",
        ),
        (
            '{"hardware": {"name": "x"}, "records": []}',
            "FILE#/records: no record; give a file with measurements",
        ),
        (
            '{"records": [1]}',
            "FILE#/hardware: expected `object`, got `null`; correct the value at its source",
        ),
        (
            '{"hardware": {"name": "x", "peak_flops": 0}, "records": [1]}',
            "FILE#/hardware/peak_flops: expected `float` > 0.0; correct the value at its source",
        ),
        (
            '{"hardware": {"name": "x"}, "records": [1]}',
            "FILE#/records/0: expected `object`, got `int`; correct the value at its source",
        ),
        ('{"hardware": NaN}', "FILE#/hardware: nan is not a number JSON has; "
         "leave out what was not measured"),
        ('{"hardware": ', "FILE: JSON ends early, at line 1 column 14; restore the whole file"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_sweep_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "source.json"
    path.write_text(content)
    assert refusal(path) == message


def test_two_summaries_of_one_cell_are_refused(tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes(CPU.read_bytes())
    with pytest.raises(ImportFormatError) as caught:
        imported(CPU, copy)
    assert str(caught.value) == (
        f"{copy}#/records/0: the same cell stands at {CPU}#/records/0; "
        "import the two into separate studies"
    )


def test_models_of_the_study_are_those_of_its_configuration() -> None:
    assert tuple(dict.fromkeys(r.model for r in committed_study().everything)) != ()
    assert {r.model for r in committed_study().everything} == set(MODELS)
    assert {r.framework for r in committed_study().everything} == {
        Framework.PYTORCH, Framework.JAX, Framework.TENSORFLOW,
    }  # fmt: skip
    assert all(path.is_relative_to(ROOT) for path in committed_paths())
