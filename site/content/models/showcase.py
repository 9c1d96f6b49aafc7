"""What stands in the shop's windows: slides of carousels, and special areas with their goods."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Max, Q
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel
from wagtail.admin.forms import WagtailAdminModelForm
from wagtail.models import (
    DraftStateMixin,
    LockableMixin,
    PreviewableMixin,
    Revision,
    RevisionMixin,
    WorkflowMixin,
)

from catalog.goods.models import Brand, Category, GoodsTag, Product, TwoNames, is_chinese
from catalog.goods.rates import rate_now
from catalog.promotions.models import Promotion
from content.models.previews import DesignWidths
from content.models.scheduling import ScheduleForm
from core.languages import CHINESE, ENGLISH, SHOP_PATH

# The home page's carousel (SPEC 9).
HOME_CAROUSEL = 4
LAST_CAROUSEL = 99
# Far below what a column holds: a slide whose place is taken comes behind the last one.
LAST_PLACE = 9999
PATH_HELP = _("Where the button leads. Choose a page of the shop, or write its path without the language.")
WRONG_PATH = _("Write a path of this shop that begins with a slash.")
PLACE_TAKEN = _("Another slide has this place in the carousel already.")


class ShownQuerySet(models.QuerySet[Any]):
    """Rows that editors publish."""

    def shown(self) -> "ShownQuerySet":
        """Return those that are published and not past their end, to the moment."""
        return self.filter(Q(expire_at=None) | Q(expire_at__gt=timezone.now()), live=True)


class Window(
    DesignWidths,
    WorkflowMixin,
    DraftStateMixin,
    LockableMixin,
    RevisionMixin,
    PreviewableMixin,
    ClusterableModel,
):
    """What a slide and an area have in common: drafts, a start and an end, history, and previews."""

    objects = ShownQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def preview_modes(self) -> list[tuple[str, str]]:
        """One preview for each language."""
        return [(ENGLISH, "English"), (CHINESE, "简体中文")]

    def get_preview_context(self, request: Any, mode_name: str) -> dict[str, Any]:
        """Add what every page of the shop shows."""
        context: dict[str, Any] = super().get_preview_context(request, mode_name)
        return context | {"rate": rate_now(), "noindex": True}

    def serve_preview(self, request: Any, mode_name: str) -> Any:
        """Show the preview in its own language, which is not always the editor's."""
        with translation.override(mode_name):
            return super().serve_preview(request, mode_name).render()


class SlideForm(ScheduleForm, WagtailAdminModelForm):
    """Knows what a slide's pictures need before it is published."""

    def clean(self) -> dict[str, Any]:
        """Refuse a picture that nobody who cannot see it is told about; raises ValidationError."""
        cleaned: dict[str, Any] = super().clean()
        for form in () if self.is_deferred_validation else self.formsets["pictures"].forms:
            told = form.cleaned_data if form.is_valid() else {"DELETE": True}
            if told.get("DELETE") or told.get("decorative"):
                continue
            for name in ("alt_en", "alt_zh"):
                if not told.get(name):
                    form.add_error(name, _("Say what the picture shows, or tick “decorative”."))
        return cleaned


