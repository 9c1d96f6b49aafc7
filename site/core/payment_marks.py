"""The marks of the payment methods that the shop accepts, for the foot of all pages."""

from typing import NamedTuple

from wagtail import hooks

# The name of the Wagtail hook for functions that return marks; the app of the payments knows them.
PAYMENT_MARKS = "payment_marks"


class PaymentMark(NamedTuple):
    """The mark of a payment method: path of its picture, width in pixels at a height of 32, and name."""

    url: str
    width: int
    name: str


def payment_marks() -> tuple[PaymentMark, ...]:
    """Return the marks of the accepted payment methods, named in the reader's language."""
    return tuple(mark for marks in hooks.get_hooks(PAYMENT_MARKS) for mark in marks())
