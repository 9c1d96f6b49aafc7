"""Reviews transfers: staff approve received money, or reject a picture with a reason.

See docs/guarantees/money.md#transfers.
"""

from decimal import Decimal

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from commerce.approvals.services import moves_alone
from commerce.orders.models import Order
from commerce.payments.hold_times import TRANSFER
from commerce.payments.models import Certificate, Payment, PictureBand
from commerce.payments.same_pictures import bands_of, look_the_same
from commerce.payments.services.certificates import image_of
from commerce.payments.services.payable import hold_after_review
from commerce.payments.services.record import receive_money, subject_of
from core.errors import Err, ShopError
from core.money import ZERO, aud
from core.transactions import in_transaction

# The permission of staff who review transfers.
MAY_REVIEW = "payments.review_certificate"
State, Reason = Certificate.State, Certificate.Reason
# Many pictures may share a part, such as a white margin; only the newest are compared.
MAX_PER_BAND = 200
# The maximum number of earlier uses that a reviewer sees.
MAX_SHOWN = 20


@in_transaction
def approve_transfer(
    *, certificate: Certificate, amount: Decimal, staff: User, note: str = ""
) -> Payment | None:
    """Record the money that a transfer has brought; None while another member of staff must confirm it.

    Beyond what the member of staff may move alone (`moves_alone`), only a first approval is stored. It takes
    effect once another member of staff confirms the same amount, unless the first approver has lost the
    permission since; the first approver may change theirs. If the amount is less than what is left, the order
    waits for the rest, which a new picture can prove. `amount`: dollars. `note`: for staff. Locks: Order, the
    staff's totals, Certificate, then as `settle`. Raises ShopError(reviewed_already, amount_differs);
    parameter_error for an invalid amount.
    """
    if amount != aud(amount) or amount <= ZERO:
        raise ShopError(Err.parameter_error, fields={"amount": Err.parameter_error.name})
    order = _locked_order(certificate)
    if not _approve(_waiting(certificate), amount, staff, note, subject=subject_of(order)):
        return None
    payment = receive_money(order=order, pay_type=TRANSFER, amount=amount, staff=staff, note=note)
    Certificate.objects.filter(pk=certificate.pk).update(payment=payment, message_due=payment.is_held)
    hold_after_review(order=order, image=image_of(certificate))
    return payment


def _approve(
    waiting: QuerySet[Certificate], amount: Decimal, staff: User, note: str, *, subject: str
) -> bool:
    """Approve a certificate; return False if this was the first of two approvals."""
    _forget_former(waiting)
    by_another = waiting.filter(first_amount=amount, first_approver__isnull=False)
    if _note_approval(by_another.exclude(first_approver=staff), amount, staff, note):
        return True
    without_other_reviewer = waiting.filter(Q(first_approver=None) | Q(first_approver=staff))
    if moves_alone(staff=staff, subject=subject, amount=amount):
        without_other_reviewer.update(first_approver=None, first_amount=None)
        if _note_approval(without_other_reviewer, amount, staff, note):
            return True
    elif without_other_reviewer.update(first_approver=staff, first_amount=amount):
        return False
    raise ShopError(Err.amount_differs if waiting.exists() else Err.reviewed_already)


def _forget_former(waiting: QuerySet[Certificate]) -> None:
    """Remove a first approval of a person who has lost the permission since."""
    approver = User.objects.filter(pk__in=waiting.values("first_approver")).first()
    # `has_perm` is False for a deactivated account.
    if approver is not None and not approver.has_perm(MAY_REVIEW):
        waiting.update(first_approver=None, first_amount=None)


def _note_approval(rows: QuerySet[Certificate], amount: Decimal, staff: User, note: str) -> int:
    return rows.update(
        state=State.approved, amount=amount, reviewed_by=staff, reviewed_at=timezone.now(), note=note
    )


@in_transaction
def reject_transfer(*, certificate: Certificate, reason: Certificate.Reason, text: str, staff: User) -> None:
    """Reject the picture of a transfer; its order stays unpaid, and waits for another picture.

    `text`: for the customer, shown below the reason; required for `other`. Locks: Order, Certificate. Raises
    ShopError(reviewed_already, note_missing).
    """
    if reason == Reason.other and not text:
        raise ShopError(Err.note_missing)
    order = _locked_order(certificate)
    rejected = _waiting(certificate).update(
        state=State.rejected,
        reason=reason,
        reason_text=text,
        reviewed_by=staff,
        reviewed_at=timezone.now(),
        message_due=True,
    )
    if not rejected:
        raise ShopError(Err.reviewed_already)
    hold_after_review(order=order, image=image_of(certificate))


def earlier_uses(certificate: Certificate) -> list[Certificate]:
    """Return the certificates of other orders whose pictures look the same, newest first; ten queries."""
    bands = PictureBand.objects.order_by("-certificate_id")
    near = {
        pk
        for value in bands_of(certificate.picture_hash)
        for pk in bands.filter(value=value).values_list("certificate_id", flat=True)[:MAX_PER_BAND]
    }
    others = Certificate.objects.filter(pk__in=near).exclude(order=certificate.order_id)
    alike = [each.pk for each in others.only("picture_hash") if _is_alike(each, certificate)][:MAX_SHOWN]
    return list(Certificate.objects.filter(pk__in=alike).select_related("order", "customer"))


def _is_alike(one: Certificate, other: Certificate) -> bool:
    return look_the_same(one.picture_hash, other.picture_hash)


def _locked_order(certificate: Certificate) -> Order:
    orders = Order.objects.select_for_update(no_key=True)
    return orders.get(pk=certificate.order_id)  # type: ignore[misc]  # a reviewed certificate has an order


def _waiting(certificate: Certificate) -> QuerySet[Certificate]:
    return Certificate.objects.filter(pk=certificate.pk, state=State.waiting)
