"""What a reader sees of HTML, and where it stands."""

import pytest
from audit.document.documents import WORDS, cells, html, lost, misplaced, part, texts, told
from hypothesis import given, settings
from hypothesis import strategies as st

from benchproof.audit.document.passage import Place


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("<p>4.81&nbsp;ms &#177; 3&thinsp;%</p>", "4.81 ms ± 3 %"),
        ("<p><±11% and <5 ms, a < b \u2039 c</p>", "<±11% and <5 ms, a < b \u2039 c"),
        ("<p>AT&T &amp; &unknown; &#; &#xZ; x &#</p>", "AT&T & &unknown; &#; &#xZ; x &#"),
        ("<p>10<sup>6</sup> and H<sub>2</sub></p>", "10^6 and H_2"),
        ("<p>5 ms<sup>†</sup> 6 ms<sup><a href='#n'>1</a></sup></p>", "5 ms 6 ms"),
        ("<p>5 ms<a href='#n'><sup>12</sup></a> on the 1<sup>st</sup></p>", "5 ms on the 1st"),
        ("<p>one<br>two<wbr>three</p>", "one twothree"),
        ("<p>a <!-- 9 ms --> b <!-- > 9", "a b"),
        ("<p>a<script>9</script><style>9</style><svg><text>9</text></svg> b</p>", "a b"),
        ("<p>a <span hidden>9</span><i style='display:none'>9</i> b</p>", "a b"),
        ("<p><math alttext='x \\approx 5'><mi>9</mi></math></p>", "x ≈ 5"),
        (
            "<p><math><mi>9</mi><annotation encoding='application/x-tex'>y \\le 5</annotation>"
            "</math></p>",
            "y ≤ 5",
        ),
        ("<p><math><mi>x</mi><mo>=</mo><mn>5</mn></math></p>", "x=5"),
        ('<p><span class="math inline">\\(x \\approx 5\\)</span></p>', "x ≈ 5"),
        ("<p>at $AI \\approx 50.5$ FLOP/byte, $5 or $6</p>", "at AI ≈ 50.5 FLOP/byte, $5 or $6"),
        ("<p>4<b>.8</b>1 <i>ms</i></i></b></p></div>", "4.81 ms"),
        ("<p>a <![CDATA[ x ]]> <?php 9 ?> b", "a b"),
        ("5 ms <a href='", "5 ms"),
    ],
)
def test_only_what_is_seen_of_a_paragraph_is_kept(source: str, seen: str) -> None:
    document = html(source)
    assert told(document) == [("paragraph", seen)]
    assert misplaced(document, source) == []


def test_a_page_tells_its_title_description_and_language() -> None:
    source = (
        "<!doctype html>\n<html lang=en>\n<head><title>A &amp; 5</title>\n"
        '<meta name="description" content="It&#39;s\n 6 ms"></head>\n<body>x</body></html>'
    )
    document = html(source)
    assert document.language == "en"
    assert told(document) == [("meta", "A & 5"), ("meta", "It's 6 ms"), ("paragraph", "x")]
    assert document.passages[1].place(5) == Place(5, 2)
    assert misplaced(document, source) == []


def test_blocks_are_passages_of_their_own_text() -> None:
    document = html(
        "<h1>A</h1><div>one<p>two<ul><li>three <p>four</p><li>five</ul>six</div>"
        "<h2>B</h2><pre>x\n  = 5</pre><blockquote>seven</blockquote><img alt='eight' src=x>"
    )
    assert told(document) == [
        ("heading", "A"),
        ("paragraph", "one"),
        ("paragraph", "two"),
        ("item", "three"),
        ("item", "four"),
        ("item", "five"),
        ("paragraph", "six"),
        ("heading", "B"),
        ("code", "x = 5"),
        ("paragraph", "seven"),
        ("alt", "eight"),
    ]
    assert document.passages[-1].headings == (0, 7)


def test_bold_and_code_are_told_by_their_ranges() -> None:
    (passage,) = html("<p><b>Bold <i>one</i></b> and <code>x <b>5</b></code></p>").passages
    assert part(passage, passage.strong) == ["Bold one", "5"]
    assert part(passage, passage.code) == ["x 5"]


