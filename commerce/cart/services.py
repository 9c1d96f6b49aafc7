"""The only writers of carts; each locks the customer's row, so that changes run one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import F, QuerySet
from django.utils import timezone

from catalog.goods.schemas import MAX_PRODUCTS
from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.cart.items import Contents, read_contents
from commerce.cart.limits import QuantityLimits, quantity_limits
from commerce.cart.models import CartItem, CartType
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction, in_transaction


@dataclass(frozen=True, slots=True)
class Changed:
    """A cart after a change, with a warning for the customer and the products that a merge dropped."""

    contents: Contents
    note: Err | None = None
    removed: Sequence[int] = ()


@in_transaction
def add_to_cart(
    *, customer: Customer, type: CartType, product_id: int, amount: int, after: int | None = None
) -> Changed:
    """Add units of a product to a cart; simultaneous additions add up.

    `amount`: at least 1; the sum is raised to the product's minimum amount, and in the bulk cart to whole
    cartons. A new product goes to the front, or behind the product `after` if the cart has that product. The
    warning is amount_above_limit, amount_rounded_up or none (docs/wire.md#cart). Locks: the customer's row.
    Raises ShopError(goods_error, goods_off_shelf), ShopError(stock_insufficient) if the product cannot be
    bought, ShopError(amount_above_limit) if the cart has MAX_PRODUCTS.
    """
    lock_customer(customer)
    contents = read_contents(customer=customer, type=type, asked=[product_id])
    limits = _buyable(product_id, contents)
    wanted = contents.amounts.get(product_id, 0) + amount
    stored = limits.nearest(wanted)
    return Changed(_with_amount(customer, contents, product_id, stored, after), _note(wanted, stored))


@in_transaction
def set_amount(
    *, customer: Customer, type: CartType, product_id: int, amount: int, after: int | None = None
) -> Changed:
    """Set the amount of a product in a cart; add the product if it is missing.

    `amount`: at least 1; raised to the product's minimum amount, in the bulk cart to whole cartons.
    Returns and raises as `add_to_cart` does. Locks: the customer's row.
    """
    lock_customer(customer)
    contents = read_contents(customer=customer, type=type, asked=[product_id])
    stored = _buyable(product_id, contents).nearest(amount)
    return Changed(_with_amount(customer, contents, product_id, stored, after), _note(amount, stored))


@in_transaction
def remove_from_cart(*, customer: Customer, type: CartType, product_id: int) -> Changed:
    """Remove a product from a cart; a product that is not in it is no error. Locks: the customer's row."""
    lock_customer(customer)
    _rows(customer, type).filter(product_id=product_id).delete()
    return Changed(read_contents(customer=customer, type=type))


@in_transaction
def clear_cart(*, customer: Customer, type: CartType) -> None:
    """Remove all products from a cart; an empty cart is no error. Locks: the customer's row.

    See docs/wire.md#cart.
    """
    lock_customer(customer)
    _rows(customer, type).delete()


@in_transaction
def merge_cart(*, customer: Customer, type: CartType, pushed: Sequence[tuple[int, int]]) -> Changed:
    """Merge a pushed cart into a cart; for products in both the pushed amount wins (docs/wire.md#cart).

    `pushed`: pairs of product id and amount (at least 1), newest first; the last amount of a product counts.
    Pushing the same cart again changes nothing. Unknown products and products not on sale are dropped. New
    products that are sold out or exceed MAX_PRODUCTS are dropped too. Locks: the customer's row.
    """
    lock_customer(customer)
    amounts = dict(pushed)
    contents = read_contents(customer=customer, type=type, asked=amounts)
    there = contents.amounts
    note: Err | None = None
    removed: list[int] = []
    new: dict[int, int] = {}
    changed: dict[int, int] = {}
    for product_id, amount in amounts.items():
        row = contents.rows.get(product_id)
        if row is None or not row.product.on_sale:
            removed.append(product_id)
            continue
        limits = quantity_limits(row.product, type)
        stored = limits.nearest(amount)
        note = _graver(note, _note(amount, stored))
        if not limits.maximum and product_id in there:
            # Sold out since it was added: it stays unchanged, shown as not available.
            continue
        if not limits.maximum or (product_id not in there and len(there) + len(new) >= MAX_PRODUCTS):
            note = Err.amount_above_limit
            removed.append(product_id)
            continue
        (changed if product_id in there else new)[product_id] = stored
    _write(customer, type, new | changed)
    if not there.keys().isdisjoint(removed):
        _rows(customer, type).filter(product_id__in=removed).delete()
    kept = {pk: amount for pk, amount in (new | there | changed).items() if pk not in set(removed)}
    return Changed(replace(contents, amounts=kept), note, removed)


@in_callers_transaction
def remove_ordered_items(*, customer: Customer, units_by_product: Mapping[int, int]) -> None:
    """Remove ordered units from the customer's carts, within the order's transaction (docs/wire.md#cart).

    An order does not record its cart. If both carts have a product, a line with exactly the ordered units is
    removed; otherwise the ordinary cart is reduced first. Lines without units are removed.
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


def _buyable(product_id: int, contents: Contents) -> QuantityLimits:
    row = contents.rows.get(product_id)
    if row is None:
        raise ShopError(Err.goods_error)
    if not row.product.on_sale:
        raise ShopError(Err.goods_off_shelf)
    limits = quantity_limits(row.product, contents.type)
    if not limits.maximum:
        raise ShopError(Err.stock_insufficient)
    return limits


def _rows(customer: Customer, type: CartType) -> QuerySet[CartItem]:
    return CartItem.objects.filter(customer=customer, type=type)


def _note(wanted: int, stored: int) -> Err | None:
    """Return the warning if the stored amount differs from the requested amount."""
    if stored < wanted:
        return Err.amount_above_limit
    return Err.amount_rounded_up if stored > wanted else None


def _graver(one: Err | None, other: Err | None) -> Err | None:
    """Return the more important of two warnings, since an answer has only one."""
    return Err.amount_above_limit if Err.amount_above_limit in (one, other) else one or other


def _with_amount(
    customer: Customer, contents: Contents, product_id: int, amount: int, after: int | None
) -> Contents:
    """Write an amount and return the changed cart; a new product goes to the front, or behind `after`."""
    there = contents.amounts
    if product_id not in there and len(there) >= MAX_PRODUCTS:
        raise ShopError(Err.amount_above_limit)
    if product_id not in there and after in there:
        _write(customer, contents.type, {product_id: amount}, _time_behind(customer, contents.type, after))
        return read_contents(customer=customer, type=contents.type)
    _write(customer, contents.type, {product_id: amount})
    changed = {product_id: amount}
    return replace(contents, amounts=there | changed if product_id in there else changed | there)


def _time_behind(customer: Customer, type: CartType, product_id: int) -> datetime:
    """Return a time between the times of a product in the cart and of the next product behind it."""
    rows = _rows(customer, type)
    before = rows.values_list("created_at", flat=True).get(product_id=product_id)
    behind = rows.filter(created_at__lt=before).values_list("created_at", flat=True).first()
    return before - (before - behind if behind else timedelta(seconds=1)) / 2


def _write(
    customer: Customer, type: CartType, amounts: dict[int, int], created_at: datetime | None = None
) -> None:
    """Write amounts of new and existing products, newest first, with one statement."""
    CartItem.objects.bulk_create(
        # Items with the same time are sorted by id, so the newest must be inserted last.
        [
            CartItem(
                customer=customer,
                type=type,
                product_id=product_id,
                amount=amount,
                created_at=created_at or timezone.now(),
            )
            for product_id, amount in reversed(amounts.items())
        ],
        update_conflicts=True,
        unique_fields=["customer", "type", "product"],
        update_fields=["amount"],
    )
