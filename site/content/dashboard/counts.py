"""Writes the number of rows in a list of the back office in the form of the reader's language."""

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from wagtail.admin.paginator import WagtailPaginator

# wagtail-localize has names of its rows in English only.
_NAMES = {"translation": gettext_lazy("translation"), "translations": gettext_lazy("translations")}


def count_in_words() -> None:
    """Let every list put the measure word between number and name if the language has one."""
    WagtailPaginator.items_count_label = cached_property(_label)
    WagtailPaginator.items_count_label.__set_name__(WagtailPaginator, "items_count_label")


def _label(paginator: WagtailPaginator) -> str:
    name = paginator.verbose_name if paginator.count == 1 else paginator.verbose_name_plural
    return _("%(count)d %(name)s") % {"count": paginator.count, "name": _NAMES.get(str(name), name)}
