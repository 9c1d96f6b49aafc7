"""The words of diets.

A search for a diet is about a fact of the products, so its words are never corrected, matched by their
beginning or left out silently: `free` alone finds baby wipes without fragrance.
"""

from catalog.search.folding import fold, stem, tokens

# A diet → its words in both languages. A product has the label `suits:` with the name of the diet if its data
# promise it; the names are those of `catalog.goods.dietary`, which does not know all of these diets.
_WORDS = {
    "gluten_free": "gluten free, no gluten, gf, coeliac, celiac, 无麸质, 不含麸质, 无麸, 低麸质",
    "no_milk": "dairy free, lactose free, no lactose, 无乳糖, 不含乳糖, 无奶, 无乳制品, 零乳糖",
    "no_nuts": "nut free, peanut free, 无坚果, 不含坚果",
    "vegan": "vegan, plant based, 纯素, 全素, 纯植物",
    "vegetarian": "vegetarian, veggie friendly, 素食, 素食者",
    "halal": "halal, 清真",
    "kosher": "kosher, 犹太洁食",
    "sugar_free": "sugar free, no sugar, no added sugar, 无糖, 零糖, 不加糖",
    "low_salt": "low salt, low sodium, reduced salt, 低盐, 少盐, 低钠",
    "low_fat": "low fat, fat free, 低脂, 零脂肪",
    "keto": "keto, low carb, 生酮, 低碳水",
}


def phrase_key(words: tuple[str, ...]) -> str:
    """Return the form in which phrases are compared: folded, in the singular, with spaces."""
    return " ".join(map(stem, words))


# The phrases of each diet, and the diet of each phrase.
PHRASES = {
    diet: tuple(tuple(tokens(fold(text))) for text in texts.split(",")) for diet, texts in _WORDS.items()
}
DIETS = {phrase_key(phrase): diet for diet, phrases in PHRASES.items() for phrase in phrases}
