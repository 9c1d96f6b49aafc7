"""The models of editors' content: shop details, home page, slides and special areas.

See docs/architecture.md#content.
"""

from content.carousels import HOME_CAROUSEL
from content.models.areas import AreaGood, SpecialArea
from content.models.creations import Creation
from content.models.home import HomePage
from content.models.information import InformationPage
from content.models.shop import ShopSettings
from content.models.slides import CarouselSlide, SlidePicture

__all__ = [
    "HOME_CAROUSEL",
    "AreaGood",
    "CarouselSlide",
    "Creation",
    "HomePage",
    "InformationPage",
    "ShopSettings",
    "SlidePicture",
    "SpecialArea",
]
