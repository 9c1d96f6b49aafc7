"""Registers slides, special areas and choosers in the back office."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse_lazy
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter
from wagtail import hooks
from wagtail.admin.filters import WagtailFilterSet
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, PublishingPanel
from wagtail.admin.ui.tables import Column, LiveStatusTagColumn
from wagtail.admin.widgets.button import Button
from wagtail.api.v2.router import WagtailAPIRouter
from wagtail.contrib.settings.views import EditView as SettingsEditView
from wagtail.snippets.models import register_snippet
from wagtail.snippets.views.snippets import (
    CreateView,
    EditView,
    IndexView,
    SnippetViewSet,
)

from catalog.search.backoffice import FindsByPinyin
from catalog.search.naming import is_named
from content.actions import show_next_step
from content.carousels import CAROUSEL, carousel_choices
from content.choosers import (
    CHOOSERS,
    ByNameViewSet,
    brand_chooser_viewset,
    category_chooser_viewset,
    promotion_chooser_viewset,
)
from content.dashboard.preview import draft_url, may_preview
from content.incomplete_drafts import PublishPages, ReadOnlyPages
from content.models import CarouselSlide, SpecialArea
from content.models.slides import PLACE_TAKEN
from content.picture_list import PicturesView
from content.picture_notes import warn_of_pictures
from content.privacy import serve_private
from content.shoplinks import ShopLinkView, ShopPathInput
from content.swatches import SLIDE_TONES, Swatches, TintSwatches
from core.backoffice import ProtectedEditView
from core.menu_groups import WINDOWS
from core.ordered_rows import OrderedChoicesPanel, OrderedRowsPanel

STATUS = LiveStatusTagColumn(label=_("Status"))
# A short label, since the field's own would take the width of the titles.
PLACE = Column("sort", label=_("Place"), sort_key="sort")


def _pair(name: str) -> FieldRowPanel:
    return FieldRowPanel([FieldPanel(f"{name}_en"), FieldPanel(f"{name}_zh")])


class OnePlaceMixin:
    """Shows an error if another editor has taken the slide's place in the meantime."""

    form_invalid: Any
    get_error_message: Any

    def form_valid(self, form: Any) -> Any:
        """Save the slide and its pictures in one transaction."""
        try:
            with transaction.atomic():
                return super().form_valid(form)  # type: ignore[misc]
        except (IntegrityError, ValidationError):
            slide = form.instance
            same_place = CarouselSlide.objects.filter(carousel=slide.carousel, sort=slide.sort)
            if not same_place.exclude(pk=slide.pk).exists():
                raise
            form.add_error("sort", PLACE_TAKEN)
            self.produced_error_code = "validation_error"
            self.produced_error_message = self.get_error_message()
            return self.form_invalid(form)


class SlideCreateView(OnePlaceMixin, CreateView):
    """The form of a new slide."""


class PreviewEditView(EditView):
    """A form with a button that previews the shop at a later time."""

    def get_available_actions(self) -> list[str]:
        """Omit `submit` if the row already awaits approval, so that a second press saves a draft."""
        actions: list[str] = super().get_available_actions()
        return [each for each in actions if each != "submit" or not self.object.workflow_in_progress]

    def preview_path(self) -> str:
        """Return the path of a page that shows the row."""
        return f"/areas/{self.object.pk}"

    def preview_part(self) -> str:
        """Return the name of the row's element on that page."""
        return f"area-{self.object.pk}"

    @cached_property
    def header_more_buttons(self) -> list[Button]:
        """Add the preview's button."""
        buttons: list[Button] = super().header_more_buttons
        if may_preview(self.request.user):
            there = draft_url(path=self.preview_path(), part=self.preview_part())
            buttons.append(Button(gettext("Preview at a time"), there, icon_name="time", priority=45))
        return buttons


class SlideEditView(OnePlaceMixin, PreviewEditView):
    """The form of a slide."""

    def preview_path(self) -> str:
        """Return the path of the page that shows the slide."""
        return "/home"

    def preview_part(self) -> str:
        """Return the name of the slide's element on that page."""
        return f"slide-{self.object.pk}"


