"""Pay types, payments, notices of providers, top-ups, certificates of transfers, refunds and disputes."""

from commerce.payments.models.certificates import Certificate, PictureBand
from commerce.payments.models.disputes import Dispute
from commerce.payments.models.pay_types import PayType
from commerce.payments.models.payments import Payment, PaymentEvent
from commerce.payments.models.recharges import Recharge
from commerce.payments.models.refunds import Refund

__all__ = [
    "Certificate",
    "Dispute",
    "PayType",
    "Payment",
    "PaymentEvent",
    "PictureBand",
    "Recharge",
    "Refund",
]
