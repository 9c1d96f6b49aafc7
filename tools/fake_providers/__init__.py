"""Fakes of payment providers: servers of their own that answer as the providers do, and move no money.

See docs/royalpay.md#the-fake, docs/paypal.md#the-fake.
"""
