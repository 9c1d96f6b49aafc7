"""The shop's texts, by which tests find elements as a customer reads them."""

import json
from importlib import import_module
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, pgettext

LANGUAGES = ("en", "zh-hans")
# For walks of which only texts and paths depend on the language: the one in which a text without its
# translation, or a path without its prefix, is noticed.
TRANSLATED = ("zh-hans",)

PAY_TYPES = import_module("commerce.payments.migrations.0001_initial").NAMES


def _add(texts: dict[str, Any], to: dict[str, Any]) -> None:
    """Add the texts of a part, group by group, as the islands do."""
    for key, value in texts.items():
        if isinstance(value, dict):
            _add(value, to.setdefault(key, {}))
        else:
            to[key] = value


class Words:
    """The texts of one language: `words("cart.close")` of islands, `words.page("Cart")` of pages."""

    def __init__(self, language: str) -> None:
        self.language = language
        name = "zh" if language == "zh-hans" else "en"
        folder = settings.BASE_DIR / "islands" / "i18n"
        self._islands: dict[str, Any] = {}
        for file in (folder / f"{name}.json", *folder.glob(f"*.{name}.json")):
            if not file.name.startswith("errors."):
                _add(json.loads(file.read_text("utf-8")), self._islands)
        errors = json.loads((folder / f"errors.{name}.json").read_text("utf-8"))["errors"]
        self._errors: dict[str, str] = {
            key: row if name == "zh" else row["en"] for key, row in errors.items()
        }

    def __call__(self, key: str, **values: object) -> str:
        """Return an island's text; with `count` the plural that fits."""
        *groups, last = key.split(".")
        texts = self._islands
        for group in groups:
            texts = texts[group]
        plural = "one" if values.get("count") == 1 and f"{last}_one" in texts else "other"
        text: str = texts.get(last) or texts[f"{last}_{plural}"]
        for name, value in values.items():
            text = text.replace(f"{{{{{name}}}}}", str(value))
        return text

    def pay_type(self, code: str) -> str:
        """Return the name that the demonstration's pay type of a code has."""
        english, chinese, *_hints = PAY_TYPES[code]
        return str(chinese if self.language == "zh-hans" else english)

    def error(self, key: str) -> str:
        """Return a refusal of the error catalogue (docs/wire.md#error-catalogue)."""
        return self._errors[key]

    def page(self, text: str, context: str = "", **values: object) -> str:
        """Return a text of the templates."""
        with translation.override(self.language):
            found = pgettext(context, text) if context else gettext(text)
        return found % values if values else found

    def name_of(self, product: dict[str, Any]) -> str:
        """Return the name that comes first for a product on the wire."""
        name: str = product["goodsName"] if self.language == "zh-hans" else product["goodsEnglishName"]
        return name
