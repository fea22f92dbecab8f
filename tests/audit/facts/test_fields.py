"""Which fields are keys and which are measures, with the units that their names tell."""

from pathlib import Path

import pytest
from audit.facts.written import read_csv, read_json, rows

from benchproof.audit.facts.fact import Dimension
from benchproof.audit.facts.field_names import key_name, meaning_of, names_key

UNITS = {
    "latency_ms": (Dimension.TIME, 1e-3, ""),
    "median_us": (Dimension.TIME, 1e-6, "median"),
    "avg_time_seconds": (Dimension.TIME, 1.0, "mean"),
    "Latency (ms)": (Dimension.TIME, 1e-3, ""),
    "latencyP99Ms": (Dimension.TIME, 1e-3, "p99"),
    "step_s": (Dimension.TIME, 1.0, ""),
    "p95_ns": (Dimension.TIME, 1e-9, "p95"),
    "peak_memory_mb": (Dimension.BYTES, 1e6, ""),
    "peak_gib": (Dimension.BYTES, 2.0**30, ""),
    "generation_tps": (Dimension.RATE, 1.0, ""),
    "tokens_per_s": (Dimension.RATE, 1.0, ""),
    "images_per_sec": (Dimension.RATE, 1.0, ""),
    "tokens_s": (Dimension.RATE, 1.0, ""),
    "throughput": (Dimension.RATE, 1.0, ""),
    "speed (tokens/s)": (Dimension.RATE, 1.0, ""),
    "bandwidth_gb_per_s": (Dimension.BYTES_RATE, 1e9, ""),
    "achieved_gflops": (Dimension.FLOPS_RATE, 1e9, ""),
    "flops": (Dimension.FLOPS, 1.0, ""),
    "latency_cv_pct": (Dimension.PERCENT, 1.0, ""),
    "speedup": (Dimension.RATIO, 1.0, ""),
    "power_w": (Dimension.POWER, 1.0, ""),
    "energy_j": (Dimension.ENERGY, 1.0, ""),
    "params": (Dimension.COUNT, 1.0, ""),
    "avg_ts": (Dimension.RATE, 1.0, "mean"),
    "std_ms": (Dimension.TIME, 1e-3, "stddev"),
    "latency": (Dimension.UNKNOWN, 1.0, ""),
    "score": (Dimension.UNKNOWN, 1.0, ""),
}


@pytest.mark.parametrize("name", UNITS)
def test_a_name_tells_unit_and_statistic(name: str) -> None:
    told = meaning_of(name)
    assert (told.dimension, told.factor, told.statistic) == UNITS[name]


@pytest.mark.parametrize("name", ["batch", "batch_size", "n", "tokens", "seq_len", "num_layers"])
def test_a_setting_is_known_by_its_name(name: str) -> None:
    assert names_key(name)


@pytest.mark.parametrize("name", ["latency_ms", "memory_bytes", "throughput", "loss", "tokens_s"])
def test_a_measure_is_no_setting(name: str) -> None:
    assert not names_key(name)


def test_spellings_of_a_key_are_one() -> None:
    assert {key_name(name) for name in ("batch_size", "Batch Size", "bs", "batchSize")} == {"batch"}
    assert key_name("Engine") == "Engine"


def test_integers_that_form_a_grid_are_settings(tmp_path: Path) -> None:
    text = "a,b,x_ms\n1,10,1.5\n1,20,2.5\n2,10,3.5\n2,20,4.5\n"
    assert rows(read_csv(tmp_path, text))[0] == ({"a": 1, "b": 10}, {"x_ms": 0.0015})


def test_rising_integers_in_front_are_a_sweep_where_nothing_else_is_a_key(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "size_mb,bandwidth_gbps\n1,10.5\n2,20.5\n4,30.5\n")
    assert rows(told)[1] == ({"size_mb": 2}, {"bandwidth_gbps": 20.5e9})


def test_runs_are_repeats(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model,run,x_ms\nCNN,1,1.5\nCNN,2,1.75\n")
    assert told.repeats == {"run"}
    assert told.findings == ()


def test_text_with_a_unit_is_a_measure(tmp_path: Path) -> None:
    told = read_json(tmp_path, [{"codec": "zstd", "speed": "comp: 1618 MB/s, decomp: 4.5 GB/s"}])
    assert rows(told) == [({"codec": "zstd"}, {"comp": 1618e6, "decomp": 4.5e9})]
    assert told.measures["comp"].dimension is Dimension.BYTES_RATE


def test_a_spread_behind_a_number_is_its_standard_deviation(tmp_path: Path) -> None:
    told = read_json(tmp_path, [{"model": "CNN", "time": "3.5 ± 0.25 ms"}])
    assert rows(told)[0][1] == {"time": 0.0035, "time standard deviation": 0.00025}


def test_sizes_of_models_are_names(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model,x_ms\n7B,1.5\n13B,2.5\n")
    assert rows(told)[0][0] == {"model": "7B"}


def test_numbers_in_their_unit_are_exact(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model,x_ms,y_us\na,812.66,9.3\n")
    assert rows(told)[0][1] == {"x_ms": 0.81266, "y_us": 9.3e-6}


def test_equal_integers_of_a_measure_are_no_setting(tmp_path: Path) -> None:
    told = read_csv(tmp_path, "model,latency\nA,12\nB,12\nC,12\nD,12\n")
    assert rows(told)[0] == ({"model": "A"}, {"latency": 12.0})


def test_free_text_and_times_are_no_keys(tmp_path: Path) -> None:
    text = "model,timestamp,notes,x_ms\nCNN,2024-01-01T10:00:00,warm,1.5\n"
    assert rows(read_csv(tmp_path, text))[0][0] == {"model": "CNN"}


def test_one_name_with_two_dimensions_is_two_measures(tmp_path: Path) -> None:
    document = {"a": [{"m": "x", "speed": "2 ms"}, {"m": "y", "speed": "3 GB/s"}]}
    told = read_json(tmp_path, document)
    assert [values for _, values in rows(told)] == [
        {"speed (ms)": 0.002},
        {"speed (GB/s)": 3e9},
    ]
