"""Marks the words for a product's allergens in its list of ingredients, as labels must print them."""

import re
from collections.abc import Collection

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from catalog.goods.models import Allergen

# The words of ingredients, in both languages; longer words first.
_WORDS: dict[str, str] = {
    Allergen.wheat: "wheat|小麦|面粉",
    Allergen.gluten: "wheat|barley|oats?|rye|gluten|小麦|大麦|燕麦|黑麦|麸质|面粉",
    Allergen.crustacean: "crustaceans?|prawns?|shrimps?|crabs?|lobsters?|甲壳类|虾|蟹",
    Allergen.mollusc: "molluscs?|oysters?|scallops?|squid|clams?|abalone|软体类|生蚝|蚝|扇贝|干贝|鱿鱼|鲍鱼",
    Allergen.egg: "eggs?|鸡蛋|鸭蛋|蛋黄|蛋",
    Allergen.fish: "fish|anchov(?:y|ies)|bonito|sardines?|dace|鳀鱼|鲣鱼|沙丁鱼|鲮鱼|鱼",
    Allergen.milk: "(?<!coconut )(?:milk|butter|cream|lactose)|牛奶|奶粉|奶油|黄油"
    "|乳粉|乳固体|乳糖|乳清|(?<!椰)奶",
    Allergen.peanut: "peanuts?|花生",
    Allergen.soy: "soy(?:a)?(?:beans?)?|大豆|黄豆|酱油",
    Allergen.sesame: "sesame|芝麻",
    Allergen.almond: "almonds?|扁桃仁|杏仁",
    Allergen.brazil_nut: "brazil nuts?|巴西坚果",
    Allergen.cashew: "cashews?|腰果",
    Allergen.hazelnut: "hazelnuts?|榛子",
    Allergen.macadamia: "macadamias?|夏威夷果|澳洲坚果",
    Allergen.pecan: "pecans?|碧根果",
    Allergen.pine_nut: "pine nuts?|松子",
    Allergen.pistachio: "pistachios?|开心果",
    Allergen.walnut: "walnuts?|核桃",
    Allergen.tree_nut: "(?:tree )?nuts?|坚果",
    Allergen.lupin: "lupin|羽扇豆",
    Allergen.sulphites: r"sulphites?|(?<!\d)e?22[0-8](?!\d)|亚硫酸[盐钠]?",
}


def with_bold_allergens(ingredients: str, allergens: Collection[str]) -> SafeString:
    """Return a list of ingredients as HTML, with the words for these allergens in bold.

    Standard 1.2.3 of the Food Standards Code requires bold letters in the statement of ingredients.
    """
    words = "|".join(_WORDS[code] for code in allergens if code in _WORDS)
    text: str = escape(ingredients)
    if words:
        text = re.sub(
            rf"(?<![a-z])(?:{words})(?![a-z])", r"<strong>\g<0></strong>", text, flags=re.IGNORECASE
        )
    return mark_safe(text)  # noqa: S308  escaped above
