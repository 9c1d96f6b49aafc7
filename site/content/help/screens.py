"""The screens that the help links to."""

from collections.abc import Callable

from django.db.models import Model
from django.urls import reverse
from wagtail.admin.admin_url_finder import AdminURLFinder
from wagtail.images import get_image_model
from wagtail.models import Revision, TaskState

from content.models import CarouselSlide, HomePage
from core.languages import CHINESE, ENGLISH

SLIDES = "wagtailsnippets_content_carouselslide"
AREAS = "wagtailsnippets_content_specialarea"


def _home(language: str, view: str) -> str:
    home = HomePage.objects.filter(locale__language_code=language).order_by("pk").first()
    return _of(home, f"wagtailadmin_pages:{view}", "wagtailadmin_explore_root")


def _slide(view: str) -> str:
    return _of(CarouselSlide.objects.order_by("pk").first(), f"{SLIDES}:{view}", f"{SLIDES}:list")


def _slide_version() -> str:
    slide = CarouselSlide.objects.order_by("pk").first()
    version: Revision | None = slide.revisions.order_by("pk").first() if slide else None
    if not slide or not version:
        return reverse(f"{SLIDES}:list")
    return reverse(f"{SLIDES}:revisions_revert", args=[slide.pk, version.pk])


def _waiting() -> str:
    state = TaskState.objects.filter(status=TaskState.STATUS_IN_PROGRESS).order_by("pk").first()
    url = AdminURLFinder().get_edit_url(state.revision.content_object) if state else None
    return url or reverse("wagtailadmin_home")


def _picture() -> str:
    return _of(get_image_model().objects.order_by("-pk").first(), "wagtailimages:edit", "wagtailimages:index")


def _of(row: Model | None, view: str, without: str) -> str:
    return reverse(view, args=[row.pk]) if row else reverse(without)


SCREENS: dict[str, Callable[[], str]] = {
    "dashboard": lambda: reverse("wagtailadmin_home"),
    "home": lambda: _home(ENGLISH, "edit"),
    "translation": lambda: _home(CHINESE, "edit"),
    "waiting": _waiting,
    "change_history": lambda: reverse("wagtailadmin_reports:site_history"),
    "slides": lambda: reverse(f"{SLIDES}:list"),
    "new_slide": lambda: reverse(f"{SLIDES}:add"),
    "slide": lambda: _slide("edit"),
    "slide_history": lambda: _slide("history"),
    "slide_version": _slide_version,
    "areas": lambda: reverse(f"{AREAS}:list"),
    "new_area": lambda: reverse(f"{AREAS}:add"),
    "preview": lambda: reverse("dashboard:preview"),
    "images": lambda: reverse("wagtailimages:index"),
    "image": _picture,
    "new_images": lambda: reverse("wagtailimages:add_multiple"),
    "account": lambda: reverse("wagtailadmin_account"),
}
