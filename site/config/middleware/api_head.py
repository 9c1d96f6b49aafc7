"""HEAD requests to the API."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.middleware import GetResponse
from config.paths import API


def head_as_get(get_response: GetResponse) -> GetResponse:
    """Answer HEAD on the API like GET, and list it wherever GET is allowed (RFC 9110, 9.3.2).

    Django's views do that themselves, Ninja's operations do not. The web server omits the body.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(API):
            return get_response(request)
        asked = request.method
        if asked == "HEAD":
            request.method = "GET"
        try:
            response = get_response(request)
        finally:
            # The log and the web server need the original method.
            request.method = asked
        allowed = response.get("Allow", "").split(", ")
        if "GET" in allowed and "HEAD" not in allowed:
            response["Allow"] = ", ".join([*allowed, "HEAD"])
        return response

    return middleware
