"""Consents, data copies that were given out, and deleted accounts.

See docs/guarantees/customers.md#privacy.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.accounts.models import Customer
from commerce.privacy.links import unsubscribe_url
from core.update_only import UpdateOnlyModel


class MarketingConsent(UpdateOnlyModel):
    """Whether a customer agrees to marketing messages; a customer without a row has never agreed."""

    UPDATE_ONLY = frozenset({"is_given", "language", "changed_at"})

    customer = models.OneToOneField(
        Customer,
        models.CASCADE,
        related_name="marketing_consent",
        verbose_name=_("customer"),
    )
    is_given = models.BooleanField(_("agrees"), default=False)
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)
    changed_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("reader of the newsletter")
        verbose_name_plural = _("readers of the newsletter")
        indexes = [models.Index(fields=["id"], condition=Q(is_given=True), name="consent_given")]

    def __str__(self) -> str:
        return str(self.customer)

    @property
    def unsubscribe_link(self) -> str:
        """The URL that withdraws the consent without login, in the language in which it was given."""
        return unsubscribe_url(self.customer_id, self.language)


class ConsentChange(models.Model):
    """One change of a customer's consent; rows are added, never changed."""

    class Source(models.TextChoices):
        """What changed the consent."""

        account = "account", _("account page")
        registration = "registration", _("registration")
        link = "link", _("link to unsubscribe")
        staff = "staff", _("staff")

    customer = models.ForeignKey(
        Customer, models.CASCADE, related_name="consent_changes", verbose_name=_("customer")
    )
    is_given = models.BooleanField(_("agrees"))
    source = models.CharField(_("by"), max_length=12, choices=Source.choices)
    # The member of staff who changed it for the customer; otherwise null.
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("change of consent")
        verbose_name_plural = _("changes of consent")


class DataCopy(models.Model):
    """A copy of a customer's data that was given out, to the customer or to staff."""

    customer = models.ForeignKey(
        Customer, models.CASCADE, related_name="data_copies", verbose_name=_("customer")
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("copy of data")
        verbose_name_plural = _("copies of data")
        permissions = [
            ("handle_request", gettext_noop("Can give out, change and delete what is held on customers"))
        ]


class DeletedCustomer(UpdateOnlyModel):
    """A deleted account and the progress of its erasure; it contains no name.

    `erased_at`: when all data without a legal retention period was deleted. `oldest_record_at`: when the
    oldest order ended that names the customer and is stored as a tax record; null if there is none.
    """

    UPDATE_ONLY = frozenset({"erased_at", "oldest_record_at"})

    customer = models.OneToOneField(
        Customer, models.PROTECT, primary_key=True, related_name="deletion", verbose_name=_("customer")
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    deleted_at = models.DateTimeField(_("deleted at"), auto_now_add=True)
    erased_at = models.DateTimeField(null=True)
    oldest_record_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-deleted_at"]
        verbose_name = _("deleted account")
        verbose_name_plural = _("deleted accounts")
        indexes = [
            models.Index(fields=["deleted_at"], condition=Q(erased_at=None), name="customer_to_erase"),
            models.Index(
                fields=["oldest_record_at"],
                condition=Q(oldest_record_at__isnull=False),
                name="customer_to_wipe",
            ),
        ]
