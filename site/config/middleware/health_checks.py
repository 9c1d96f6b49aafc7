"""The health checks, for any host name."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.health import live, ready
from config.middleware import GetResponse
from config.paths import LIVENESS, READINESS

_CHECKS = {LIVENESS: live, READINESS: ready}


def health_checks(get_response: GetResponse) -> GetResponse:
    """Answer the health checks before the host name is checked, since probes use the address of the host.

    Their URLs remain, so that no editor's page gets one.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        check = _CHECKS.get(request.path_info) if request.method in ("GET", "HEAD") else None
        return check(request) if check else get_response(request)

    return middleware
