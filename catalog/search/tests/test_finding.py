import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.search.finding import Found, find
from catalog.search.models import Posting, Synonym
from catalog.search.tests.builders import found, put

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_the_exact_name_ranks_first_and_names_that_begin_with_it_before_others() -> None:
    powder = put("Milk Tea Powder", "奶茶粉")
    sweet = put("Sweet Milk Tea", "甜奶茶")
    exact = put("Milk Tea", "奶茶")
    assert found("milk tea") == found("奶茶") == [[exact], [sweet], [powder]]


def test_adjacent_characters_across_words_of_a_name_are_found_and_scattered_ones_are_not() -> None:
    sauce = put("Lee Kum Kee Oyster Sauce", "李锦记 鲜味蚝油")
    put("Oil for Oysters", "油浸生蚝")
    assert found("锦记蚝油") == [[sauce]]
    assert found("蚝油") == [[sauce]]


def test_all_words_must_match() -> None:
    both = put("Soy Sauce", "酱油")
    put("Soy Milk", "豆奶")
    put("Chilli Sauce", "辣酱")
    assert found("soy sauce") == [[both]]
    assert found("sauce soy") == [[both]]


def test_a_brand_finds_its_products_by_word_part_pinyin_and_initials() -> None:
    soba = put("Soba", "荞麦面", labels=frozenset({"all", "brand:7"}))
    put("Soba of another brand", "荞麦面", labels=frozenset({"all", "brand:8"}))
    put("Harvest Pantry", "丰收厨房", id=7, kind="b")
    for word in (
        "harvest soba",
        "丰收厨房荞麦面",
        "丰收 soba",
        "fengshou soba",
        "harvestpantry soba",
        "fscf soba",
        "hp soba",
    ):
        assert found(word) == [[soba]], word


def test_categories_match_their_whole_name_and_words_that_no_product_name_has() -> None:
    bun = put("Mantou", "馒头", labels=frozenset({"all", "category:3", "top:2"}))
    pie = put("Pie", "派", labels=frozenset({"all", "category:4", "top:2"}))
    put("Steamed Pastry", "包点", id=3, kind="c")
    put("Frozen Food", "冷冻食品", id=2, kind="t")
    assert found("steamed pastry") == [[bun]]
    assert found("pastry") == [[bun]]
    assert found("冷冻食品") == [[bun, pie]]


def test_synonyms_match_in_all_directions_and_rank_after_the_words_themselves() -> None:
    typed = put("Truss Tomatoes", "串番茄")
    other = put("Vine Fruit", "西红柿")
    synonym = Synonym.objects.create(words="番茄, 西红柿，tomato")
    assert found("tomato") == [[typed], [other]]
    assert found("西红柿") == [[other], [typed]]
    synonym.words = "番茄, tomato"
    synonym.save()
    assert found("tomato") == [[typed]]


def test_a_code_finds_its_product_first_and_its_beginning_finds_all_that_share_it() -> None:
    one, two = put("One", codes=("AB-10001",)), put("Two", codes=("AB-10002",))
    assert found("ab10001") == [[one]]
    assert found("AB-1000") == [[one, two]]
    assert found("10001") == []


def test_a_measure_matches_during_the_name() -> None:
    small, large = put("Rice", notes=("500 g",)), put("Rice", notes=("5 kg",))
    assert found("rice 5kg") == [[large]]
    assert found("rice") == [[small, large]]


def test_a_corrected_search_word_is_reported(subtests: pytest.Subtests) -> None:
    sauce = put("Oyster Sauce", "蚝油")
    for typed, meant in [
        ("oystr souce", "oyster sauce"),
        ("蚝尤", "hao you"),
        ("oyster zzzz", "oyster"),
        ("oystersauce", "oyster sauce"),
    ]:
        with subtests.test(typed=typed, meant=meant):
            assert find(typed) == Found(find(meant).tiers, searched_instead=meant)
            assert found(typed)[0] == [sauce]


def category(pk: int, *names: str, kind: str = "c") -> int:
    return put(*names, id=pk, kind=kind)


def sold_in(pk: int) -> frozenset[str]:
    return frozenset({"all", f"category:{pk}", f"top:{pk}"})


def test_a_part_of_a_categorys_name_brings_its_products_after_the_direct_hits(
    subtests: pytest.Subtests,
) -> None:
    apple = put("Fuji Apple", "富士苹果", labels=sold_in(2))
    cereal = put("Fruit Cereal", "水果麦片")
    category(2, "Fresh Fruit", "时令水果", kind="t")
    put("Rice", "大米")
    for word in ("水果", "fruit", "shuiguo", "shui guo"):
        with subtests.test(word=word):
            assert found(word) == [[cereal], [apple]]
            assert find(word).categories == (2,)
    for word in ("slsg", "时令水果"):
        with subtests.test(word=word):
            assert found(word) == [[apple]]


def test_a_search_in_words_of_products_and_categories_finds_what_matches_both() -> None:
    frozen = put("Pork Dumplings", "猪肉水饺", labels=sold_in(8))
    put("Fresh Dumplings", "鲜水饺")
    put("Ice", "冰", labels=sold_in(8))
    category(8, "Frozen Food", "冷冻食品")
    Synonym.objects.create(words="冷冻, 速冻, frozen")
    Synonym.objects.create(words="水饺, 饺子, dumplings")
    assert found("速冻饺子") == found("速冻水饺") == found("frozen dumplings") == [[frozen]]


