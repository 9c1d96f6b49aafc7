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
from commerce.cart.limits import most_buyable
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

    `amount`: at least 1; together with what is there it is raised to the good's smallest amount. A new good
    goes to the front (CONTRACT 3). Locks: the customer's row.
    Raises ShopError(goods_error, goods_off_shelf), ShopError(stock_insufficient) where nothing can be bought,
    ShopError(amount_above_limit) for one good too many.
    """
    hold(customer)
    product, most = _buyable(product_id)
    there = _amounts(customer, type)
    if product_id in there:
        wanted = Greatest(F("amount") + min(amount, most), Value(product.min_amount))
        _rows(customer, type).filter(product=product).update(amount=Least(wanted, Value(most)))
    else:
        _insert(customer, type, product, min(max(amount, product.min_amount), most), there)
    return there.get(product_id, 0) + amount > most


@transaction.atomic
def set_amount(*, customer: Customer, type: CartType, product_id: int, amount: int) -> bool:
    """Set how many units of a good a cart holds, adding it if need be. Tells whether the amount was capped.

    `amount`: at least 1; raised to the good's smallest amount. Locks: the customer's row.
    Raises ShopError as `add_to_cart` does.
    """
    hold(customer)
    product, most = _buyable(product_id)
    there = _amounts(customer, type)
    kept = min(max(amount, product.min_amount), most)
    if product_id in there:
        _rows(customer, type).filter(product=product).update(amount=kept)
    else:
        _insert(customer, type, product, kept, there)
    return amount > most


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
        most = most_buyable(product, units.get(product_id, 0))
        merged.capped |= amount > most
        if not most and row:
            # Sold out while it lay here: it stays as it is, shown as not available.
            continue
        if not most or (not row and len(rows) + len(new) >= MOST_GOODS):
            merged.capped = True
            merged.removed.append(product_id)
            continue
        kept = min(max(amount, product.min_amount), most)
        if row:
            row.amount = kept
            changed.append(row)
        else:
            new.append(CartItem(customer=customer, type=type, product=product, amount=kept))
    CartItem.objects.bulk_update(changed, ["amount"])
    # The newest has the highest id.
    CartItem.objects.bulk_create(reversed(new))
    _rows(customer, type).filter(product_id__in=merged.removed).delete()
    return merged


@transaction.atomic
def take_out_ordered(*, customer: Customer, units_by_product: Mapping[int, int]) -> None:
    """Take ordered units out of the customer's ordinary cart, within the order's transaction (CONTRACT 3).

    `units_by_product`: product id → units; a good with none left leaves the cart. Locks: the customer's row.
    """
    hold(customer)
    rows = _rows(customer, CartType.direct_mail).filter(product_id__in=units_by_product).order_by("pk")
    for row in list(rows):
        units = units_by_product[row.product_id]
        mine = CartItem.objects.filter(pk=row.pk)
        if not mine.filter(amount__gt=units).update(amount=F("amount") - units):
            mine.delete()


def _buyable(product_id: int) -> tuple[Product, int]:
    product = Product.objects.filter(pk=product_id).first()
    if product is None:
        raise ShopError(Err.goods_error)
    if not product.on_sale:
        raise ShopError(Err.goods_off_shelf)
    most = most_buyable(product, units_for_delivery([product_id]).get(product_id, 0))
    if not most:
        raise ShopError(Err.stock_insufficient)
    return product, most


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