def test_cells_that_span_keep_others_in_their_columns() -> None:
    document = html(
        "<table><caption>Cap</caption><thead><tr><th rowspan=2>M<th colspan=2>GPU"
        "<tr><th>eager<th>jit</thead><tr><th>x<td>1<td>2<tr><td>y<td>3<td>4</table>"
    )
    assert cells(document) == {
        (0, 0): "#M",
        (0, 1): "#GPU",
        (1, 1): "#eager",
        (1, 2): "#jit",
        (2, 0): "#x",
        (2, 1): "1",
        (2, 2): "2",
        (3, 0): "y",
        (3, 1): "3",
        (3, 2): "4",
    }
    spots = {passage.text: passage.spot for passage in document.passages}
    model, gpu = spots["M"], spots["GPU"]
    assert model is not None
    assert gpu is not None
    assert (model.rows, gpu.columns) == (2, 2)
    assert document.passages[0].table == 0


def test_the_first_row_heads_a_table_without_header_cells() -> None:
    document = html("<table><tr><td>A<td>B<tr><td>1<td>2</table>")
    assert cells(document) == {(0, 0): "#A", (0, 1): "#B", (1, 0): "1", (1, 1): "2"}


def test_a_figures_caption_below_its_table_comes_before_the_cells() -> None:
    document = html(
        "<figure><table><tr><td>1</table><figcaption>Table <b>2</b></figcaption></figure>"
        "<figure><img alt=a><figcaption>Figure 1</figcaption></figure>"
    )
    assert told(document) == [
        ("caption", "Table 2"),
        ("cell", "1"),
        ("alt", "a"),
        ("caption", "Figure 1"),
    ]
    assert [passage.table for passage in document.passages] == [0, None, None, None]


def test_blocks_in_a_cell_are_one_passage() -> None:
    document = html("<table><tr><td><p>5</p><ul><li>ms</ul><td>6<table><tr><td>7</table>8</table>")
    assert texts(document) == ["5 ms", "6 8", "7"]


def test_a_hidden_heading_heads_nothing() -> None:
    document = html("<h2>A</h2><h2 hidden>B</h2><div hidden><h2>C</h2></div><p>5</p>")
    assert told(document) == [("heading", "A"), ("paragraph", "5")]


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 5000 + "5 ms" + "</div>" * 5000,
        "<b>" * 3000 + "5 ms" + "</i>" * 3000,
        "<table><tr><td>" * 1000 + "5 ms",
        "<sup>" * 2000 + "5 ms",
    ],
)
def test_deep_nesting_is_read(source: str) -> None:
    assert texts(html(source))[-1].endswith("5 ms")


@pytest.mark.parametrize("tag", ["<a ", "<!--", "<![x", "<?", "</", '<a b="', "&#", "<td"])
def test_what_never_ends_is_left_quickly(tag: str) -> None:
    assert texts(html("5 ms " + tag * 5000))[0].startswith("5 ms")


SPANS = st.recursive(
    WORDS,
    lambda inner: st.tuples(
        inner,
        st.sampled_from(
            [
                "<b>{}</b>",
                "<span\nclass='n7'>{}</span>",
                "x&nbsp;{}&amp;",
                "&lsquo;{}&rsquo;s",
                "{}\n  {}",
                "<code>{}</code>",
                "<!-- 9 -->{}",
                "{}<sup>7</sup>",
                "<img alt='x&lsquo;{}' src=a>",
                "<a>{}",
                "$x \\times {}$",
                "{}<br/>",
                "&#; {}",
            ]
        ),
    ).map(lambda pair: pair[1].replace("{}", pair[0])),
    max_leaves=4,
)
BLOCKS = st.lists(
    st.tuples(
        SPANS,
        st.sampled_from(
            [
                "<h2>{}</h2>",
                "<p>{}",
                "<ul><li>{}<li>b</ul>",
                "<table><caption>{}</caption><tr><th>a<td colspan=2>{}</table>",
                "<figure><table><tr><td>{}</table><figcaption>{}</figcaption></figure>",
                "<div>{}<p>c</p>",
                "<pre>{}</pre>",
                '<meta name=description content="{}">',
            ]
        ),
    ).map(lambda pair: pair[1].replace("{}", pair[0])),
    min_size=1,
    max_size=5,
)


@settings(max_examples=150, deadline=None)
@given(BLOCKS)
def test_every_letter_stands_where_it_is_said_to(blocks: list[str]) -> None:
    source = "\n".join(blocks)
    document = html(source)
    assert misplaced(document, source) == []
    assert "alt=" in source or "content=" in source or lost(document, source) == []
    assert all(passage.text == " ".join(passage.text.split()) for passage in document.passages)
