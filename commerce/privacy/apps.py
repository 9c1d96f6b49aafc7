from typing import Any

from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    name = "commerce.privacy"

    def ready(self) -> None:
        """Record the consent of customers who register."""
        from commerce.accounts.personal import register_consent

        register_consent(_note_consent)


def _note_consent(customer: Any, language: str) -> None:
    # Imported here, since models are not loaded yet when this module is.
    from commerce.privacy.services import consent_of_newcomer

    consent_of_newcomer(customer, language)
