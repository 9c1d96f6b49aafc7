"""Places orders: one for each code, even if a request is repeated, and never beyond the stock."""

from dataclasses import replace
from datetime import timedelta
from secrets import randbelow

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from catalog.promotions.services import check_runs
from catalog.rates.current import rate_now
from catalog.stock.availability import locations_with
from catalog.stock.services import reserve
from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer, rate_of_points
from commerce.cart.services import remove_ordered_items
from commerce.delivery.services import shops_with
from commerce.delivery.shipping import ShippingType
from commerce.ledger.points import points_worth
from commerce.orders.models import Order, OrderLine, OrderStatusChange, Trade
from commerce.orders.points import spend_points
from commerce.orders.pricing import PricedLine, gst_in_freight, points_amount, total_of, with_points
from commerce.orders.requests import Basket, OrderIntent, PickUp, fingerprint
from commerce.orders.services.check import CheckedBasket, check_order
from commerce.orders.services.destination import Destination, find_destination
from commerce.orders.services.id_cards import keep_id_card
from commerce.orders.services.promotion_units import take_promotion_units
from commerce.orders.services.unpaid import check_one_place
from commerce.orders.services.wrong_codes import counting_wrong_codes
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.vouchers.services import check_voucher_runs, take_voucher
from core.errors import Err, ShopError
from core.ids import new_number
from core.languages import TwoTexts, in_both_languages
from core.money import ZERO
from core.prepared import prepared_statements
from core.transactions import in_transaction

NUMBER_PREFIX = "S"
PICKUP_CODE_DIGITS = 6


@prepared_statements()
def place_order(*, customer: Customer, code: str, intent: OrderIntent) -> Order:
    """Create an order with a code, or return the order that the same request has created before.

    See docs/wire.md#order, docs/guarantees/orders.md#one-order-for-each-code.

    Ordered units leave the cart; stock is reserved until the order expires. A refusal changes nothing, and
    the code may be sent again. Locks: Trade, then the customer's points account, the customer's row, the slot
    or window, the promotion's quotas, the voucher, stock by pk. Raises ShopError(parameter_error) if the code
    is not the customer's, order_timeout if it has expired, order_exists if it has another order. Raises
    goods_error without products, stock_insufficient, and too_frequent after many wrong voucher codes. Raises
    also as `spend_points`, `check_order`, `check_one_place`, `find_destination`, `with_points`,
    `take_promotion_units` and `take_voucher` do.
    """
    basket = intent.basket
    if basket is not None and basket.units and not locations_with(basket.units):
        _refuse_sold_out(customer, code, basket)
    with counting_wrong_codes(customer, intent.voucher_code):
        try:
            return _make_order(customer, code, intent)
        except ShopError as error:
            if error.err is Err.stock_insufficient and isinstance(intent.fulfilment, PickUp) and basket:
                error.why = _shops_with(basket)
            raise


def _shops_with(basket: Basket) -> TwoTexts:
    """Return a text with the names of the shops that have all products of a basket."""
    shops = shops_with(units_by_product=basket.units)
    if not shops:
        return in_both_languages(lambda: gettext("No store has all of it."))
    names = TwoTexts("、".join(shop.name_zh for shop in shops), ", ".join(shop.name_en for shop in shops))
    text = in_both_languages(lambda: gettext("These stores have all of it: %(names)s."))
    return TwoTexts(text.zh % {"names": names.zh}, text.en % {"names": names.en})


def _refuse_sold_out(customer: Customer, code: str, basket: Basket) -> None:
    """Refuse the first request of a code if no location has its products, without waiting for a lock.

    When few units are left, most requests end here. A repeated request goes on to the transaction, because
    its own order may have reserved the last units.
    """
    unused = Trade.objects.filter(customer=customer, code=code, payload_hash="")
    if unused.filter(expires_at__gt=timezone.now()).exists():
        check_order(customer=customer, basket=basket)
        raise ShopError(Err.stock_insufficient)


@in_transaction
def _make_order(customer: Customer, code: str, intent: OrderIntent) -> Order:
    trade = Trade.objects.filter(customer=customer, code=code).first()
    if trade is None:
        raise ShopError(Err.parameter_error, fields={"transactionCode": "parameter_error"})
    basket = intent.basket or _draft_of(trade)
    if not _claim(trade, fingerprint(basket, intent)):
        return trade.order
    if trade.expires_at <= timezone.now():
        raise ShopError(Err.order_timeout)
    order = Order(
        order_no=new_number(NUMBER_PREFIX),
        customer=customer,
        trade=trade,
        points=intent.points,
        points_rate=rate_of_points(customer.level_number),
    )
    if intent.points:
        spend_points(customer=customer, points=intent.points, order_no=order.order_no)
    # From here on the customer's orders run one after the other, so that they respect the limits together.
    lock_customer(customer)
    checked = check_order(customer=customer, basket=basket, voucher_code=intent.voucher_code)
    check_one_place(customer=customer, fulfilment=intent.fulfilment)
    remove_ordered_items(customer=customer, units_by_product=dict(basket.ordinary))
    try:
        with transaction.atomic(savepoint=bool(checked.gifts)):
            return _take(order, intent, checked)
    except ShopError:
        if not checked.gifts:
            raise
        # No order may be refused because of a gift, which may be sold out, missing in the pick-up shop, or
        # not allowed at this address.
        order.pk = None
        return _take(order, intent, checked.without_gifts())


