"""The post that the project publishes, built from the committed telemetry and read from outside."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pypandoc
import pytest
import yaml
from report.support import RAW, ROOT, TEMPLATE

from benchproof.report.pandoc import to_gfm, to_html
from benchproof.verbs.derive import derive
from benchproof.verbs.figures import figures
from benchproof.verbs.render import render

STUDY = ROOT / "config/studies/apple-m3.yaml"
VOID = {"meta", "link", "img", "br", "hr", "input", "col", "source", "wbr"}
UNSEEN = {"script", "style", "head", "title", "template"}
WORDS = (
    "two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand "
    "million billion dozen half twice double triple"
)
NUMBER = re.compile(rf"\d|[½-¾²³¹]|\b(?:{'|'.join(WORDS.split())})\b", re.IGNORECASE)


class Page(HTMLParser):
    """A page as a browser meets it: elements, visible text, and what stands outside a binding."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.outside: list[str] = []
        self.alternatives: list[str] = []
        self.bound: list[tuple[str, str]] = []
        self.data = ""
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        self.alternatives += [found["alt"] or ""] if "alt" in found else []
        if tag not in VOID:
            self.open.append((tag, found))
            if self._is_bound(found):
                self.bound.append((found["data-bp"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if any(found.get("id") == "bp-numbers" for _, found in self.open):
            self.data += data
        if any(tag in UNSEEN or tag == "svg" for tag, _ in self.open):
            return
        self.text += data
        if not any(self._is_bound(found) for _, found in self.open):
            self.outside.append(data)
            return
        name, text = self.bound[-1]
        self.bound[-1] = (name, text + data)

    @staticmethod
    def _is_bound(found: dict[str, str | None]) -> bool:
        return "bp" in (found.get("class") or "").split()


class Post:
    """The built post: its folder, its texts and its page."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.qmd = (folder / "index.qmd").read_text(encoding="utf-8")
        self.gfm = (folder / "index.md").read_text(encoding="utf-8")
        self.html = (folder / "index.html").read_text(encoding="utf-8")
        self.numbers: dict[str, Any] = json.loads((folder / "numbers.json").read_bytes())
        self.page = Page(self.html)
        self.front: dict[str, Any] = yaml.safe_load(self.qmd.split("---\n")[1])
        self.body = self.qmd.split("---\n", 2)[2]


@pytest.fixture(scope="session")
def post(tmp_path_factory: pytest.TempPathFactory) -> Post:
    folder = tmp_path_factory.mktemp("post")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shutil, "which", lambda _name: None)
        derive(STUDY, folder / "tables", ROOT)
        figures(folder / "tables", folder / "figures")
        target = folder / "apple-m3-gpu-vs-cpu"
        render(TEMPLATE, STUDY, folder / "figures", target, ROOT)
        to_html(target / "index.qmd", target / "index.html")
        to_gfm(target / "index.qmd", target / "index.md")
    return Post(target)


def strings(node: object) -> Iterator[str]:
    """Every string of a JSON document."""
    if isinstance(node, str):
        yield node
    for child in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from strings(child)


def without(text: str, allowed: set[str]) -> str:
    """The text without what may stand in it unbound, longest first, never out of a number."""
    for piece in sorted(allowed, key=len, reverse=True):
        text = re.sub(rf"(?<![\d.]){re.escape(piece)}(?!\w|[.,]\d)", "", text)
    return text


def telemetry() -> set[str]:
    """Names with a digit that the telemetry brings: chips, versions, digests, files, devices."""
    found = {text for path in RAW.glob("*.json") for text in strings(json.loads(path.read_bytes()))}
    return {text for text in found if NUMBER.search(text)}


def literals(post: Post) -> set[str]:
    return {literal["text"] for literal in post.numbers["literals"]}


def test_no_number_on_the_page_is_unbound(post: Post) -> None:
    labels = re.compile(r"(?:Figure|Table)\u00a0\d+:?")
    text = labels.sub("", "\u2063".join(post.page.outside))
    left = without(text, literals(post) | telemetry())
    assert [match.group() for match in re.finditer(rf".{{0,30}}(?:{NUMBER.pattern}).*", left)] == []


def test_no_number_in_an_alternative_text_is_unbound(post: Post) -> None:
    bound = {number["text"] for number in post.numbers["numbers"]}
    assert len(post.page.alternatives) == 16
    for alternative in post.page.alternatives:
        assert NUMBER.search(alternative)
        assert not NUMBER.search(without(alternative, bound | telemetry()))


def test_every_binding_names_its_number_and_shows_its_text(post: Post) -> None:
    known = {number["id"]: number["text"] for number in post.numbers["numbers"]}
    embedded = json.loads(post.page.data)["numbers"]
    assert set(embedded) == set(known)
    assert len(post.page.bound) > 400
    for name, text in post.page.bound:
        assert " ".join(text.split()) == known[name]
        assert embedded[name]["query"].startswith("WITH cell AS")
    in_alternatives = {name for name in known if f'data-bp="{name}"' not in post.qmd}
    shown = {name for name, _ in post.page.bound}
    assert shown | in_alternatives == set(known)


def test_every_claim_of_the_page_is_decided_and_embedded(post: Post) -> None:
    marked = {
        found["data-claim"] for _, found in post.page.elements if found.get("class") == "bp-claim"
    }
    claims = {claim["id"]: claim for claim in post.numbers["claims"]}
    assert marked == set(claims)
    assert set(json.loads(post.page.data)["claims"]) == set(claims)
    assert all(claim["holds"] is True and claim["expression"] for claim in claims.values())
    expressions = [claim["expression"] for claim in claims.values()]
    assert len(set(expressions)) == len(expressions)


def test_page_is_one_file_in_a_language_with_a_title(post: Post) -> None:
    elements = post.page.elements
    assert next(found for tag, found in elements if tag == "html")["lang"] == "en"
    assert re.search(r"<title>Apple M3: what[^<]*</title>", post.html)
    assert any(found.get("name") == "viewport" for tag, found in elements if tag == "meta")
    for tag, found in elements:
        for name in ("src", "srcset", "poster", "data", "background"):
            assert (found.get(name) or "data:").startswith("data:"), (tag, found)
        if tag in ("link", "image", "use"):
            assert (found.get("href") or "#").startswith(("data:", "#"))
        if tag == "a":
            assert (found.get("href") or "#").startswith(("#", "https://"))
        assert not any(name.startswith("on") for name in found)
    assert not re.search(r"@import|url\(\s*['\"]?(?:https?:|file:|/)", post.html)
    ids = [found["id"] for _, found in elements if "id" in found]
    assert len(ids) == len(set(ids))
    targets = {found.get("href") for tag, found in elements if tag == "a"}
    assert {str(t)[1:] for t in targets if str(t).startswith("#")} <= {str(i) for i in ids}


def test_every_image_of_the_page_has_an_alternative_text(post: Post) -> None:
    images = [found for tag, found in post.page.elements if tag == "img"]
    assert len(images) == 16
    assert all((image.get("alt") or "").endswith(".") for image in images)


def test_front_matter_follows_the_rules_of_quarto(post: Post) -> None:
    front = post.front
    texts = ("title", "subtitle", "author", "description", "lang", "engine")
    assert all(isinstance(front[key], str) for key in texts)
    assert (front["date"], front["date-format"]) == (date(2026, 12, 1), "iso")
    assert front["engine"] == "markdown"
    assert front["format"]["html"]["html-math-method"] == "mathml"
    assert front["format"]["html"]["theme"] == "default"
    assert front["format"]["html"]["embed-resources"] is True
    assert set(front) == {*texts, "date", "date-format", "format"}
    assert "{" not in front["subtitle"] + front["description"]


def test_source_follows_the_rules_of_quarto(post: Post) -> None:
    body = post.body
    assert "data-src" not in post.qmd
    assert not re.search(r"\sbp=", body)
    assert "{{" not in body
    assert not re.search(r"[\U000f0000-\U0010ffff]", post.qmd)
    assert not re.search(r"^::: \{\.callout[^}]*title", body, re.MULTILINE)
    for callout in re.findall(
        r"^::: \{\.callout-\w+\}\n(.*?)\n:::$", body, re.MULTILINE | re.DOTALL
    ):
        assert callout.startswith("**")
        assert not re.search(r"^#", callout, re.MULTILINE)
    images = re.findall(r"!\[[^\]]*\]\(([^)]*)\)(\{[^}]*\})?", body)
    assert len(images) == 16
    for path, attributes in images:
        alternatives = re.fullmatch(r'\{fig-alt="([^"]+)" alt="([^"]+)"\}', attributes)
        assert alternatives is not None
        assert alternatives[1] == alternatives[2]
        assert (post.folder / path).is_file()


def test_every_reference_and_caption_resolves(post: Post) -> None:
    ids = set(re.findall(r"\{#([\w-]+)", post.body))
    references = set(re.findall(r"(?<![\w\\])@((?:fig|tbl|sec)-[\w-]+)", post.body))
    assert references
    assert references <= ids
    assert not re.search(r"(?<![\w\\])@(?!fig-|tbl-|sec-)\w", post.body)
    captions = re.findall(r"^: .*$", post.body, re.MULTILINE)
    assert len(captions) == len([i for i in ids if i.startswith("tbl-")])
    assert all(re.search(r" \{#tbl-[\w-]+\}$", caption) for caption in captions)
    figures = [i for i in ids if i.startswith("fig-")]
    assert len(figures) == 8
    assert all(f'<figure id="{each}">' in post.html for each in figures)
    assert "@" not in without(post.gfm, telemetry())


def nodes(node: object) -> Iterator[dict[str, Any]]:
    """Every node of a pandoc document."""
    if isinstance(node, dict):
        yield node
    for child in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from nodes(child)


def kinds(text: str, source: str) -> set[str]:
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "-f", source, "-t", "json"],
        input=text.encode(),
        capture_output=True,
        check=True,
    )
    return {str(node["t"]) for node in nodes(json.loads(done.stdout)) if "t" in node}


def test_source_and_gfm_hold_no_raw_html(post: Post) -> None:
    assert not {"RawInline", "RawBlock"} & kinds(post.body, "markdown")
    assert not {"RawInline", "RawBlock", "Span"} & kinds(post.gfm, "gfm")


def test_gfm_is_plain(post: Post) -> None:
    assert "{.bp" not in post.gfm
    assert ":::" not in post.gfm
    assert "data-bp" not in post.gfm
    assert "{#" not in post.gfm
    images = re.findall(r"!\[[^\]]+\]\(([^)]*)\)", post.gfm)
    assert len(images) == 8
    assert all(path.endswith("-light.png") and (post.folder / path).is_file() for path in images)


def test_formats_say_the_same(post: Post) -> None:
    for number in post.numbers["numbers"]:
        if f'data-bp="{number["id"]}"' in post.qmd:
            assert number["text"] in post.gfm
    headings = re.findall(r"^#+ (.*?)(?: \{.*)?$", post.body, re.MULTILINE)
    assert re.findall(r"^##+ (.*)$", post.gfm, re.MULTILINE) == headings


PUBLISHED = {
    "JAX ran on the GPU": ["All 20 JAX records", "`cpu:0 (cpu)`"],
    "40 timed samples": ["fit 15 samples in the GPU sweep and 25 in the CPU sweep"],
    "The GPU beats the CPU on 4 of 5": ["On 3 of 5, like for like", "4.14 ms against 1.78 ms"],
    "JAX wins 4 of 5 on the CPU": [
        "JAX has 4 on the CPU among compiled variants and 3 among all",
        "PyTorch has 4 among all variants and 3 among compiled",
    ],
    "The frameworks run the same": ["1.99×, 1.98×, 2.09× the FLOPs", "3.00× those of PyTorch"],
    "The LSTM has ~1.1M parameters": ["1,053,736 bytes"],
    "Efficiency is higher in 6 of the 10": ["In 7 of 10"],
    "The GPU is about 1.1× faster on the RNN": ["-20.6 % to +10.7 %"],
}


@pytest.mark.parametrize("statement", PUBLISHED)
def test_table_of_what_was_published_holds(post: Post, statement: str) -> None:
    rows = [line for line in post.gfm.splitlines() if line.startswith(f"| {statement}")]
    assert len(rows) == 1
    for part in PUBLISHED[statement]:
        assert part in rows[0]


def test_jax_numbers_of_the_gpu_sweep_are_never_shown_as_gpu(post: Post) -> None:
    jax = re.compile(r"mps-jax-")
    for number in post.numbers["numbers"]:
        files = {record["file"].rsplit("/", 1)[-1] for record in number["records"]}
        if "median latency" in number["derivation"] and any(map(jax.match, files)):
            assert not any(name.startswith("mps-pytorch") for name in files)
    rows = [line for line in post.gfm.splitlines() if re.match(r"\| (GPU|mps) +\|", line)]
    told = [row for row in rows if "JAX" in row]
    assert told
    assert all("cpu" in row for row in told)
    winners = post.gfm.split("## Who is fastest")[1].split("\n## ")[0]
    assert "mps" not in winners
    compared = post.gfm.split("## GPU against CPU")[1].split("Left out, and why")[0]
    assert (
        len(re.findall(r"^\| (?:FF DNN|CNN|RNN|LSTM|Transformer) +\|", compared, re.MULTILINE)) == 5
    )
    left_out = post.gfm.split("Left out, and why")[1].split("\n## ")[0]
    assert "JAX" in left_out
    assert "ran on cpu:0 (cpu)" in left_out.replace("\\", "")
