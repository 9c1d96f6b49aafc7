"""Whom the shop may write to about offers; each change is noted (docs/guarantees/customers.md#privacy)."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.privacy.models import ConsentChange, MarketingConsent
from core.transactions import in_transaction

Source = ConsentChange.Source


def may_be_written_to() -> QuerySet[MarketingConsent]:
    """Return the customers whom the shop may write to about offers: those with consent and an open
    account."""
    return MarketingConsent.objects.filter(is_given=True, customer__is_active=True)


def has_consented(customer: Customer) -> bool:
    """Return True if a customer agrees to be written to about offers; a query."""
    return MarketingConsent.objects.filter(customer=customer, is_given=True).exists()


@in_transaction
def change_consent(
    *, customer: Customer, is_given: bool, source: ConsentChange.Source, language: str, staff: Any = None
) -> bool:
    """Note that a customer agrees, or no longer does; False where nothing changes, and nothing is noted.

    `language`: a code of LANGUAGES, in which they are written to. `staff`: the member of staff who did it for
    them. Locks: the customer's row. Raises ShopError(login_invalid) for an account that was deleted in the
    meantime.
    """
    lock_customer(customer)
    MarketingConsent.objects.get_or_create(customer=customer, defaults={"language": language})
    other = MarketingConsent.objects.filter(customer=customer, is_given=not is_given)
    if not other.update(is_given=is_given, language=language, changed_at=timezone.now()):
        return False
    ConsentChange.objects.create(customer=customer, is_given=is_given, source=source, staff=staff)
    return True


def consent_of_newcomer(customer: Customer, language: str) -> None:
    """Record the consent of a customer who registers; within the transaction that makes the account."""
    change_consent(customer=customer, is_given=True, source=Source.registration, language=language)


def unsubscribe(customer: Customer) -> None:
    """End the consent of a customer who followed the link in a message; a repeat changes nothing."""
    consent = MarketingConsent.objects.filter(customer=customer).first()
    if consent:
        change_consent(customer=customer, is_given=False, source=Source.link, language=consent.language)
