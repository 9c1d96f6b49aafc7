"""The only writers of carts; each locks its customer's row, so that changes of one cart follow each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import F, QuerySet

from catalog.goods.models import Product
from catalog.goods.schemas import MAX_PRODUCTS
from catalog.stock.availability import units_for_delivery
from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.cart.limits import QuantityLimits, quantity_limits
from commerce.cart.models import CartItem, CartType
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction, in_transaction


@dataclass
class Merged:
    """The result of a merge: the warning for the customer, and the dropped products."""

    note: Err | None = None
    removed: list[int] = field(default_factory=list)


@in_transaction
def add_to_cart(*, customer: Customer, type: CartType, product_id: int, amount: int) -> Err | None:
    """Add units of a product to a cart; simultaneous additions add up.

    `amount`: at least 1; the sum is raised to the product's minimum amount, and in the bulk cart to whole
    cartons. A new product goes to the front. Returns the warning for the customer:
    amount_above_limit, amount_rounded_up, or nothing (docs/wire.md#cart). Locks: the customer's row.
    Raises ShopError(goods_error, goods_off_shelf), ShopError(stock_insufficient) where nothing can be bought,
    ShopError(amount_above_limit) for one product too many.
    """
    lock_customer(customer)
    product, limits = _buyable(product_id, type)
    there = _amounts(customer, type)
    before = there.get(product_id, 0)
    stored = min(max(before + limits.rounded_up(amount), limits.minimum), limits.maximum)
    _write_amount(customer, type, product, stored, there)
    return _note(before + amount, stored)


@in_transaction
def set_amount(*, customer: Customer, type: CartType, product_id: int, amount: int) -> Err | None:
    """Set how many units of a product a cart has, adding it if need be.

    `amount`: at least 1; raised to the product's minimum amount, in the bulk cart to whole cartons.
    Returns and raises as `add_to_cart` does. Locks: the customer's row.
    """
    lock_customer(customer)
    product, limits = _buyable(product_id, type)
    stored = limits.nearest(amount)
    _write_amount(customer, type, product, stored, _amounts(customer, type))
    return _note(amount, stored)


@in_transaction
def remove_from_cart(*, customer: Customer, type: CartType, product_id: int) -> None:
    """Remove a product from a cart; removing one that is not there succeeds. Locks: the customer's row."""
    lock_customer(customer)
    _rows(customer, type).filter(product_id=product_id).delete()


@in_transaction
def merge_cart(*, customer: Customer, type: CartType, pushed: Sequence[tuple[int, int]]) -> Merged:
    """Merge a pushed cart into a cart; for products in both the pushed amount wins (docs/wire.md#cart).

    `pushed`: pairs of product id and amount (at least 1), newest first; the last amount of a product
    holds. Pushing the same again changes nothing. Products that are unknown, not on sale, or new here and
    sold out or beyond what a cart holds are dropped. Locks: the customer's row.
    """
    lock_customer(customer)
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
        limits = quantity_limits(product, type, units.get(product_id, 0))
        stored = limits.nearest(amount)
        merged.note = _graver(merged.note, _note(amount, stored))
        if not limits.maximum and row:
            # Sold out since it was added: it stays unchanged, shown as not available.
            continue
        if not limits.maximum or (not row and len(rows) + len(new) >= MAX_PRODUCTS):
            merged.note = Err.amount_above_limit
            merged.removed.append(product_id)
            continue
        if row:
            row.amount = stored
            changed.append(row)
        else:
            new.append(CartItem(customer=customer, type=type, product=product, amount=stored))
    CartItem.objects.bulk_update(changed, ["amount"])
    # The newest has the highest id.
    CartItem.objects.bulk_create(reversed(new))
    _rows(customer, type).filter(product_id__in=merged.removed).delete()
    return merged


@in_callers_transaction
def remove_ordered_items(*, customer: Customer, units_by_product: Mapping[int, int]) -> None:
    """Remove ordered units from the customer's carts, within the order's transaction (docs/wire.md#cart).

    An order does not name a cart: for a product in both, a line of exactly these units is removed, else the
    ordinary cart is reduced first. A line without units is removed.
    `units_by_product`: product id → units. The caller has locked the customer's row.
    """
    left = dict(units_by_product)
    rows = CartItem.objects.filter(customer=customer, product_id__in=left)
    emptied = []
    for row in sorted(rows, key=lambda row: (row.amount != left[row.product_id], row.type == CartType.bulk)):
        taken = min(row.amount, left[row.product_id])
        left[row.product_id] -= taken
        if taken == row.amount:
            emptied.append(row.pk)
        elif taken:
            CartItem.objects.filter(pk=row.pk).update(amount=F("amount") - taken)
    if emptied:
        CartItem.objects.filter(pk__in=emptied).delete()


def _buyable(product_id: int, type: CartType) -> tuple[Product, QuantityLimits]:
    product = Product.objects.filter(pk=product_id).first()
    if product is None:
        raise ShopError(Err.goods_error)
    if not product.on_sale:
        raise ShopError(Err.goods_off_shelf)
    limits = quantity_limits(product, type, units_for_delivery([product_id]).get(product_id, 0))
    if not limits.maximum:
        raise ShopError(Err.stock_insufficient)
    return product, limits


def _rows(customer: Customer, type: CartType) -> QuerySet[CartItem]:
    return CartItem.objects.filter(customer=customer, type=type)


def _amounts(customer: Customer, type: CartType) -> dict[int, int]:
    return dict(_rows(customer, type).values_list("product_id", "amount"))


def _note(wanted: int, stored: int) -> Err | None:
    """Return the warning for an amount that a cart could not have as requested."""
    if stored < wanted:
        return Err.amount_above_limit
    return Err.amount_rounded_up if stored > wanted else None


def _graver(one: Err | None, other: Err | None) -> Err | None:
    """Return the note to give where one answer has room for one only."""
    return Err.amount_above_limit if Err.amount_above_limit in (one, other) else one or other


def _write_amount(
    customer: Customer, type: CartType, product: Product, amount: int, there: Mapping[int, int]
) -> None:
    if product.pk in there:
        _rows(customer, type).filter(product=product).update(amount=amount)
        return
    if len(there) >= MAX_PRODUCTS:
        raise ShopError(Err.amount_above_limit)
    CartItem.objects.create(customer=customer, type=type, product=product, amount=amount)
