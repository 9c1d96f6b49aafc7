"""The back office's page that imports files with tracking numbers."""

from pathlib import Path
from tempfile import NamedTemporaryFile

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from catalog.imports.problems import ImportRefusedError, Problems
from commerce.refused_notices.models import RefusedNotice
from commerce.refused_notices.services import refused_lately
from commerce.shipments.files import MAX_BYTES, MAX_ROWS, OPTIONAL, REQUIRED, enter_rows, read_rows
from commerce.shipments.models import Carrier
from commerce.shipments.providers.registry import tracking_provider
from commerce.shipments.views import MAY_MOVE
from core.clock import shop_zone


def tracking_file(request: HttpRequest) -> HttpResponse:
    """Show the form, and enter or check the uploaded file; raises PermissionDenied."""
    if not isinstance(request.user, User) or not request.user.has_perm(MAY_MOVE):
        raise PermissionDenied
    problems = Problems()
    file = request.FILES.get("file")
    if request.method == "POST":
        if file is None:
            messages.error(request, _("Choose a file first."))
        elif (file.size or 0) > MAX_BYTES:
            messages.error(request, _("This file is too large."))
        else:
            _take(request, file, request.user, problems)
    context = {
        "page_title": _("Tracking numbers"),
        "header_title": _("Tracking numbers"),
        "header_icon": "upload",
        "required": REQUIRED,
        "optional": OPTIONAL,
        "most": MAX_ROWS,
        "zone": shop_zone().key,
        "carriers": Carrier.objects.filter(enabled=True),
        "problems": problems.found,
        "refused_notices": _refused(),
    }
    return TemplateResponse(request, "shipments/admin/file.html", context)


def _refused() -> list[RefusedNotice]:
    provider = tracking_provider()
    return list(refused_lately().filter(provider=provider.name)) if provider else []


def _take(request: HttpRequest, file: UploadedFile, user: User, problems: Problems) -> None:
    name, entered, known = file.name or "", 0, 0
    with NamedTemporaryFile() as copy:
        for chunk in file.chunks():
            copy.write(chunk)
        copy.flush()
        try:
            rows = read_rows(Path(copy.name), name, problems)
            is_trial = bool(request.POST.get("trial"))
            if not problems.found and is_trial:
                text = _("Rows without a mistake: %(count)s. Nothing was changed.")
                messages.success(request, text % {"count": len(rows)})
            elif not problems.found:
                entered, known = enter_rows(rows, name=name, staff=user, problems=problems)
                if entered:
                    messages.success(request, _("Rows entered: %(count)s.") % {"count": entered})
                if known:
                    text = _("Rows that were entered before and change nothing: %(count)s.")
                    messages.warning(request, text % {"count": known})
        except ImportRefusedError as error:
            problems.found = error.problems
    if problems.found and not entered and not known:
        messages.error(request, _("Nothing was changed."))
