"""The report of translations."""

from django.utils.translation import gettext_lazy as _
from wagtail_localize.views.report import TranslationsReportFilterSet


def name_filters() -> None:
    """Name the filters that wagtail-localize leaves in English, by the names of their fields."""
    filters = TranslationsReportFilterSet.base_filters
    filters["source_locale"].label = _("Written in")
    filters["target_locale"].label = _("Translated into")
