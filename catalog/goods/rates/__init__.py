"""The exchange rate that prices are shown with besides dollars (CONTRACT 2, exchangeRate).

`sources` asks the banks, `services` decides what of it holds, `current` tells it to everyone.
"""

from catalog.goods.rates.current import cny_text, current_rate, last_read, rate_now

__all__ = ["cny_text", "current_rate", "last_read", "rate_now"]
