import pytest

from core.languages import CHINESE, ENGLISH, in_language


@pytest.mark.parametrize(
    ("path", "english", "chinese"),
    [
        ("/", "/", "/zh-hans/"),
        ("/zh-hans", "/", "/zh-hans"),
        ("/zh-hans/", "/", "/zh-hans/"),
        ("/home?a=1", "/home?a=1", "/zh-hans/home?a=1"),
        ("/zh-hans/home", "/home", "/zh-hans/home"),
        ("/zh-hansom", "/zh-hansom", "/zh-hans/zh-hansom"),
    ],
)
def test_a_path_has_a_url_in_each_language(path: str, english: str, chinese: str) -> None:
    assert in_language(path, ENGLISH) == english
    assert in_language(path, CHINESE) == chinese


@pytest.mark.parametrize("path", ["/zh-hans//other.example/x", "/zh-hans///other.example", "//other.example"])
def test_no_path_links_to_another_host(path: str) -> None:
    assert in_language(path, ENGLISH).startswith("/other.example")
    assert in_language(path, CHINESE).startswith("/zh-hans/")
