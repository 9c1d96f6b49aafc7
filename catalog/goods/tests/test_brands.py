import pytest

from catalog.goods.models import Brand
from catalog.goods.tests.builders import make_brand

pytestmark = pytest.mark.django_db


def sound(brand: Brand) -> str:
    brand.refresh_from_db()
    return brand.pinyin


def test_a_brand_knows_how_its_chinese_name_sounds() -> None:
    brand = make_brand(name_zh="李锦记")
    assert sound(brand) == "li jin ji"
    brand.name_zh = "QQ糖"
    brand.save(update_fields=["name_zh"])
    assert sound(brand) == "qq tang"


def test_brands_written_together_know_it_too() -> None:
    [brand] = Brand.objects.bulk_create([Brand(name_en="Haitian", name_zh="海天")])
    assert sound(brand) == "hai tian"
    brand.name_zh = "老干妈"
    Brand.objects.bulk_update([brand], ["name_zh"])
    assert sound(brand) == "lao gan ma"


def test_a_name_too_long_to_be_spelt_is_cut() -> None:
    assert len(sound(make_brand(name_zh="长" * 200))) == 200
