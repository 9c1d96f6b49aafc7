"""The slides of carousels."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Max
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from wagtail.admin.forms import WagtailAdminModelForm
from wagtail.models import Revision

from catalog.goods.models import is_chinese
from content.carousels import CAROUSEL, HOME_CAROUSEL, LAST_CAROUSEL, CarouselField, carousel_name
from content.models.scheduling import PlaceForm, ScheduleForm, WholeListForm
from content.models.window import LAST_PLACE, Window
from content.picture_texts import lacks_text, numbered
from core.languages import SHOP_PATH
from core.pictures.banners import Banner, banner_files
from core.pictures.renditions import PictureFiles, picture_files
from core.pictures.shapes import odd_full, odd_whole
from core.preview import current_preview

PATH_HELP = _("Where the button leads. Choose a page of the shop, or write its path without the language.")
WRONG_PATH = _("Write a path of this shop that begins with a slash.")
PLACE_TAKEN = _("Another slide already has this place in the carousel.")


class DisplayedPicture(NamedTuple):
    """A picture of a slide with its alternative text."""

    picture: PictureFiles | None
    alt: str


class DisplayedSlide(NamedTuple):
    """A slide as a page shows it, in the reader's language; `path` is without the language."""

    title: str
    text: str
    label: str
    path: str
    tone: str
    pictures: tuple[DisplayedPicture, ...]
    banner: Banner | None
    # The name by which a preview scrolls to it.
    part: str


class SlideForm(PlaceForm, ScheduleForm, WholeListForm, WagtailAdminModelForm):
    """Validates a slide's pictures before publishing, and shows its carousel by name."""

    def __init__(self, *args: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.fields["carousel"] = CarouselField(label=capfirst(CAROUSEL), initial=HOME_CAROUSEL)

    def sibling_rows(self) -> models.QuerySet[Any]:
        """Return the slides of the same carousel."""
        return CarouselSlide.objects.filter(carousel=self.instance.carousel)

    def clean(self) -> dict[str, Any]:
        """Refuse pictures of unsuitable shape, and those without alternative text that are not decorative.

        A draft may contain them. Raises ValidationError.
        """
        cleaned: dict[str, Any] = super().clean()
        if self.is_deferred_validation:
            return cleaned
        is_full = cleaned.get("layout") == CarouselSlide.Layout.full
        rows = [row for row in self.formsets["pictures"].forms if row.is_valid()]
        kept = [row for row in rows if row.cleaned_data.get("picture") and not row.cleaned_data.get("DELETE")]
        for place, row in enumerate(sorted(kept, key=lambda row: row.cleaned_data.get("ORDER") or 0)):
            odd = odd_full if is_full and place == 0 else odd_whole
            if text := odd(row.cleaned_data["picture"]):
                row.add_error("picture", text)
            for name in () if row.cleaned_data.get("decorative") else ("alt_en", "alt_zh"):
                if not row.cleaned_data.get(name):
                    row.add_error(name, _("Describe what the picture shows, or tick “decorative”."))
        return cleaned


class CarouselSlide(Window, models.Model):
    """One slide of a carousel; `carouse` on the wire (docs/wire.md#carouse)."""

    base_form_class = SlideForm

    class Tone(models.TextChoices):
        """The colour behind the text."""

        cobalt = "cobalt", _("cobalt")
        jade = "jade", _("jade")
        plum = "plum", _("plum")

    class Layout(models.TextChoices):
        """How the pictures are shown."""

        plate = "plate", _("Cut-outs on a plate")
        full = "full", _("Full picture, with the text over it")

    carousel = models.PositiveSmallIntegerField(
        CAROUSEL,
        default=HOME_CAROUSEL,
        validators=[MinValueValidator(1), MaxValueValidator(LAST_CAROUSEL)],
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
    tone = models.CharField(_("colour"), max_length=10, choices=Tone.choices, default=Tone.cobalt)

    layout = models.CharField(
        _("layout"), max_length=10, choices=Layout.choices, default=Layout.plate, db_default=Layout.plate
    )

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
    def is_full(self) -> bool:
        """Whether the first picture fills the slide."""
        return self.layout == self.Layout.full

    @property
    def carousel_name(self) -> str:
        """The name of its carousel for editors."""
        return carousel_name(self.carousel)

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
        """The button's text in the reader's language."""
        return self.label_zh if is_chinese() else self.label_en

    def lacking(self) -> Iterator[str]:
        """Yield what the slide lacks: a picture, or something its pictures need."""
        if not self.pictures.all():
            yield gettext("Choose at least one picture.")
        yield from super().lacking()

    def picture_notes(self) -> Iterator[str]:
        """Yield what is wrong with each picture; the first one may fill the slide."""
        for number, row in enumerate(self.pictures.all(), start=1):
            texts = {gettext("English"): row.alt_en, gettext("Chinese"): row.alt_zh}
            missing = [language for language, text in texts.items() if not text]
            if missing and not row.decorative:
                yield lacks_text(number, missing)
            odd = odd_full if self.is_full and number == 1 else odd_whole
            if text := odd(row.picture):
                yield numbered(number, text)

    def displayed(self) -> DisplayedSlide:
        """Return the slide as a page shows it, in the reader's language."""
        rows = self.pictures.all()
        part = f"slide-{self.pk}" if current_preview() else ""
        # A full picture is the first one; a draft may have none.
        banner = banner_files(rows[0].picture) if self.is_full and rows else None
        pictures = tuple(DisplayedPicture(picture_files(row.picture), row.alt) for row in rows)
        return DisplayedSlide(self.title, self.text, self.label, self.path, self.tone, pictures, banner, part)

    def get_preview_context(self, request: Any, mode_name: str) -> dict[str, Any]:
        """Add the slide as a page shows it."""
        return super().get_preview_context(request, mode_name) | {"slide": self.displayed()}

    def get_preview_template(self, request: Any, mode_name: str) -> str:
        """Return the template that shows the slide alone."""
        return "content/previews/slide.html"

    def publish(self, revision: Revision, *args: Any, **kw: Any) -> None:
        """Publish a revision; put the slide last if another one has taken its place in the meantime.

        Schedules and moderators publish revisions that were saved earlier, so no editor would see a refusal.
        """
        others = CarouselSlide.objects.filter(carousel=revision.content["carousel"]).exclude(pk=self.pk)
        if others.filter(sort=revision.content["sort"]).exists():
            revision.content["sort"] = others.aggregate(last=Max("sort"))["last"] + 1
            revision.save(update_fields=["content"])
        super().publish(revision, *args, **kw)


class SlidePicture(models.Model):
    """A picture of a slide; the first one fills the slide, or is in the centre with the others around it."""

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
        _("decorative"), default=False, help_text=_("The slide’s text is enough: nothing is read out.")
    )
    sort_order = models.IntegerField(null=True, blank=True, editable=False)
    # Lets editors reorder the rows.
    sort_order_field = "sort_order"

    class Meta:
        ordering = ["sort_order"]
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")

    @property
    def alt(self) -> str:
        """The alternative text in the reader's language; empty for a decorative picture."""
        if self.decorative:
            return ""
        return self.alt_zh if is_chinese() else self.alt_en
