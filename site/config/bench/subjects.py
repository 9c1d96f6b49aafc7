"""What is measured: the addresses of each subject, and how many queries one request takes.

    python -m config.bench.subjects > [{"name", "requests", "queries", …}, …]

A process of its own, in the environment of the database it is about.
"""

import csv
import json
import random
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

GOODS = 1000
PAGE = 24
# Shelves that the lists are asked for, and requests whose queries are counted.
SHELVES = 10
COUNTED = 30
LIST = "/api/v1/pc/goods/list"
SEARCHES = "catalog/browse/tests/searches.csv"


@dataclass
class Subject:
    """What is asked for: paths, or bodies for the path of the list; `floor` is what it is compared with."""

    name: str
    floor: str
    paths: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    kept: bool = False
    # Every request at least once, however long it takes.
    whole: bool = False


def subjects() -> Iterator[Subject]:
    """Yield every subject, floors first."""
    from catalog.goods.models import Product

    numbers = list(Product.objects.filter(on_sale=True).values_list("pk", flat=True))
    goods = random.Random(1).sample(numbers, min(GOODS, len(numbers)))  # noqa: S311  the same ones each time
    shelves = _shelves()
    yield Subject("bare view", "", ["/bench/bare"])
    yield Subject("one query, 24 rows", "", ["/bench/rows"])
    pages = {"home": "/home", "list": "/shop", "goods": f"/shop/shopdetails/{numbers[0]}"}
    for name, path in pages.items():
        yield Subject(f"{name} page, kept", "bare view", [path], kept=True)
        yield Subject(f"{name} page in Chinese, kept", "bare view", [f"/zh-hans{path}"], kept=True)
    yield Subject("goods pages, made anew", "bare view", [f"/shop/shopdetails/{pk}" for pk in goods])
    yield Subject("goods/list by category and price", "one query, 24 rows", bodies=shelves)
    last = [shelf | {"page": _last_page(shelf)} for shelf in shelves]
    yield Subject("goods/list, last page", "one query, 24 rows", bodies=last)
    yield Subject("goods/{id}", "one query, 24 rows", [f"/api/v1/pc/goods/{pk}" for pk in goods])
    searches = [{"word": word} for word in _searches()]
    yield Subject("search", "one query, 24 rows", bodies=searches, whole=True)


def _shelves() -> list[dict[str, Any]]:
    from catalog.goods.models import Category

    tops = Category.objects.filter(parent=None).order_by("pk").values_list("pk", flat=True)
    asked = [{"firstCategoryId": pk, "orderBy": "price", "isAsc": "true", "size": PAGE} for pk in tops]
    return [shelf for shelf in asked if _total(shelf)][:SHELVES]


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


def ask(client: Client, subject: Subject, number: int) -> Any:
    """Send one of a subject's requests; raises AssertionError unless the answer is a good one."""
    if subject.bodies:
        body = subject.bodies[number % len(subject.bodies)]
        response = client.post(LIST, body, content_type="application/json")
    else:
        response = client.get(subject.paths[number % len(subject.paths)])
    assert response.status_code == 200, f"{subject.name}: {response.status_code}"
    if response.headers["Content-Type"].startswith("application/json") and "/bench/" not in subject.paths[:1]:
        answer = response.json()
        assert answer.get("code", 0) == 0, f"{subject.name}: {answer}"
        assert not subject.bodies or "word" in subject.bodies[0] or answer["result"]["list"], subject.name
    return response


def queries_of(subject: Subject) -> dict[str, float]:
    """Return how many queries a request takes: the median, the most, and for a kept page when it is made."""
    from config.pagestore import PAGES

    client = _client()
    # What a process reads once is not the request's.
    ask(client, subject, 0)
    PAGES.clear()
    counts = []
    for number in range(COUNTED):
        with CaptureQueriesContext(connection) as captured:
            ask(client, subject, number)
        counts.append(len(captured))
    made = {"made_with": counts[0]} if subject.kept else {}
    return {"queries": statistics.median(counts), "most_queries": max(counts), **made}


def raw_requests(subject: Subject) -> list[str]:
    """Return a subject's requests as they go over the wire."""
    host = f"Host: {settings.HOST}:{settings.PORT}\r\nAccept-Encoding: gzip, deflate\r\n"
    gets = [f"GET {path} HTTP/1.1\r\n{host}\r\n" for path in subject.paths]
    posts = []
    for body in subject.bodies:
        # ASCII: as many characters as bytes.
        text = json.dumps(body)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n"
        posts.append(f"POST {LIST} HTTP/1.1\r\n{host}{kind}\r\n{text}")
    return [*gets, *posts]


def main() -> None:
    """Print every subject."""
    django.setup()
    told = []
    for subject in subjects():
        facts = {"name": subject.name, "floor": subject.floor, "whole": subject.whole}
        facts["requests"] = raw_requests(subject)
        told.append(facts | queries_of(subject))
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
