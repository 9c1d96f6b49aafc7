"""Screens of the back office without their markup, which takes most of the time of a request."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.template.response import TemplateResponse


@contextmanager
def only_refusals() -> Iterator[None]:
    """Answer a screen by its messages and the errors of its form alone, in the reader's language.

    Other tests show that a screen has both.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TemplateResponse, "render", _render_refusals)
        yield


def _render_refusals(response: TemplateResponse) -> TemplateResponse:
    form: Any = (response.context_data or {}).get("form")
    errors = [] if form is None else [form.errors]
    for formset in getattr(form, "formsets", {}).values():
        errors += [formset.non_form_errors(), *formset.errors]
    response.content = "\n".join(map(str, [*get_messages(response._request), *errors]))
    return response
