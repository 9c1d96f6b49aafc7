"""What the member levels of the demonstration ask for and give (docs/product.md#member-levels)."""

from decimal import Decimal

from commerce.accounts.models import MemberLevel

# Number → AUD in a year, points per dollar.
LEVELS = {2: (Decimal(500), Decimal("1.25")), 3: (Decimal(2000), Decimal("1.50"))}


def load_levels() -> None:
    """Give the levels their spend and points, where staff have not."""
    for number, (yearly_spend, points_rate) in LEVELS.items():
        untouched = MemberLevel.objects.filter(pk=number, yearly_spend=None)
        untouched.update(yearly_spend=yearly_spend, points_rate=points_rate)
