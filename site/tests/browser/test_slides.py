"""A full picture of a slide with the text over it, whatever it shows."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import FloatRect, Page

from content.models import CarouselSlide
from tests.browser.conftest import NewPage
from tests.browser.walk import Walk
from tests.browser.words import LANGUAGES

pytestmark = pytest.mark.browser

# The first slide gets a full picture that is white all over, and loses its words but not their places.
MAKE_WHITE = """tone => {
    const slide = document.querySelector(".slide");
    const picture = document.createElement("picture");
    picture.className = "slide__full";
    picture.append(document.createElement("img"));
    picture.firstChild.style.background = "#fff";
    slide.querySelector(".slide__art, .slide__full").replaceWith(picture);
    slide.className = `slide slide--full tone-${tone} on-dark`;
    const texts = [...slide.querySelectorAll("h2, p")].filter((text) => text.checkVisibility());
    return texts.map((text) => {
        const { x, y, width, height } = text.getBoundingClientRect();
        const colour = getComputedStyle(text).color.match(/\\d+/g).map(Number);
        text.style.visibility = "hidden";
        return { clip: { x, y, width, height }, colour };
    });
}"""


def luminance(colour: tuple[int, ...]) -> float:
    """Compute the relative luminance of a colour as WCAG 2.2 defines it."""
    red, green, blue = (
        part / 255 / 12.92 if part <= 0.04045 * 255 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_over_a_white_picture_has_the_contrast_of_wcag_in_every_colour_and_width(
    new_page: NewPage, language: str
) -> None:
    page = new_page()
    Walk(page, language).open("/home")
    for width in (1440, 800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for tone in CarouselSlide.Tone.values:
            for text in page.evaluate(MAKE_WHITE, tone):
                assert contrast(page, **text) >= 4.5, (width, tone)


def contrast(page: Page, clip: FloatRect, colour: list[int]) -> float:
    """Compute the contrast of a text's colour with the brightest pixel of its place."""
    place = Image.open(BytesIO(page.screenshot(clip=clip))).convert("RGB").tobytes()
    pixels = {tuple(place[start : start + 3]) for start in range(0, len(place), 3)}
    brightest = max(luminance(pixel) for pixel in pixels)
    return (luminance(tuple(colour)) + 0.05) / (brightest + 0.05)
