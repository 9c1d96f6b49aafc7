"""Doubles of payment providers: servers of their own that answer as the providers do, and move no money.

See docs/royalpay.md#the-double, docs/paypal.md#the-double.
"""
