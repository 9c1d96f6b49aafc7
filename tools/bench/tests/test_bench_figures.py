"""What the bench makes of its figures: shares, processor time, calibration, targets, comparison, report."""

from typing import Any

import pytest

from tools import processors
from tools.bench import browsing, report, statements
from tools.bench.browsing import shares_of
from tools.bench.calibration import QUIET_SECONDS, slowness
from tools.bench.catalogues import Catalogue
from tools.bench.client import figures
from tools.bench.comparison import slower
from tools.bench.server import Server
from tools.bench.targets import ADD, BARE, FEW, INSERT, MIDDLE, MILLION, SMALL, TENTH, WHOLE, compared
from tools.launch import POSTGRESQL


def results(**more: Any) -> dict[str, Any]:
    empty = (
        "figures",
        "windows",
        "crowds",
        "starts",
        "memory",
        "imports",
        "growth",
        "screens",
        "slower",
    )
    setting = {"cores": 2, "python": "3.11.7", "workers": 2, "threads": 4}
    facts = {"made_at": "2026-11-25T00:00:00+00:00", "commit": "abc", "setting": setting}
    return facts | {name: [] for name in empty} | {"loops": [QUIET_SECONDS]} | more


def row(subject: str, connections: int = 16, **more: Any) -> dict[str, Any]:
    facts = {"engine": POSTGRESQL, "size": MIDDLE, "subject": subject, "connections": connections}
    latencies = {"p50_ms": 2.0, "p95_ms": 3.0, "p99_ms": 4.0}
    return facts | latencies | {"per_second": 100.0, "floor": INSERT} | more


def reached(found: dict[str, Any]) -> dict[str, bool | None]:
    return {target["target"]: target["reached"] for target in compared(found)}


def test_a_window_is_compared_with_the_floor_before_and_after_it() -> None:
    assert shares_of([90.0, 150.0], [100.0, 100.0, 200.0]) == [0.9, 1.0]


def test_kept_pages_are_asked_for_in_turn_between_windows_of_the_bare_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    subjects = [
        {"name": BARE, "requests": ["bare"], "whole": False},
        {"name": "home", "requests": ["/home"], "whole": False, "rendered_ms": 50.0},
        {"name": "goods/{id}", "requests": ["/goods/1"], "whole": False},
        {"name": "goods", "requests": ["/shop/1"], "whole": False, "rendered_ms": 20.0},
    ]
    asked: list[list[str]] = []

    def load(
        _server: Server, _connections: int, _seconds: float, subject: dict[str, Any]
    ) -> dict[str, float]:
        asked.append(subject["requests"])
        is_slow = len(asked) == 5
        return {"per_second": 80.0 if is_slow else 100.0, "max_ms": 300.0 if is_slow else 50.0}

    monkeypatch.setattr(browsing, "load", load)
    found = browsing.by_windows(subjects, Server(Catalogue(SMALL), port=1, pid=1))
    pages = ["/home", "/shop/1"]
    assert asked == [pages, ["bare"]] + [pages, ["bare"]] * browsing.WINDOWS
    assert (found["smallest_share"], found["slowest_ms"], found["floor_slowest_ms"]) == (0.8, 300.0, 50.0)


def test_latencies_are_given_by_their_place_in_order() -> None:
    found = figures([number / 1000 for number in range(100, 0, -1)], took=2.0)
    assert found == {
        "requests": 100,
        "per_second": 50.0,
        "p50_ms": 51.0,
        "p95_ms": 96.0,
        "p99_ms": 100.0,
        "max_ms": 100.0,
    }
    assert figures([], took=1.0)["max_ms"] == 0.0


def test_processor_time_is_read_behind_the_name_of_the_process() -> None:
    stat = "12 (a (b) c) S 1 12 12 0 -1 4194560 9 0 0 0 150 50 7 8 20 0 4 0 100 1 2"
    assert processors.seconds_of(stat) == 200 / 100
    found = processors.tree_seconds(processors.tree(1)[0])
    assert found is None or found >= 0


