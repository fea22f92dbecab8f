"""One telemetry from files of several kinds."""

import json
import shutil
from pathlib import Path

import pytest
from audit.facts.written import read, refusal, rows, rules, write
from factory import DATA, committed_paths, shared

from benchproof.audit.facts.read import read_telemetry

CPU, GPU = DATA / "neural-cost-0.2.0-cpu.json", DATA / "neural-cost-0.2.0-gpu.json"


# --- records ----------------------------------------------------------------------------------


def test_raw_files_give_their_records() -> None:
    path = committed_paths()[0]
    told = read_telemetry([str(path)], None, path.parent)
    assert told.facts[0].record is not None
    assert told.facts[0].place == f"{path.name}#/cells/0"
    assert told.facts[0].keys["framework"] == "JAX"
    assert "latency" in told.measures


def test_neural_cost_is_read_as_it_is_with_its_own_places() -> None:
    told = read_telemetry([str(CPU), str(GPU)], None, DATA)
    assert all(fact.record is not None for fact in told.facts)
    assert told.facts[0].place == f"{CPU.name}#/records/0"
    places = {place for finding in told.findings for place in finding.records}
    assert places
    assert places <= {fact.place for fact in told.facts}


def test_the_public_telemetry_has_its_known_faults() -> None:
    folder = shared() / "data" / "neural-cost-0.2.0"
    told = read_telemetry([str(folder)], None, folder)
    assert len(told.facts) == 160
    truth = next(finding for finding in told.findings if finding.rule == "device-truth")
    assert truth.records[0] == "benchmark_gpu_data.json#/records/20"
    assert len(truth.records) == 20


def test_two_sweeps_of_one_cell_are_both_kept_and_named(tmp_path: Path) -> None:
    document = json.loads(CPU.read_bytes())
    document["records"][0]["latency_median_ms"] *= 2
    write(tmp_path, old_DOT_json=document)
    shutil.copy(CPU, tmp_path / "new.json")
    told = read(tmp_path)
    assert "duplicate-keys" in rules(told)
    same = [fact for fact in told.facts if fact.place.endswith("#/records/0")]
    assert len(same) == 2


def test_a_copy_of_a_sweep_is_merged_silently(tmp_path: Path) -> None:
    shutil.copy(CPU, tmp_path / "a.json")
    shutil.copy(CPU, tmp_path / "b.json")
    told = read(tmp_path)
    assert len(told.facts) == len(read(tmp_path, "a.json").facts)
    assert "duplicate-keys" not in rules(told)


def test_what_only_looks_like_neural_cost_is_read_as_rows_and_told(tmp_path: Path) -> None:
    document = json.loads(CPU.read_bytes())
    document["records"][0]["framework"] = "Keras"
    told = read(write(tmp_path, sweep_DOT_json=document), "sweep.json")
    assert "ungated-records" in rules(told)
    assert told.facts[0].keys["framework"] == "Keras"


def test_a_broken_raw_file_says_where(tmp_path: Path) -> None:
    (tmp_path / "raw.json").write_text('{"schema": "benchproof/raw@7"}')
    assert refusal(tmp_path, "raw.json").startswith("raw.json#/schema: schema 'benchproof/raw@7'")


# --- names of files ---------------------------------------------------------------------------


def test_what_only_the_names_tell_is_a_key(tmp_path: Path) -> None:
    row = [{"tokens": 1, "latency": "3 ms"}]
    write(tmp_path, cuda_DASH_fp16_DOT_json=row, cuda_DASH_fp32_DOT_json=row)
    assert [keys for keys, _ in rows(read(tmp_path))] == [
        {"precision": "fp16", "tokens": 1},
        {"precision": "fp32", "tokens": 1},
    ]


def test_folders_tell_keys_as_names_do(tmp_path: Path) -> None:
    for framework in ("jax", "torch"):
        (tmp_path / framework).mkdir()
        (tmp_path / framework / "out.csv").write_text("model,x_ms\nCNN,1.5\n")
    assert [keys["framework"] for keys, _ in rows(read(tmp_path))] == ["JAX", "PyTorch"]


def test_runs_in_names_are_repeats(tmp_path: Path) -> None:
    write(tmp_path, run1_DOT_csv="model,x_ms\nCNN,1\n", run2_DOT_csv="model,x_ms\nCNN,2\n")
    told = read(tmp_path)
    assert told.repeats == {"run"}
    assert told.findings == ()


def test_an_unknown_part_is_a_file_key_where_rows_would_coincide(tmp_path: Path) -> None:
    write(tmp_path, alpha_DOT_csv="model,x_ms\nCNN,1\n", beta_DOT_csv="model,x_ms\nCNN,2\n")
    assert [keys["file"] for keys, _ in rows(read(tmp_path))] == ["alpha", "beta"]
    write(tmp_path, alpha_DOT_csv="model,x_ms\nRNN,1\n")
    assert all("file" not in keys for keys, _ in rows(read(tmp_path)))


def test_a_column_goes_before_a_name(tmp_path: Path) -> None:
    text = "device,x_ms\ncpu,1\ncuda,2\n"
    write(tmp_path, cpu_DASH_a_DOT_csv=text, cuda_DASH_b_DOT_csv=text.replace("1", "3"))
    assert {keys["device"] for keys, _ in rows(read(tmp_path))} == {"cpu", "cuda"}


