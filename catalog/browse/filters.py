"""The filters of a list of products (docs/product.md#things-and-their-fields)."""

from dataclasses import dataclass
from decimal import Decimal

# Longer texts are not product names.
MAX_WORD = 100


@dataclass(frozen=True)
class Filters:
    """The filters of a list; empty values do not filter. Both prices are inclusive and in dollars.

    `order_by`: price, sales or new; otherwise by relevance if there is a word, or in the shop's own order.
    """

    brand_names: tuple[str, ...] = ()
    category_id: int | None = None
    first_category_id: int | None = None
    word: str = ""
    stock_type: str = ""
    storage: str = ""
    # Names of DietaryFilter; a product passes all of them.
    suits: tuple[str, ...] = ()
    bulk: bool = False
    promotion_id: int | None = None
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    order_by: str = ""
    ascending: bool = False
