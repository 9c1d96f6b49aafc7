"""A customer's consents, data copies and messages, and the entries about them in the back office's log."""

from collections.abc import Iterator

from django.contrib.contenttypes.models import ContentType
from django.utils.translation import gettext_lazy as _
from wagtail.models import ModelLogEntry

from commerce.accounts.models import DELETED_PREFIX, Customer
from commerce.accounts.personal import Holding, Row, Section, by_pages
from commerce.messaging.models import Message
from commerce.privacy.models import ConsentChange, DataCopy, MarketingConsent


def _consents(customer: Customer) -> Iterator[Row]:
    for change in by_pages(customer.consent_changes.all()):
        yield {
            "time": change.created_at,
            "agrees": change.is_given,
            "by": change.get_source_display(),
        }


def _copies(customer: Customer) -> Iterator[Row]:
    for copy in by_pages(customer.data_copies.all()):
        yield {"time": copy.created_at, "byStaff": copy.staff_id is not None}


def _messages(customer: Customer) -> Iterator[Row]:
    for message in by_pages(Message.objects.filter(to=customer.account)):
        yield {"subject": message.subject, "sent": message.sent_at}


def _forget(customer: Customer) -> None:
    MarketingConsent.objects.filter(customer=customer).delete()
    ConsentChange.objects.filter(customer=customer).delete()
    DataCopy.objects.filter(customer=customer).delete()
    Message.objects.filter(to=customer.account).delete()
    _rename_in_log(customer)


def _rename_in_log(customer: Customer) -> None:
    """Remove the customer's name from the log of staff's changes."""
    kind = ContentType.objects.get_for_model(Customer)
    mine = ModelLogEntry.objects.filter(content_type=kind, object_id=str(customer.pk))
    mine.update(label=f"{DELETED_PREFIX}{customer.pk}", data={})


PERSONAL = Holding(
    tables=frozenset(
        {
            "privacy.MarketingConsent",
            "privacy.ConsentChange",
            "privacy.DataCopy",
            "privacy.DeletedCustomer",
        }
    ),
    sections=(
        Section(
            "consents",
            _("News and offers"),
            {"time": _("time"), "agrees": _("agrees"), "by": _("by")},
            _consents,
        ),
        Section(
            "copies", _("copies of data"), {"time": _("time"), "byStaff": _("given out by staff")}, _copies
        ),
        Section(
            "messages",
            _("Messages of the last days"),
            {"subject": _("subject"), "sent": _("sent")},
            _messages,
        ),
    ),
    forget=_forget,
)
