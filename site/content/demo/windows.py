"""The demonstration's slides and special areas."""

from dataclasses import dataclass

from catalog.goods.models import Category, Product, ProductTag
from content.models import AreaGood, CarouselSlide, SlidePicture, SpecialArea

Text = tuple[str, str]

# Slides: title, text, label, top category, categories whose pictures are shown, tone.
SLIDES: list[tuple[Text, Text, Text, int, list[int], str]] = [
    (
        ("Hotpot night, from one basket", "今晚吃火锅，一篮搞定"),
        (
            "Thin-sliced meat, fresh greens and a spicy soup base, at your door or ready to pick up.",
            "薄切肉片、新鲜时蔬、香辣火锅底料，送货到家或到店自提。",
        ),
        ("Shop hotpot", "选购火锅食材"),
        4,
        [405, 101, 5, 104, 103],
        "cobalt",
    ),
    (
        ("Market-fresh greens", "当日鲜蔬"),
        ("Leafy greens, roots and herbs for tonight’s wok.", "叶菜、根茎与香草，今晚就下锅。"),
        ("Shop vegetables", "选购蔬菜"),
        1,
        [101, 102, 103, 105, 104],
        "jade",
    ),
    (
        ("Quiet, clever skincare", "温和又聪明的护肤"),
        ("Ferments and ceramides from Japan and Korea.", "来自日本与韩国的发酵精华与神经酰胺。"),
        ("Shop beauty", "选购美妆"),
        13,
        [1302, 1301, 13, 1303, 1304],
        "plum",
    ),
]


@dataclass(frozen=True)
class Tagged:
    """A tag, and the ids of the products that get it."""

    tag: str
    ids: list[int]


# Special areas: name, text, the category of its picture and colour, and whether it is on the home page. Then
# its products: a category, picked ids, or a tag.
AREAS: list[tuple[Text, Text, int, bool, int | list[int] | Tagged]] = [
    (
        ("Fresh from the market", "新鲜市集"),
        ("Greens, roots and herbs from growers near Perth.", "来自珀斯周边农场的蔬菜、根茎与香草。"),
        101,
        True,
        1,
    ),
    (
        ("Australian gifts by direct mail", "澳洲特产直邮"),
        ("Honey, nuts and souvenirs, mailed to family abroad.", "蜂蜜、坚果与纪念品，直邮海外亲友。"),
        904,
        True,
        9,
    ),
    (("Korean kitchen", "韩国厨房"), ("", ""), 17, True, 17),
    (("Tea house", "茶馆"), ("", ""), 301, True, [90303, 90304]),
    (("Face masks", "面膜专场"), ("", ""), 1303, True, 1303),
    (("Mother and baby", "母婴专区"), ("", ""), 11, True, 11),
    (("Straits flavours", "南洋风味"), ("", ""), 1902, False, 1902),
    (
        ("Hotpot night", "火锅之夜"),
        ("Base, thin-sliced meat and the pot itself.", "底料、薄切肉片，连锅也备好了。"),
        405,
        False,
        Tagged("hotpot 火锅", [40501, 40502, 40503, 50104, 50107, 80306, 140207]),
    ),
]


def pictured(category_ids: list[int]) -> list[Category]:
    """Return the categories that have a picture, in the given order."""
    found = Category.objects.filter(picture__isnull=False).select_related("picture").in_bulk(category_ids)
    return [found[pk] for pk in category_ids if pk in found]


def load_windows() -> None:
    """Create the slides and areas unless there are any; leave out those without pictures."""
    if not CarouselSlide.objects.exists():
        _make_slides()
    if not SpecialArea.objects.exists():
        _make_areas()


def _make_slides() -> None:
    for place, (title, text, label, category, categories, tone) in enumerate(SLIDES, start=1):
        dishes = pictured(categories)
        if not dishes:
            continue
        slide = CarouselSlide(
            sort=place,
            title_en=title[0],
            title_zh=title[1],
            text_en=text[0],
            text_zh=text[1],
            label_en=label[0],
            label_zh=label[1],
            path=f"/shop?firstCategoryId={category}",
            tone=tone,
        )
        for order, dish in enumerate(dishes):
            slide.pictures.add(
                SlidePicture(picture=dish.picture, alt_en=dish.name_en, alt_zh=dish.name_zh, sort_order=order)
            )
        slide.save()
        slide.save_revision(log_action=True).publish()


def _make_areas() -> None:
    tints = dict(Category.objects.values_list("pk", "tint"))
    parents = dict(Category.objects.values_list("pk", "parent_id"))
    for place, (name, text, look, on_home, products) in enumerate(AREAS, start=1):
        looks = pictured([look])
        if not looks:
            continue
        area = SpecialArea(
            sort=place,
            name_en=name[0],
            name_zh=name[1],
            text_en=text[0],
            text_zh=text[1],
            picture=looks[0].picture,
            tint=tints[parents[look] or look],
            checked=on_home,
        )
        if isinstance(products, int):
            if products not in tints:
                continue
            area.rule, area.category_id = SpecialArea.Rule.category, products
        elif isinstance(products, Tagged):
            area.rule, area.tag = SpecialArea.Rule.tag, _tagged(products)
            if area.tag is None:
                continue
        else:
            found = set(Product.objects.filter(pk__in=products).values_list("pk", flat=True))
            if not found:
                continue
            for order, pk in enumerate(pk for pk in products if pk in found):
                area.picked.add(AreaGood(product_id=pk, sort_order=order))
        area.save()
        area.save_revision(log_action=True).publish()


def _tagged(tagged: Tagged) -> ProductTag | None:
    found = Product.objects.filter(pk__in=tagged.ids)
    for product in found:
        product.tags.add(tagged.tag)
    return ProductTag.objects.filter(name=tagged.tag).first() if found else None
