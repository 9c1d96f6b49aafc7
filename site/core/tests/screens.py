"""Screens of the back office in tests: in a language, or without their markup, which takes the most time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.template.response import TemplateResponse
from django.test import Client
from wagtail.users.models import UserProfile


@contextmanager
def only_refusals() -> Iterator[None]:
    """Answer a screen by its messages and the errors of its form alone, in the reader's language.

    Other tests show that a screen has both.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TemplateResponse, "render", _render_refusals)
        yield


def set_language(client: Client, language: str) -> None:
    """Show the back office to the client's user in a language."""
    user = User.objects.get(pk=client.session["_auth_user_id"])
    UserProfile.objects.update_or_create(user=user, defaults={"preferred_language": language})


def _render_refusals(response: TemplateResponse) -> TemplateResponse:
    form: Any = (response.context_data or {}).get("form")
    errors = [] if form is None else [form.errors]
    for formset in getattr(form, "formsets", {}).values():
        errors += [formset.non_form_errors(), *formset.errors]
    response.content = "\n".join(map(str, [*get_messages(response._request), *errors]))
    return response
