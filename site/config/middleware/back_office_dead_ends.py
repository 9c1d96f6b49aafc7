"""Wagtail URLs that have no use in this shop and that no page links to."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.apps import apps
from django.http import Http404, HttpRequest
from wagtail.admin.views.generic.chooser import CreateView
from wagtail.admin.views.pages.preview import PreviewOnCreate
from wagtail.models import Page

View = Callable[..., Any]


def without_dead_ends(view: View) -> View:
    """Decorate a back office view: it raises Http404 if it would have nothing to show."""
    view_class = getattr(view, "view_class", object)
    if issubclass(view_class, CreateView):
        return partial(_with_form, view)
    return partial(_of_page, view) if issubclass(view_class, PreviewOnCreate) else view


def _with_form(view: Any, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
    """Call a chooser's view that creates a row, if the chooser has a form for that; else raise Http404."""
    if view.view_class(**view.view_initkwargs).get_creation_form_class() is None:
        raise Http404
    return view(request, *args, **kwargs)


def _of_page(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
    """Call the preview of a new page, if the URL's type is a page type; else raise Http404."""
    try:
        model = apps.get_model(kwargs["content_type_app_name"], kwargs["content_type_model_name"])
    except LookupError as error:
        raise Http404 from error
    if not issubclass(model, Page):
        raise Http404
    return view(request, *args, **kwargs)
