"""Notes at the sandbox gateway what it has collected: python -m tools.chaos.gateway '{reference: {…}}'."""

import json
import sys

import django


def main() -> None:
    """Mark each charge as paid, with the amount and currency that are given; sends no notice."""
    django.setup()
    from commerce.payments.providers.sandbox.models import SandboxCharge

    for reference, collected in json.loads(sys.argv[1]).items():
        charge = SandboxCharge.objects.filter(reference=reference)
        charge.update(state=SandboxCharge.State.paid, **collected)


if __name__ == "__main__":
    main()
