"""The page cache: how fresh pages are, who gets them, and what very many URLs cost."""

import gzip
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from unittest.mock import Mock

import brotli
import pytest
import time_machine
from django.conf import LazySettings
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.urls import path

from config import settings as in_use
from config import urls
from config.front_end import answers
from config.page_cache import middleware, store
from config.page_cache.store import BUSY_LIFE, FRESH, LIFE, PAGES, QUICK
from config.tests.conftest import START
from core.pages.public import public_page

made: list[str] = []
gate = threading.Event()
inside = threading.Semaphore(0)


@public_page("word", "page")
def counted(request: HttpRequest) -> HttpResponse:
    """Return how often it was rendered, and the parameters that it sees."""
    made.append(request.get_full_path())
    return HttpResponse(f"<p>{len(made)} {request.GET.urlencode()} {request.get_full_path()}</p>" * 50)


@public_page()
def slow(request: HttpRequest) -> HttpResponse:
    """Wait until the test allows it to continue."""
    made.append("slow")
    inside.release()
    gate.wait(10)
    return HttpResponse(f"made {len(made)}")


@public_page()
def broken(request: HttpRequest) -> HttpResponse:
    made.append("broken")
    return HttpResponseServerError("fault")


@public_page()
def personal(request: HttpRequest) -> HttpResponse:
    made.append("personal")
    response = HttpResponse("for you")
    response.set_cookie("who", "you")
    return response


def undeclared(request: HttpRequest) -> HttpResponse:
    made.append("undeclared")
    return HttpResponse("fresh")


