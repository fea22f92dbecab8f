"""The HTML page marks every number, explains each, loads nothing and lets nothing of a post run."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
from audit.output.support import HOSTILE, POST, TRUE, made

from benchproof.audit.document.passage import Document, Kind, Passage, Piece
from benchproof.audit.marked import marked
from benchproof.audit.page import page
from benchproof.records.findings import DataFinding, Level

VOID = {"meta", "input", "img", "br"}


class Elements(HTMLParser):
    """Every element with its attributes; fails where tags do not nest."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(content: bytes) -> Elements:
    elements = Elements()
    elements.feed(content.decode("utf-8"))
    elements.close()
    assert elements.open == []
    return elements


def classes(elements: Elements, tag: str, name: str) -> list[str]:
    found = [given.get("class") or "" for one, given in elements.found if one == tag]
    return [one for one in found if name in one.split()]


def test_every_number_is_marked_and_leads_to_its_note(tmp_path: Path) -> None:
    audit = made(tmp_path)
    elements = read(page(audit))
    marks = [given for tag, given in elements.found if tag == "a" and given.get("id")]
    notes = {given["id"] for tag, given in elements.found if tag == "li" and given.get("id")}
    assert len(marks) == len(audit.mentions) == len(notes)
    assert {str(given["href"]) for given in marks} == {f"#{name}" for name in notes}
    assert classes(elements, "a", "v-contradicted") == ["mark v-contradicted"]


def test_a_verdict_is_told_by_a_sign_and_in_words_not_by_colour_alone(tmp_path: Path) -> None:
    html = page(made(tmp_path)).decode()
    (wrong,) = re.findall(r'<a class="mark v-contradicted".*?</a>', html)
    assert '<span class="sign" aria-hidden="true">✗</span>' in wrong
    assert '<span class="vh"> (contradicted)</span>' in wrong


def test_a_note_tells_truth_source_and_reading(tmp_path: Path) -> None:
    text = read(page(made(tmp_path))).text
    assert "The data gives3.42 ms (latency_ms)" in text
    assert "Printed is that ofbatch 256 runs.csv /line/5" in text
    assert "Read asbatch 32, framework JAX" in text


def test_the_filter_counts_each_verdict(tmp_path: Path) -> None:
    elements = read(page(made(tmp_path)))
    boxes = [given["id"] for tag, given in elements.found if tag == "input"]
    assert boxes == [
        "f-contradicted", "f-ambiguous", "f-unbound", "f-not_a_claim", "f-verified"
    ]  # fmt: skip


def test_findings_about_the_data_stand_above_the_post(tmp_path: Path) -> None:
    audit = made(tmp_path, TRUE)
    found = DataFinding("device-truth", Level.ERROR, ("runs.csv#/1",), "ran on the <CPU>")
    telemetry = msgspec.structs.replace(audit.telemetry, findings=(found, found, found))
    html = page(msgspec.structs.replace(audit, telemetry=telemetry)).decode()
    assert html.index("ran on the &lt;CPU&gt;") < html.index("<main")
    assert "None of 5 numbers is contradicted by the data; 3 errors in the data itself." in html
    assert "<summary>and 1 more</summary>" in html
    assert "The data itself" not in page(audit).decode()


def test_nothing_of_a_hostile_post_or_its_data_becomes_markup(tmp_path: Path) -> None:
    data = 'framework,batch,latency_ms\n"JAX ""><svg onload=alert(1)>",32,3.42\nJAX,32,3.42\n'
    elements = read(page(made(tmp_path, HOSTILE, data)))
    tags = [tag for tag, _ in elements.found]
    assert {"svg", "img"}.isdisjoint(tags)
    assert (tags.count("script"), tags.count("style")) == (1, 1)
    assert not any(name.startswith("on") for _, given in elements.found for name in given)
    assert "\u202e" not in elements.text
    assert "\x1b" not in elements.text


def test_the_page_loads_nothing_and_allows_only_its_own_style_and_script(tmp_path: Path) -> None:
    html = page(made(tmp_path)).decode()
    elements = read(html.encode())
    assert not any(name in given for _, given in elements.found for name in ("src", "style"))
    assert all(str(given.get("href", "#")).startswith("#") for _, given in elements.found)
    assert "url(" not in html
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src &#39;sha256-{digest}&#39;" in html


def test_the_same_audit_gives_the_same_bytes(tmp_path: Path) -> None:
    assert page(made(tmp_path)) == page(made(tmp_path))


def test_blocks_keep_their_kind(tmp_path: Path) -> None:
    post = (
        "---\ntitle: A title\n---\n\n# Head\n\n- one **bold 3.42 ms** item\n- two\n\n"
        "![A chart of 12 bars](a.png)\n\n```c\ncode < 3\n```\n\n" + POST
    )
    html = str(marked(made(tmp_path, post).document, made(tmp_path, post).mentions))
    assert '<div class="meta"><p>A title</p></div>' in html
    assert "<h2>Head</h2>" in html
    assert html.count("<ul>") == 1
    assert "<strong>bold </strong>" in html
    assert '<p class="alt"><span>Image:</span>' in html
    assert "code &lt; 3" in html
    assert html.count("<table>") == 1
    assert "<th>Batch 32</th>" in html


def test_numbers_that_overlap_are_nested_and_none_is_lost(tmp_path: Path) -> None:
    audit = made(tmp_path)
    last = audit.mentions[-1]
    passage = last.scene.here.passage
    around = msgspec.structs.replace(last.scene.mention, start=0, end=len(passage.text))
    claim = msgspec.structs.replace(last, scene=msgspec.structs.replace(last.scene, mention=around))
    elements = read(str(marked(audit.document, (claim, *audit.mentions))).encode())
    assert len(classes(elements, "a", "mark")) == len(audit.mentions) + 1
    assert classes(elements, "span", "around") == ["around v-unbound"]


def test_the_text_of_the_post_is_whole() -> None:
    text = "At batch 32 & above <it> takes 3.42 ms."
    passage = Passage(kind=Kind.PARAGRAPH, text=text, pieces=(Piece(0, 1, 1),), code=((3, 11),))
    html = str(marked(Document("post.md", (passage,)), ()))
    assert html == "<p>At <code>batch 32</code> &amp; above &lt;it&gt; takes 3.42 ms.</p>"
