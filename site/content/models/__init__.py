"""What editors write: the shop's own details, the home page, slides and special areas (ARCHITECTURE 4)."""

from content.models.home import HomePage
from content.models.information import InformationPage
from content.models.shop import ShopSettings
from content.models.showcase import (
    HOME_CAROUSEL,
    AreaGood,
    CarouselSlide,
    SlidePicture,
    SpecialArea,
)

__all__ = [
    "HOME_CAROUSEL",
    "AreaGood",
    "CarouselSlide",
    "HomePage",
    "InformationPage",
    "ShopSettings",
    "SlidePicture",
    "SpecialArea",
]
