"""Every text a shopper or an editor reads is in both languages."""

import re

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from core.texts import catalogue, texts, translations

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
# Tags whose content is text to translate, then tags, comments and everything that is no text of a page.
NO_TEXT = re.compile(
    r"{%\s*blocktranslate.*?{%\s*endblocktranslate\s*%}|{%.*?%}|{{.*?}}|{#.*?#}"
    r"|<!--.*?-->|<(?:script|style).*?</(?:script|style)>",
    re.S,
)
# What is the same in every language: the switch between them, currency signs, symbols.
SAME_EVERYWHERE = re.compile(r"English|中文|ABN|SKU|iPhone|Android|A\$|&nbsp;")
READ_ALOUD = re.compile(r'\b(?:alt|aria-label|placeholder|title)="([^"]*)"')


def test_every_text_has_a_chinese_translation() -> None:
    known = catalogue()
    found = list(texts())
    assert len(found) > 300
    missing = [
        text for text in found if not all(translations(known.get(text.singular, context=text.context)))
    ]
    assert missing == [], "run make messages, then write the Chinese in site/locale"


def test_translations_keep_the_placeholders() -> None:
    placeholder = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
    for message in catalogue():
        source = message.id if isinstance(message.id, str) else message.id[0]
        # The test above finds what is not translated.
        for target in filter(None, translations(message)) if source else []:
            assert set(placeholder.findall(target)) == set(placeholder.findall(source)), source


def test_no_template_holds_text_of_one_language(subtests: pytest.Subtests) -> None:
    for template in TEMPLATES:
        with subtests.test(template=template):
            source = SAME_EVERYWHERE.sub("", NO_TEXT.sub("", template.read_text("utf-8")))
            spoken = " ".join(READ_ALOUD.findall(source))
            shown = re.sub(r"<[^>]*>", " ", source)
            assert re.findall(r"[A-Za-z\u4e00-\u9fff]{2,}", shown + spoken) == []


def test_no_text_of_the_shop_represents_another_one_in_the_back_office() -> None:
    with translation.override("zh-hans"):
        assert [gettext(text) for text in ("Pages", "Choose", "None")] == ["页面", "选择", "无"]
