"""Consent to marketing messages; each change is recorded (docs/guarantees/customers.md#privacy)."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.privacy.models import ConsentChange, MarketingConsent
from commerce.rate_limits.services import RateLimit, consume_in_transaction
from core.transactions import in_transaction

Source = ConsentChange.Source
# Changes are stored permanently. Withdrawing needs no limit: a consent must be given before.
GIVEN_PER_DAY = RateLimit("consent", maximum=10, window=timedelta(days=1))


def may_be_written_to() -> QuerySet[MarketingConsent]:
    """Return the consents that allow marketing messages: given, by customers with an active account."""
    return MarketingConsent.objects.filter(is_given=True, customer__is_active=True)


def has_consented(customer: Customer) -> bool:
    """Return True if a customer agrees to marketing messages; one query."""
    return MarketingConsent.objects.filter(customer=customer, is_given=True).exists()


@in_transaction
def change_consent(
    *, customer: Customer, is_given: bool, source: ConsentChange.Source, language: str, staff: Any = None
) -> bool:
    """Record that a customer gives or withdraws consent; return False if that changes nothing.

    `language`: a code of LANGUAGES, for messages to the customer. `staff`: the member of staff who did it for
    the customer. Locks: the customer's row. Raises ShopError(login_invalid) if the account was deleted in the
    meantime, and too_frequent for a customer who gives it more than ten times a day.
    """
    lock_customer(customer)
    MarketingConsent.objects.get_or_create(customer=customer, defaults={"language": language})
    other = MarketingConsent.objects.filter(customer=customer, is_given=not is_given)
    if not other.update(is_given=is_given, language=language, changed_at=timezone.now()):
        return False
    if is_given and source == Source.account:
        consume_in_transaction((GIVEN_PER_DAY, str(customer.pk)))
    ConsentChange.objects.create(customer=customer, is_given=is_given, source=source, staff=staff)
    return True


def consent_of_newcomer(customer: Customer, language: str) -> None:
    """Record the consent of a customer who registers, within the transaction that creates the account."""
    change_consent(customer=customer, is_given=True, source=Source.registration, language=language)


def unsubscribe(customer: Customer) -> None:
    """Withdraw the consent of a customer who followed a message's link; a repeat changes nothing."""
    consent = MarketingConsent.objects.filter(customer=customer).first()
    if consent:
        change_consent(customer=customer, is_given=False, source=Source.link, language=consent.language)