@pytest.mark.parametrize(
    ("command_line", "expected"),
    [
        ("postgres: root shop [local] idle", True),
        ("postgres: 15/main: root shop 127.0.0.1(5) UPDATE", True),
        ("postgres: root shop_2 [local] idle", False),
        ("psql\0shop\0", False),
    ],
)
def test_processes_of_postgresql_are_notified_by_their_database(command_line: str, expected: bool) -> None:
    assert processors.serves_database(command_line, "shop") is expected


def test_connections_that_began_in_the_meantime_count_from_zero_and_unknown_time_stays_unknown() -> None:
    assert processors.spent({1: 2.0, 2: 1.0}, {1: 2.5, 3: 0.25}) == 0.75
    assert processors.spent(None, {3: 0.25}) == 0.25
    assert processors.spent({1: 2.0}, None) is None


def test_statements_are_counted_by_what_the_server_has_completed() -> None:
    trace = (
        'F\t10\tQuery\t "BEGIN"\nB\t10\tCommandComplete\t "BEGIN"\nB\t5\tReadyForQuery\t T\n'
        'F\t21\tParse\t "" "select $1" 1 21\nF\t9\tExecute\t "" 0\nF\t4\tSync\n'
        "B\t11\tDataRow\t 1 1 '1'\nB\t13\tCommandComplete\t \"SELECT 1\"\nB\t5\tReadyForQuery\t T\n"
    )
    assert statements.traced(trace) == ["BEGIN", "SELECT 1"]


def test_a_faster_machine_converts_nothing_and_a_slower_one_its_figures() -> None:
    assert slowness([QUIET_SECONDS / 2]) == slowness([]) == 1.0
    assert slowness([QUIET_SECONDS, 3 * QUIET_SECONDS]) == 2.0
    slow = results(loops=[2 * QUIET_SECONDS], figures=[row(WHOLE, per_second=50.0, server_ms=39.0)])
    assert reached(slow)["whole order: per second"] is True
    assert reached(slow)["whole order: processor time of the server, ms"] is True
    assert reached(slow | {"loops": [QUIET_SECONDS]})["whole order: per second"] is False


def test_counts_and_shares_are_not_converted() -> None:
    slow = results(
        loops=[2 * QUIET_SECONDS],
        figures=[row(ADD, statements=8, of_transactions=2)],
        windows=[{"engine": POSTGRESQL, "size": MIDDLE, "smallest_share": 0.5, "slowest_ms": 400.0}],
    )
    found = reached(slow)
    assert found["add to cart: statements besides those that begin and end transactions"] is False
    assert found["kept pages: share of the bare view in the worst three seconds"] is False
    assert found["kept pages: slowest answer, ms"] is True


def test_the_audit_has_a_target_and_a_million_orders_make_a_customers_own_little_slower() -> None:
    growth = [
        {"orders": TENTH, "audit": {"seconds": 10.5}},
        {"orders": FEW, "list_p50_ms": 10.0, "details_p50_ms": 10.0},
        {"orders": MILLION, "list_p50_ms": 12.0, "details_p50_ms": 12.1},
    ]
    found = reached(results(growth=growth))
    assert found["audit of 100,000 orders, s"] is False
    ending = "p50 with 1,000,000 orders, times that with 10,000"
    assert (found[f"one's orders: {ending}"], found[f"one of them: {ending}"]) == (True, False)


def test_what_became_slower_by_more_than_a_tenth_is_named() -> None:
    before = results(
        figures=[row("a", 1, p95_ms=20.0), row("a", statements=10, per_second=100.0, server_ms=10.0)]
    )
    now = results(
        figures=[row("a", 1, p95_ms=21.0), row("a", statements=12, per_second=89.0, server_ms=10.9)]
    )
    named = {(found["figure"], found["was"], found["found"]) for found in slower(before, now)}
    assert named == {("statements", 10, 12), ("per_second", 100.0, 89.0)}
    assert list(slower(now, before)) == []
    # A subject that is new is not slower.
    assert list(slower(results(), now)) == []


def test_a_slower_machine_does_not_make_the_shop_slower() -> None:
    before = results(figures=[row("a", per_second=100.0, server_ms=10.0, statements=5)])
    now = results(
        loops=[2 * QUIET_SECONDS], figures=[row("a", per_second=51.0, server_ms=19.0, statements=6)]
    )
    assert [found["figure"] for found in slower(before, now)] == ["statements"]
    # A run that has noted no loop is compared as it is.
    del before["loops"]
    assert {found["figure"] for found in slower(before, now)} == {"statements", "per_second", "server_ms"}


