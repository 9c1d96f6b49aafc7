"""The page of bulk buying: goods by the carton, cheaper by the amount (SPEC 2, `/home/bulk`)."""

from dataclasses import dataclass
from decimal import Decimal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalog.browse import listpage
from catalog.browse.cards import FOR_THE_CART, Card, aud_text, json_text, unit_price_text
from catalog.browse.listing import Filters, listing
from catalog.browse.out import goods_out, price_tiers_out
from catalog.goods.rates import cny_text, rate_now
from catalog.promotions.pricing import load_tier_prices, member_price, price_ladder
from core.languages import other_html_language
from core.money import aud
from core.publicpages import public_page

PATH = "/home/bulk"


@dataclass(frozen=True)
class Step:
    """From how many cartons and units on one costs how much; the unit price goes with it."""

    cartons: int
    amount: int
    price: str
    unit_price: str
    carton_price: str


@dataclass(frozen=True)
class BulkCard(Card):
    """A good by the carton."""

    @property
    def least(self) -> int:
        """The fewest units that can be bought, in whole cartons."""
        size = self.product.carton_size
        return -(-self.product.min_amount // size) * size

    @property
    def least_cartons(self) -> int:
        """The fewest cartons that can be bought."""
        return self.least // self.product.carton_size

    @property
    def amount(self) -> Decimal:
        """The price of one, in dollars, at the least amount."""
        return member_price(self.product, amount=self.least)

    @property
    def carton(self) -> str:
        """What one carton costs at the least amount."""
        return aud_text(self.amount * self.product.carton_size)

    @property
    def cny(self) -> str:
        """What one costs in CNY, as a guide."""
        return cny_text(self.amount, self.rate)

    @property
    def was(self) -> str:
        """The price of one that is bought alone, empty where many cost no less."""
        return aud_text(self.product.price) if self.amount < self.product.price else ""

    @property
    def is_out(self) -> bool:
        """Whether the stock holds less than the least amount."""
        return self.left // self.product.carton_size < self.least_cartons

    @property
    def cartons_left(self) -> int:
        """How many whole cartons the stock holds."""
        return self.left // self.product.carton_size

    @property
    def steps(self) -> list[Step]:
        """From how many cartons on which price holds, the least amount first."""
        size = self.product.carton_size
        found: dict[int, Decimal] = {}
        for amount, price in price_ladder(self.product):
            found[max(self.least, -(-amount // size) * size)] = price
        return [
            Step(
                amount // size,
                amount,
                aud_text(price),
                unit_price_text(self.product, price),
                aud_text(aud(price * size)),
            )
            for amount, price in found.items()
        ]

    @property
    def json(self) -> str:
        """What the bulk cart needs to know of it: a part of GoodsDetail (CONTRACT 2)."""
        facts = goods_out(self.product)
        told = {name: facts[name] for name in FOR_THE_CART}
        tiers = price_tiers_out(self.product)
        return json_text(told | {"cartonSize": self.product.carton_size, "priceTiers": tiers})


@public_page("page")
def bulk(request: HttpRequest) -> HttpResponse:
    """Show the goods of bulk buying with what each amount costs."""
    number = listpage.page_number(request.GET)
    found = listing(Filters(bulk=True))
    total = len(found)
    start = (number - 1) * listpage.PAGE_SIZE
    rate = rate_now()
    products = found[start : start + listpage.PAGE_SIZE]
    load_tier_prices(products)
    context = {
        "cards": [BulkCard(product, rate) for product in products],
        "total": total,
        "first": start + 1,
        "last": min(start + listpage.PAGE_SIZE, total),
        "pager": listpage.Pager(number, -(-total // listpage.PAGE_SIZE), [], PATH),
        "crumbs": [(_("Bulk buying"), "")],
        "other_lang": other_html_language(),
        "noindex": bool(start) and start >= total,
        "canonical_path": listpage.page_url(PATH, [], number),
        "rate": rate,
    }
    return render(request, "browse/bulk.html", context)
