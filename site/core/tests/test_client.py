import pytest
from django.conf import LazySettings
from django.test import RequestFactory

from core.client import client_address, client_language, client_network, networks_around


def test_only_trusted_proxies_set_the_client_address(
    rf: RequestFactory, settings: LazySettings, subtests: pytest.Subtests
) -> None:
    for proxies, direct, forwarded, address in [
        (0, "203.0.113.9", "198.51.100.1", "203.0.113.9"),
        (1, "10.0.0.1", "198.51.100.1", "198.51.100.1"),
        (1, "10.0.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        (2, "10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
        (2, "10.0.0.1", "198.51.100.1", "198.51.100.1"),
        (1, "10.0.0.1", "", "10.0.0.1"),
        (1, "10.0.0.1", "junk", "10.0.0.1"),
        (1, "10.0.0.1", "[2001:db8::1]", "2001:db8::1"),
        (0, "::ffff:203.0.113.9", "", "203.0.113.9"),
        (0, "", "198.51.100.1", ""),
    ]:
        with subtests.test(proxies=proxies, direct=direct, forwarded=forwarded, address=address):
            settings.TRUSTED_PROXIES = proxies
            headers = {"X-Forwarded-For": forwarded} if forwarded else {}
            assert client_address(rf.get("/", REMOTE_ADDR=direct, headers=headers)) == address


def test_an_ipv6_client_is_counted_by_network(rf: RequestFactory) -> None:
    one = client_network(rf.get("/", REMOTE_ADDR="2001:db8:1:2::1"))
    same = client_network(rf.get("/", REMOTE_ADDR="2001:db8:1:2:ffff::9"))
    other = client_network(rf.get("/", REMOTE_ADDR="2001:db8:1:3::1"))
    assert one == same != other
    assert client_network(rf.get("/", REMOTE_ADDR="203.0.113.9")) == "203.0.113.9"
    assert client_network(rf.get("/", REMOTE_ADDR="")) == ""


def test_an_ipv6_client_has_three_networks_and_an_ipv4_client_its_address(rf: RequestFactory) -> None:
    for address, networks in (
        ("2001:db8:1:2345::9", ("2001:db8:1:2345::/64", "2001:db8:1:2300::/56", "2001:db8:1::/48")),
        ("203.0.113.9", ("203.0.113.9",)),
        ("::ffff:203.0.113.9", ("203.0.113.9",)),
        ("", ("",)),
    ):
        assert networks_around(client_network(rf.get("/", REMOTE_ADDR=address))) == networks


def test_the_lang_header_picks_the_language_which_is_english_without_one(rf: RequestFactory) -> None:
    for lang, code in (("zh", "zh-hans"), ("zh-CN", "zh-hans"), ("en", "en"), ("fr", "en")):
        assert client_language(rf.get("/", headers={"lang": lang})) == code, lang
    assert client_language(rf.get("/")) == "en"
