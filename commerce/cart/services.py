"""The only writers of carts; each holds its customer's row, so that changes of one cart follow each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Greatest, Least

from catalog.goods.models import Product
from catalog.goods.schemas import MOST_GOODS
from catalog.stock.availability import units_for_delivery
from commerce.accounts.hold import hold
from commerce.accounts.models import Customer
from commerce.cart.limits import Bounds, bounds
from commerce.cart.models import CartItem, CartType
from core.errors import Err, ShopError


@dataclass
class Merged:
    """What came of a pushed cart: whether an amount was capped, and which goods were dropped."""

    capped: bool = False
    removed: list[int] = field(default_factory=list)


@transaction.atomic
def add_to_cart(*, customer: Customer, type: CartType, product_id: int, amount: int) -> bool:
    """Add units of a good to a cart; simultaneous additions add up. Tells whether the amount was capped.

    `amount`: at least 1; together with what is there it is raised to the good's smallest amount, and in the
    bulk cart to whole cartons. A new good goes to the front (CONTRACT 3). Locks: the customer's row.
    Raises ShopError(goods_error, goods_off_shelf), ShopError(stock_insufficient) where nothing can be bought,
    ShopError(amount_above_limit) for one good too many.
    """
    hold(customer)
    product, holds = _buyable(product_id, type)
    there = _amounts(customer, type)
    if product_id in there:
        wanted = Greatest(F("amount") + min(holds.up(amount), holds.most), Value(holds.least))
        _rows(customer, type).filter(product=product).update(amount=Least(wanted, Value(holds.most)))
    else:
        _insert(customer, type, product, holds.fit(amount), there)
    return there.get(product_id, 0) + amount > holds.most


@transaction.atomic
def set_amount(*, customer: Customer, type: CartType, product_id: int, amount: int) -> bool:
    """Set how many units of a good a cart holds, adding it if need be. Tells whether the amount was capped.

    `amount`: at least 1; raised to the good's smallest amount, in the bulk cart to whole cartons.
    Locks: the customer's row. Raises ShopError as `add_to_cart` does.
    """
    hold(customer)
    product, holds = _buyable(product_id, type)
    there = _amounts(customer, type)
    if product_id in there:
        _rows(customer, type).filter(product=product).update(amount=holds.fit(amount))
    else:
        _insert(customer, type, product, holds.fit(amount), there)
    return amount > holds.most


@transaction.atomic
def remove_from_cart(*, customer: Customer, type: CartType, product_id: int) -> None:
    """Take a good out of a cart; what is not there is no error (CONTRACT 3). Locks: the customer's row."""
    hold(customer)
    _rows(customer, type).filter(product_id=product_id).delete()


@transaction.atomic
def merge_cart(*, customer: Customer, type: CartType, pushed: Sequence[tuple[int, int]]) -> Merged:
    """Unite a cart with one kept elsewhere; of goods in both the pushed amount holds (CONTRACT 3).

    `pushed`: pairs of product id and amount (at least 1), newest first; of a good named twice the last amount
    holds. Pushing the same again changes nothing. Goods that are unknown, off the shelves, or new here and
    sold out or beyond what a cart holds are dropped. Locks: the customer's row.
    """
    hold(customer)
    amounts = dict(pushed)
    products = Product.objects.in_bulk(amounts)
    units = units_for_delivery(amounts)
    rows = {row.product_id: row for row in _rows(customer, type)}
    merged = Merged()
    new: list[CartItem] = []
    changed: list[CartItem] = []
    for product_id, amount in amounts.items():
        product, row = products.get(product_id), rows.get(product_id)
        if product is None or not product.on_sale:
            merged.removed.append(product_id)
            continue
        holds = bounds(product, type, units.get(product_id, 0))
        merged.capped |= amount > holds.most
        if not holds.most and row:
            # Sold out while it lay here: it stays as it is, shown as not available.
            continue
        if not holds.most or (not row and len(rows) + len(new) >= MOST_GOODS):
            merged.capped = True
            merged.removed.append(product_id)
            continue
        if row:
            row.amount = holds.fit(amount)
            changed.append(row)
        else:
            new.append(CartItem(customer=customer, type=type, product=product, amount=holds.fit(amount)))
    CartItem.objects.bulk_update(changed, ["amount"])
    # The newest has the highest id.
    CartItem.objects.bulk_create(reversed(new))
    _rows(customer, type).filter(product_id__in=merged.removed).delete()
    return merged


@transaction.atomic
def take_out_ordered(*, customer: Customer, units_by_product: Mapping[int, int]) -> None:
    """Take ordered units out of the customer's carts, within the order's transaction (CONTRACT 3).

    An order does not name a cart: of a good in both, the line of just so many units goes, else the ordinary
    cart gives first. A good with none left leaves its cart.
    `units_by_product`: product id → units. Locks: the customer's row.
    """
    hold(customer)
    left = dict(units_by_product)
    rows = CartItem.objects.filter(customer=customer, product_id__in=left)
    for row in sorted(rows, key=lambda row: (row.amount != left[row.product_id], row.type == CartType.bulk)):
        taken = min(row.amount, left[row.product_id])
        left[row.product_id] -= taken
        mine = CartItem.objects.filter(pk=row.pk)
        if taken and not mine.filter(amount__gt=taken).update(amount=F("amount") - taken):
            mine.delete()


def _buyable(product_id: int, type: CartType) -> tuple[Product, Bounds]:
    product = Product.objects.filter(pk=product_id).first()
    if product is None:
        raise ShopError(Err.goods_error)
    if not product.on_sale:
        raise ShopError(Err.goods_off_shelf)
    holds = bounds(product, type, units_for_delivery([product_id]).get(product_id, 0))
    if not holds.most:
        raise ShopError(Err.stock_insufficient)
    return product, holds


def _rows(customer: Customer, type: CartType) -> QuerySet[CartItem]:
    return CartItem.objects.filter(customer=customer, type=type)


def _amounts(customer: Customer, type: CartType) -> dict[int, int]:
    return dict(_rows(customer, type).values_list("product_id", "amount"))


def _insert(
    customer: Customer, type: CartType, product: Product, amount: int, there: Mapping[int, int]
) -> None:
    if len(there) >= MOST_GOODS:
        raise ShopError(Err.amount_above_limit)
    CartItem.objects.create(customer=customer, type=type, product=product, amount=amount)
