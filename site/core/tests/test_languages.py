import pytest

from core.languages import CHINESE, ENGLISH, in_language


def test_a_path_has_a_url_in_each_language(subtests: pytest.Subtests) -> None:
    for path, english, chinese in [
        ("/", "/", "/zh-hans/"),
        ("/zh-hans", "/", "/zh-hans"),
        ("/zh-hans/", "/", "/zh-hans/"),
        ("/home?a=1", "/home?a=1", "/zh-hans/home?a=1"),
        ("/zh-hans/home", "/home", "/zh-hans/home"),
        ("/zh-hansom", "/zh-hansom", "/zh-hans/zh-hansom"),
    ]:
        with subtests.test(path=path, english=english, chinese=chinese):
            assert in_language(path, ENGLISH) == english
            assert in_language(path, CHINESE) == chinese


def test_no_path_links_to_another_host() -> None:
    for path in ("/zh-hans//other.example/x", "/zh-hans///other.example", "//other.example"):
        assert in_language(path, ENGLISH).startswith("/other.example"), path
        assert in_language(path, CHINESE).startswith("/zh-hans/"), path
