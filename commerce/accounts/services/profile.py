"""What customers tell of themselves (docs/wire.md#profile)."""

from django.db import transaction

from commerce.accounts.models import Customer


@transaction.atomic
def change_profile(*, customer: Customer, nickname: str | None = None, language: str | None = None) -> None:
    """Change the nickname, which may be empty, and the language, a code of LANGUAGES; None leaves it."""
    own = Customer.objects.filter(pk=customer.pk)
    if nickname is not None:
        own.update(nickname=nickname)
    if language is not None:
        own.update(language=language)
