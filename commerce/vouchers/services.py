"""The only functions that count uses of vouchers, by conditional UPDATEs.

See docs/guarantees/prices.md#vouchers.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone
from django.utils.translation import gettext

from catalog.goods.models import Product
from commerce.accounts.models import Customer
from commerce.accounts.services import is_person
from commerce.vouchers.models import Voucher, VoucherScope, VoucherUse
from core.counters import subtract
from core.errors import Err, ShopError
from core.languages import TwoTexts, in_both_languages
from core.money import ZERO, aud_text, spread
from core.transactions import in_callers_transaction

K = TypeVar("K")
FIELD = "voucherCode"


@dataclass(frozen=True)
class UsableVoucher:
    """A voucher that a customer can use now; `product_ids`: the products of the order that it covers."""

    voucher: Voucher
    product_ids: frozenset[int]

    def spread(self, amounts: Mapping[K, tuple[int, Decimal]], most: Decimal) -> dict[K, Decimal]:
        """Spread the discount over the covered lines, in proportion to their cost, to the cent.

        `amounts`: each line's product id and its cost after promotions, in dollars. `most`: the maximum
        discount, in dollars. Raises ShopError(voucher_not_for_these) if the voucher covers no line,
        voucher_amount_short if the covered lines cost too little.
        """
        covered = {key: cost for key, (pk, cost) in amounts.items() if pk in self.product_ids and cost}
        amount = sum(covered.values(), ZERO)
        if not amount:
            raise _refusal(Err.voucher_not_for_these)
        if amount < self.voucher.from_amount:
            raise _refusal(Err.voucher_amount_short, why=_why_short(self.voucher.from_amount, amount))
        return spread(min(self.voucher.discount_on(amount), most), covered)


def find_voucher(*, customer: Customer, code: str, product_ids: Collection[int]) -> UsableVoucher:
    """Return the voucher of a code if the customer can use it now for products of an order.

    `code`: in capitals. One query, or two if the voucher is for brands or categories. It counts no use:
    `take_voucher` checks again. Raises ShopError(voucher_unknown, voucher_ended, voucher_used_up).
    """
    scopes = VoucherScope.objects.filter(voucher=OuterRef("pk"))
    vouchers = Voucher.objects.annotate(mine=_orders_of(customer), is_for_some=Exists(scopes))
    voucher = vouchers.filter(code=code).first()
    if voucher is None:
        raise _refusal(Err.voucher_unknown)
    check_voucher_runs(voucher)
    if voucher.total_limit and voucher.taken >= voucher.total_limit:
        raise _refusal(Err.voucher_used_up)
    if voucher.customer_limit and (voucher.mine or 0) >= voucher.customer_limit:
        raise _refusal(Err.voucher_used_up)
    covered = _covered(voucher, product_ids) if voucher.is_for_some else frozenset(product_ids)
    return UsableVoucher(voucher, covered)


def products_covered(*, voucher: Voucher, product_ids: Collection[int]) -> frozenset[int]:
    """Return the products that a voucher covers; one or two queries."""
    is_for_some = VoucherScope.objects.filter(voucher=voucher).exists()
    return _covered(voucher, product_ids) if is_for_some else frozenset(product_ids)


def check_voucher_runs(voucher: Voucher) -> None:
    """Raise ShopError(voucher_unknown) for a voucher that is switched off, voucher_ended outside its time."""
    if not voucher.is_active:
        raise _refusal(Err.voucher_unknown)
    if not voucher.starts_at <= timezone.now() < voucher.ends_at:
        raise _refusal(Err.voucher_ended)


@contextmanager
def locking_voucher(voucher_id: int) -> Iterator[None]:
    """Lock a voucher within the block, so that no order uses or returns it; one transaction."""
    with transaction.atomic():
        # FOR UPDATE: under a weaker lock, a changed code would deadlock with an order that refers to the
        # voucher.
        list(Voucher.objects.filter(pk=voucher_id).select_for_update().values("pk"))
        yield


@in_callers_transaction
def take_voucher(*, customer: Customer, voucher_id: int) -> Voucher:
    """Count one more use of a voucher, within its own limit and the customer's; return the voucher.

    Uses of a deleted account with the same name count too. It does not check dates, since a reopened paid
    order may use the voucher after its end. Three statements.
    Locks: the voucher's row, then the customer's use of it. Raises ShopError(voucher_used_up).
    """
    vouchers = Voucher.objects.filter(pk=voucher_id)
    if not vouchers.filter(Q(total_limit=0) | Q(taken__lt=F("total_limit"))).update(taken=F("taken") + 1):
        raise _refusal(Err.voucher_used_up)
    uses = VoucherUse.objects.filter(voucher=voucher_id, customer=customer)
    # Read after the row is locked, since staff may have changed it while this order waited.
    voucher = vouchers.annotate(own=Subquery(uses.values("orders")), mine=_orders_of(customer)).get()
    if voucher.customer_limit and (voucher.mine or 0) >= voucher.customer_limit:
        raise _refusal(Err.voucher_used_up)
    if voucher.own is None:
        VoucherUse.objects.create(voucher_id=voucher_id, customer=customer, orders=1)
    elif not uses.filter(orders=voucher.own).update(orders=F("orders") + 1):
        raise _refusal(Err.voucher_used_up)
    return voucher


@in_callers_transaction
def return_vouchers(uses: Collection[tuple[int, int]]) -> None:
    """Return one use of a voucher for each `take_voucher`.

    `uses`: customer id and voucher id for each order. Locks: the vouchers in pk order, then their uses.
    """
    if not uses:
        return
    subtract(Voucher.objects.all(), "taken", Counter(voucher_id for _, voucher_id in uses))
    of_customers = Counter(uses)
    rows = VoucherUse.objects.filter(
        customer__in={customer for customer, _ in uses}, voucher__in={voucher for _, voucher in uses}
    )
    keys = rows.values_list("pk", "customer_id", "voucher_id")
    mine = {pk: of_customers[key] for pk, *pair in keys if (key := (pair[0], pair[1])) in of_customers}
    subtract(VoucherUse.objects.all(), "orders", mine)


def _orders_of(customer: Customer) -> Subquery:
    """Return the orders of a customer, and of the deleted accounts of the same name, that use a voucher."""
    uses: QuerySet[VoucherUse] = VoucherUse.objects.filter(is_person(customer), voucher=OuterRef("pk"))
    return Subquery(uses.order_by().values("voucher").annotate(total=Sum("orders")).values("total"))


def _covered(voucher: Voucher, product_ids: Collection[int]) -> frozenset[int]:
    scopes = VoucherScope.objects.filter(voucher=voucher)
    # Scopes without a category are excluded: null would match categories without a parent.
    categories = scopes.exclude(category=None).values("category")
    of_these = (
        Q(brand__in=scopes.exclude(brand=None).values("brand"))
        | Q(category__in=categories)
        | Q(category__parent__in=categories)
    )
    found = Product.objects.filter(of_these, pk__in=product_ids)
    return frozenset(found.values_list("pk", flat=True))


def _why_short(from_amount: Decimal, amount: Decimal) -> TwoTexts:
    amounts = {"amount": aud_text(from_amount), "missing": aud_text(from_amount - amount)}
    return in_both_languages(
        lambda: (
            gettext(
                "This voucher code is valid from %(amount)s of eligible products; %(missing)s is missing."
            )
            % amounts
        )
    )


def _refusal(err: Err, why: TwoTexts | None = None) -> ShopError:
    return ShopError(err, fields={FIELD: err.name}, why=why)
