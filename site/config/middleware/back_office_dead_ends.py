"""Addresses of Wagtail that have no use in this shop, and that no page links to."""

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
    """Decorate a view of the back office: it raises Http404 where it would have nothing to show."""
    view_class = getattr(view, "view_class", object)
    if issubclass(view_class, CreateView):
        return partial(_with_form, view)
    return partial(_of_page, view) if issubclass(view_class, PreviewOnCreate) else view


def _with_form(view: Any, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
    """Call the view of a chooser that creates what is not there yet, if it has a form for that."""
    if view.view_class(**view.view_initkwargs).get_creation_form_class() is None:
        raise Http404
    return view(request, *args, **kwargs)


def _of_page(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
    """Call the preview of a new page, if what it names is a kind of pages."""
    try:
        model = apps.get_model(kwargs["content_type_app_name"], kwargs["content_type_model_name"])
    except LookupError as error:
        raise Http404 from error
    if not issubclass(model, Page):
        raise Http404
    return view(request, *args, **kwargs)
