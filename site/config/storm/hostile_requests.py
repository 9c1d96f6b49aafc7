"""Every hostile value at every place that takes one: the API, pages, forms, the back office, notices.

A request is right in all but one value.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import count, cycle, islice
from urllib.parse import urlencode

from config.storm.hostile_values import BODIES, IN_HEADER, IN_JSON, IN_URL, METHODS
from config.storm.limits import address
from config.storm.right_requests import JSON, Known, calls

FORM = "application/x-www-form-urlencoded"
# What Django accepts as a token of its own if the cookie says the same.
_CSRF = "a" * 32


@dataclass(frozen=True)
class Request:
    """A request and why it is hostile; target and headers are bytes as Latin-1."""

    why: str
    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    # The bytes as they are sent, where they are no request of HTTP.
    raw: bytes = b""

    def wire(self, host: str, number: int) -> bytes:
        """Return the bytes to send; `number` chooses the client's address."""
        if self.raw:
            return self.raw
        headers = {"Host": host, "Connection": "close", "X-Forwarded-For": address(number)}
        if self.body or self.method not in ("GET", "HEAD"):
            headers["Content-Length"] = str(len(self.body))
        lines = [f"{name}: {value}" for name, value in (headers | dict(self.headers)).items()]
        head = "\r\n".join([f"{self.method} {self.target} HTTP/1.1", *lines, "", ""])
        return head.encode("latin-1") + self.body

    @property
    def is_call(self) -> bool:
        """Tell whether the answer is in the envelope."""
        path = self.target.partition("?")[0]
        is_document = path in ("/api/docs", "/api/openapi.json") and self.method.upper() == "GET"
        return path.startswith("/api/") and self.method != "HEAD" and not is_document and not self.raw