def test_a_slow_machine_counts_for_what_a_phone_shows_and_a_slow_page_is_named() -> None:
    shop = {"engine": POSTGRESQL, "size": SMALL, "added_ms": 48, "opened_ms": 104, "typed_ms": 16}
    home = {"home_paint_ms": 1500, "home_blocked_ms": 200, "home_lacks": 6}
    screens = [shop | home | {"page_ms": 1300, "first_page_ms": 3000}]
    found = reached(results(screens=screens))
    names = ("adding to the cart until the next frame", "opening the cart's drawer until the next frame")
    assert [found[f"on a phone's processor: {name}, ms"] for name in names] == [True, False]
    page = "on a phone's processor: a page of the account within a visit, ms"
    assert found[page] is False
    assert reached(results(screens=screens, loops=[2 * QUIET_SECONDS]))[page] is True
    written = report.screens(
        results(screens=screens, loops=[2 * QUIET_SECONDS], made_at="2026-11-27", commit="1a")
    )
    assert "| a page of the account within a visit | 1300, 650 |" in written
    assert "the worst of five, as found | 94 |" in written
    name = "the home page on Lighthouse's phone: what the worst of five runs lacks of 100"
    assert found[name] is False


def test_start_growth_and_audit_are_compared_too() -> None:
    shop = {"engine": POSTGRESQL, "size": MIDDLE}

    def run(start: float, audit: float, per_second: float) -> dict[str, Any]:
        growth = {"orders": TENTH, "orders_per_second": per_second, "list_p50_ms": 4.0, "details_p50_ms": 5.0}
        parts = {"expiry": {"seconds": 2.0, "statements": 9}, "audit": {"seconds": audit}}
        return results(starts=[shop | {"seconds": start}], growth=[shop | growth | parts])

    named = {found["subject"] for found in slower(run(1.0, 5.0, 90.0), run(1.2, 5.6, 80.0))}
    assert named == {"start", "100,000 orders: audit", "100,000 orders"}
    assert list(slower(run(1.0, 5.0, 90.0), run(1.05, 5.4, 83.0))) == []


def test_the_report_shows_of_calls_growth_windows_and_what_became_slower() -> None:
    shop = {"engine": POSTGRESQL, "size": MIDDLE}
    growth = {
        "orders": FEW,
        "orders_per_second": 100.0,
        "list_p50_ms": 4.0,
        "details_p50_ms": 5.0,
        "searches_ms": {"by number": 10.0},
        "expiry": {"orders": 500, "seconds": 2.0, "statements": 9.5},
        "audit": {"seconds": 1.0},
    }
    many = growth | {"orders": TENTH, "orders_per_second": 90.0, "list_p50_ms": 5.0}
    found = results(
        loops=[2 * QUIET_SECONDS],
        figures=[
            row(WHOLE, 1, statements=40, of_transactions=6),
            row(WHOLE, statements=40, of_transactions=6, server_ms=20.0, database_ms=5.04, busy=2),
        ],
        windows=[shop | {"shares": [0.95, 1.0], "slowest_ms": 99.0, "floor_slowest_ms": 50.0}],
        starts=[shop | {"seconds": 1.5}],
        growth=[growth, many],
        targets=[],
        slower=[row("a") | {"figure": "p95_ms", "was": 1.0, "found": 2.0}],
    )
    markdown = report.table(found)
    assert "2.00 times as fast" in markdown
    assert (
        "whole order (2 asked to try again) | 34 + 6 | 2.00 | 3.00 | 100 | 2.00 | 3.00 | 4.00 | "
        "20.0 + 5.0 |" in markdown
    )
    assert "in windows of three seconds: 0.95, 1 of the bare view" in markdown
    assert "- 10,000 orders: 100.0 whole orders a second (1.00)" in markdown
    assert "- 100,000 orders: 90.0 whole orders a second (0.90); one's orders 5.0 ms (1.25)" in markdown
    assert "p95_ms was 1, is 2" in markdown
