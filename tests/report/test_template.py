"""What an expression of a template may print, whatever way it takes; and how errors tell it."""

from pathlib import Path

import pytest
from report.support import CNN, LSTM, hostile_study, refusal, rendered

from benchproof.errors import TemplateError

# Each prints a number, or a piece of one, that nothing binds; the second part is in the error.
EVASIONS = [
    ("{{ 5 }}", "5 is no value"),
    ("{{ -5 }}", "-5 is no value"),
    ("{{ 4.81 }}", "4.81 is no value"),
    ("{{ true }}", "True is no value"),
    ("{{ none }}", "None is no value"),
    ("{{ [5] }}", "a list is no value"),
    ('{{ "4.81 ms" }}', "'4.81'"),
    ('{{ "four" }}', "'four'"),
    ('{% set x = "4.81" %}{{ x }}', "'4.81'"),
    ("{% macro m(x) %}{{ x }}{% endmacro %}{{ m(5) }}", "5 is no value"),
    ('{% macro m(x="5 of") %}{{ x }}{% endmacro %}{{ m() }}', "'5'"),
    ('{{ "a" ~ 5 }}', "5 is no value"),
    ('{{ "4" ~ "2" }}', "'42'"),
    ('{{ "on" ~ "e" }}', "'one'"),
    ("{% set x %}a{% endset %}{{ x ~ '4' }}", "'4'"),
    ("{% set x %}a{% endset %}{{ x + '4' }}", "join it with ~"),
    ("{% set x %}a%s{% endset %}{{ x % 4 }}", "join it with ~"),
    ("{{ '%d' % 4 }}", "'4'"),
    ("{{ [4, 5] | join }}", "No filter named 'join'"),
    ("{{ [4, 5] | map('string') | join(', ') }}", "string"),
    ('{{ "4a" | upper }}', "'4A'"),
    ('{{ "one" | title }}', "'One'"),
    ("{{ 4 | string }}", "No filter named 'string'"),
    ("{{ 4.81 | round(1) }}", "4.8 is no value"),
    ("{{ cells | list | length }}", "is no value"),
    ("{{ cells | length }}", "is no value"),
    ("{{ '%.2f' | format(4.81) }}", "No filter named 'format'"),
    ("{{ '{}'.format(4) }}", "'format'"),
    ("{{ '{:.2f}'.format(4.81) }}", "'format'"),
    ("{{ '{x}'.format_map({'x': 4}) }}", "'format_map'"),
    ("{{ ', '.join(['4', '5']) }}", "'join'"),
    ("{{ 'x'.replace('x', '4') }}", "'replace'"),
    ("{% for x in [none] %}{{ loop.index }}{% endfor %}", "is no value"),
    ("{% for x in range(3) %}{{ x }}{% endfor %}", "is no value"),
    ("{{ '4.81' | safe }}", "No filter named 'safe'"),
    ("{{ 4 | e }}", "No filter named 'e'"),
    ("{{ 4 | escape }}", "No filter named 'escape'"),
    ("{{ '4' | forceescape }}", "No filter named 'forceescape'"),
    ("{{ '4' | urlize }}", "No filter named 'urlize'"),
    ("{{ 4 | tojson }}", "No filter named 'tojson'"),
    ("{{ {'a': 4} | xmlattr }}", "No filter named 'xmlattr'"),
    ("{{ '<b>4</b>' | striptags }}", "No filter named 'striptags'"),
    ("{{ '4' | indent }}", "No filter named 'indent'"),
    ("{{ 4 | pprint }}", "No filter named 'pprint'"),
    ("{{ 4096 | filesizeformat }}", "No filter named 'filesizeformat'"),
    ("{{ ['four', 'ten'] | random }}", "No filter named 'random'"),
    ("{{ lipsum(n=1) }}", "lipsum"),
    ("{% filter upper %}four{{ '' }}{% endfilter %}", "'four'"),
    ("{% filter upper %}fo{{ 'ur' }}{% endfilter %}", "filter blocks"),
    ("{% filter replace('x', '4') %}x{% endfilter %}", "filter blocks"),
    ("{% autoescape false %}{{ '4' }}{% endautoescape %}", "cannot switch escaping"),
    ("{% set x %}{{ 4 }}{% endset %}{{ x }}", "4 is no value"),
    ("{% call '{}'.format(4) %}{% endcall %}", "'format'"),
    ("{% set f = dict %}{% call f(a=4) %}{% endcall %}", "dict"),
    ("{% call joiner('4') %}{% endcall %}", "'caller'"),
    ("{% call namespace(a='4') %}{% endcall %}", "a Namespace is no value"),
    ("{% set ns = namespace(x='4') %}{{ ns.x }}", "'4'"),
    ('{{ "\\u0664" }}', "'٤'"),
    (f"{{{{ {LSTM}.latency.number }}}}", "is no value"),
    (f"{{{{ {LSTM}.latency.number | int }}}}", "is no value"),
    (f"{{{{ {LSTM}.record.batch }}}}", "32 is no value"),
    ("{{ tables.stability[0].batch }}", "is no value"),
    (f"{{{{ {LSTM}.latency.query() }}}}", "WITH"),
    (f"{{{{ {LSTM}.latency.records }}}}", "a tuple is no value"),
    (f"{{{{ {LSTM}.record }}}}", "a Record is no value"),
    (f"{{{{ {LSTM}.latency > 0.5 }}}}", "a Truth is no value"),
    (f"{{{{ ({LSTM}.latency > 0.5).right }}}}", "'right'"),
    (f"{{{{ lowest([({LSTM}.latency > 0.5)['right']], 'x') }}}}", "'right'"),
    ("{{ count_if([], 'none of them') }}", "stands on no record"),
    (f"{{{{ {LSTM}.latency ~ ' or 5' }}}}", "'5'"),
    (f"{{{{ {LSTM}.framework.replace('PyTorch', '4') }}}}", "'replace'"),
    (f"{{{{ {LSTM}.framework ~ 4 }}}}", "4 is no value"),
    ("{{ '4' | markup }}", "'4'"),
    ("{{ 4 | markup }}", "4 is more than words"),
    ("{{ '<b>' | markup }}", "more than words"),
    ("{{ '[a](b)' | markup }}", "more than words"),
    ("{{ machine.chip | markup }}", "more than words"),
    ("{{ '4' | code }}", "not from the data"),
    ("{{ 4 | significant(2) }}", "4 is not a value"),
    ("{{ '4' | bare }}", "'4' is not a value"),
    ('{{ literal("4", reason="") }}', "has no reason"),
    ('{{ literal("4", reason="  ") }}', "has no reason"),
    ('{{ literal("4") }}', "reason"),
    ("{{ cells.__class__ }}", "'__class__'"),
    ("{{ cells.__init__.__globals__ }}", "'__init__'"),
    ("{{ ''.__class__.__mro__ }}", "'__class__'"),
    ("{{ figure.__self__ }}", "'__self__'"),
    ("{{ self._TemplateReference__context }}", "_TemplateReference__context"),
    ("{{ machine._row }}", "'_row'"),
    ("{{ nothing }}", "'nothing' is undefined"),
    ("{{ cells.nothing }}", "'nothing'"),
    ('{{ call figure("latency", "A plot.") }}', "end of print"),
    ('{% call figure("latency", "A plot of 4.") %}x{% endcall %}', "'4'"),
    ('{% call figure("../latency", "A plot.") %}x{% endcall %}', "no figure '../latency'"),
    ('{% call figure("nothing", "A plot.") %}x{% endcall %}', "no figure 'nothing'"),
    ("{% for x in range(1000000000) %}{% endfor %}", "Range too big"),
]