class CarouselSlide(Window, models.Model):
    """One slide of a carousel; `carouse` on the wire (CONTRACT 2)."""

    base_form_class = SlideForm

    class Tone(models.TextChoices):
        """What lies behind the text."""

        cobalt = "cobalt", _("cobalt")
        jade = "jade", _("jade")
        plum = "plum", _("plum")

    carousel = models.PositiveSmallIntegerField(
        _("carousel"),
        default=HOME_CAROUSEL,
        validators=[MinValueValidator(1), MaxValueValidator(LAST_CAROUSEL)],
        help_text=_("4 is the one at the top of the home page."),
    )
    sort = models.PositiveSmallIntegerField(
        _("place in the carousel"),
        validators=[MaxValueValidator(LAST_PLACE)],
        help_text=_("1 is the slide that is seen first."),
    )
    title_en = models.CharField(_("title, English"), max_length=60)
    title_zh = models.CharField(_("title, Chinese"), max_length=60)
    text_en = models.CharField(_("text, English"), max_length=140, blank=True)
    text_zh = models.CharField(_("text, Chinese"), max_length=140, blank=True)
    label_en = models.CharField(_("button, English"), max_length=40)
    label_zh = models.CharField(_("button, Chinese"), max_length=40)
    path = models.CharField(
        _("path"),
        max_length=200,
        validators=[RegexValidator(SHOP_PATH, WRONG_PATH)],
        help_text=PATH_HELP,
    )
    tone = models.CharField(_("tone"), max_length=10, choices=Tone.choices, default=Tone.cobalt)

    class Meta:
        ordering = ["carousel", "sort", "id"]
        verbose_name = _("slide")
        verbose_name_plural = _("slides")
        constraints = [
            models.UniqueConstraint(
                fields=["carousel", "sort"],
                name="one_slide_per_place",
                violation_error_message=PLACE_TAKEN,
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """The title in the reader's language."""
        return self.title_zh if is_chinese() else self.title_en

    @property
    def text(self) -> str:
        """The text in the reader's language."""
        return self.text_zh if is_chinese() else self.text_en

    @property
    def label(self) -> str:
        """The button's words in the reader's language."""
        return self.label_zh if is_chinese() else self.label_en

    def get_preview_template(self, request: Any, mode_name: str) -> str:
        """Name the page that shows the slide alone."""
        return "content/previews/slide.html"

    def publish(self, revision: Revision, *args: Any, **kw: Any) -> None:
        """Publish a revision; behind the others, where its place went to another slide since it was kept.

        The clock and moderators publish what an editor kept earlier, and nobody would see a refusal.
        """
        others = CarouselSlide.objects.filter(carousel=revision.content["carousel"]).exclude(pk=self.pk)
        if others.filter(sort=revision.content["sort"]).exists():
            revision.content["sort"] = others.aggregate(last=Max("sort"))["last"] + 1
            revision.save(update_fields=["content"])
        super().publish(revision, *args, **kw)


class SlidePicture(models.Model):
    """A picture of a slide; the first one is the dish, the others lie around it."""

    slide = ParentalKey(CarouselSlide, on_delete=models.CASCADE, related_name="pictures")
    picture = models.ForeignKey(
        "wagtailimages.Image", models.CASCADE, related_name="+", verbose_name=_("picture")
    )
    alt_en = models.CharField(
        _("what it shows, English"),
        max_length=120,
        blank=True,
        help_text=_("Read out to people who do not see the picture."),
    )
    alt_zh = models.CharField(_("what it shows, Chinese"), max_length=120, blank=True)
    decorative = models.BooleanField(
        _("decorative"), default=False, help_text=_("The slide’s text says it all: nothing is read out.")
    )
    sort_order = models.IntegerField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["sort_order"]
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")

    @property
    def alt(self) -> str:
        """What it shows, in the reader's language; empty for what only adorns."""
        if self.decorative:
            return ""
        return self.alt_zh if is_chinese() else self.alt_en


class AreaForm(ScheduleForm, WagtailAdminModelForm):
    """Knows what goods an area has before it is kept."""

    def clean(self) -> dict[str, Any]:
        """Refuse an area to pick goods for without a good; raises ValidationError."""
        cleaned: dict[str, Any] = super().clean()
        picked = self.formsets["picked"].forms
        kept = [form for form in picked if form.is_valid() and not form.cleaned_data.get("DELETE", False)]
        has_goods = any(form.cleaned_data.get("product") for form in kept)
        is_bare = cleaned.get("rule") == SpecialArea.Rule.picked and not has_goods
        # A draft may still lack them.
        if is_bare and not self.is_deferred_validation:
            self.add_error("rule", _("Pick at least one good below, or choose a rule."))
        return cleaned


class SpecialArea(TwoNames, Window):
    """A themed part of the shop; its goods are picked by hand or follow a rule (CONTRACT 2)."""

    class Rule(models.TextChoices):
        """Where an area's goods come from."""

        picked = "picked", _("Goods picked below, in that order")
        brand = "brand", _("All goods of a brand")
        category = "category", _("All goods of a category")
        promotion = "promotion", _("All goods of a promotion, while it runs")
        tag = "tag", _("All goods that have a tag")

    text_en = models.CharField(_("text, English"), max_length=120, blank=True)
    text_zh = models.CharField(_("text, Chinese"), max_length=120, blank=True)
    picture = models.ForeignKey(
        "wagtailimages.Image",
        models.PROTECT,
        related_name="+",
        verbose_name=_("picture"),
        help_text=_(
            "On the area’s tile; shown whole, nothing is cut off. The name beside it says what it is."
        ),
    )
    tint = models.CharField(
        _("background colour"),
        max_length=7,
        default="#E6F4E1",
        validators=[RegexValidator("^#[0-9A-Fa-f]{6}$", _("Write a colour such as #E6F4E1."))],
    )
    checked = models.BooleanField(
        _("on the home page"), default=True, help_text=_("Otherwise it stands in the list of all areas only.")
    )
    sort = models.PositiveSmallIntegerField(
        _("place in the list"),
        default=0,
        validators=[MaxValueValidator(LAST_PLACE)],
        help_text=_("The lowest number comes first."),
    )
    rule = models.CharField(_("goods"), max_length=10, choices=Rule.choices, default=Rule.picked)
    brand = models.ForeignKey(
        Brand, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("brand")
    )
    category = models.ForeignKey(
        Category, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("category")
    )
    promotion = models.ForeignKey(
        Promotion,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="special_areas",
        verbose_name=_("promotion"),
    )
    tag = models.ForeignKey(
        GoodsTag,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("tag"),
        help_text=_("Goods get their tags under Catalogue, in the form of each good."),
    )

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("special area")
        verbose_name_plural = _("special areas")

    base_form_class = AreaForm

    @property
    def text(self) -> str:
        """The sentence about it in the reader's language."""
        return self.text_zh if is_chinese() else self.text_en

    def clean(self) -> None:
        """Refuse a rule without what it names; raises ValidationError."""
        super().clean()
        if self.rule != self.Rule.picked and getattr(self, f"{self.rule}_id") is None:
            raise ValidationError({self.rule: _("Choose what the area’s goods follow.")})

    def get_preview_template(self, request: Any, mode_name: str) -> str:
        """Name the page that shows the area's tile and goods."""
        return "content/previews/area.html"


class AreaGood(models.Model):
    """A good that an editor picked for an area."""

    area = ParentalKey(SpecialArea, on_delete=models.CASCADE, related_name="picked")
    product = models.ForeignKey(Product, models.CASCADE, related_name="area_places", verbose_name=_("good"))
    sort_order = models.IntegerField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["sort_order"]
        verbose_name = _("good")
        verbose_name_plural = _("goods")
        constraints = [models.UniqueConstraint(fields=["area", "product"], name="good_once_per_area")]
