"""Locations, stock levels, reservations and movements."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import Product, TwoNames
from core.protected import ProtectedModel
from core.update_only import UpdateOnlyModel


class Location(ProtectedModel, TwoNames):
    """A location with stock: the warehouse that fills deliveries, or a store."""

    WRITTEN_BY = "catalog.stock.services (save_location, delete_locations)"

    code = models.SlugField(_("code"), unique=True)
    fills_deliveries = models.BooleanField(_("fills deliveries"), default=False)

    class Meta:
        ordering = ["id"]
        verbose_name = _("stock location")
        verbose_name_plural = _("stock locations")
        constraints = [
            models.UniqueConstraint(
                fields=["fills_deliveries"], condition=Q(fills_deliveries=True), name="one_delivery_location"
            )
        ]


class StockLevel(UpdateOnlyModel):
    """The counters of a product at a location: `0 ≤ reserved ≤ on_hand` (docs/guarantees/orders.md#stock)."""

    UPDATE_ONLY = frozenset({"on_hand", "reserved"})

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="stock_levels", verbose_name=_("product")
    )
    location = models.ForeignKey(
        Location,
        models.PROTECT,
        related_name="stock_levels",
        verbose_name=_("stock location"),
        db_index=False,
    )
    on_hand = models.PositiveIntegerField(_("on hand"), default=0)
    reserved = models.PositiveIntegerField(_("reserved"), default=0)

    class Meta:
        verbose_name = _("stock level")
        verbose_name_plural = _("stock levels")
        constraints = [
            models.UniqueConstraint(fields=["location", "product"], name="one_level_per_place"),
            models.CheckConstraint(condition=Q(reserved__lte=F("on_hand")), name="reserved_within_on_hand"),
        ]

    def __str__(self) -> str:
        return f"{self.product}, {self.location}"

    @property
    def available(self) -> int:
        """The units that can be bought at this location."""
        return self.on_hand - self.reserved


class StockMovement(models.Model):
    """One change of `on_hand`; the sum of a level's movements is its `on_hand`."""

    class Reason(models.TextChoices):
        imported = "imported", _("Import")
        counted = "counted", _("Stocktake")
        shipped = "shipped", _("Shipped")
        returned = "returned", _("Returned")
        undone = "undone", _("Undone")

    level = models.ForeignKey(
        StockLevel, models.PROTECT, related_name="movements", verbose_name=_("stock level")
    )
    units = models.IntegerField(_("units"))
    reason = models.CharField(_("reason"), max_length=12, choices=Reason.choices)
    reference = models.CharField(_("reference"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("stock movement")
        verbose_name_plural = _("stock movements")


class Reservation(UpdateOnlyModel):
    """Units at a location that are reserved for an order: held at first, then shipped or released."""

    UPDATE_ONLY = frozenset({"state", "units"})

    class State(models.TextChoices):
        held = "held", _("Held")
        shipped = "shipped", _("Shipped")
        released = "released", _("Released")

    level = models.ForeignKey(StockLevel, models.PROTECT, related_name="reservations")
    units = models.PositiveIntegerField(_("units"))
    reference = models.CharField(_("order number"), max_length=40)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.held)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("reservation")
        verbose_name_plural = _("reservations")
        constraints = [
            models.UniqueConstraint(
                fields=["reference", "level"], condition=Q(state="held"), name="one_hold_per_order_and_level"
            ),
            models.CheckConstraint(condition=Q(units__gt=0), name="reservation_units_positive"),
        ]
        indexes = [models.Index(fields=["reference"], name="reservation_reference")]
