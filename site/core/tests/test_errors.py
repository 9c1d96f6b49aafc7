from core.errors import Err


def test_no_two_refusals_share_a_text() -> None:
    """Equal rows would silently become one member of the enumeration."""
    assert len({err.zh for err in Err}) == len({err.en for err in Err}) == len(Err) == len(Err.__members__)


def test_only_transport_errors_have_a_status_other_than_200() -> None:
    assert {err.name: int(err.status) for err in Err if err.status != 200} == {
        "not_found": 404,
        "method_not_allowed": 405,
        "body_too_large": 413,
        "body_too_slow": 408,
        "shop_busy": 429,
        "too_frequent": 429,
        "shop_unavailable": 503,
        "login_required": 401,
        "server_error": 500,
    }