urlpatterns = [
    path("counted", counted),
    path("slow", slow),
    path("broken", broken),
    path("personal", personal),
    path("undeclared", undeclared),
    *urls.urlpatterns,
]

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _page_cache(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.PAGE_CACHE = True
    settings.ALLOWED_HOSTS = ["testserver", "other.example", ".wild.example"]
    monkeypatch.setattr(middleware, "next_change", lambda now: None)
    made.clear()
    gate.clear()
    while inside.acquire(blocking=False):
        pass
    PAGES.clear()
    yield
    PAGES.clear()


@pytest.fixture
def client() -> Client:
    """A client that names the host, as every browser does."""
    return Client(headers={"Host": "testserver"})


def seconds_of(response: HttpResponseBase) -> int:
    """For how long a browser or a CDN may show an answer."""
    words = dict(part.strip().partition("=")[::2] for part in response.headers["Cache-Control"].split(","))
    assert "public" in words
    return int(words["max-age"]) + int(words["stale-while-revalidate"])


@pytest.mark.parametrize(
    ("passes", "renderings"),
    [(FRESH - timedelta(milliseconds=1), 1), (LIFE, 2), (timedelta(hours=-1), 2)],
    ids=["fresh", "over", "set back"],
)
def test_a_page_is_rendered_once_while_it_is_fresh_and_again_before_its_answer_once_its_life_is_over(
    client: Client, clock: time_machine.Traveller, passes: timedelta, renderings: int
) -> None:
    first = client.get("/counted")
    clock.shift(passes)
    assert (client.get("/counted").content == first.content) is (renderings == 1)
    assert len(made) == renderings


def test_a_page_that_is_no_longer_fresh_is_sent_once_more_and_rendered_afterwards(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/counted")
    monkeypatch.setattr(answers, "application", WSGIHandler())
    for headers in ({}, {"If-None-Match": first.headers["ETag"]}):
        made.clear()
        clock.shift(FRESH)
        request = RequestFactory(headers={"Host": "testserver", **headers}).get("/counted")
        protocol = Mock()
        protocol.response_bytes.side_effect = lambda *sent: made.append("sent")
        answers.answer_with_django(request.environ, protocol, Mock())
        assert made == ["sent", "/counted"]
    assert client.get("/counted").content != first.content


def test_through_all_caches_a_page_is_no_older_than_allowed(
    client: Client, clock: time_machine.Traveller
) -> None:
    for tenth in range(int(FRESH.total_seconds() * 10)):
        clock.move_to(START + timedelta(seconds=tenth / 10))
        response = client.get("/counted")
        assert timedelta(seconds=tenth / 10 + seconds_of(response)) <= LIFE
    assert len(made) == 1


def test_a_page_expires_with_a_promotion_in_every_cache(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = START + timedelta(seconds=1.2)
    monkeypatch.setattr(middleware, "next_change", lambda now: end if now < end else None)
    assert seconds_of(client.get("/counted")) == 1
    clock.move_to(end - timedelta(milliseconds=1))
    assert seconds_of(client.get("/counted")) == 0
    assert len(made) == 1
    clock.move_to(end)
    client.get("/counted")
    assert len(made) == 2


@pytest.mark.parametrize(
    "headers",
    [{"token": "abc"}, {"Authorization": "Basic abc"}, {"Cookie": "sessionid=abc"}],
    ids=["token", "authorization", "session"],
)
def test_a_request_with_credentials_gets_an_uncached_page(client: Client, headers: dict[str, str]) -> None:
    client.get("/counted")
    response = Client(headers={"Host": "testserver", **headers}).get("/counted")
    assert len(made) == 2
    assert "ETag" not in response.headers
    assert "public" not in response.headers.get("Cache-Control", "")
    client.get("/counted")
    assert len(made) == 2


def test_failed_and_private_pages_are_not_cached(client: Client, subtests: pytest.Subtests) -> None:
    client.raise_request_exception = False
    for address in ["/broken", "/personal", "/undeclared", "/nothing-here"]:
        with subtests.test(address=address):
            made.clear()
            for _ in range(2):
                response = client.get(address)
                assert "ETag" not in response.headers
                assert "public" not in response.headers.get("Cache-Control", "")
            assert len(PAGES.plain) == len(PAGES.queried) == 0
            assert len(made) in (0, 2)


def test_a_post_is_refused_and_neither_answered_from_the_cache_nor_cached(client: Client) -> None:
    client.get("/counted")
    assert client.post("/counted").status_code == 405
    assert client.get("/counted").status_code == 200
    assert len(made) == 1


def test_each_content_coding_has_the_same_page_and_is_compressed_once(client: Client) -> None:
    plain = client.get("/counted")
    gzipped = client.get("/counted", headers={"Accept-Encoding": "gzip, deflate"})
    brotlied = client.get("/counted", headers={"Accept-Encoding": "gzip, br;q=0.8"})
    refused = client.get("/counted", headers={"Accept-Encoding": "br;q=0, gzip;q=0.0"})
    assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in refused.headers
    assert gzipped.headers["Content-Encoding"] == "gzip"
    assert brotlied.headers["Content-Encoding"] == "br"
    assert gzip.decompress(gzipped.content) == brotli.decompress(brotlied.content) == plain.content
    assert refused.content == plain.content
    for response in (plain, gzipped, brotlied):
        assert response.headers["Vary"] == "Accept-Encoding"
        assert int(response.headers["Content-Length"]) == len(response.content)
    assert len(made) == 1


def test_languages_and_hosts_share_no_cached_page(client: Client) -> None:
    english, chinese = client.get("/download"), client.get("/zh-hans/download")
    assert english.headers["Content-Language"] == "en"
    assert chinese.headers["Content-Language"] == "zh-hans"
    assert english.headers["Vary"] == chinese.headers["Vary"] == "Accept-Encoding"
    assert client.get("/download", headers={"Accept-Language": "zh"}).content == english.content
    client.get("/counted")
    client.get("/counted", headers={"Host": "other.example"})
    assert len(made) == 2


def test_invented_hosts_are_not_cached(client: Client) -> None:
    for number in range(3):
        client.get("/counted", headers={"Host": f"shop{number}.wild.example"})
        client.get("/counted", headers={"Host": f"testserver:{number + 1}"})
    assert len(PAGES.plain) == 0
    assert client.get("/counted", headers={"Host": "evil.example"}).status_code == 400


def test_a_page_that_the_browser_has_is_not_sent_again(client: Client) -> None:
    first = client.get("/counted")
    etag = first.headers["ETag"]
    for given in (etag, etag.removeprefix("W/"), f'"other", {etag}', "*"):
        again = client.get("/counted", headers={"If-None-Match": given})
        assert (again.status_code, again.content) == (304, b"")
        for name in ("ETag", "Cache-Control", "Vary"):
            assert again.headers[name] == first.headers[name]
    assert client.get("/counted", headers={"If-None-Match": '"other"'}).status_code == 200
    assert len(made) == 1


def test_a_page_with_the_same_content_keeps_its_etag(client: Client, clock: time_machine.Traveller) -> None:
    etag = client.get("/download").headers["ETag"]
    clock.shift(timedelta(seconds=60))
    assert client.get("/download", headers={"If-None-Match": etag}).status_code == 304


def test_a_page_is_compressed_again_only_when_it_has_changed(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    compressed: list[bytes] = []

    def compress(page: bytes, **kw: int) -> bytes:
        compressed.append(page)
        compact: bytes = brotli.compress(page, **kw)
        return compact

    monkeypatch.setattr(middleware, "brotli", Mock(compress=compress))
    for address, times in (("/download", 1), ("/counted", 2)):
        compressed.clear()
        for _ in range(2):
            response = client.get(address, headers={"Accept-Encoding": "br"})
            clock.shift(timedelta(seconds=60))
        assert len(compressed) == times
        assert brotli.decompress(response.content) == compressed[-1]


def test_head_is_get_without_its_body(client: Client) -> None:
    head = client.head("/counted")
    get = client.get("/counted")
    assert head.content == b""
    assert {**head.headers, "X-Request-ID": ""} == {**get.headers, "X-Request-ID": ""}
    assert client.head("/counted").content == b""
    assert len(made) == 1


def test_a_range_request_is_answered_with_the_whole_page(client: Client) -> None:
    whole = client.get("/counted")
    part = client.get("/counted", headers={"Range": "bytes=0-9"})
    assert (part.status_code, part.content) == (200, whole.content)


def test_every_answer_has_an_id_and_the_security_headers(client: Client) -> None:
    first, second = client.get("/counted"), client.get("/counted", headers={"X-Request-ID": "mine"})
    assert first.headers["X-Request-ID"] != second.headers["X-Request-ID"] == "mine"
    own = {"X-Request-ID", "Cache-Control"}
    assert {k: v for k, v in first.headers.items() if k not in own} == {
        k: v for k, v in second.headers.items() if k not in own
    }
    for name in (
        "Content-Security-Policy",
        "Permissions-Policy",
        "X-Frame-Options",
        "X-Content-Type-Options",
    ):
        assert name in second.headers
    assert len(made) == 1


def test_a_page_sees_only_the_parameters_it_declares(client: Client) -> None:
    response = client.get("/counted?utm_source=<evil>&word=b&page=2&word=a")
    assert "page=2&word=b&word=a" in response.content.decode().replace("&amp;", "&")
    assert b"evil" not in response.content


def test_unread_parameters_make_no_cached_pages(client: Client) -> None:
    for number in range(50):
        client.get(f"/counted?utm_source={number}&word=a&fbclid={number}")
        client.get(f"/counted?page=1&word=b&x={number}")
        client.get(f"/counted?word=b&page=1&x={number}")
    assert len(made) == 2
    assert len(PAGES.queried) == 2


def test_parameters_of_other_pages_make_no_cached_pages(client: Client) -> None:
    for number in range(5):
        assert client.get(f"/download?word={number}").status_code == 200
    assert len(PAGES.queried) == len(PAGES.plain) == 0


@pytest.mark.slow
def test_many_different_queries_stay_within_the_limit_and_evict_no_other_pages(
    client: Client, clock: time_machine.Traveller
) -> None:
    client.get("/counted")
    for number in range(1_000):
        client.get(f"/counted?word={number}")
    assert len(made) == 1_001
    assert len(PAGES.queried) <= 500
    assert 0 < PAGES.queried.bytes <= 8 * 2**20
    client.get("/counted")
    assert len(made) == 1_001


def test_slashes_and_long_queries_make_no_cached_pages(client: Client) -> None:
    client.get("/counted?word=" + "x" * 2000)
    client.get("//counted")
    assert len(PAGES.queried) == len(PAGES.plain) == 0


def get_in_thread(address: str) -> bytes:
    return Client(headers={"Host": "testserver"}).get(address).content


@contextmanager
def rendering_the_slow_page() -> Iterator[tuple[ThreadPoolExecutor, Future[bytes]]]:
    """Render the slow page in a thread of the pool until the test opens the gate, or ends."""
    with ThreadPoolExecutor(2) as pool:
        maker = pool.submit(get_in_thread, "/slow")
        assert inside.acquire(timeout=5)
        yield pool, maker
        gate.set()
        maker.result(10)


def make_a_copy() -> None:
    """Render the slow page immediately; the next rendering waits."""
    gate.set()
    assert get_in_thread("/slow") == b"made 1"
    assert inside.acquire(timeout=5)
    gate.clear()


def test_one_request_renders_a_page_while_the_others_wait() -> None:
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(get_in_thread, "/slow") for _ in range(8)]
        assert inside.acquire(timeout=5)
        gate.set()
        answers = {each.result(10) for each in asked}
    assert answers == {b"made 1"}
    assert made == ["slow"]


def test_while_one_request_renders_again_the_others_get_the_old_page(clock: time_machine.Traveller) -> None:
    make_a_copy()
    clock.shift(FRESH)
    with rendering_the_slow_page() as (_pool, maker):
        assert get_in_thread("/slow") == b"made 1"
        clock.move_to(START + LIFE)
        gate_later = threading.Timer(0.05, gate.set)
        gate_later.start()
        # The old one has expired, so it waits for the new one, which is soon rendered.
        assert get_in_thread("/slow") == b"made 2"
        assert maker.result(10) == b"made 1"
    assert made == ["slow", "slow"]


PROMOTION_ENDS = START + LIFE + timedelta(seconds=1)


@pytest.mark.parametrize(
    ("change", "end"), [(None, START + BUSY_LIFE), (PROMOTION_ENDS, PROMOTION_ENDS)], ids=["age", "promotion"]
)
def test_while_an_overloaded_machine_renders_again_the_others_get_the_last_copy_until_its_end(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, change: datetime | None, end: datetime
) -> None:
    # Ten seconds old at most, and not past the end of a promotion.
    assert in_use.SNAPSHOT_SECONDS + BUSY_LIFE.total_seconds() == 10
    monkeypatch.setattr(store, "QUICK", timedelta(0))
    monkeypatch.setattr(middleware, "next_change", lambda now: change if change and now < change else None)
    make_a_copy()
    clock.move_to(START + LIFE)
    with rendering_the_slow_page() as (pool, _maker):
        clock.move_to(end - timedelta(milliseconds=1))
        shown = Client(headers={"Host": "testserver"}).get("/slow")
        assert (shown.content, seconds_of(shown)) == (b"made 1", 0)
        clock.move_to(end)
        waits = pool.submit(get_in_thread, "/slow")
        gate.set()
        assert waits.result(10) != b"made 1"


def test_a_promotion_that_ends_while_a_request_waits_for_its_turn_ends_the_copy_too(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = START + LIFE + timedelta(milliseconds=100)
    monkeypatch.setattr(middleware, "next_change", lambda now: end if now < end else None)
    first = client.get("/counted").content
    clock.move_to(START + LIFE)

    def wait_in_vain(blocking: bool = True, timeout: float = 0) -> bool:
        clock.shift(timeout)
        return False

    monkeypatch.setattr(PAGES, "turn", Mock(acquire=wait_in_vain))
    assert client.get("/counted").content != first


def test_while_one_page_takes_long_the_others_get_their_last_copies_and_are_rendered_afterwards(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/counted").content
    clock.move_to(START + LIFE)
    monkeypatch.setattr(store, "QUICK", timedelta(0))
    with rendering_the_slow_page():
        assert client.get("/counted").content == first
        assert client.get("/counted").content != first
    first = client.get("/counted").content
    clock.shift(LIFE)
    # A moment later the next page would take as long.
    assert client.get("/counted").content == first
    real = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: real() + store.OVERLOADED_SECONDS)
    assert client.get("/counted").content != first


def test_pages_whose_copies_have_ended_are_rendered_one_at_a_time_without_long_waits(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "QUICK", timedelta(milliseconds=20))
    make_a_copy()
    first = client.get("/counted").content
    clock.shift(LIFE)
    with rendering_the_slow_page() as (_pool, maker):
        assert {client.get("/counted").content for _ in range(3)} == {first}
        gate.set()
        assert maker.result(10) != b"made 1"
    assert client.get("/counted").content != first


@pytest.mark.parametrize("took", [QUICK, timedelta(seconds=4), timedelta(seconds=20)])
def test_a_copy_that_took_long_to_make_is_shown_after_it_was_made(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, took: timedelta
) -> None:
    def change_after(_now: datetime) -> None:
        # The page was read before; what follows takes its time.
        clock.shift(took)

    monkeypatch.setattr(middleware, "next_change", change_after)
    made_at = START + took
    first = client.get("/counted")
    # No CDN or browser has it for longer than any other.
    assert took + timedelta(seconds=seconds_of(first)) <= max(LIFE, took)
    monkeypatch.setattr(middleware, "next_change", lambda now: None)
    ends = min(made_at + LIFE - QUICK, START + BUSY_LIFE)
    if ends > made_at:
        clock.move_to(ends - timedelta(milliseconds=1))
        assert client.get("/counted").content == first.content
    clock.move_to(max(ends, made_at))
    assert client.get("/counted").content != first.content


def test_a_request_that_waits_too_long_renders_the_page_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "PATIENCE_SECONDS", 0.05)
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(get_in_thread, "/slow") for _ in range(2)]
        assert inside.acquire(timeout=5)
        assert inside.acquire(timeout=5)
        gate.set()
        assert {each.result(10) for each in asked} <= {b"made 1", b"made 2"}
    assert len(made) == 2


def test_a_request_that_waits_too_long_gets_the_last_copy_which_is_not_stored(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(store, "QUICK", timedelta(0))
    make_a_copy()
    clock.shift(BUSY_LIFE)
    with rendering_the_slow_page() as (_pool, maker):
        waited = Client(headers={"Host": "testserver"}).get("/slow")
        gate.set()
        assert maker.result(10) == b"made 2"
    assert (waited.content, waited.headers["Cache-Control"]) == (b"made 1", "no-store")
    assert made == ["slow", "slow"]


def test_no_request_waits_for_a_page_that_failed(client: Client) -> None:
    client.raise_request_exception = False
    client.get("/broken")
    client.get("/broken")
    assert len(made) == 2
