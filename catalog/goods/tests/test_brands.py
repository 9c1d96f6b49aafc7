import pytest

from catalog.goods.models import Brand
from catalog.goods.tests.builders import make_brand
from catalog.goods.writing import create_brands, save_brand, save_brands

pytestmark = pytest.mark.django_db


def sound(brand: Brand) -> str:
    brand.refresh_from_db()
    return brand.pinyin


def test_a_brand_has_the_pinyin_of_its_chinese_name() -> None:
    brand = make_brand(name_zh="李锦记")
    assert sound(brand) == "li jin ji"
    brand.name_zh = "QQ糖"
    save_brand(brand, ["name_zh"])
    assert sound(brand) == "qq tang"


def test_brands_written_together_have_their_pinyin_too() -> None:
    brand = Brand(name_en="Haitian", name_zh="海天")
    create_brands([brand])
    assert sound(brand) == "hai tian"
    brand.name_zh = "老干妈"
    save_brands([brand], ["name_zh"])
    assert sound(brand) == "lao gan ma"


def test_a_pinyin_that_is_too_long_is_cut() -> None:
    assert len(sound(make_brand(name_zh="长" * 200))) == 200
