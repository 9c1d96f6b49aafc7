"""How many units lie where, who holds them, and every change that was ever made."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import Product, TwoNames


class Location(TwoNames):
    """A place that keeps stock: the warehouse that fills deliveries, or a shop."""

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

    def save(self, *args: Any, **kw: Any) -> None:
        """Write the place; what is sold out follows from the one that fills deliveries."""
        filled = type(self).objects.filter(pk=self.pk, fills_deliveries=True).exists()
        with transaction.atomic():
            super().save(*args, **kw)
            if filled != self.fills_deliveries:
                Product.objects.all().tell_sold_out()


class StockLevel(models.Model):
    """The counters of one product at one place: `0 ≤ reserved ≤ on_hand` (RELIABILITY 2.1)."""

    product = models.ForeignKey(Product, models.CASCADE, related_name="stock_levels", verbose_name=_("good"))
    location = models.ForeignKey(
        Location, models.PROTECT, related_name="stock_levels", verbose_name=_("stock location")
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
        """Units that can still be bought here."""
        return self.on_hand - self.reserved


class StockMovement(models.Model):
    """One change of `on_hand`; the sum of a level's movements is its `on_hand`."""

    class Reason(models.TextChoices):
        imported = "imported", _("Import")
        counted = "counted", _("Stocktake")
        shipped = "shipped", _("Shipped")
        returned = "returned", _("Returned")

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


class Reservation(models.Model):
    """Units of one order line held at one place: held, then shipped or released, exactly one of these."""

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


class FileRun(models.Model):
    """A file that staff bring in or take out: the row is first, a task does the work."""

    class State(models.TextChoices):
        """What is being done, or has become of it."""

        checking = "checking", _("Being checked")
        checked = "checked", _("Checked, waits for your decision")
        refused = "refused", _("Refused")
        applying = "applying", _("Being applied")
        writing = "writing", _("Being written")
        done = "done", _("Done")
        failed = "failed", _("Failed")
        lapsed = "lapsed", _("Lapsed")

    # Somebody has to do something about these.
    WORK = (State.checking, State.applying, State.writing)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    # Of who began it: the problems are told in it.
    language = models.CharField(max_length=10)
    file_name = models.CharField(_("file"), max_length=200)
    # What is exported; empty for an import, whose file tells by itself.
    table = models.CharField(max_length=20, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices)
    rows_done = models.PositiveIntegerField(default=0)
    rows_all = models.PositiveIntegerField(default=0)
    # What an import would change or has changed, by the kind of rows; what is wrong with its file.
    difference = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    # Refused while it was applied: what stands before the problems is in the shop.
    is_partial = models.BooleanField(default=False)
    # Which worker has it, when it last said so, and how many have had it.
    claim = models.UUIDField(null=True)
    beat_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("import or export")
        verbose_name_plural = _("imports and exports")
        indexes = [
            models.Index(
                fields=["id"],
                name="file_runs_to_work_on",
                condition=Q(state__in=["checking", "applying", "writing"]),
            )
        ]

    @property
    def path(self) -> Path:
        """Where the file lies: never in the folder that everyone may read."""
        return settings.DATA_DIR / "files" / str(self.pk)

    @property
    def is_work(self) -> bool:
        """Whether somebody has to do something about it."""
        return self.state in self.WORK
