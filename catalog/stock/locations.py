"""The stock location that fills deliveries, as a process has last read it."""

from catalog.stock.models import Location
from core.snapshots import SharedRows


def delivery_location() -> Location | None:
    """Return the location that fills deliveries, None where there is none; a query in SNAPSHOT_SECONDS."""
    return _filling.get()


_filling = SharedRows(lambda: Location.objects.filter(fills_deliveries=True).first(), Location)
