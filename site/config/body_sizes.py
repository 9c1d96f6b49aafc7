"""The maximum size of request bodies, for the HTTP front end and the API's middleware."""

from django.conf import settings
from django.http import parse_cookie

from catalog.imports.limits import MAX_BYTES as MAX_FILE_BYTES
from config.paths import ADMIN, UPLOAD
from core.pictures.uploads import MAX_BYTES as MAX_PICTURE_BYTES

# A form needs this much in addition to its one large file.
_FORM_BYTES = 64 * 1024
MAX_UPLOAD = MAX_PICTURE_BYTES + _FORM_BYTES
MAX_BACK_OFFICE = MAX_FILE_BYTES + _FORM_BYTES
# A request reads the whole file of an import of redirects, so it may have no more than a form.
_REDIRECTS = f"{ADMIN}/redirects/"


def max_body(path: str, content_type: str, cookies: str = "") -> int:
    """Return the maximum bytes of a request's body; `cookies`: the Cookie header, empty without one."""
    if path == UPLOAD and content_type.startswith("multipart/form-data"):
        return MAX_UPLOAD
    # Only staff have sessions. Checking that the session is valid would need the database.
    is_large = path.startswith(f"{ADMIN}/") and not path.startswith(_REDIRECTS)
    if is_large and settings.SESSION_COOKIE_NAME in parse_cookie(cookies):
        return MAX_BACK_OFFICE
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE
