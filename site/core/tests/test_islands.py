"""A page loads the scripts of its islands together, in the reader's language."""

import re

import pytest
from django.template import Context, Template
from django.utils.translation import override

from core.islands import built


def _preloaded(hydrate: str, language: str) -> list[str]:
    template = Template(f'{{% load islands %}}{{% island "cart" hydrate="{hydrate}" %}}{{% endisland %}}')
    with override(language):
        return re.findall(r'<link rel="modulepreload" href="([^"]+)">', template.render(Context()))


def test_a_page_asks_immediately_for_all_that_an_island_imports(subtests: pytest.Subtests) -> None:
    for language, name, other in [("en", "en", "zh"), ("zh-hans", "zh", "en")]:
        with subtests.test(language=language, name=name, other=other):
            asked = _preloaded("load", language)
            island = built("cart")
            assert island
            assert {island.url, *island.imports} < set(asked)
            assert len(asked) == len(set(asked))
            for texts in ("i18n/{}", "i18n/errors.{}", "i18n/cart.{}"):
                mine, others = built(texts.format(name)), built(texts.format(other))
                assert mine
                assert others
                assert mine.url in asked
                assert others.url not in asked


def test_an_island_that_waits_for_the_reader_is_not_asked_for() -> None:
    assert _preloaded("visible", "en") == []