def _take(order: Order, intent: OrderIntent, checked: CheckedBasket) -> Order:
    """Write the order and take its scarce resources: slot or window, promotion units, voucher and stock."""
    destination = find_destination(
        customer=order.customer,
        fulfilment=intent.fulfilment,
        goods=checked.goods,
        bought=checked.bought,
        gifts=checked.gifts,
    )
    if destination.is_abroad:
        checked = checked.exported()
    if intent.points:
        lines = with_points(checked.lines, points_worth(intent.points), destination.freight)
        checked = replace(checked, lines=lines)
    _write(order, intent, checked, destination)
    if destination.id_card:
        keep_id_card(order=order, number=destination.id_card)
    # These come last, because other orders wait for the same rows.
    take_promotion_units(customer=order.customer, units_by_item=checked.units_by_item)
    if checked.running:
        # Staff may have ended the promotion while this order waited for its items' rows.
        check_runs(checked.running.promotion.pk)
    if checked.usable:
        voucher = take_voucher(customer=order.customer, voucher_id=checked.usable.voucher.pk)
        # Staff may have ended the voucher while this order waited for its row.
        check_voucher_runs(voucher)
    reserve(
        location=destination.location,
        units_by_product=checked.units_by_product,
        reference=order.order_no,
    )
    return order


def _draft_of(trade: Trade) -> Basket:
    if trade.draft is None:
        raise ShopError(Err.goods_error, fields={"orderGoods": "goods_error"})
    return Basket(**trade.draft)


def _claim(trade: Trade, payload_hash: str) -> bool:
    """Claim the code for a request; False if the same request claimed it before.

    A second identical request waits here until the first has created its order or failed.
    """
    if Trade.objects.filter(pk=trade.pk, payload_hash="").update(payload_hash=payload_hash):
        return True
    claimed_for = Trade.objects.filter(pk=trade.pk).values_list("payload_hash", flat=True).first()
    if claimed_for is None:
        # The code expired long ago, and a job deleted it during this request.
        raise ShopError(Err.order_timeout)
    if claimed_for != payload_hash:
        raise ShopError(Err.order_exists)
    return False


def _write(order: Order, intent: OrderIntent, checked: CheckedBasket, destination: Destination) -> None:
    """Fill in and save an order with its lines; number, customer, code and points are already set."""
    fulfilment, wishes, lines = intent.fulfilment, intent.wishes, checked.lines
    voucher = checked.usable.voucher if checked.usable else None
    window = destination.window
    order.status = OrderStatus.unpaid
    # An external territory may be entered as Australia.
    order.shipping_type = ShippingType.abroad if destination.is_abroad else fulfilment.shipping_type
    order.goods_amount = total_of(lines)
    order.discount = sum((line.discount for line in lines), ZERO)
    order.voucher = voucher
    order.voucher_code = voucher.code if voucher else ""
    order.freight = destination.freight
    order.freight_gst = gst_in_freight(lines, destination.freight)
    order.points_amount = points_amount(lines)
    order.pay_amount = total_of(lines, destination.freight) - order.points_amount
    order.exchange_rate = rate_now()
    order.location = destination.location
    order.address = destination.address
    order.shop = destination.shop
    order.parcels = list(destination.parcels)
    order.pickup_slot = destination.slot
    order.delivery_slot = window.slot if window else None
    order.delivery_until = window.ends_at if window else None
    order.leave_at_door = destination.leave_at_door
    order.pickup_code = _pickup_code() if isinstance(fulfilment, PickUp) else ""
    order.remark = wishes.remark
    order.sold_out_wish = wishes.sold_out_wish
    order.language = wishes.language
    order.expires_at = timezone.now() + timedelta(minutes=settings.ORDER_HOLD_MINUTES)
    order.save(force_insert=True)
    OrderLine.objects.bulk_create(_line(order, line) for line in lines)
    OrderStatusChange.objects.create(order=order, to_status=order.status, reason=ChangeReason.placed)


def _pickup_code() -> str:
    return f"{randbelow(10**PICKUP_CODE_DIGITS):0{PICKUP_CODE_DIGITS}d}"


def _line(order: Order, line: PricedLine) -> OrderLine:
    product = line.product
    return OrderLine(
        order=order,
        product_id=product.id,
        sku=product.sku,
        name_en=product.name_en,
        name_zh=product.name_zh,
        pack=product.pack,
        picture_url=product.picture_url or "",
        storage=product.storage,
        net_weight=product.net_weight,
        price=line.price,
        amount=line.amount,
        line_total=line.full_total,
        discount=line.discount,
        points_discount=line.points,
        is_gift=line.is_gift,
        gst=line.gst,
        why_en=line.why.en,
        why_zh=line.why.zh,
        promotion_id=line.promotion_id,
    )