@pytest.mark.parametrize(("expression", "told"), EVASIONS)
def test_number_that_nothing_binds_is_refused_with_its_place(
    tmp_path: Path, expression: str, told: str
) -> None:
    bad = refusal(tmp_path, f"Text.\n\n{expression}\n")
    assert told in bad.what
    assert bad.remedy
    assert bad.where == f"{tmp_path}/templates/post.j2:3"
    assert "(in: " in bad.what
    assert "\n" not in str(bad)
    assert len(str(bad)) < 1000


@pytest.mark.parametrize(
    "template",
    [
        "It takes f{{ 'our' }} of them.",
        "It takes {% if true %}fo{% endif %}ur of them.",
        "{{ 'tw' }}{{ 'ice' }}",
        "{{ 'fo' }}ur",
        "{% set x %}o{% endset %}{{ x }}{{ 'ne' }}",
    ],
)
def test_number_word_in_pieces_is_refused_in_the_rendered_text(
    tmp_path: Path, template: str
) -> None:
    bad = refusal(tmp_path, template)
    assert bad.where == f"{tmp_path}/templates/post.j2"
    assert "in the rendered text" in bad.what


def test_error_in_a_macro_names_the_macro_and_its_call(tmp_path: Path) -> None:
    part = "\n{% macro ms(value) %}{{ value | unit('ms') }}{% endmacro %}\n"
    bad = refusal(tmp_path, '{% from "part.j2" import ms %}\n\n{{ ms(5) }}\n', part=part)
    assert bad.where.endswith("part.j2:2")
    assert "{{ value | unit('ms') }}" in bad.what
    assert "post.j2:3" in bad.what


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{% if %}", "Expected an expression"),
        ("{{ cells", "unexpected end of template"),
        ("{% endfor %}", "endfor"),
        ("{% wat %}", "unknown tag 'wat'"),
        ('{% include "none.j2" %}', "no template 'none.j2'"),
        ('{% include "../secret.j2" %}', "no template '../secret.j2'"),
        ('{% include "/etc/passwd" %}', "no template"),
        ("{{ cells(batch=32 }}", "unexpected"),
        (f"{{{{ {LSTM}.latency / 2 }}}}", ""),
        (f"{{{{ {LSTM}.latency | unit('GB') }}}}", "cannot be printed as 'GB'; choose from s, ms"),
        (f"{{{{ {LSTM}.latency | places(2) }}}}", "fixed places need a unit"),
        (f"{{{{ {LSTM}.latency | word }}}}", "cannot be printed as a number word"),
        (f"{{{{ {LSTM}.latency - {LSTM}.throughput }}}}", "s less samples/s"),
    ],
)
def test_wrong_template_gives_one_error(tmp_path: Path, template: str, told: str) -> None:
    bad = refusal(tmp_path, template)
    assert told in str(bad)
    assert str(tmp_path) in bad.where
    assert "\n" not in str(bad)


