"""Imports tracking numbers and events of parcels from files (docs/imports.md#tracking-numbers)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.imports.cells import refuse_shortened
from catalog.imports.formulas import unescape_formula
from catalog.imports.problems import Problems
from catalog.imports.sheets import open_sheet
from commerce.orders.models import Order
from commerce.shipments.models import Carrier, ParcelState
from commerce.shipments.services import (
    MAX_AHEAD,
    Event,
    can_ship,
    event_of,
    is_another_parcels,
    record_events,
    ship_parcel,
)
from commerce.shipments.services.ship import read_tracking_no
from core.clock import of_shop_time
from core.errors import ShopError, text_of

REQUIRED = ("order_no", "carrier", "tracking_no")
OPTIONAL = ("event_time", "event_state", "event_text_zh", "event_text_en")
MAX_ROWS = 500
MAX_BYTES = 1 << 20


@dataclass(frozen=True)
class Row:
    """One parcel of a file, with an event or without."""

    number: int
    order: Order
    carrier: Carrier
    tracking_no: str
    event: Event | None


def read_rows(path: Path, name: str, problems: Problems) -> list[Row]:
    """Read a file, and add its mistakes to `problems`; changes nothing.

    `name`: the name of the file, for problems. Raises ImportRefusedError if there are too many problems.
    """
    heading: list[str] = []
    rows = []
    carriers = {carrier.code: carrier for carrier in Carrier.objects.filter(enabled=True)}
    for number, cells in open_sheet(path, problems, name).records(problems):
        if number > MAX_ROWS + 1:
            problems.add(name, number, "", _("has too many rows: %(most)s at most") % {"most": MAX_ROWS})
            break
        if not heading:
            heading = [cell.strip() for cell in cells]
            for column in REQUIRED:
                if column not in heading:
                    problems.add(name, 1, column, _("the column is missing"))
            if problems.found:
                break
            continue
        values = {
            column: unescape_formula(cell).strip() for column, cell in zip(heading, cells, strict=False)
        }
        if row := _read(number, values, name, carriers, problems):
            rows.append(row)
    if not rows and not problems.found:
        problems.add(name, 1, "", _("has no rows"))
    return rows


def _read(
    number: int, values: Mapping[str, str], name: str, carriers: Mapping[str, Carrier], problems: Problems
) -> Row | None:
    order_no = values.get("order_no", "").upper()
    order = Order.objects.filter(order_no=order_no).first() if order_no.isalnum() else None
    carrier = carriers.get(values.get("carrier", ""))
    if order is None:
        problems.add(name, number, "order_no", _("there is no such order"))
    if carrier is None:
        problems.add(name, number, "carrier", _("there is no such carrier"))
    if order is None or carrier is None:
        return None
    try:
        refuse_shortened(values.get("tracking_no", ""))
        tracking_no = read_tracking_no(values.get("tracking_no", ""))
    except (ShopError, ValueError) as error:
        why = text_of(error) if isinstance(error, ShopError) else str(error)
        problems.add(name, number, "tracking_no", why)
        return None
    is_sent = order.shipments.filter(carrier=carrier, tracking_no=tracking_no, came_back_at=None).exists()
    if not is_sent and not can_ship(order):
        problems.add(name, number, "order_no", _("its parcel cannot be sent now"))
        return None
    event = None
    if values.get("event_time"):
        event = _read_event(number, values, name, problems)
        if event is None:
            return None
    return Row(number, order, carrier, tracking_no, event)


def _read_event(number: int, values: Mapping[str, str], name: str, problems: Problems) -> Event | None:
    try:
        time = datetime.fromisoformat(values["event_time"])
        moment = time.astimezone(UTC) if time.tzinfo else of_shop_time(time)
    except (ValueError, OverflowError):
        moment = None
    state = values.get("event_state") or ParcelState.in_transit
    if moment is None or moment > timezone.now() + MAX_AHEAD:
        problems.add(name, number, "event_time", _("must be a time in the past"))
    elif state not in ParcelState.values:
        problems.add(name, number, "event_state", _("is not a known state"))
    else:
        texts = (values.get("event_text_zh", "")[:300], values.get("event_text_en", "")[:300])
        return event_of(moment, ParcelState(state), *texts)
    return None


def enter_rows(rows: list[Row], *, name: str, staff: User, problems: Problems) -> tuple[int, int]:
    """Ship the parcels of a file, each with all unshipped units of its order, and record their events.

    Each row has its own transaction. A row that was entered before changes nothing, so a file can be entered
    again. Adds a problem for each row that has become impossible. Also adds one for each event that is left
    out because it is much older than its parcel. Returns how many rows were entered, and how many were
    entered before.
    """
    entered = known = 0
    for row in rows:
        try:
            was_sent = row.order.shipments.filter(carrier=row.carrier, tracking_no=row.tracking_no).exists()
            events = 0
            shipment = ship_parcel(
                order=row.order, carrier=row.carrier, tracking_no=row.tracking_no, staff=staff
            )
            if row.event and is_another_parcels(row.event, shipment):
                problems.add(name, row.number, "event_time", _("lies long before the parcel: left out"))
            elif row.event:
                events = record_events(shipment=shipment, events=[row.event])
            if was_sent and not events:
                known += 1
            else:
                entered += 1
        except ShopError as error:
            problems.add(name, row.number, "order_no", text_of(error))
    return entered, known
