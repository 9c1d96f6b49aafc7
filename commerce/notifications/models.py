"""Staff's switches for messages about orders."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from commerce.notifications.kinds import REQUIRED, Kind


class NotificationSwitch(models.Model):
    """Whether one optional kind of message is sent; required kinds have no row."""

    kind = models.CharField(
        _("message"),
        max_length=10,
        primary_key=True,
        choices=[choice for choice in Kind.choices if choice[0] not in REQUIRED],
    )
    is_on = models.BooleanField(_("is sent"), default=True)

    class Meta:
        ordering = ["kind"]
        verbose_name = _("message about orders")
        verbose_name_plural = _("messages about orders")

    def __str__(self) -> str:
        return self.get_kind_display()
