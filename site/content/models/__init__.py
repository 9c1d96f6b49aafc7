"""The models of editors' content: shop details, home page, slides and special areas.

See docs/architecture.md#content.
"""

from content.models.areas import AreaGood, SpecialArea
from content.models.home import HomePage
from content.models.information import InformationPage
from content.models.shop import ShopSettings
from content.models.slides import HOME_CAROUSEL, CarouselSlide, SlidePicture

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
