"""Requests with one hostile value each: in the API, pages, headers, methods and provider notices."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from urllib.parse import urlencode

from tests.hostile_values import BODIES, IN_HEADER, IN_JSON, IN_URL, METHODS
from tests.valid_requests import JSON, Known, calls

FORM = "application/x-www-form-urlencoded"
# Django accepts this as a token of its own if the cookie has the same.
_CSRF = "a" * 32


@dataclass(frozen=True)
class Request:
    """A request and why it is hostile; target and headers are bytes as Latin-1."""

    why: str
    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def is_call(self) -> bool:
        """Return True if the answer is in the envelope."""
        path = self.target.partition("?")[0]
        is_document = path in ("/api/docs", "/api/openapi.json") and self.method.upper() == "GET"
        return path.startswith("/api/") and self.method != "HEAD" and not is_document


def in_fields(known: Known) -> Iterator[Request]:
    """Put each value of JSON into each field of each body, one at a time."""
    for call in calls(known):
        for place in call.places():
            for kind, text in IN_JSON.items():
                where = ".".join(map(str, place)) or "the body"
                yield Request(
                    f"{call}: {kind} as {where}",
                    call.method,
                    call.target(),
                    call.headers(),
                    call.with_value(place, text),
                )


def in_urls(known: Known) -> Iterator[Request]:
    """Put each value into each parameter of each call's path and query."""
    for call in calls(known):
        body = b"" if call.method in ("GET", "DELETE") else b"{}"
        for name in call.path_names:
            for kind, text in IN_URL.items():
                target = call.target(**{name: text})
                yield Request(f"{call}: {kind} as {name}", call.method, target, call.headers(), body)
        for name in call.queries:
            for kind, text in IN_URL.items():
                target = f"{call.target()}?{name}={text}"
                yield Request(f"{call}: {kind} as {name}", call.method, target, call.headers(), body)


def whole_bodies(known: Known) -> Iterator[Request]:
    """Send each body to each call that takes one."""
    for call in calls(known):
        if call.shape or call.takes_file:
            for kind, (body, content_type) in BODIES.items():
                yield Request(f"{call}: {kind}", call.method, call.target(), call.headers(content_type), body)


def in_headers(known: Known) -> Iterator[Request]:
    """Put each value into each header that the shop or its libraries read, in turns of some requests."""
    names = (
        "token",
        "lang",
        "X-Request-ID",
        "Cookie",
        "Host",
        "Accept-Language",
        "Accept-Encoding",
        "Accept",
        "If-Modified-Since",
        "If-None-Match",
        "Range",
        "Referer",
        "Origin",
        "Content-Type",
        "X-Forwarded-For",
        "X-Forwarded-Proto",
        "X-Forwarded-Host",
        "X-HTTP-Method-Override",
        "X-CSRFToken",
        "Authorization",
        "User-Agent",
    )
    targets = (
        ("GET", "/api/v1/pc/user/userInfo"),
        ("POST", "/api/v1/pc/goods/list"),
        ("GET", "/shop?word=a"),
        ("GET", "/admin/goods/"),
        ("POST", "/pay/notice/sandbox"),
    )
    rotating = cycle(targets)
    for name in names:
        for kind, text in IN_HEADER.items():
            method, path = next(rotating)
            headers = {"token": known.token, "Cookie": f"sessionid={known.session}"} | {name: text}
            body = b"{}" if method == "POST" else b""
            yield Request(f"{method} {path}: {kind} as the header {name}", method, path, headers, body)
    for kind, text in IN_HEADER.items():
        for cookie in ("sessionid", "csrftoken", "messages"):
            value = {"Cookie": f"{cookie}={text}"}
            yield Request(f"/admin/login/: {kind} as the cookie {cookie}", "GET", "/admin/login/", value)


def odd_methods(known: Known) -> Iterator[Request]:
    """Ask for each call, and for other paths, by methods that they do not have."""
    paths = [call.target() for call in calls(known)]
    others = ["/", "/shop", "/admin/", "/admin/login/", "/media/a", "/static/a", "/pay/notice/sandbox"]
    for path in dict.fromkeys([*paths, *others, "/api/", "/api/docs", "/api/openapi.json", "/livez"]):
        for method in METHODS:
            yield Request(f"{method} {path}", method, path, {"token": known.token}, b"")


