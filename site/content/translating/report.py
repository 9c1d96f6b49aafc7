"""The report of translations."""

from django.utils.translation import gettext_lazy as _
from wagtail_localize.views.report import TranslationsReportFilterSet


def name_filters() -> None:
    """Translate the filters' labels, which wagtail-localize leaves in English."""
    filters = TranslationsReportFilterSet.base_filters
    filters["source_locale"].label = _("Written in")
    filters["target_locale"].label = _("Translated into")