def test_a_synonym_brings_its_category() -> None:
    wings = put("Wings", "鸡翅", labels=sold_in(5))
    category(5, "Poultry", "禽类")
    Synonym.objects.create(words="鸡肉, 家禽, poultry")
    assert found("鸡肉") == found("jirou") == [[wings]]


def test_pinyin_and_initials_of_a_synonym_find_the_products_of_all(subtests: pytest.Subtests) -> None:
    tomato = put("Truss Tomatoes", "串番茄")
    Synonym.objects.create(words="番茄, 西红柿, tomato")
    for word in ("xihongshi", "xi hong shi", "xhs"):
        with subtests.test(word=word):
            assert found(word) == [[tomato]]


def test_the_least_specific_part_is_left_out(subtests: pytest.Subtests) -> None:
    soda = put("Lychee Soda", "荔枝汽水")
    for flavour, name in (("Lemon", "柠檬"), ("Orange", "橙味")):
        put(f"{flavour} Tea", f"{name}茶")
    put("Tea Cup", "茶杯")
    for typed, meant in (("lychee tea", "lychee"), ("茶 荔枝", "荔枝"), ("tea lychee cheap", "lychee")):
        with subtests.test(typed=typed):
            assert find(typed).searched_instead == meant
            assert found(typed) == [[soda]]
    # A word with synonyms is the kind of product, however frequent it is.
    Synonym.objects.create(words="茶, 茶饮, tea")
    assert find("lychee tea").searched_instead == "tea"
    put("Pet Food", "宠物食品")
    assert find("food") != find("zzzz food") == Found()


def test_words_of_diets_are_neither_corrected_nor_left_out_silently(subtests: pytest.Subtests) -> None:
    wipes = put("Wipes Fragrance Free", "无香湿巾")
    noodles = put("Rice Noodles", "米粉")
    for typed, diet in (("gluten free", "gluten free"), ("无麸质", "无麸质"), ("vegan", "vegan")):
        with subtests.test(typed=typed):
            assert find(typed) == Found(unknown_diet=diet)
    assert found("free") == [[wipes]]
    for typed in ("gluten free noodles", "noodles, gluten-free"):
        with subtests.test(typed=typed):
            assert find(typed).unknown_diet == "gluten free"
            assert find(typed).has_no_match
            assert found(typed) == [[noodles]]
    suitable = put("Rice Paper", "春卷皮", labels=frozenset({"all", "suits:gluten_free"}))
    assert found("gluten free") == found("gluten free paper") == [[suitable]]
    assert find("gluten free noodles") == Found(find("noodles").tiers, unknown_diet="gluten free")
    vegan = put("Vegan Dumplings", "纯素水饺")
    assert found("vegan") == found("纯素") == [[vegan]]
    assert not find("vegan").unknown_diet


def test_a_correction_needs_one_edit_and_products_that_support_it(subtests: pytest.Subtests) -> None:
    beef = [put("Beef Shin", "牛腱"), put("Beef Brisket", "牛腩")]
    put("Ramen", "拉面")
    put("Blue Swimmer Crabs", "兰花蟹")
    put("Paste", "酱")
    for word in ("beer", "ramn", "kimch", "pasta", "西兰花"):
        with subtests.test(word=word):
            assert find(word) == Found()
    assert find("beeff").searched_instead == "beef"
    assert found("beeff") == [sorted(beef)]
    # The other words of the search also support it.
    assert find("beef shni").searched_instead == "beef shin"


def test_gibberish_finds_nothing(subtests: pytest.Subtests) -> None:
    for names in (("Oyster Sauce", "蚝油"), ("Rice", "大米"), ("A Choy", "油麦菜")):
        put(*names)
    for word in ["qwertyuiop", "zzzz", "%", "_", "*", "😀", " ", "", "\\", "ﷺ", "的"]:
        with subtests.test(word=word):
            assert found(word) == []


@pytest.mark.parametrize(
    "word",
    [
        "x" * 500,
        "面" * 500,
        "xi'an " * 100,
        "a " * 250,
        "1 " * 250,
        "蚝o" * 250,
        "m" * 60 + " 面",
        "a1b2c3" * 80,
    ],
)
def test_the_longest_search_takes_a_limited_number_of_queries(word: str) -> None:
    put("Oyster Sauce", "蚝油")
    with CaptureQueriesContext(connection) as queries:
        find(word)
    assert len(queries) <= 60
    assert all(len(query["sql"]) < 40_000 for query in queries)


def test_an_ordinary_search_takes_a_few_queries() -> None:
    put("Oyster Sauce", "蚝油")
    for word in ("oyster sauce", "蚝油", "a", "haoyou"):
        with CaptureQueriesContext(connection) as queries:
            find(word)
        assert len(queries) <= 6, word


def test_products_with_the_same_names_share_the_rows_of_the_index() -> None:
    put("Oyster Sauce", "蚝油")
    rows = Posting.objects.count()
    put("Oyster Sauce", "蚝油")
    assert Posting.objects.count() == rows
