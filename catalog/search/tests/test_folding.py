import pytest

from catalog.search.folding import fold, stem, tokens
from catalog.search.pinyin import readings, syllables

pytestmark = pytest.mark.both_databases


def test_spellings_of_a_word_are_folded_into_one(subtests: pytest.Subtests) -> None:
    for written, folded in [
        ("老乾媽", "老干妈"),
        ("李錦記 蠔油", "李锦记 蚝油"),
        ("Bioré", "biore"),
        ("Arnott's", "arnotts"),
        ("Arnott’s", "arnotts"),
        ("ＡＢＣ１２", "abc12"),
        ("が", "が"),
        ("麺つゆ 塩 鶏", "面つゆ 盐 鸡"),
        ("芸豆", "芸豆"),
        ("老\u200b干妈\ufeff", "老干妈"),
        ("\u202eLee Kum\u00ad Kee", "lee kum kee"),
    ]:
        with subtests.test(written=written, folded=folded):
            assert fold(written) == folded


def test_words_chinese_runs_and_measures_are_distinguished(subtests: pytest.Subtests) -> None:
    for text, words in [
        ("500 g", ["500g"]),
        ("1.5kg", ["1.5kg"]),
        ("1公斤 1 千克 1000g 2斤", ["1kg"] * 4),
        ("500毫升 0.5 L 半升", ["500ml", "500ml", "半升"]),
        ("三段奶粉", ["3段", "奶粉"]),
        ("十二公斤 二十斤 两升", ["12kg", "10kg", "2l"]),
        ("三合一 五香粉 八宝粥", ["三合一", "五香粉", "八宝粥"]),
        ("6 x 330 mL", ["6", "x", "330ml"]),
        ("UMF10+ 麦卢卡", ["umf10", "麦卢卡"]),
        ("Oi Ocha绿茶", ["oi", "ocha", "绿茶"]),
        ("%_*\\'\"😀", []),
    ]:
        with subtests.test(text=text, words=words):
            assert tokens(fold(text)) == words


def test_singular_and_plural_share_a_stem(subtests: pytest.Subtests) -> None:
    for words in ["noodle noodles", "berry berries", "cookie cookies", "tomato tomatoes"]:
        with subtests.test(words=words):
            assert len(set(map(stem, words.split()))) == 1


def test_characters_with_two_pronunciations_have_both() -> None:
    assert readings("长茄子") == (("chang", "zhang"), ("qie",), ("zi",))


def test_latin_letters_read_as_syllables_only_where_they_can() -> None:
    assert ("lao", "gan", "ma") in syllables("laoganma")
    assert syllables("xian") == (("xian",), ("xi", "an"))
    assert syllables("lgm") == ()
    assert len(syllables("xi" * 20)) <= 4
