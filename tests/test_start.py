"""The short way to an audit takes what the command line takes, and leaves it all that is odd."""

import inspect
from pathlib import Path

import pytest

from benchproof.audit.run import Options
from benchproof.start import FLAGS, PATHS, plain_audit
from benchproof.verbs.audit import audit


def test_plain_options_are_taken_as_they_stand() -> None:
    words = ["audit", "--data", "a.csv", "post.md", "--data", "b", "--json", "--html", "x.html"]
    told = plain_audit(words)
    assert told == {
        "post": Path("post.md"),
        "data": ["a.csv", "b"],
        "json": True,
        "html": Path("x.html"),
    }
    assert Options(**told).html == Path("x.html")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "derive a",
        "audit",
        "audit --help",
        "audit post.md",
        "audit --data a.csv",
        "audit post.md --data",
        "audit post.md --data --json",
        "audit post.md --data=a.csv",
        "audit post.md more.md --data a.csv",
        "audit post.md --data a.csv --rules",
        "audit post.md --data a.csv --html",
        "audit post.md --data a.csv --odd",
        "audit -- post.md --data a.csv",
    ],
)
def test_what_is_not_plain_is_left_to_the_command_line(words: str) -> None:
    assert plain_audit(words.split()) is None


def test_every_option_of_an_audit_is_one_of_the_verb_and_the_other_way_round() -> None:
    known = {*FLAGS.values(), *PATHS.values(), "post", "data"}
    assert known == set(Options.__struct_fields__)
    assert set(inspect.signature(audit).parameters) - known == {"rules", "propose_mapping"}