class SlideFilterSet(WagtailFilterSet):
    """Filters slides by carousel."""

    carousel = ChoiceFilter(choices=carousel_choices, label=capfirst(CAROUSEL))

    class Meta:
        model = CarouselSlide
        fields = ("carousel", "live")


class WindowIndexView(FindsByPinyin, IndexView):
    """A list of slides or areas."""

    def get_base_queryset(self) -> QuerySet[Any]:
        """Also fetch the data of the status column."""
        rows: QuerySet[Any] = super().get_base_queryset().with_status()
        return rows


class SlideIndexView(WindowIndexView):
    """The list of slides."""

    def sounding_like(self, word: str, rows: QuerySet[CarouselSlide]) -> list[int]:
        """Return the ids of the slides whose Chinese title has the word in pinyin."""
        return [pk for pk, title in rows.values_list("pk", "title_zh") if is_named(word, title)]


class AreaIndexView(WindowIndexView):
    """The list of special areas."""


class WindowViewSet(SnippetViewSet):
    """The common screens of slides and areas."""

    # Wagtail evaluates its own label once, in the language in which the shop starts.
    breadcrumbs_items = [{"url": reverse_lazy("wagtailadmin_home"), "label": _("Home")}]


class SlideViewSet(WindowViewSet):
    """The screens of slides."""

    model = CarouselSlide
    index_view_class = SlideIndexView
    add_view_class = SlideCreateView
    edit_view_class = SlideEditView
    icon = "image"
    menu_hook = WINDOWS
    menu_order = 100
    # Both titles, since Wagtail stores a draft's title in the language of the editor who saved it.
    list_display: Any = (
        "title_en",
        "title_zh",
        Column("carousel_name", label=capfirst(CAROUSEL), sort_key="carousel"),
        PLACE,
        STATUS,
        "go_live_at",
        "expire_at",
    )
    filterset_class = SlideFilterSet
    search_fields = ("title_en", "title_zh")
    panels = (
        MultiFieldPanel(
            [_pair("title"), _pair("text"), _pair("label"), FieldPanel("path", widget=ShopPathInput)],
            heading=_("Texts"),
            help_text=_("Both languages are next to each other: readers see their own."),
        ),
        FieldPanel("layout", widget=forms.RadioSelect),
        OrderedRowsPanel(
            "pictures",
            [FieldPanel("picture"), _pair("alt"), FieldPanel("decorative")],
            min_num=1,
            max_num=5,
            heading=_("Pictures"),
            help_text=_(
                "Cut-outs on a plate: products without a background, such as PNG files, at least 200 pixels "
                "long. The first one lies on the plate, the others around its rim; each appears whole in a "
                "square. Full picture: a photograph that lies flat, at least 960 × 500 pixels. The first one "
                "fills the slide, and the others are not shown. Its edges are cut, on a phone left and "
                "right: set the focal point of the picture to what must be seen. The text is at the "
                "left, on a phone at the top, on the colour below."
            ),
            label=_("picture"),
        ),
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("carousel"), FieldPanel("sort")]),
                FieldPanel("tone", widget=Swatches(colours=SLIDE_TONES)),
            ],
            heading=_("Place"),
            help_text=_(
                "When the slide appears and when it goes is set under Status, “Set schedule”. Carousels "
                "other than the home page’s are for other pages and for apps, which ask for them by number."
            ),
        ),
        PublishingPanel(),
    )