def test_allowed_expressions_print(tmp_path: Path) -> None:
    template = f"""\
{{% set x = {LSTM} %}}
{{{{ x.latency }}}}, {{{{ x.latency | unit("s") | places(4) }}}}, {{{{ x.batch | word }}}}
{{{{ "words" ~ " only" }}}} {{{{ x.framework ~ "" }}}} {{{{ x.latency ~ "*" }}}}
{{{{ literal("4 of 5", reason="as published") }}}} {{{{ "**" | markup }}}}
{{{{ x.device_text | code }}}} {{% for a in range(3) %}}{{{{ "-" }}}}{{% endfor %}}
"""
    with pytest.raises(TemplateError, match="cannot be printed as a number word"):
        rendered(tmp_path, template)
    qmd = rendered(tmp_path, template.replace("x.batch | word", 'cells.count_of("device") | word'))
    assert qmd.qmd.splitlines() == [
        '[1.77 ms]{.bp data-bp="n1"}, [0.0018 s]{.bp data-bp="n2"}, [two]{.bp data-bp="n3"}',
        'words only PyTorch [1.77 ms]{.bp data-bp="n1"}\\*',
        "4 of 5 **",
        "`mps (Apple Silicon GPU)` \\-\\-\\-",
    ]


def test_text_of_the_data_may_hold_digits_and_is_escaped(tmp_path: Path) -> None:
    evil = hostile_study(tmp_path, "Net-50 *x*", "gpu 7", "Chip 9")
    template = "{{ cells(batch=32, kind='eager').model }} {{ machine.chip }}"
    assert rendered(tmp_path, template, evil).qmd == "Net-50 \\*x\\* Chip 9"


@pytest.mark.parametrize(
    "expression",
    ["m ~ ''", "m[0:]", "m | upper", "m | trim", "b ~ m", "[m] | first", "(m, b) | last ~ m"],
)
def test_text_of_the_data_stays_escaped_in_every_combination(
    tmp_path: Path, expression: str
) -> None:
    evil = hostile_study(tmp_path, '<b>]{.bp data-bp="x"}|*', "gpu", "chip")
    template = f"{{% set m = cells.model %}}{{% set b %}}**{{% endset %}}{{{{ {expression} }}}}"
    qmd = rendered(tmp_path, template, evil).qmd
    assert "<" not in qmd.replace("\\<", "")
    assert "]" not in qmd.replace("\\]", "")
    assert "{" not in qmd.replace("\\{", "")


@pytest.mark.parametrize("way", ["m | safe", "[m, b] | join", "m | replace('x', b)", "m.strip()"])
def test_text_of_the_data_has_no_way_round_escaping(tmp_path: Path, way: str) -> None:
    template = f"{{% set m = cells.model %}}{{% set b %}}**{{% endset %}}{{{{ {way} }}}}"
    with pytest.raises(TemplateError, match=r"No filter named|'strip'"):
        rendered(tmp_path, template, hostile_study(tmp_path, "<b>x</b>", "gpu", "chip"))


def test_a_template_cannot_change_what_a_claim_checks(tmp_path: Path) -> None:
    both = f"{LSTM}.latency > {CNN}.latency and {LSTM}.batch == 32"
    claim = f'{{% claim "x" {both} %}}It is.{{% endclaim %}}'
    for trick in ("{% set _claim = namespace %}", "{% set all_of = any_of %}"):
        assert "is false" in refusal(tmp_path, trick + claim).what


def test_a_link_that_leads_out_of_the_templates_is_no_template(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "project"
    (folder / "templates").mkdir(parents=True)
    (folder / "templates" / "link.j2").symlink_to(tmp_path / "secret.txt")
    error = refusal(folder, '{% include "link.j2" %}')
    assert "no template 'link.j2'" in str(error)


def test_a_misspelt_quantity_lists_what_there_is(tmp_path: Path) -> None:
    error = refusal(tmp_path, '{{ cells(device="mps").latancy }}')
    assert "no quantity 'latancy'; quantities are latency, mean" in str(error)


def test_a_template_without_end_is_stopped(tmp_path: Path) -> None:
    loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchproof.report.template.LIMIT_S", 1)
        error = refusal(tmp_path, loops)
    assert "not done after 1 seconds" in str(error)


def test_text_cannot_be_multiplied(tmp_path: Path) -> None:
    assert "* in a template" in str(refusal(tmp_path, '{% set x = "a" * 3000000000 %}{{ x }}'))
