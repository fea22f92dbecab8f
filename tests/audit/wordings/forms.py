"""The forms by their names; a module registers its own when it is imported."""

from collections.abc import Callable

from audit.wordings.words import Words

Form = Callable[[Words], str]
FORMS: dict[str, Form] = {}


def form(make: Form) -> Form:
    FORMS[make.__name__] = make
    return make


def need(given: object) -> None:
    """LookupError where a world has not what a form is about."""
    if not given:
        raise LookupError
