"""What the member levels of the demonstration ask for and give (docs/product.md#member-levels)."""

from decimal import Decimal

from commerce.accounts.models import MemberLevel

# Number → AUD in a year, points per dollar.
LEVELS = {2: (Decimal(500), Decimal("1.25")), 3: (Decimal(2000), Decimal("1.50"))}


def load_levels() -> None:
    """Give the levels their spend and points, where staff have not."""
    for level in MemberLevel.objects.filter(pk__in=LEVELS, yearly_spend=None):
        level.yearly_spend, level.points_rate = LEVELS[level.number]
        level.save()
