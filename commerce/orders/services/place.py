"""Makes orders: one for each code, however often it is sent, and never more than the stock holds."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from catalog.goods.rates import rate_now
from catalog.promotions.services import running_items
from catalog.stock.services import reserve
from commerce.accounts.models import Customer
from commerce.cart.services import take_out_ordered
from commerce.orders.destination import Destination, destination_of
from commerce.orders.goods import orderable
from commerce.orders.models import Order, OrderLine, OrderStatusChange, Trade
from commerce.orders.payload import OrderRequest, read_order
from commerce.orders.schemas import OrderIn
from commerce.orders.services.promoted import hold_offers
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.orders.totals import PricedLine, price_lines, total_of
from core.errors import Err, ShopError
from core.ids import new_number
from core.pictures import picture_url
from core.transactions import in_transaction

NUMBER_PREFIX = "S"


@in_transaction
def place_order(*, customer: Customer, body: OrderIn) -> Order:
    """Make the order of a code, or return the one it has made already (CONTRACT 4, RELIABILITY 2.5).

    Ordered amounts leave the cart; stock is held until the order expires. A refusal changes nothing, and the
    code may be sent again. Locks: Trade, then the customer's cart, the pick-up slot, the promotion's quotas,
    stock by pk.
    Raises ShopError(parameter_error) for a code that is not the customer's, order_timeout for one too old,
    order_exists for one that made another order, stock_insufficient, and as `read_order`, `orderable`,
    `running_items`, `destination_of` and `hold_offers` do.
    """
    trade = Trade.objects.filter(customer=customer, code=body.transactionCode).first()
    if trade is None:
        raise ShopError(Err.parameter_error, fields={"transactionCode": "parameter_error"})
    request = read_order(body, trade.draft)
    if not _claim(trade, request):
        return trade.order
    if trade.expires_at <= timezone.now():
        raise ShopError(Err.order_timeout)
    basket = request.basket
    items = running_items(basket.promotion_id, dict(basket.promoted))
    goods = orderable(basket)
    products = {product.pk: product for product, _ in goods}
    lines = price_lines(basket, products, items, customer.level.number)
    take_out_ordered(customer=customer, units_by_product=dict(basket.goods))
    destination = destination_of(customer=customer, request=request, goods=goods)
    order = _write(trade, request, lines, destination)
    # Last of all: these are the rows that others wait for.
    if basket.promoted:
        hold_offers(order)
    reserve(location=destination.location, units_by_product=basket.units, reference=order.order_no)
    return order


def _claim(trade: Trade, request: OrderRequest) -> bool:
    """Take the code for a request; False when this very request took it before.

    A twin sent at the same moment waits here until the first has made its order or failed.
    """
    fingerprint = request.fingerprint()
    if Trade.objects.filter(pk=trade.pk, payload_hash="").update(payload_hash=fingerprint):
        return True
    trade.refresh_from_db(fields=["payload_hash"])
    if trade.payload_hash != fingerprint:
        raise ShopError(Err.order_exists)
    return False


def _write(
    trade: Trade, request: OrderRequest, lines: Sequence[PricedLine], destination: Destination
) -> Order:
    order = Order.objects.create(
        order_no=new_number(NUMBER_PREFIX),
        customer_id=trade.customer_id,
        trade=trade,
        status=OrderStatus.unpaid,
        shipping_type=request.shipping_type,
        goods_amount=total_of(lines),
        freight=destination.freight,
        pay_amount=total_of(lines, destination.freight),
        exchange_rate=rate_now(),
        location=destination.location,
        address=destination.address,
        shop=destination.shop,
        parcels=list(destination.parcels),
        pickup_slot=destination.slot,
        remark=request.remark,
        expires_at=timezone.now() + timedelta(minutes=settings.ORDER_HOLD_MINUTES),
    )
    OrderLine.objects.bulk_create(_line(order, line) for line in lines)
    OrderStatusChange.objects.create(order=order, to_status=order.status, reason=ChangeReason.placed)
    return order


def _line(order: Order, line: PricedLine) -> OrderLine:
    product = line.product
    return OrderLine(
        order=order,
        product=product,
        sku=product.sku,
        name_en=product.name_en,
        name_zh=product.name_zh,
        pack=product.pack,
        picture_url=picture_url(product.picture) or "",
        storage=product.storage,
        net_weight=product.net_weight,
        price=line.price,
        amount=line.amount,
        line_total=line.total,
        gst=line.gst,
        promotion_id=line.promotion_id,
    )
