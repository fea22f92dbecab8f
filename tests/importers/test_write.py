"""Converted telemetry appears whole, and never over other evidence."""

from pathlib import Path

import msgspec
import pytest
from factory import make_cell, make_raw

from benchproof.errors import InputError
from benchproof.files import write_atomically
from benchproof.importers.write import encode, write_raw


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_are_written_and_written_again(tmp_path: Path) -> None:
    files = {"a.json": make_raw(), "b.json": make_raw(model="RNN")}
    assert write_raw(files, tmp_path / "new") == [tmp_path / "new" / name for name in files]
    first = listing(tmp_path / "new")
    write_raw(files, tmp_path / "new")
    assert listing(tmp_path / "new") == first == {name: encode(raw) for name, raw in files.items()}


def test_other_evidence_is_never_replaced_and_nothing_else_written(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text("older evidence")
    files = {"a.json": make_raw(), "b.json": make_raw(model="RNN")}
    with pytest.raises(InputError) as caught:
        write_raw(files, tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}/b.json: holds other evidence already; "
        "choose a new folder, or move the old file away"
    )
    assert listing(tmp_path) == {"b.json": b"older evidence"}


def test_a_link_is_never_written_through(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "a.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(InputError, match="holds other evidence already"):
        write_raw({"a.json": make_raw()}, tmp_path / "raw")
    assert not (tmp_path / "elsewhere.json").exists()


def test_what_would_not_load_is_not_written(tmp_path: Path) -> None:
    cell = make_raw().cells[0]
    too_long = {"note": "x" * 10_001}
    bad = msgspec.structs.replace(
        make_raw(), cells=(msgspec.structs.replace(cell, reported=too_long),)
    )
    with pytest.raises(InputError, match=r"b\.json: would not load: .*correct the name or the"):
        write_raw({"a.json": make_raw(), "b.json": bad}, tmp_path)
    assert listing(tmp_path) == {}


def test_encoding_ends_in_one_newline_and_leaves_missing_fields_out() -> None:
    content = encode(make_raw(cells=[make_cell(parameter_count=None)]))
    assert content.endswith(b"}\n")
    assert not content.endswith(b"\n\n")
    assert b"parameter_count" not in content


def test_an_interrupted_write_leaves_the_old_file_and_no_scraps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert listing(tmp_path) == {"a.json": b"old"}


def test_a_written_file_can_be_read_by_others(tmp_path: Path) -> None:
    write_atomically(tmp_path / "deep" / "a.txt", "µ")
    assert (tmp_path / "deep" / "a.txt").read_bytes() == "µ".encode()
    assert (tmp_path / "deep" / "a.txt").stat().st_mode & 0o777 == 0o644


def test_telemetry_of_two_machines_is_not_mixed_in_a_folder(tmp_path: Path) -> None:
    write_raw({"a.json": make_raw(chip="Apple M3")}, tmp_path)
    with pytest.raises(InputError, match="different chips: Apple M1 in these files; Apple M3 in"):
        write_raw({"b.json": make_raw(model="RNN", chip="Apple M1")}, tmp_path)
    assert list(listing(tmp_path)) == ["a.json"]
