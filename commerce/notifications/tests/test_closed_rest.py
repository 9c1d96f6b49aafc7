"""What customers are told when the rest of their order is closed (docs/product.md#messages)."""

import pytest

from commerce.notifications.kinds import Kind, kind_of
from commerce.orders.models import OrderStatusChange
from commerce.orders.status import ChangeReason, OrderStatus


# Rows that are not stored.
@pytest.mark.any_database
@pytest.mark.parametrize(
    ("reason", "kind"), [(ChangeReason.shipment, Kind.shipped), (ChangeReason.rest_closed, None)]
)
def test_nobody_is_told_that_a_rest_is_on_its_way_that_was_closed(
    reason: ChangeReason, kind: Kind | None
) -> None:
    change = OrderStatusChange(
        from_status=OrderStatus.partly_shipped, to_status=OrderStatus.shipped, reason=reason
    )
    assert kind_of(change) == kind
