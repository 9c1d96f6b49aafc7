"""What SQLite knows of its tables."""

import pytest
from django.db import connection

from catalog.stock.models import Reservation, StockLevel
from commerce.orders.tests.builders import make_stocked
from core.table_sizes import note_table_sizes

pytestmark = pytest.mark.both_databases


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL maintains it automatically")
@pytest.mark.django_db
def test_the_reservation_of_an_order_is_found_among_many_of_its_product() -> None:
    level = StockLevel.objects.get(product=make_stocked(10))
    Reservation.objects.bulk_create(
        Reservation(level=level, units=1, reference=f"S{number}") for number in range(200)
    )
    # As the audit asks for each line of an order.
    of_line = Reservation.objects.filter(
        reference="S7", level__product=level.product, level__location=level.location
    )
    assert "reservation_reference" not in of_line.explain()
    note_table_sizes()
    assert "reservation_reference" in of_line.explain()