def in_pages(known: Known) -> Iterator[Request]:
    """Put each value into the paths and the queries of pages, in one language and the other."""
    paths = (
        "/{}",
        "/home/{}",
        "/promotions/{}",
        "/shop/shopdetails/{}",
        "/shop/shopdetails/{}/notice",
        "/shop/notices/{}",
        "/shared/{}",
        "/areas/{}",
        "/home/payResult/{}",
        "/home/account/orderdetails/{}",
        "/sandbox-pay/{}",
        "/home/about-us/{}",
    )
    alone = (
        "/pay/return/{}",
        "/pay/certificate/{}",
        "/pay/certificate/a?key={}",
        "/media/{}",
        "/static/{}",
        "/documents/{}",
        "/documents/1/{}",
        "/sitemap-goods-{}.xml",
        "/api/{}",
        "/api/v1/pc/{}",
    )
    queries = {
        "/shop": (
            "word",
            "brandName",
            "goodsTypeId",
            "firstCategoryId",
            "stockType",
            "orderBy",
            "isAsc",
            "page",
            "minPrice",
            "maxPrice",
            "promotion",
            "bulk",
            "storage",
            "suits",
            "size",
        ),
        "/home/bulk": ("word", "page", "orderBy"),
        "/areas": ("page",),
        "/promotions": ("page",),
        "/home/login": ("redirect",),
        "/home/createOrder/payType": ("orderNo",),
    }
    patterns = [*paths, *(f"{path}?{name}={{}}" for path, names in queries.items() for name in names)]
    prefixes = cycle(("", "/zh-hans"))
    for pattern in patterns:
        for kind, text in IN_URL.items():
            target = next(prefixes) + pattern.replace("{}", text)
            yield Request(f"{pattern}: {kind}", "GET", target)
    for pattern in alone:
        for kind, text in IN_URL.items():
            yield Request(f"{pattern}: {kind}", "GET", pattern.replace("{}", text))


def notices(known: Known) -> Iterator[Request]:
    """Send each body and each value as a notice of a payment provider, and as forms that take no login."""
    for path in ("/pay/notice/sandbox", "/pay/notice/unknown"):
        for kind, (body, content_type) in BODIES.items():
            yield Request(f"{path}: {kind}", "POST", path, {"Content-Type": content_type}, body)
        for kind, text in IN_JSON.items():
            body = b'{"reference": %s}' % text.encode("utf-8", "surrogatepass")
            yield Request(f"{path}: {kind} as reference", "POST", path, {"Content-Type": JSON}, body)
        for name in ("X-Sandbox-Timestamp", "X-Sandbox-Event", "X-Sandbox-Signature"):
            for kind, text in IN_HEADER.items():
                yield Request(f"{path}: {kind} as {name}", "POST", path, {name: text}, b"{}")
    product = known.values["goodsId"]
    forms = {
        f"/shop/shopdetails/{product}/notice": ("email",),
        "/shop/notices/none": ("a",),
        "/admin/login/": ("username", "password", "next", "remember", "captcha"),
        "/admin/password_reset/": ("email",),
    }
    for path, names in forms.items():
        for name in names:
            for kind, text in IN_URL.items():
                fields = urlencode({"csrfmiddlewaretoken": _CSRF, **dict.fromkeys(names, "a@example.com")})
                body = f"{fields}&{name}={text}".encode("latin-1")
                yield Request(f"{path}: {kind} as {name}", "POST", path, _form_headers(""), body)
        for kind, (body, content_type) in BODIES.items():
            headers = _form_headers("") | {"Content-Type": content_type}
            yield Request(f"{path}: {kind}", "POST", path, headers, body)


def _form_headers(session: str) -> dict[str, str]:
    cookies = f"csrftoken={_CSRF}" + (f"; sessionid={session}" if session else "")
    return {"Cookie": cookies, "X-CSRFToken": _CSRF, "Content-Type": FORM}
