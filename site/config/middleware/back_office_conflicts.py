"""Forms of the back office that lose a race: the form shows the concurrently created row.

The database refuses a duplicate that was created after validation (docs/guarantees/back-office.md#forms).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from django.db import IntegrityError
from django.http import HttpRequest
from wagtail.admin.views.generic import CreateView, EditView
from wagtail.admin.views.pages.create import CreateView as PageCreateView

View = Callable[..., Any]

log = structlog.get_logger("shop.request")


def checked_again(view: View) -> View:
    """Decorate a back office view, so that a form that the database refused is validated again.

    The second validation finds the concurrently created row, and shows the error next to the field.
    """
    view_class = getattr(view, "view_class", object)
    is_form = issubclass(view_class, (CreateView, EditView, PageCreateView))
    return partial(_check_again, view) if is_form else view


def _check_again(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
    try:
        return view(request, *args, **kwargs)
    except IntegrityError:
        # The transaction was rolled back. An error with another cause is raised again, as a fault.
        log.warning("checked again", path=request.path_info)
        for _, files in request.FILES.lists():
            for file in files:
                file.seek(0)
        return view(request, *args, **kwargs)
