"""What a list of goods can be asked for (SPEC 3, Search params)."""

from dataclasses import dataclass
from decimal import Decimal

# Longer texts name no good.
MAX_WORD = 100
IN_STOCK, ADVANCE, SOLD_OUT = "1", "2", "3"


@dataclass(frozen=True)
class Filters:
    """What a reader asked for; empty values ask for nothing. Prices are in dollars and count in.

    `order_by`: price, sales, new; else by relevance with a word, else the shop's own order.
    """

    brand_names: tuple[str, ...] = ()
    category_id: int | None = None
    first_category_id: int | None = None
    word: str = ""
    stock_type: str = ""
    storage: str = ""
    bulk: bool = False
    promotion_id: int | None = None
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    order_by: str = ""
    ascending: bool = False
