"""The back office is in Chinese too: what Wagtail's own catalogues lack is in ours."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings
from django.utils import translation

from core.texts import translations

FOLDERS = [
    Path(app.path) / "locale"
    for app in apps.get_app_configs()
    if app.name.split(".")[0] in {"wagtail", "wagtail_localize"}
]
OURS = settings.LOCALE_PATHS[1]
DOMAINS = ("django", "djangojs")
# What a text is looked up by: its context, its words, and whether it counts.
Key = tuple[str | None, str, bool]
KEPT = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|<[^>]+>|^ | $")
# Texts of Wagtail about itself, which this back office never shows.
NEVER_SHOWN = re.compile("Wagtail upgrade|Wagtail Editor Guide|editor guide|Things in Wagtail")
# The names of the only workflow and of its only task, which mean nothing to an editor, with their tags.
LEFT_OUT = {
    *("%(task)s", "%(task_name)s", "%(workflow)s", "%(workflow_name)s", "{task_name}", "{workflow_name}"),
    *("<b>", "</b>", "<strong>", "</strong>"),
}
# The search of pages names no model in its first; the second links to Wagtail's own guide.
WORDED_DIFFERENTLY = ("%(start_index)s-%(end_index)s of %(items_count)s %(model_name)s", "See our <a href")


def _forms(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _read(folder: Path, language: str, domain: str) -> Iterator[tuple[Key, Message]]:
    file = folder / language / "LC_MESSAGES" / f"{domain}.po"
    if not file.exists():
        return
    with file.open("rb") as lines:
        for message in read_po(lines, locale=language):
            if message.id:
                yield (message.context, _forms(message)[0], len(_forms(message)) > 1), message


def _translated(folder: Path, domain: str) -> set[Key]:
    return {
        key
        for key, message in _read(folder, "zh_Hans", domain)
        if all(translations(message)) and not message.fuzzy
    }


@cache
def _english(domain: str) -> frozenset[Key]:
    return frozenset(key for folder in FOLDERS for key, _ in _read(folder, "en", domain))


@cache
def _theirs(domain: str) -> frozenset[Key]:
    return frozenset().union(*(_translated(folder, domain) for folder in FOLDERS))


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_text_of_the_back_office_has_a_chinese_translation(domain: str) -> None:
    assert len(_english(domain)) > 100
    ours = _translated(OURS, domain) | _translated(settings.LOCALE_PATHS[2], domain)
    missing = _english(domain) - _theirs(domain) - ours
    assert {key for key in missing if not NEVER_SHOWN.search(key[1])} == set()


@pytest.mark.parametrize("domain", DOMAINS)
def test_our_catalogue_has_nothing_that_wagtail_no_longer_shows(domain: str) -> None:
    # Django's own texts about passwords, on Wagtail's screens.
    accounts = {key for key, _ in _read(Path(apps.get_app_config("auth").path) / "locale", "en", domain)}
    assert {key for key, _ in _read(OURS, "zh_Hans", domain)} - _english(domain) - accounts == set()


def test_our_catalogue_keeps_placeholders_tags_and_outer_spaces(subtests: pytest.Subtests) -> None:
    for domain in DOMAINS:
        with subtests.test(domain=domain):
            for _, message in _read(OURS, "zh_Hans", domain):
                if _forms(message)[0].startswith(WORDED_DIFFERENTLY):
                    continue
                kept = [sorted(KEPT.findall(form)) for form in _forms(message)]
                for target in translations(message):
                    found = sorted(KEPT.findall(target))
                    assert any(_keeps(found, form) for form in kept), message.id


def _keeps(found: list[str], expected: list[str]) -> bool:
    """Return True if a text leaves out only names that mean nothing."""
    rest = Counter(expected) - Counter(found)
    return not Counter(found) - Counter(expected) and set(rest) <= LEFT_OUT


def test_texts_missing_from_wagtails_catalogue_are_in_chinese() -> None:
    text = "%(model_name)s '%(object)s' created and published."
    with translation.override("zh-hans"):
        assert translation.gettext(text) == "%(model_name)s“%(object)s”已创建并发布。"
    with translation.override("en"):
        assert translation.gettext(text) == text


@pytest.mark.parametrize("language", ["en", "zh_Hans"])
def test_what_is_worded_differently_is_still_shown_and_keeps_its_placeholders(language: str) -> None:
    reworded = dict(_read(settings.LOCALE_PATHS[2], language, "django"))
    assert set(reworded) - _english("django") == set()
    assert set(reworded) == set(dict(_read(settings.LOCALE_PATHS[2], "en", "django")))
    for message in reworded.values():
        kept = [sorted(KEPT.findall(form)) for form in _forms(message)]
        for target in translations(message):
            assert sorted(KEPT.findall(target)) in kept, message.id


def test_translating_is_worded_without_jargon() -> None:
    for language, text in (("en", "Bring changes to the translation"), ("zh-hans", "把改动带到译文")):
        with translation.override(language):
            assert translation.gettext("Sync translated pages") == text
