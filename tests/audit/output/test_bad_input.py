"""Bad posts, data, mappings and rulings: one line on standard error, status 2, nothing lost."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from audit.output.support import DATA, POST

from benchproof.audit.facts.propose import propose
from benchproof.audit.run import Options, run
from benchproof.start import plain_audit
from benchproof.verbs.run import guarded

Told = tuple[int, str, str]
Audit = Callable[..., Told]
RIGHT = "5 numbers: 1 contradicted, 3 verified, 0 ambiguous, 1 unbound"
TABLE = (
    "<table><tr><th>Framework<th>Batch 32<th>Batch 256<tr><td>PyTorch<td>4.15 ms<td>18.29 ms"
    "<tr><td>JAX<td>14.07 ms<td>14.07 ms</table>"
)
BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{below}'] * 9)}]\n"
    for below, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.fixture
def audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Audit:
    """Audits in a folder with a post and its data; gives status, output and errors."""
    monkeypatch.chdir(tmp_path)
    Path("post.md").write_text(POST, encoding="utf-8")
    Path("runs.csv").write_text(DATA, encoding="utf-8")

    def started(*words: str) -> Told:
        options = plain_audit(["audit", *words])
        assert options is not None
        status = guarded(lambda: run(Options(**options)))
        told = capsys.readouterr()
        return status, told.out, told.err

    return started


def write(name: str, content: str | bytes) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return name


def is_refused(told: Told, said: str) -> bool:
    """Whether one line says it on standard error, and the inputs stand as they were."""
    status, out, err = told
    kept = Path("post.md").read_text(), Path("runs.csv").read_text()
    assert (status, out, len(err.splitlines()), kept) == (2, "", 1, (POST, DATA)), err
    return err.startswith(f"benchproof: {said}")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("p.md", b"\x89PNG\r\n\x1a\n\0", "p.md: not UTF-8 at byte 0; save the post as UTF-8"),
        ("p.md", b"3 ms \0 4 ms", "p.md: is binary, not text; "),
        ("p.md", POST.encode("utf-16-le"), "p.md: is binary, not text; "),
        ("p.md", POST.encode("utf-16")[:-1], "p.md: not UTF-16 at byte "),
        ("p.md", "é".encode("latin-1"), "p.md: not UTF-8 at byte 0; "),
        ("p.md", "", "p.md: holds no visible text; "),
        ("p.md", " \n\t\n", "p.md: holds no visible text; "),
        ("p.html", "<html><script>var a = 3;</script>", "p.html: holds no visible text; "),
        ("p.md/x", "", "p.md: is a folder; name the file of the post"),
        ("q.md", "", "p.md: cannot be read (No such file or directory); check the path"),
    ],
)
def test_a_post_that_is_no_text_is_refused(
    audit: Audit, name: str, content: str | bytes, said: str
) -> None:
    write(name, content)
    post = said.partition(":")[0]
    assert is_refused(audit(post, "--data", "runs.csv", "--html", "a.html"), said)
    assert not Path("a.html").exists()


@pytest.mark.parametrize("suffix", ["md", "html", "txt"])
def test_a_post_of_50_mb_is_refused_before_it_is_read(audit: Audit, suffix: str) -> None:
    post = write(f"p.{suffix}", "JAX needs 3.42 ms at batch 32.\n")
    os.truncate(post, 50_000_000)
    assert is_refused(audit(post, "--data", "runs.csv"), f"p.{suffix}: larger than 20 MB; ")


def test_a_post_without_numbers_is_clean(audit: Audit) -> None:
    status, out, err = audit(write("p.md", "Nothing to see here.\n"), "--data", "runs.csv")
    assert (status, err) == (0, "")
    assert out.startswith("p.md: 0 numbers: 0 contradicted")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_post_with_a_byte_order_mark_is_read(audit: Audit, encoding: str) -> None:
    status, out, _ = audit(write("p.md", POST.encode(encoding)), "--data", "runs.csv")
    assert (status, RIGHT in out) == (1, True)


@pytest.mark.parametrize(
    "page",
    [
        f"<html>{TABLE}",
        f"<html><div><p><b>An open tag {TABLE}",
        f"<html><table><tr><td>{TABLE}</table>",
        "<html>" + "<table><tr><td>" * 500 + TABLE,
        "<html>" + "<div>" * 10_000 + TABLE + "</div>" * 10_000,
        f'<html>{TABLE}<p>The end <a href="http://exa',
        f"<html>{TABLE}<!-- 3 ms <p>4 ms",
        f"<html>{TABLE}<script>5 ms",
        f"<html>{TABLE}<p>&#0; &#xd800; &nbs",
    ],
    ids=["whole", "open", "table", "tables", "divs", "tag", "comment", "script", "entity"],
)
def test_broken_html_is_read_as_far_as_it_goes(audit: Audit, page: str) -> None:
    status, out, err = audit(write("p.html", page), "--data", "runs.csv")
    assert (status, err) == (1, "")
    assert "4 numbers: 1 contradicted, 3 verified" in out


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("d.json", "", "d.json: empty; "),
        ("d.json", "[]", "d.json: data without records: no list of objects; "),
        ("d.json", "{}", "d.json: data without records: no list of objects; "),
        ("d.json", "null", "d.json: data without records: no list of objects; "),
        ("d.json", '[{"a": "x"}]', "d.json: data without numbers: no field is a measure; "),
        ("d.json", '[{"a": 1},', "d.json: JSON ends early, in line 1; restore the whole file"),
        ("d.json", '[{"a": 1,}]', "d.json: not JSON at line 1 column 10 ("),
        ("d.json", '[{"b": 1, "b": 2}]', "d.json: key 'b' stands twice in one object; "),
        ("d.json", "[" * 100_000, "d.json: nested deeper than 64 levels; "),
        ("d.json", '{"a":' * 70 + "1" + "}" * 70, "d.json: nested deeper than 64 levels; "),
        ("d.json", '[{"x_ms": 1e999}]', "d.json: 1e999 is too large for a number; "),
        ("d.json", f'[{{"x_ms": {"9" * 5000}}}]', "d.json: 99999999999999999999... is too large "),
        ("d.json", "[1]".encode("utf-16"), "d.json: binary, not text; "),
        ("d.jsonl", '{"a": 1}\n{bad\n', "d.jsonl: not JSON at line 2 column 2 ("),
        ("d.csv", "", "d.csv: empty; "),
        ("d.csv", b"\xef\xbb\xbf", "d.csv: empty; "),
        ("d.csv", "a,b_ms\n", "d.csv: data without records: no row below the header; "),
        ("d.csv", "a,b_ms\nx,1,2\n", "d.csv#/line/2: 3 columns, but the header has 2; "),
        ("d.csv", 'a,b_ms\n"x,1\n', "d.csv#/line/2: not CSV ("),
        ("d.csv", DATA.encode("utf-16"), "d.csv: binary, not text; "),
        ("d.csv", "é,x\n".encode("latin-1"), "d.csv: not UTF-8 at byte 0; "),
        ("d.csv/x.txt", "", "d.csv: no file with .csv, "),
        ("d.parquet", b"PAR1\0", "d.parquet: binary, not text; "),
        ("x", "", "no.csv: no such file or folder; check the path"),
        ("x", "", "*.xyz: the pattern matches no file; correct the pattern"),
        ("x", "", "[: "),
    ],
)
def test_data_that_holds_no_records_is_refused(
    audit: Audit, name: str, content: str | bytes, said: str
) -> None:
    write(name, content)
    data = said.partition(":")[0].partition("#")[0]
    assert is_refused(audit("post.md", "--data", data, "--html", "a.html"), said)
    assert not Path("a.html").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("d.csv", b"\xef\xbb\xbf" + DATA.encode()),
        ("d.csv", DATA.replace("\n", "\r\n")),
        ("d.csv", DATA.replace("\n", "\r")),
        ("d.csv", DATA.replace(",", ";")),
        ("d.csv", DATA.replace(",", ";").replace(".", ",")),
        ("d.csv", DATA.replace(",", "\t")),
        ("d.tsv", DATA.replace(",", "\t")),
        ("d.csv", DATA + "JAX,512\n"),
        ("d.csv", DATA + 'TensorFlow,32,"1,234.5"\n'),
    ],
    ids=["mark", "crlf", "cr", "semicolon", "comma", "tabs", "tsv", "short row", "thousands"],
)
def test_csv_of_any_dialect_is_read_alike(audit: Audit, name: str, content: str | bytes) -> None:
    status, out, err = audit("post.md", "--data", write(name, content))
    assert (status, err, RIGHT in out) == (1, "", True)


def test_nan_and_infinity_are_not_measured(audit: Audit) -> None:
    rows = (
        '[{"framework": "JAX", "batch": 32, "x_ms": NaN},'
        ' {"framework": "JAX", "batch": 256, "x_ms": Infinity},'
        ' {"framework": "PyTorch", "batch": 32, "x_ms": 4.15}]'
    )
    post = write("p.md", "PyTorch needs 4.15 ms at batch 32, JAX 3.42 ms.\n")
    _, out, err = audit(post, "--data", write("d.json", rows))
    assert err == ""
    assert "2 numbers: 0 contradicted, 1 verified" in out


def test_a_folder_says_what_it_skips(audit: Audit) -> None:
    write("d/runs.csv", DATA)
    write("d/package.json", "{}")
    _, out, _ = audit("post.md", "--data", "d")
    assert "note: not-telemetry: d/package.json: data without records" in out
    assert RIGHT in out


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ("fieldz: {}", "m.yaml: Object contains unknown field `fieldz`; correct the field"),
        ("fields: {latencyms: ignore}", "fields/latencyms: no such field in the data; fields are "),
        ("fields: {latency_ms: {measure: t, unit: parsec}}",
         "m.yaml#/fields/latency_ms: unit 'parsec' is not known; write it as ms, "),
        ("fields: {batch: {key: batch, unit: ms}}", "m.yaml#/fields/batch: a key has no unit "),
        ("fields: {batch: {}}", "m.yaml#/fields/batch: neither key nor measure; "),
        ("fields: {batch: {key: a, measure: b}}", "m.yaml#/fields/batch: both key and measure; "),
        ("fields: {latency_ms: {measure: t, statistic: p42}}", "m.yaml: Invalid enum value 'p42'"),
        ("fields: {latency_ms: ignore}", "runs.csv: data without numbers: "),
        ("fields: [", "m.yaml: not YAML ("),
        ("fields:\n\tbatch: ignore", "m.yaml: not YAML ("),
        ("fields: !!python/object/apply:os.getcwd []", "m.yaml: not YAML ("),
        ("[" * 1500, "m.yaml: not YAML ("),
        (BOMB + "fields: *i", "m.yaml: Object contains unknown field `a`; "),
        ("- a", "m.yaml: Expected `object`, got `array`; correct the field"),
        ("repeats: batch", "m.yaml: Expected `array | null`, got `str`"),
        ("files: '{a}-{a}.csv'", "m.yaml#/files: '{a}-{a}.csv' has a key twice, "),
        ("files: '{a'", "m.yaml#/files: '{a' has a brace too many; "),
        ("files: '{a}-{b}.csv'", "files: {a}-{b}.csv: no file of the data has such a name; "),
    ],
)  # fmt: skip
def test_a_mapping_with_a_fault_is_refused(audit: Audit, mapping: str, said: str) -> None:
    write("m.yaml", mapping)
    told = audit("post.md", "--data", "runs.csv", "--mapping", "m.yaml")
    assert is_refused(told, said)


@pytest.mark.parametrize(
    ("rulings", "said"),
    [
        ("rules: [a]", ":1: Expected `object`, got `array` at rules; correct the field"),
        ("mentions: [1]", ":1: Expected `object`, got `int` at mentions[0]; "),
        ("rules: {truncated: 3}", ":1: Expected `str`, got `int` at rules[...]; "),
        ("rules: [", ":1: not YAML ("),
        ("a: 1\n---\nb: 2", ":2: not YAML (but found another document); "),
        (BOMB + "rules: *i", ":1: an anchor is used again; write the value out"),
        ("rules: {a: '\x1b'}", ": not YAML ("),
    ],
)
def test_rulings_with_a_fault_are_refused(audit: Audit, rulings: str, said: str) -> None:
    write("post.md.audit.yaml", rulings)
    assert is_refused(audit("post.md", "--data", "runs.csv"), f"post.md.audit.yaml{said}")
    assert RIGHT in audit("post.md", "--data", "runs.csv", "--no-rulings")[1]


@pytest.mark.parametrize(
    "ruling",
    ["rules: {wrong-bach: misspelt}",
     "mentions: [{text: '99', line: 8, verdict: not_a_claim, reason: x}]"],
)  # fmt: skip
def test_rulings_that_meet_nothing_are_told(audit: Audit, ruling: str) -> None:
    write("post.md.audit.yaml", ruling)
    status, out, _ = audit("post.md", "--data", "runs.csv")
    assert (status, "warning: unmatched-ruling: " in out, RIGHT in out) == (1, True, True)


@pytest.mark.parametrize("output", [".", "d", "d/x/../../d"])
def test_an_output_that_is_a_folder_is_refused(audit: Audit, output: str) -> None:
    write("d/x/y", "")
    told = audit("post.md", "--data", "runs.csv", "--html", output)
    assert is_refused(told, f"{output}: is no regular file; name a file for --html")


def test_an_output_makes_its_folder(audit: Audit) -> None:
    assert audit("post.md", "--data", "runs.csv", "--html", "x/y/a.html")[0] == 1
    assert [path.name for path in Path("x/y").iterdir()] == ["a.html"]


def test_an_output_below_a_file_is_refused(audit: Audit) -> None:
    told = audit("post.md", "--data", "runs.csv", "--html", "post.md/a.html")
    assert is_refused(told, "post.md: ")


def test_json_and_a_page_may_be_wanted_at_once(audit: Audit) -> None:
    status, out, err = audit("post.md", "--data", "runs.csv", "--json", "--html", "a.html")
    assert (status, err, out[:1], Path("a.html").stat().st_size > 10_000) == (1, "", "{", True)


@pytest.mark.parametrize("column", ["a: {b", 'a # "c"', "it's", "&x *y", "- z"])
def test_a_proposed_mapping_survives_odd_names(audit: Audit, column: str) -> None:
    quoted = column.replace('"', '""')
    data = write("d.csv", DATA.replace("framework", f'"{quoted}"'))
    write("m.yaml", propose([data]))
    assert audit("post.md", "--data", data, "--mapping", "m.yaml") == audit(
        "post.md", "--data", data
    )