def in_fields(known: Known) -> Iterator[Request]:
    """Put each value of JSON into each field of each body, one at a time."""
    for call in calls(known):
        for place in call.places():
            for said, text in IN_JSON.items():
                where = ".".join(map(str, place)) or "the body"
                yield Request(
                    f"{call}: {said} as {where}",
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
            for said, text in IN_URL.items():
                target = call.target(**{name: text})
                yield Request(f"{call}: {said} as {name}", call.method, target, call.headers(), body)
        for name in call.queries:
            for said, text in IN_URL.items():
                target = f"{call.target()}?{name}={text}"
                yield Request(f"{call}: {said} as {name}", call.method, target, call.headers(), body)


def whole_bodies(known: Known) -> Iterator[Request]:
    """Send each body to each call that takes one."""
    for call in calls(known):
        if call.shape or call.takes_file:
            for said, (body, content_type) in BODIES.items():
                yield Request(f"{call}: {said}", call.method, call.target(), call.headers(content_type), body)


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
        for said, text in IN_HEADER.items():
            method, path = next(rotating)
            headers = {"token": known.token, "Cookie": f"sessionid={known.session}"} | {name: text}
            body = b"{}" if method == "POST" else b""
            yield Request(f"{method} {path}: {said} as the header {name}", method, path, headers, body)
    for said, text in IN_HEADER.items():
        for cookie in ("sessionid", "csrftoken", "messages"):
            value = {"Cookie": f"{cookie}={text}"}
            yield Request(f"/admin/login/: {said} as the cookie {cookie}", "GET", "/admin/login/", value)


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
        for said, text in IN_URL.items():
            target = next(prefixes) + pattern.replace("{}", text)
            yield Request(f"{pattern}: {said}", "GET", target)
    for pattern in alone:
        for said, text in IN_URL.items():
            yield Request(f"{pattern}: {said}", "GET", pattern.replace("{}", text))


def notices(known: Known) -> Iterator[Request]:
    """Send each body and each value as a notice of a payment provider, and as forms that take no login."""
    for path in ("/pay/notice/sandbox", "/pay/notice/nobody"):
        for said, (body, content_type) in BODIES.items():
            yield Request(f"{path}: {said}", "POST", path, {"Content-Type": content_type}, body)
        for said, text in IN_JSON.items():
            body = b'{"reference": %s}' % text.encode("utf-8", "surrogatepass")
            yield Request(f"{path}: {said} as reference", "POST", path, {"Content-Type": JSON}, body)
        for name in ("X-Sandbox-Timestamp", "X-Sandbox-Event", "X-Sandbox-Signature"):
            for said, text in IN_HEADER.items():
                yield Request(f"{path}: {said} as {name}", "POST", path, {name: text}, b"{}")
    product = known.values["goodsId"]
    forms = {
        f"/shop/shopdetails/{product}/notice": ("email",),
        "/shop/notices/none": ("a",),
        "/admin/login/": ("username", "password", "next", "remember", "captcha"),
        "/admin/password_reset/": ("email",),
    }
    for path, names in forms.items():
        for name in names:
            for said, text in IN_URL.items():
                fields = urlencode({"csrfmiddlewaretoken": _CSRF, **dict.fromkeys(names, "a@example.com")})
                body = f"{fields}&{name}={text}".encode("latin-1")
                yield Request(f"{path}: {said} as {name}", "POST", path, _form_headers(""), body)
        for said, (body, content_type) in BODIES.items():
            headers = _form_headers("") | {"Content-Type": content_type}
            yield Request(f"{path}: {said}", "POST", path, headers, body)


BACK_OFFICE = (
    "goods",
    "brands",
    "categories",
    "spec_groups",
    "goods_tags",
    "exchange_rates",
    "synonyms",
    "failed_searches",
    "files",
    "promotions",
    "stock_levels",
    "stock_movements",
    "stock_locations",
    "freight_rules",
    "pickup_shops",
    "orders",
    "stock_alerts",
    "payments",
    "refunds",
    "invoices",
    "payment_certificates",
    "pay_types",
    "pages",
    "images",
    "documents",
    "users",
    "groups",
    "redirects",
    "snippets/content/carouselslide",
    "snippets/content/specialarea",
    "reports/site-history",
    "reports/locked",
    "reports/aging-pages",
    "choose-page",
    "choose-page/search",
    "pages/search",
    "sites",
    "images/chooser",
    "documents/chooser",
    "account",
)
_QUERIES = ("p", "q", "ordering", "page_type", "collection_id", "locale", "export", "view", "id")


def back_office_lists(known: Known, values: int) -> Iterator[Request]:
    """Put some values into each query, and into the id, of each list of the back office, as staff."""
    headers = {"Cookie": f"sessionid={known.session}"}
    rotating = cycle(IN_URL.items())
    for name in BACK_OFFICE:
        for place in (*(f"?{query}=" for query in _QUERIES), "edit/", ""):
            for said, text in islice(rotating, values):
                path = f"/admin/{name}/{place}{text}"
                yield Request(f"/admin/{name}/{place}: {said}", "GET", path, headers)


def form_paths(path: str, html: str) -> list[str]:
    """Return where a list of the back office leads to add something, and to change the first in it."""
    links = re.findall(r'href="([^"?]+)"', html)
    here = re.escape(path)
    wanted = (rf"{here}(?:add|new|create)/", rf"{here}(?:edit/)?\d+/(?:edit/)?", here)
    found = (next((link for link in [*links, path] if re.fullmatch(form, link)), "") for form in wanted)
    return [each for each in dict.fromkeys(found) if each]


def fields_of_form(html: str) -> dict[str, str]:
    """Return the fields of the largest form of a page that is sent by POST, with their values."""
    reader = _FormReader()
    reader.feed(html)
    return max(reader.forms, key=len, default={})


def in_form(known: Known, path: str, fields: dict[str, str], values: int) -> Iterator[Request]:
    """Put some values into each field of a form of the back office, another choice for each field."""
    rotating = cycle(IN_URL.items())
    for name in fields:
        for said, text in islice(rotating, values):
            others = fields | {"csrfmiddlewaretoken": _CSRF}
            others.pop(name, None)
            body = f"{urlencode(others)}&{urlencode({name: ''})}{text}".encode("latin-1")
            headers = _form_headers(known.session)
            yield Request(f"{path}: {said} as {name}", "POST", path, headers, body)


def _form_headers(session: str) -> dict[str, str]:
    cookies = f"csrftoken={_CSRF}" + (f"; sessionid={session}" if session else "")
    return {"Cookie": cookies, "X-CSRFToken": _CSRF, "Content-Type": FORM}


class _FormReader(HTMLParser):
    """Reads the forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self._is_within = False
        self._select = self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a field and its value."""
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        if tag == "form":
            self._is_within = given.get("method", "").lower() == "post"
            if self._is_within:
                self.forms.append({})
        elif not self._is_within:
            return
        elif tag == "input" and name and given.get("type") not in ("submit", "file", "image"):
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                self.forms[-1][name] = given.get("value", "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and "selected" in given:
            self.forms[-1][self._select] = given.get("value", "")
        elif tag == "textarea" and name:
            self._text = name
            self.forms[-1][name] = ""

    def handle_endtag(self, tag: str) -> None:
        """Leave a form or a field."""
        if tag == "form":
            self._is_within = False
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._text = ""

    def handle_data(self, data: str) -> None:
        """Note the text of a field."""
        if self._text:
            self.forms[-1][self._text] += data


def broken_http(known: Known, host: str) -> Iterator[Request]:
    """Send what is no request of HTTP, or an odd one: lengths, encodings, lines, targets."""
    numbers = count(1)
    first = "POST /api/v1/pc/goods/list HTTP/1.1\r\n"
    start = f"{first}Host: {host}\r\nConnection: close\r\nContent-Type: {JSON}\r\n"

    def raw(why: str, text: str) -> Request:
        return Request(f"{next(numbers)} {why}", "", "", raw=text.encode("latin-1"))

    for length in (
        "-1",
        "+2",
        "2, 2",
        "2, 3",
        "a",
        "",
        " ",
        "1e1",
        "0x2",
        "2.0",
        "9" * 20,
        str(2**63),
        "\xb2",
    ):
        yield raw(f"Content-Length {length}", f"{start}Content-Length: {length}\r\n\r\n{{}}")
    yield raw("two lengths", f"{start}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}x")
    yield raw(
        "a length and chunks", f"{start}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )
    for encoding in (
        "gzip",
        "identity",
        "chunked, identity",
        "xchunked",
        "chunked, chunked",
        "\x0bchunked",
        "",
    ):
        yield raw(f"Transfer-Encoding {encoding}", f"{start}Transfer-Encoding: {encoding}\r\n\r\n0\r\n\r\n")
    chunked = f"{start}Transfer-Encoding: chunked\r\n\r\n"
    for size in ("FFFFFFFFFFFFFFFFF", "-1", "g", "", "0x2", "2;a=b", "2 ", "\xb2", "2\n"):
        yield raw(f"a chunk of {size}", f"{chunked}{size}\r\n{{}}\r\n0\r\n\r\n")
    yield raw("a trailer", f"{chunked}2\r\n{{}}\r\n0\r\nContent-Length: 99\r\ntoken: a\r\n\r\n")
    for line in (
        "a: b\0c",
        "a\0: b",
        " a: b",
        "a : b",
        ": b",
        "a",
        "a: b\r c: d",
        "a: b\n c",
        "(a): b",
        "\xff: b",
        "a: \x01",
        "Host: other.example",
        "Content_Length: 9",
        "Expect: 100-continue",
        "Expect: a miracle",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: a\r\nSec-WebSocket-Version: 13",
        "Upgrade: h2c\r\nHTTP2-Settings: a",
        "Connection: close, close, x",
        "X: " + "x" * 60_000,
        "Cookie: " + "a=b; " * 12_000,
        "Cookie: " + "; " * 500,
        "\r\n".join(f"X-{number}: a" for number in range(90)),
        "\r\n".join(f"X-{number}: a" for number in range(2_000)),
    ):
        yield raw(f"the line {line[:30]!r}", f"{start}{line}\r\nContent-Length: 2\r\n\r\n{{}}")
    tail = f"Host: {host}\r\nConnection: close\r\n\r\n"
    for line in (
        "GET / HTTP/0.9",
        "GET / HTTP/1.0",
        "GET / HTTP/1.2",
        "GET / HTTP/2.0",
        "GET / HTTP/9.9",
        "GET / http/1.1",
        "GET /",
        "GET",
        "",
        "GET  / HTTP/1.1",
        "GET\t/\tHTTP/1.1",
        "GET / HTTP/1.1 x",
        " GET / HTTP/1.1",
        "\0 / HTTP/1.1",
        "\xff / HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "GET * HTTP/1.1",
        f"GET http://{host}/shop HTTP/1.1",
        "GET http://other.example/shop HTTP/1.1",
        "GET ftp://other.example/shop HTTP/1.1",
        f"CONNECT {host} HTTP/1.1",
        "GET shop HTTP/1.1",
        "GET //other.example/shop HTTP/1.1",
        "GET /\\other.example HTTP/1.1",
        "GET ///shop HTTP/1.1",
        "GET /shop#a HTTP/1.1",
        "GET /a b HTTP/1.1",
        "GET /\0 HTTP/1.1",
        "GET /\x7f HTTP/1.1",
        "GET /\xe4\xb8\x9c HTTP/1.1",
        "GET /\xff HTTP/1.1",
        "GET /shop?\xff HTTP/1.1",
        f"GET /{'a' * 70_000} HTTP/1.1",
        f"GET /shop?word={'a' * 60_000} HTTP/1.1",
        f"GET {'/a' * 20_000} HTTP/1.1",
        f"GET /shop?{'a=b&' * 15_000} HTTP/1.1",
        f"{'G' * 5_000} / HTTP/1.1",
        "PRI * HTTP/2.0",
    ):
        yield raw(f"the line {line[:30]!r}", f"{line}\r\n{tail}")
    yield raw("no host", "GET /shop HTTP/1.1\r\nConnection: close\r\n\r\n")
    for name in (
        "",
        "a b",
        "\xff",
        "[",
        "[::1",
        "a:b:c",
        "127.0.0.1:99999999",
        "@",
        "x" * 5_000,
        "127.0.0.1,a",
    ):
        yield raw(
            f"the host {name[:20]!r}", f"GET /shop HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
        )
    yield raw("the greeting of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    yield raw("the greeting of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "a" * 100)
    yield raw("zeros", "\0" * 10_000)
    yield raw("lines", "\r\n" * 5_000)
    yield raw("a body that breaks off", f"{start}Content-Length: 200000\r\n\r\n{{")