class AreaViewSet(WindowViewSet):
    """The screens of special areas."""

    model = SpecialArea
    index_view_class = AreaIndexView
    edit_view_class = PreviewEditView
    icon = "grip"
    menu_hook = WINDOWS
    menu_order = 110
    list_display: Any = (
        "name_en",
        "name_zh",
        "rule",
        "checked",
        PLACE,
        STATUS,
        "go_live_at",
        "expire_at",
    )
    list_filter = ("checked", "live", "rule")
    search_fields = ("name_en", "name_zh")
    panels = (
        MultiFieldPanel(
            [_pair("name"), _pair("text"), FieldPanel("picture"), FieldPanel("tint", widget=TintSwatches)],
            heading=_("Texts"),
        ),
        MultiFieldPanel(
            [
                FieldPanel("rule"),
                FieldRowPanel(
                    [
                        FieldPanel("brand", widget=brand_chooser_viewset.widget_class),
                        FieldPanel("category", widget=category_chooser_viewset.widget_class),
                    ]
                ),
                FieldRowPanel(
                    [
                        FieldPanel("promotion", widget=promotion_chooser_viewset.widget_class),
                        FieldPanel("tag"),
                    ]
                ),
            ],
            heading=_("Its products"),
            help_text=_(
                "Of the four fields below, fill in the one that your choice names; the others do nothing."
            ),
        ),
        OrderedChoicesPanel(
            "picked",
            chooser_field_name="product",
            heading=_("Products picked by hand"),
            help_text=_(
                "For the choice “Products picked by hand”. They appear in this order; the arrows next to a "
                "product move it up and down."
            ),
            label=_("product"),
        ),
        MultiFieldPanel(
            [FieldRowPanel([FieldPanel("checked"), FieldPanel("sort")])],
            heading=_("Place"),
            help_text=_(
                "Every published area is listed at /areas and has a page of its own. When it appears "
                "and when "
                "it goes is set under Status, “Set schedule”."
            ),
        ),
        PublishingPanel(),
    )


register_snippet(SlideViewSet)
register_snippet(AreaViewSet)

for hook in ("after_create_page", "after_edit_page", "after_create_snippet", "after_edit_snippet"):
    hooks.register(hook, warn_of_pictures)
# Runs after the hooks that remove menu items.
for hook in ("construct_page_action_menu", "construct_snippet_action_menu"):
    hooks.register(hook, show_next_step, order=1)


hooks.register("on_serve_page", serve_private)


# If two bulk actions have one name, the one registered last is used; without the order it would be Wagtail's.
hooks.register("register_bulk_action", PublishPages, order=1)


@hooks.register("construct_admin_api")
def register_pages_api(router: WagtailAPIRouter) -> None:
    """Remove the actions from the API of pages, since they neither lock rows nor check completeness."""
    router.register_endpoint("pages", ReadOnlyPages)


@hooks.register("register_admin_viewset")
def register_choosers() -> tuple[ByNameViewSet, ...]:
    """Register the choosers of products, brands, categories and promotions."""
    return CHOOSERS


class ShopSettingsEditView(ProtectedEditView, SettingsEditView):
    """The form of the shop settings."""


# If two views have one URL, the first is used; the other one is Wagtail's.
@hooks.register("register_admin_urls", order=-1)
def register_shop_settings() -> list[URLPattern]:
    """Register the form of the shop settings."""
    shape = "settings/<slug:app_name>/<slug:model_name>/<int:pk>/"
    return [path(shape, ShopSettingsEditView.as_view())]


@hooks.register("register_admin_urls", order=-1)
def register_pictures() -> list[URLPattern]:
    """Register the list of pictures, which also takes precedence over Wagtail's."""
    return [
        path("images/", PicturesView.as_view(), name="pictures"),
        path("images/results/", PicturesView.as_view(results_only=True)),
    ]


@hooks.register("insert_editor_js")
def chooser_scripts() -> SafeString:
    """Add the scripts of the choosers and calendars."""
    scripts = (static(f"js/admin/{name}.js") for name in ("chooser-focus", "shop-links", "calendars"))
    plain = format_html_join("", '<script src="{}" defer></script>', ((script,) for script in scripts))
    keeping = '<script src="{}" data-chosen="{}" defer></script>'
    return plain + format_html(keeping, static("js/admin/keep-ticks.js"), gettext("Chosen: {count}"))


@hooks.register("insert_global_admin_css")
def form_styles() -> SafeString:
    """Add the stylesheets of the calendars and choosers."""
    sheets = (static(f"css/admin/{name}.css") for name in ("calendars", "choosers"))
    return format_html_join("", '<link rel="stylesheet" href="{}">', ((sheet,) for sheet in sheets))


@hooks.register("register_admin_urls")
def register_shop_links() -> list[URLPattern]:
    """Register the URL of the link chooser."""
    return [path("shop_links/", ShopLinkView.as_view(), name="shop_links")]
