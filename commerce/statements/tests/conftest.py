from commerce.payments.tests.conftest import _pay_types

__all__ = ["_pay_types"]
