"""What is measured: the requests of each subject, and how many queries one takes."""

import csv
import json
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.goods.models import Category
from catalog.goods.sellable import sellable_products
from config.page_cache.store import PAGES

GOODS = 1000
PAGE = 24
# Categories whose lists are requested, and requests whose queries are counted.
CATEGORIES = 10
COUNTED = 30
# How often a cached page is made again, for the time that takes.
RENDERED = 9
LIST = "/api/v1/pc/goods/list"
SEARCHES = "catalog/browse/tests/searches.csv"


@dataclass
class Subject:
    """What is requested: paths, or bodies for one path; `floor` is the view it is compared with."""

    name: str
    floor: str
    paths: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    body_path: str = LIST
    cached: bool = False
    # Send every request at least once, however long it takes.
    whole: bool = False


def subjects() -> Iterator[Subject]:
    """Yield every subject, floors first."""
    numbers = list(sellable_products().values_list("pk", flat=True))
    products = random.Random(1).sample(numbers, min(GOODS, len(numbers)))  # noqa: S311  the same sample each time
    categories = _category_lists()
    yield Subject("bare view", "", ["/bench/bare"])
    yield Subject("one query, 24 rows", "", ["/bench/rows"])
    yield Subject("one insert in one transaction", "", bodies=[{}], body_path="/bench/insert")
    pages = {"home": "/home", "list": "/shop", "goods": f"/shop/shopdetails/{numbers[0]}"}
    for name, path in pages.items():
        yield Subject(f"{name} page, cached", "bare view", [path], cached=True)
        yield Subject(f"{name} page in Chinese, cached", "bare view", [f"/zh-hans{path}"], cached=True)
    yield Subject("goods pages, rendered", "bare view", [f"/shop/shopdetails/{pk}" for pk in products])
    yield Subject("goods/list by category and price", "one query, 24 rows", bodies=categories)
    last = [body | {"page": _last_page(body)} for body in categories]
    yield Subject("goods/list, last page", "one query, 24 rows", bodies=last)
    yield Subject("goods/{id}", "one query, 24 rows", [f"/api/v1/pc/goods/{pk}" for pk in products])
    searches = [{"word": word} for word in _searches()]
    yield Subject("search", "one query, 24 rows", bodies=searches, whole=True)


def _category_lists() -> list[dict[str, Any]]:
    tops = Category.objects.filter(parent=None).order_by("pk").values_list("pk", flat=True)
    bodies = [{"firstCategoryId": pk, "orderBy": "price", "isAsc": "true", "size": PAGE} for pk in tops]
    return [body for body in bodies if _total(body)][:CATEGORIES]


def _searches() -> list[str]:
    with (settings.BASE_DIR / SEARCHES).open(encoding="utf-8", newline="") as file:
        return [row["query"] for row in csv.DictReader(file)]


def _client() -> Client:
    return Client(headers={"Host": settings.ALLOWED_HOSTS[0]})


def _total(body: dict[str, Any]) -> int:
    answer = _client().post(LIST, body, content_type="application/json").json()
    return int(answer["result"]["total"])


def _last_page(body: dict[str, Any]) -> int:
    return -(-_total(body) // PAGE)


def send(client: Client, subject: Subject, number: int) -> Any:
    """Send one of a subject's requests; raises AssertionError for an answer that is refused or empty."""
    if subject.bodies:
        body = subject.bodies[number % len(subject.bodies)]
        response = client.post(subject.body_path, body, content_type="application/json")
    else:
        response = client.get(subject.paths[number % len(subject.paths)])
    assert response.status_code == 200, f"{subject.name}: {response.status_code}"
    if response.headers["Content-Type"].startswith("application/json") and "/bench/" not in subject.paths[:1]:
        answer = response.json()
        assert answer.get("code", 0) == 0, f"{subject.name}: {answer}"
        searched = subject.bodies and "word" in subject.bodies[0]
        assert searched or not subject.bodies or answer["result"]["list"], subject.name
    return response


def queries_of(subject: Subject) -> dict[str, float]:
    """Return how many queries a request takes: median, maximum, and of a cached page when it is rendered."""
    client = _client()
    # What a process reads only once does not count for the request.
    send(client, subject, 0)
    PAGES.clear()
    counts = []
    for number in range(COUNTED):
        with CaptureQueriesContext(connection) as captured:
            send(client, subject, number)
        counts.append(len(captured))
    made: dict[str, float] = {}
    if subject.cached:
        made = {"rendered_with": counts[0], "rendered_ms": _rendering_ms(client, subject)}
    return {"queries": statistics.median(counts), "max_queries": max(counts), **made}


def _rendering_ms(client: Client, subject: Subject) -> float:
    """Return the processor time of this process for making a page again, in milliseconds."""
    times = []
    for _ in range(RENDERED):
        PAGES.clear()
        began = time.process_time()
        send(client, subject, 0)
        times.append(time.process_time() - began)
    return round(statistics.median(times) * 1000, 1)


def raw_requests(subject: Subject) -> list[str]:
    """Return a subject's requests as they go over the wire."""
    host = f"Host: {settings.HOST}:{settings.PORT}\r\nAccept-Encoding: gzip, deflate\r\n"
    gets = [f"GET {path} HTTP/1.1\r\n{host}\r\n" for path in subject.paths]
    posts = []
    for body in subject.bodies:
        # ASCII has as many characters as bytes.
        text = json.dumps(body)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n"
        posts.append(f"POST {subject.body_path} HTTP/1.1\r\n{host}{kind}\r\n{text}")
    return [*gets, *posts]


def describe() -> list[dict[str, Any]]:
    """Return each subject with its requests and queries."""
    results = []
    for subject in subjects():
        facts = {"name": subject.name, "floor": subject.floor, "whole": subject.whole}
        facts["requests"] = raw_requests(subject)
        results.append(facts | queries_of(subject))
    return results
