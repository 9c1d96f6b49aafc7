"""Parcels handed to a carrier: their lines, corrections and tracking events."""

from urllib.parse import quote

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import TwoNames
from commerce.orders.models import Order, OrderLine
from core.update_only import UpdateOnlyModel


class Carrier(TwoNames):
    """A carrier of parcels, with its tracking page for customers."""

    code = models.SlugField(_("code"), max_length=32, unique=True)
    # `{number}` is replaced by the tracking number.
    tracking_link = models.CharField(
        _("tracking link"),
        max_length=300,
        blank=True,
        help_text=_("An https address, with {number} where the tracking number goes."),
    )
    # The tracking provider's code for this carrier; empty if its parcels are not polled.
    provider_code = models.CharField(
        _("code at Kuaidi100"),
        max_length=32,
        blank=True,
        help_text=_("Without it, events are entered by hand or by file."),
    )
    enabled = models.BooleanField(_("switched on"), default=True)

    class Meta:
        ordering = ["name_en", "id"]
        verbose_name = _("carrier")
        verbose_name_plural = _("carriers")


class ParcelState(models.TextChoices):
    """The state of a parcel, in the same words for every carrier."""

    pending = "pending", _("No events yet")
    info_received = "info_received", _("Carrier has been informed")
    in_transit = "in_transit", _("On its way")
    out_for_delivery = "out_for_delivery", _("Out for delivery")
    pickup_ready = "pickup_ready", _("Can be collected")
    delivered = "delivered", _("Delivered")
    failed_attempt = "failed_attempt", _("No one was at home")
    exception = "exception", _("There is a problem")
    coming_back = "coming_back", _("On its way back")
    returned = "returned", _("Sent back")
    expired = "expired", _("No more events")


# No events are expected after these states.
FINAL_STATES = frozenset({ParcelState.delivered, ParcelState.returned, ParcelState.expired})
# The customer does not receive the parcel: staff take it back and send it again.
BACK_STATES = frozenset({ParcelState.coming_back, ParcelState.returned})


class Shipment(UpdateOnlyModel):
    """One parcel of an order, handed to a carrier."""

    UPDATE_ONLY = frozenset(
        {"carrier", "tracking_no", "state", "came_back_at", "next_check_at", "registered_at"}
    )

    order = models.ForeignKey(
        Order, models.PROTECT, related_name="shipments", verbose_name=_("order"), db_index=False
    )
    # Counted from 1 in each order.
    number = models.PositiveSmallIntegerField()
    carrier = models.ForeignKey(Carrier, models.PROTECT, related_name="+", verbose_name=_("carrier"))
    tracking_no = models.CharField(_("tracking number"), max_length=40)
    state = models.CharField(
        _("state"), max_length=16, choices=ParcelState.choices, default=ParcelState.pending
    )
    # When it was back in the shop; its units then have to be sent again.
    came_back_at = models.DateTimeField(_("came back"), null=True)
    # When the tracking provider is polled next; null if it is not polled.
    next_check_at = models.DateTimeField(null=True, editable=False)
    # When the tracking provider promised to send its events; null until then.
    registered_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(_("sent at"), auto_now_add=True)

    class Meta:
        ordering = ["order", "number"]
        verbose_name = _("parcel")
        verbose_name_plural = _("parcels")
        constraints = [
            models.UniqueConstraint(fields=["order", "number"], name="one_parcel_of_each_number"),
            models.UniqueConstraint(
                fields=["order", "carrier", "tracking_no"], name="one_parcel_of_each_tracking_number"
            ),
        ]
        indexes = [
            models.Index(fields=["tracking_no"], name="parcel_by_tracking_number"),
            models.Index(
                fields=["next_check_at"], condition=Q(next_check_at__isnull=False), name="parcel_to_check"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.parcel_no}, {self.tracking_no}"

    @property
    def parcel_no(self) -> str:
        """The number of the parcel for customers and staff."""
        return f"{self.order.order_no}-P{self.number}"

    @property
    def tracking_url(self) -> str:
        """The carrier's tracking page of the parcel; empty if the carrier has none."""
        return self.carrier.tracking_link.replace("{number}", quote(self.tracking_no, safe=""))


class ShipmentCorrection(models.Model):
    """A wrong carrier and tracking number of a parcel, which staff have corrected."""

    shipment = models.ForeignKey(Shipment, models.CASCADE, related_name="corrections")
    carrier = models.ForeignKey(Carrier, models.PROTECT, related_name="+")
    tracking_no = models.CharField(max_length=40)
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]


class ShipmentLine(models.Model):
    """Units of an order line in a parcel."""

    shipment = models.ForeignKey(Shipment, models.CASCADE, related_name="lines", db_index=False)
    line = models.ForeignKey(OrderLine, models.PROTECT, related_name="shipped")
    units = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["shipment", "line"], name="one_row_per_parcel_and_line"),
            models.CheckConstraint(condition=Q(units__gte=1), name="parcel_units_positive"),
        ]


class TrackingEvent(models.Model):
    """An event of a parcel that a carrier or staff reported."""

    shipment = models.ForeignKey(Shipment, models.CASCADE, related_name="events", db_index=False)
    time = models.DateTimeField(_("time"))
    status = models.CharField(_("state"), max_length=16, choices=ParcelState.choices)
    text_zh = models.CharField(_("Chinese text"), max_length=300, blank=True)
    text_en = models.CharField(_("English text"), max_length=300, blank=True)
    # Distinguishes events of the same time, by a key of their source.
    code = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-time", "-id"]
        verbose_name = _("tracking event")
        verbose_name_plural = _("tracking events")
        constraints = [
            models.UniqueConstraint(fields=["shipment", "time", "code"], name="one_tracking_event")
        ]
