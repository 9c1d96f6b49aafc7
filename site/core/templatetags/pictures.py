"""Tags that show pictures."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from wagtail.images.models import AbstractImage

from core.pictures.banners import WIDE, Banner
from core.pictures.renditions import CARD, PAGE, PictureFiles, picture_files, picture_url

register = template.Library()

# The width of a picture in each place (static/css/parts), by which browsers choose a file.
SIZES = {
    "card": "(max-width: 640px) 28vw, (max-width: 1024px) 18vw, 160px",
    "line": "48px",
    "page": "(max-width: 1024px) 45vw, 320px",
    "full": "(max-width: 1024px) 92vw, 64vw",
    "dish": "(max-width: 640px) 30vw, 220px",
}


@register.filter
def picture(image: AbstractImage | None, side: int) -> str:
    """Return the URL of a picture in a square of `side` pixels; empty without a picture."""
    return picture_url(image, side) or ""


@register.simple_tag
def responsive_picture(
    image: AbstractImage | PictureFiles | None,
    name: str = "",
    place: str = "card",
    *,
    alt: str = "",
    eager: bool = False,
    first: bool = False,
    css: str = "",
) -> SafeString:
    """Render a picture in all existing sizes and formats, or the first character of the name without one.

    `place`: one of `SIZES`. `eager`: visible without scrolling. `first`: the largest of the visible pictures.
    `alt`: the description; empty if the text next to it is as complete.
    """
    side = PAGE if place == "page" else CARD
    files = image if isinstance(image, PictureFiles) else picture_files(image, side)
    if files is None:
        return format_html('<span class="tile__mark" aria-hidden="true">{}</span>', name[:1].upper())
    loading = SafeString(' fetchpriority="high"' if first else "" if eager else ' loading="lazy"')
    return format_html(
        '<picture>{}<img{} src="{}"{} alt="{}" width="{}" height="{}"{} decoding="async"></picture>',
        _source(files.avif, SIZES[place]),
        format_html(' class="{}"', css) if css else "",
        files.url,
        _choices(files.webp, SIZES[place]) if len(files.webp) > 1 else "",
        alt or "",
        side,
        side,
        loading,
    )


@register.simple_tag
def full_picture(files: Banner, *, alt: str = "", first: bool = False) -> SafeString:
    """Render a picture that fills a slide; `first`: whether its slide is the first visible one."""
    return format_html(
        '<picture class="slide__full"><source media="(max-width: 640px)"{}><img src="{}"{} alt="{}"'
        ' width="{}" height="{}"{} decoding="async"></picture>',
        _choices(files.tall, SIZES["full"]),
        files.wide[-1][0],
        _choices(files.wide, SIZES["full"]),
        alt,
        *WIDE[-1],
        SafeString(' fetchpriority="high"' if first else ' loading="lazy"'),
    )


def _source(files: Sequence[tuple[str, int]], sizes: str) -> SafeString | str:
    return format_html('<source type="image/avif"{}>', _choices(files, sizes)) if files else ""


def _choices(files: Sequence[tuple[str, int]], sizes: str) -> SafeString:
    if len(files) == 1:
        return format_html(' srcset="{}"', files[0][0])
    listed = format_html_join(", ", "{} {}w", files)
    return format_html(' srcset="{}" sizes="{}"', listed, sizes)
