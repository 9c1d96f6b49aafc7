"""Builders of vouchers for tests of any app."""

from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from django.utils import timezone

from catalog.goods.models import Brand, Category
from commerce.vouchers.models import Voucher, VoucherScope

_numbers = count(1)


def make_voucher(value: str = "5.00", *scopes: Brand | Category, **kw: Any) -> Voucher:
    """Make a voucher of dollars for everything, once for each customer, that runs for another hour."""
    now = timezone.now()
    fields: dict[str, Any] = {
        "code": f"TEST{next(_numbers)}",
        "name_en": "Voucher",
        "name_zh": "优惠码",
        "value": Decimal(value),
        "starts_at": now - timedelta(hours=1),
        "ends_at": now + timedelta(hours=1),
    }
    voucher = Voucher.objects.create(**fields | kw)
    for scope in scopes:
        if isinstance(scope, Brand):
            VoucherScope.objects.create(voucher=voucher, brand=scope)
        else:
            VoucherScope.objects.create(voucher=voucher, category=scope)
    return voucher
