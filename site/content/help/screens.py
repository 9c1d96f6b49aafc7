"""Where the screens are that the help leads to."""

from collections.abc import Callable

from django.db.models import Model
from django.urls import reverse

from content.models import CarouselSlide, HomePage
from core.languages import CHINESE, ENGLISH

SLIDES = "wagtailsnippets_content_carouselslide"
AREAS = "wagtailsnippets_content_specialarea"


def _home(language: str, view: str) -> str:
    home = HomePage.objects.filter(locale__language_code=language).order_by("pk").first()
    return _of(home, f"wagtailadmin_pages:{view}", "wagtailadmin_explore_root")


def _slide(view: str) -> str:
    return _of(CarouselSlide.objects.order_by("pk").first(), f"{SLIDES}:{view}", f"{SLIDES}:list")


def _of(row: Model | None, view: str, without: str) -> str:
    return reverse(view, args=[row.pk]) if row else reverse(without)


SCREENS: dict[str, Callable[[], str]] = {
    "dashboard": lambda: reverse("wagtailadmin_home"),
    "home": lambda: _home(ENGLISH, "edit"),
    "translation": lambda: _home(CHINESE, "edit"),
    "slides": lambda: reverse(f"{SLIDES}:list"),
    "new_slide": lambda: reverse(f"{SLIDES}:add"),
    "slide": lambda: _slide("edit"),
    "slide_history": lambda: _slide("history"),
    "areas": lambda: reverse(f"{AREAS}:list"),
    "new_area": lambda: reverse(f"{AREAS}:add"),
    "preview": lambda: reverse("dashboard:preview"),
    "new_images": lambda: reverse("wagtailimages:add_multiple"),
    "account": lambda: reverse("wagtailadmin_account"),
}
