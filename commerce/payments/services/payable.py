"""Checks that an order can be paid, and that this stays so while a payment is written."""

from datetime import timedelta
from decimal import Decimal
from typing import Never

from django.conf import settings
from django.db.models import Case, DateTimeField, F, Max, QuerySet, Value, When
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext

from commerce.accounts.services import lock_customer
from commerce.orders.models import Order
from commerce.orders.status import IN_STORE_IMAGES, OrderStatus
from commerce.payments.hold_times import CASH, TRANSFER, held_until, in_store_image
from commerce.payments.models import PayType
from commerce.payments.providers.registry import is_offered
from commerce.payments.restrictions import fits, lacks_slot_for_cash, purchase_of
from commerce.payments.services.left_to_pay import held_by_wallet, left_to_pay
from commerce.payments.services.long_holds import check_long_hold
from core.errors import Err, ShopError
from core.languages import TwoTexts, in_both_languages
from core.money import ZERO
from core.transactions import in_callers_transaction, in_transaction

# All payments of one order, including failed ones; after that, the customer must place a new order.
MAX_PAYMENTS = 20


def check_payable(*, order: Order) -> None:
    """Raise ShopError(order_paid, order_cancelled, order_timeout) if an order cannot be paid now."""
    is_late = order.expires_at is not None and order.expires_at <= timezone.now()
    if order.status != OrderStatus.unpaid or is_late:
        raise _refusal(order)


def check_usable(*, pay_type: PayType, order: Order, wallet_amount: Decimal = ZERO) -> None:
    """Raise ShopError(pay_type_off, pay_type_not_for_order) if a pay type cannot pay an order's rest now.

    `wallet_amount`: dollars in total that the wallet pays first.
    """
    if not is_offered(pay_type):
        raise ShopError(Err.pay_type_off, fields={"payType": "pay_type_off"})
    amount = _rest(order, wallet_amount) if pay_type.has_limits else None
    purchase = purchase_of(order, amount)
    if not fits(pay_type, purchase):
        why = _why_no_cash() if lacks_slot_for_cash(pay_type, purchase) else None
        raise ShopError(Err.pay_type_not_for_order, fields={"payType": "pay_type_not_for_order"}, why=why)


def _why_no_cash() -> TwoTexts:
    return in_both_languages(
        lambda: gettext(
            "Cash is only possible for a pick-up in store, or with a delivery window of our van. Please "
            "choose another payment method."
        )
    )


def _rest(order: Order, wallet_amount: Decimal) -> Decimal:
    """Return what is left of an order once the wallet has paid `wallet_amount` in total."""
    return left_to_pay(order) - max(wallet_amount - held_by_wallet(order), ZERO)


def lock_payable(*, order: Order, pay_type: str) -> None:
    """Store the pay type chosen for an order, which locks its row until the transaction ends.

    The picture of a transfer stays, since its money may be on its way; the image of cash is removed. Locks:
    Order. Raises as `check_payable` does if the order has become unpayable.
    """
    pay_img = Case(When(pay_img__in=IN_STORE_IMAGES, then=Value("")), default=F("pay_img"))
    if not _payable(order).update(pay_type=pay_type, pay_img=pay_img):
        refuse_payment(order)


@in_transaction
def hold_for_staff(*, order: Order, pay_type: str) -> None:
    """Store that staff collect an order's money, and extend the order's deadline accordingly.

    The deadline never becomes earlier. Locks: Order, then the customer's row. Raises as `check_payable` does
    if the order has become unpayable, and as `check_long_hold` does.
    """
    until = Greatest("expires_at", Value(held_until(order, pay_type), DateTimeField()))
    lock_payable(order=order, pay_type=pay_type)
    # A customer's concurrent payments must see each other.
    lock_customer(order.customer)
    check_long_hold(order)
    if pay_type == CASH:
        # The picture of a transfer stays, since its money may be on its way.
        _payable(order).filter(pay_img="").update(pay_img=in_store_image(order))
    _payable(order).update(expires_at=until)


@in_callers_transaction
def note_certificate(*, order: Order, image: str) -> None:
    """Store the picture that proves an order's transfer, and extend the order's deadline for its review.

    However many pictures are sent, the deadline is at most twice a transfer's time after the order was placed
    or last reviewed. `image`: the picture's path. Locks: Order, then the customer's row. Raises as
    `check_payable` does if the order cannot be paid now, and as `check_long_hold` does.
    """
    hold = timedelta(days=settings.TRANSFER_HOLD_DAYS)
    reviewed_at = order.certificates.aggregate(at=Max("reviewed_at"))["at"] or order.created_at
    review = min(timezone.now() + hold, reviewed_at + 2 * hold)
    until = Greatest("expires_at", Value(review, DateTimeField()))
    if not _payable(order).update(pay_img=image, pay_type=TRANSFER):
        refuse_payment(order)
    lock_customer(order.customer)
    check_long_hold(order)
    _payable(order).update(expires_at=until)


def hold_after_review(*, order: Order, image: str) -> None:
    """After a review, extend an unpaid order's deadline for the rest of its money or for another picture.

    It is extended by a transfer's time from now, and never becomes earlier. `image`: the path of the reviewed
    picture, which proves nothing any more. Locks: Order.
    """
    until = timezone.now() + timedelta(days=settings.TRANSFER_HOLD_DAYS)
    held = Order.objects.filter(pk=order.pk, status=OrderStatus.unpaid)
    held.update(expires_at=Greatest("expires_at", Value(until, DateTimeField())))
    held.filter(pay_img=image).update(pay_img=in_store_image(order) if order.pay_type == CASH else "")


def _payable(order: Order) -> QuerySet[Order]:
    unpaid = Order.objects.filter(pk=order.pk, status=OrderStatus.unpaid)
    return unpaid.exclude(expires_at__lte=timezone.now())


def refuse_payment(order: Order) -> Never:
    """Raise as `check_payable` does for an order that has become unpayable."""
    order.refresh_from_db(fields=["status"])
    raise _refusal(order)


def _refusal(order: Order) -> ShopError:
    if order.status == OrderStatus.unpaid:
        return ShopError(Err.order_timeout)
    return ShopError(Err.order_cancelled if order.status == OrderStatus.canceled else Err.order_paid)
