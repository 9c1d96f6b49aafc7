"""Names in Chinese and English; the reader's language is first."""

from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


def is_chinese() -> bool:
    """Return True if the reader's language is Chinese."""
    return (get_language() or "").startswith("zh")


class TwoNames(models.Model):
    """A row with a Chinese and an English name; the reader's language is first.

    See docs/ux.md#principles.
    """

    name_en = models.CharField(_("English name"), max_length=200)
    name_zh = models.CharField(_("Chinese name"), max_length=200)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name in the reader's language."""
        return self.name_zh if is_chinese() else self.name_en

    @property
    def other_name(self) -> str:
        """The name in the other language."""
        return self.name_en if is_chinese() else self.name_zh