def test_the_public_csv_files_are_told_apart_by_their_names() -> None:
    folder = shared() / "data" / "mlx-benchmarks"
    told = read_telemetry([str(folder)], None, folder)
    keys = {(fact.keys["framework"], fact.keys["task"]) for fact in told.facts}
    assert keys == {(f, task) for f in ("MLX", "PyTorch") for task in ("train", "test")}
    assert told.findings == ()


# --- rows of the same keys --------------------------------------------------------------------


def test_a_superseded_sibling_is_named_and_kept(tmp_path: Path) -> None:
    text = "model,x_ms\nCNN,1.5\nRNN,2.5\n"
    write(tmp_path, results_DOT_csv=text, results_DASH_old_DOT_csv=text.replace("2.5", "2.75"))
    told = read(tmp_path)
    assert [keys["model"] for keys, _ in rows(told)].count("RNN") == 2
    assert [keys["model"] for keys, _ in rows(told)].count("CNN") == 1
    finding = next(one for one in told.findings if one.rule == "duplicate-keys")
    assert finding.records == ("results-old.csv#/line/3", "results.csv#/line/3")
    assert "in both results-old.csv and results.csv" in finding.message


def test_a_version_does_not_tell_a_superseded_file_apart(tmp_path: Path) -> None:
    for version, time in ((1, 1.5), (2, 2.5)):
        document = {"version": version, "rows": [{"model": "CNN", "x_ms": time}]}
        write(tmp_path, **{f"sweep-v{version}_DOT_json": document})
    assert rules(read(tmp_path)) == ["duplicate-keys"]


def test_the_same_keys_twice_in_a_file_are_told(tmp_path: Path) -> None:
    told = read(write(tmp_path, a_DOT_csv="model,x_ms\nCNN,1.5\nCNN,2.5\n"))
    assert rules(told) == ["duplicate-keys"]
    assert len(told.facts) == 2


def test_identical_rows_are_one(tmp_path: Path) -> None:
    told = read(write(tmp_path, a_DOT_csv="model,x_ms\nCNN,1.5\nCNN,1.5\n"))
    assert (len(told.facts), told.findings) == (1, ())


def test_files_with_other_measures_do_not_contradict(tmp_path: Path) -> None:
    write(tmp_path, a_DOT_csv="model,x_ms\nCNN,1.5\n", b_DOT_csv="model,peak_mb\nCNN,7\n")
    told = read(tmp_path)
    assert (len(told.facts), told.findings) == (2, ())


def test_keys_stand_in_one_order(tmp_path: Path) -> None:
    write(
        tmp_path, a_DOT_csv="model,batch,x_ms\nCNN,1,1\n", b_DOT_csv="batch,model,y_mb\n1,CNN,7\n"
    )
    first, second = read(tmp_path).facts
    assert list(first.keys.items()) == list(second.keys.items())


# --- doubts -----------------------------------------------------------------------------------


def test_a_variation_above_half_the_mean_is_told(tmp_path: Path) -> None:
    told = read(write(tmp_path, a_DOT_csv="model,x_ms,cv_pct\nCNN,1.5,60\nRNN,2,3\n"))
    assert rules(told) == ["meaningless-mean"]
    assert told.findings[0].records == ("a.csv#/line/2",)


def test_a_percentile_of_few_samples_is_told(tmp_path: Path) -> None:
    told = read(write(tmp_path, a_DOT_csv="model,samples,p95_ms\nCNN,15,1.5\nRNN,40,2\n"))
    assert rules(told) == ["p95-is-maximum"]


# --- arguments --------------------------------------------------------------------------------


def test_a_glob_names_its_matches_in_order(tmp_path: Path) -> None:
    write(tmp_path, b_DOT_csv="model,x_ms\nB,1\n", a_DOT_csv="model,x_ms\nA,1\n")
    told = read_telemetry([f"{tmp_path}/*.csv"], None, tmp_path)
    assert [file for file, _ in told.files] == ["a.csv", "b.csv"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, a_DOT_csv="model,x_ms\nA,1\n")
    assert len(read(tmp_path, "a.csv", "a.csv").files) == 1


def test_a_folder_may_hold_files_without_records(tmp_path: Path) -> None:
    write(tmp_path, a_DOT_csv="model,x_ms\nA,1\n", package_DOT_json={"name": "bench"})
    told = read(tmp_path)
    assert rules(told) == ["not-telemetry"]
    assert [file for file, _ in told.files] == ["a.csv"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.json", "FOLDER/none.json: no such file or folder; check the path"),
        ("*.none", "FOLDER/*.none: the pattern matches no file; correct the pattern"),
        ("", "FOLDER: no file with .csv, .json, .jsonl, .ndjson, .tsv in this folder; "
             "name the data's folder"),
    ],
)  # fmt: skip
def test_an_argument_that_names_nothing_is_refused(tmp_path: Path, name: str, message: str) -> None:
    assert refusal(tmp_path, name) == message


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("wb") as file:
        file.truncate(201_000_000)
    assert refusal(tmp_path, "a.csv").startswith("a.csv: 201 MB, more than 200 MB; ")


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, secret_DOT_csv="model,x_ms\nA,1\n")
    inside = tmp_path / "inside"
    write(inside, a_DOT_csv="model,x_ms\nA,2\n")
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    assert [file for file, _ in read(inside).files] == ["a.csv"]
