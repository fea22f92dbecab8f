"""The forms by their names; a module registers its own when it is imported."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from audit.wordings.words import Words
from audit.wordings.world import TRIES

Chosen = TypeVar("Chosen")
Form = Callable[[Words], str]
FORMS: dict[str, Form] = {}


def form(make: Form) -> Form:
    FORMS[make.__name__] = make
    return make


def need(given: object) -> None:
    """LookupError where a world has not what a form is about."""
    if not given:
        raise LookupError


def found(choose: Callable[[], Chosen]) -> Chosen:
    """The first choice of many that has what a form is about."""
    for _ in range(TRIES):
        with suppress(LookupError):
            return choose()
    raise LookupError
