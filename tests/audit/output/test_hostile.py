"""What hostile surroundings do to the command: outputs that clash, odd names, closed pipes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

POST = "JAX needs 3.42 ms at batch 32.\n"
DATA = "framework,batch,latency_ms\nJAX,32,3.42\nJAX,256,14.07\n"


def audit(
    folder: Path, *words: str, encoding: str = "utf-8"
) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-c", "from benchproof.start import main; main()", "audit", *words]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "post.md").write_text(POST, encoding="utf-8")
    (tmp_path / "runs.csv").write_text(DATA, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("option", ["--html", "--sarif"])
@pytest.mark.parametrize("name", ["post.md", "./runs.csv"])
def test_an_output_replaces_nothing_that_is_read(folder: Path, option: str, name: str) -> None:
    made = audit(folder, "post.md", "--data", "runs.csv", option, name)
    assert made.returncode == 2
    assert b"name another file" in made.stderr
    assert (folder / "post.md").read_text(encoding="utf-8") == POST
    assert (folder / "runs.csv").read_text(encoding="utf-8") == DATA


def test_two_outputs_need_two_files(folder: Path) -> None:
    made = audit(folder, "post.md", "--data", "runs.csv", "--html", "a", "--sarif", "a")
    assert (made.returncode, (folder / "a").exists()) == (2, False)


@pytest.mark.parametrize("post", ["", ".", "/"])
def test_a_post_that_is_no_file_is_one_line(folder: Path, post: str) -> None:
    made = audit(folder, post, "--data", "runs.csv")
    assert made.returncode == 2
    assert b"Traceback" not in made.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_any_encoding_of_the_terminal_will_do(folder: Path, encoding: str) -> None:
    (folder / "post.md").write_text("“JAX” needs 3.43 µs at batch 32.\n", encoding="utf-8")
    made = audit(folder, "post.md", "--data", "runs.csv", encoding=encoding)
    assert (made.returncode, made.stderr) == (1, b"")
    told = audit(folder, "post.md", "--data", "runs.csv", "--json", encoding=encoding)
    assert "µs" in told.stdout.decode("utf-8")


def test_a_power_beyond_all_numbers_is_no_traceback(folder: Path) -> None:
    (folder / "post.md").write_text("JAX needs 3 × 10^999 ms at batch 32.\n", encoding="utf-8")
    assert b"Traceback" not in audit(folder, "post.md", "--data", "runs.csv").stderr


@pytest.mark.parametrize("name", ["merge[a]", "sort(5)", "sort<int>", "q::fast", "-O3 run"])
def test_names_may_begin_and_end_with_marks(folder: Path, name: str) -> None:
    (folder / "runs.csv").write_text(
        f"case,latency_ms\n{name},61.9\nother,94.2\n", encoding="utf-8"
    )
    (folder / "post.md").write_text(f"`{name}` takes 61.9 ms.\n", encoding="utf-8")
    made = audit(folder, "post.md", "--data", "runs.csv")
    assert (made.returncode, b"1 verified" in made.stdout) == (0, True)


def test_so_much_more_is_a_difference(folder: Path) -> None:
    rows = "framework,latency_ms\nPyTorch,94.2\nJAX,61.9\n"
    (folder / "runs.csv").write_text(rows, encoding="utf-8")
    (folder / "post.md").write_text("PyTorch takes 32.3 ms more than JAX.\n", encoding="utf-8")
    assert b"1 verified" in audit(folder, "post.md", "--data", "runs.csv").stdout


def test_two_records_of_the_same_keys_leave_a_number_open(folder: Path) -> None:
    (folder / "runs.csv").write_text("model,ms\nA,9.0\nA,10.0\nB,20.0\n", encoding="utf-8")
    (folder / "post.md").write_text("Model A takes 9.0 ms, and B 20.0 ms.\n", encoding="utf-8")
    made = audit(folder, "post.md", "--data", "runs.csv").stdout
    assert b"0 contradicted, 1 verified, 1 ambiguous" in made
    assert b"duplicate-keys" in made
