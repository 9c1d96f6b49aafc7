"""Steps of the staff who give money back."""

from collections.abc import Sequence

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import rule

from commerce.orders.models import Order as OrderRow
from commerce.payments.models import Refund as RefundRow
from commerce.payments.services import note_paid_back, retry_refund
from commerce.refunds.models import OrderRefund
from commerce.refunds.services import mark_of, preview_refund, refund_order
from commerce.refunds.services.preview import RefundPreview
from commerce.refunds.worth import FreightPart, LineWish
from core.errors import Err
from tools.chaos.machine.books import GoesBack, Wish
from tools.chaos.machine.opened import PLACES
from tools.chaos.machine.passing import Passing
from tools.chaos.machine.prices import dollars
from tools.chaos.machine.records import Order, Refund

FREIGHTS = st.sampled_from(["none", "share", "all"])
DESTINATIONS = st.sampled_from(["source", "wallet"])
WISHES = st.lists(
    st.builds(
        Wish,
        st.integers(0, 3),
        st.integers(0, 3),
        st.sampled_from([None, None, 0, 1, 333, 50_000]),
        st.sampled_from([0, 0, 1, 2]),
    ),
    min_size=1,
    max_size=3,
)


class Refunding(Passing):
    """The staff give parts of orders back, or all of them, and see to what the gateway refuses."""

    @rule(place=PLACES, wishes=WISHES, freight=FREIGHTS, to=DESTINATIONS)
    def refund_lines(self, place: int, wishes: list[Wish], freight: str, to: str) -> None:
        """Give units or dollars of lines back, of more than there is too; what came back goes into stock."""
        if order := self._order_at(place):
            last = len(order.lines) - 1
            self._refund(order, [wish for wish in wishes if wish.line <= last], freight, to)

    @rule(place=PLACES, freight=FREIGHTS, to=DESTINATIONS)
    def refund_all(self, place: int, freight: str, to: str) -> None:
        """Give all that is left of an order's lines back."""
        order = self._order_at(place)
        if order is None:
            return
        wishes = [Wish(line, fate.line.units - fate.refunded) for line, fate in enumerate(order.fates)]
        self._refund(order, wishes, freight, to)

    def _refund(self, order: Order, wishes: Sequence[Wish], freight: str, to: str) -> None:
        row = OrderRow.objects.get(order_no=order.number)
        back = self.books.refusal_of_refund(order) or self.books.price_refund(order, wishes, freight)
        lines = list(row.lines.order_by("pk").values_list("pk", flat=True))
        asked = [
            LineWish(
                lines[wish.line],
                wish.units,
                None if wish.cents is None else dollars(wish.cents),
                wish.restocked,
            )
            for wish in wishes
        ]
        refusal = back if isinstance(back, Err) else None
        if isinstance(back, GoesBack) and not self.books.has_left(order, back):
            refusal = Err.restock_above_sent
        self._see_preview(row, asked, freight, to, refusal or back)
        seen = mark_of(row)

        def press() -> OrderRefund:
            return refund_order(
                order=row,
                lines=asked,
                freight=FreightPart(freight),
                to=RefundRow.To(to),
                staff=self.staff,
                note="Sold out",
                seen=seen,
            )

        self._expect(refusal, press)
        if refusal is None and isinstance(back, GoesBack):
            self.books.refund(order, back, to, timezone.now())
            # A second press gives nothing back again.
            self._expect(self.books.refusal_of_refund(order) or Err.order_moved, press)

    def _see_preview(
        self, row: OrderRow, asked: Sequence[LineWish], freight: str, to: str, back: GoesBack | Err
    ) -> None:
        """Read what the form shows would go back, or its refusal."""

        def look() -> RefundPreview:
            return preview_refund(order=row, lines=asked, freight=FreightPart(freight), to=RefundRow.To(to))

        shown = self._expect(back if isinstance(back, Err) else None, look)
        if shown is not None and isinstance(back, GoesBack):
            assert shown.priced.amount == dollars(back.goods + back.freight)
            assert sum(amount for _, amount, _ in shown.money) == shown.priced.amount

    @rule(place=st.integers(0, 9), note=st.sampled_from(["", "By transfer"]))
    def pay_back(self, place: int, note: str) -> None:
        """Note that a refund was paid back by hand, which is for those that the gateway does not send."""
        refund = self._refund_at(place)
        if refund is None:
            return
        is_theirs = refund.state == "failed" or (refund.state == "due" and refund.is_left_to_staff)
        refusal = None if is_theirs else Err.refund_moved
        self._expect(
            refusal if note else Err.note_missing,
            lambda: note_paid_back(refund=self._row(refund), staff=self.staff, note=note),
        )
        if note and refusal is None:
            refund.state = "done"

    @rule(place=st.integers(0, 9))
    def send_again(self, place: int) -> None:
        """Send a refund once more that the gateway has refused, unless its payment is disputed."""
        refund = self._refund_at(place)
        if refund is None:
            return
        row = self._row(refund)
        again = Err.payment_disputed if refund.payment.is_disputed else Err.refund_moved
        may_send = refund.state == "failed" and again is Err.refund_moved
        for refusal in (None if may_send else again, again):
            self._expect(refusal, lambda: retry_refund(refund=row))
            if refusal is None:
                self.books.send_again(refund)

    def _refund_at(self, place: int) -> Refund | None:
        at_gateway = [refund for refund in self.books.refunds() if refund.to == "source"]
        # The few that were refused come first, since most steps are for them.
        at_gateway.sort(key=lambda refund: refund.state != "failed")
        return at_gateway[place] if place < len(at_gateway) else None

    def _row(self, refund: Refund) -> RefundRow:
        return RefundRow.objects.select_related("payment").get(reference=refund.reference)
