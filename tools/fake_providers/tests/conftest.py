"""The fixtures of the payments' tests, which the tests with a fake provider share."""

from commerce.payments.tests.conftest import _pay_types, _unreachable_notice_url

__all__ = ["_pay_types", "_unreachable_notice_url"]
