"""What promotions take off and give, and vouchers, from the cart to the paid order."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.shops import Shop
from tests.browser.walk import Walk, money, open_updated
from tests.browser.wire import DEMO, PASSWORD, Goods, Wire
from tests.browser.words import LANGUAGES

# Each language has another kind of promotion.
pytestmark = [pytest.mark.browser, pytest.mark.both_languages]

ADDRESSEE = "Mei Chen"
CODE, DEAR_CODE = "TENOFF", "TENOFFMANY"
# Run within the shop, as an editor makes them; they end last, since others take what ends first.
MAKE = """
from datetime import timedelta
from django.utils import timezone
from catalog.promotions.models import Promotion, PromotionItem
from commerce.vouchers.models import Voucher
times = {{"starts_at": timezone.now(), "ends_at": timezone.now() + timedelta(days=30)}}
promotion = Promotion.objects.create(**{promotion!r}, **times)
for row in {items!r}:
    PromotionItem.objects.create(promotion=promotion, quota=99, **row)
for code, amount in {codes!r}.items():
    Voucher.objects.get_or_create(code=code, defaults=dict(
        name_en="Ten off", name_zh="九折", kind="percent", value=10, from_amount=amount, customer_limit=0,
        **times))
print(promotion.pk)
"""
END = """
from django.utils import timezone
from catalog.promotions.models import Promotion
Promotion.objects.filter(pk__in={made}).update(ends_at=timezone.now())
"""
OFFERS: dict[str, dict[str, Any]] = {
    "en": {
        "name_en": "Three for two",
        "name_zh": "买二送一",
        "kind": "buy_get",
        "buy_units": 2,
        "free_units": 1,
    },
    "zh-hans": {"name_en": "A gift for you", "name_zh": "赠品周", "kind": "gift", "gift_from": "1.00"},
}
# Dollars that no order of this test costs.
DEAR = 10_000
SHORT = {
    "en": "This voucher code is valid from A$10,000.00 of eligible products; A${missing} is missing.",
    "zh-hans": "此优惠码需适用商品满 A$10,000.00 方可使用，还差 A${missing}。",
}
RULES = {"en": "Buy 2, get 1 free", "zh-hans": "满 A$1.00 送赠品"}


@pytest.fixture
def make_offer(shop: Shop) -> Iterator[Callable[..., int]]:
    """Make a promotion of products and vouchers of ten per cent; gives the promotion's id.

    The promotion ends with the test: another combination makes its own of the same products.
    """
    made: list[int] = []

    def make(language: str, product: Goods, gift: Goods) -> int:
        items: list[dict[str, Any]] = [{"product_id": product["goodsId"]}]
        if OFFERS[language]["kind"] == "gift":
            items.append({"product_id": gift["goodsId"], "is_gift": True})
        code = MAKE.format(promotion=OFFERS[language], items=items, codes={CODE: 1, DEAR_CODE: DEAR})
        made.append(int(shop.run(code)))
        return made[-1]

    yield make
    shop.run(END.format(made=made))


@pytest.mark.parametrize("language", LANGUAGES)
def test_discounts_gifts_and_vouchers_are_seen_from_the_cart_to_the_order(
    new_page: NewPage, axe: Axe, shop_url: str, make_offer: Callable[..., int], language: str, viewport: str
) -> None:
    wire = Wire(shop_url).log_in(DEMO).empty_cart()
    product, gift = wire.plentiful(2)
    promotion_id = make_offer(language, product, gift)
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    price = Decimal(str(product["memberPrice"]))
    goods = price * 2

    # A card elsewhere links there, since it sells its product alone.
    open_updated(page, f"{walk.prefix}/shop/shopdetails/{product['goodsId']}", RULES[language])
    expect(page.locator("p.offer", has_text=RULES[language]).locator("time")).to_be_visible()
    walk.open(f"/shop?word={product['sku']}")
    page.get_by_role("link", name=RULES[language]).first.click()
    expect(page).to_have_url(re.compile(rf"/promotions/{promotion_id}$"))
    expect(page.get_by_text(RULES[language]).first).to_be_visible()
    name = words.name_of(product)
    walk.add(name)
    for _ in range(2 if language == "en" else 1):
        walk.card_step(name).click()

    # The cart shows what the promotion does, and the sums are the server's.
    walk.open("/home/cart")
    summary = page.get_by_role("complementary", name=words("cart.summary"))
    if language == "en":
        expect(summary.get_by_role("term").filter(has_text=RULES[language])).to_be_visible()
        expect(summary).to_contain_text(f"−{money(price)}")
    else:
        expect(summary).to_contain_text(words("cart.gift", name=words.name_of(gift), count=1))
    expect(summary.locator(".grand dd")).to_contain_text(money(goods))
    axe(page)

    walk.check_out(3 if language == "en" else 2)
    walk.choose_address(ADDRESSEE)
    expect(walk.row(words("checkout.freight")).first).to_contain_text("A$")
    code = walk.field("checkout.voucher")
    code.fill("NOSUCHCODE")
    code.press("Enter")
    expect(code).to_be_focused()
    expect(code).to_have_accessible_description(words.error("voucher_unknown"))
    code.fill(DEAR_CODE)
    code.press("Enter")
    expect(code).to_have_accessible_description(SHORT[language].format(missing=f"{DEAR - goods:,}"))
    axe(page)
    code.fill(CODE.lower())
    walk.button("checkout.applyVoucher").click()
    expect(page.get_by_text(words("checkout.voucherUsed", code=CODE))).to_be_visible()
    off = (goods / 10).quantize(Decimal("0.01"))
    taken = off + (price if language == "en" else 0)
    discount = walk.row(words("checkout.discount")).first
    expect(discount).to_contain_text(f"−{money(taken)}")
    axe(page)

    walk.to_payment()
    walk.pay_type("0").check()
    walk.field("pay.password").fill(PASSWORD)
    total = page.locator(".totals .grand dd").inner_text()
    page.locator(".co-step button.btn--lg").click()
    order = wire.order(walk.expect_paid())
    assert Decimal(str(order["orderAmount"])) == goods - off
    assert money(Decimal(str(order["payAmount"]))) in total
    assert order["voucherCode"] == CODE

    walk.open(f"/home/account/orderdetails/{order['orderNo']}")
    expect(page.get_by_text(words("checkout.discountWith", code=CODE))).to_be_visible()
    expect(page.get_by_text(RULES[language]).first).to_be_visible()
    axe(page)
