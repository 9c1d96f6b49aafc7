"""The marks of brands whose payments the shop accepts (static/img/NOTICE.md)."""

from django.templatetags.static import static

from commerce.payments.models import PayType
from commerce.payments.pay_types import pay_types
from commerce.payments.providers.registry import is_offered
from core.payment_marks import PaymentMark
from core.pictures.renditions import picture_url

# Code on the wire → the mark's file, and its width in pixels at a height of 32.
_MARKS = {
    "5": ("img/pay/cards.svg", 100),
    "2": ("img/pay/wechat-pay.svg", 48),
    "4": ("img/pay/alipay.svg", 48),
    "Paypal": ("img/pay/paypal.svg", 48),
}


def picture_of(pay_type: PayType) -> str:
    """Return the URL of a pay type's picture: that of staff, its brand's mark, or the default one."""
    if own := picture_url(pay_type.image):
        return own
    mark = _MARKS.get(pay_type.code)
    return static(mark[0] if mark else pay_type.picture)


def accepted_marks() -> list[PaymentMark]:
    """Return the marks of the brands that are switched on; queries as `pay_types`."""
    return [
        PaymentMark(static(_MARKS[row.code][0]), _MARKS[row.code][1], row.name)
        for row in pay_types()
        if row.code in _MARKS and is_offered(row)
    ]
