"""`manage.py delete_customers_again`: deletes accounts that a restored backup brought back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from commerce.accounts.models import Customer
from commerce.privacy.services import delete_again, erase


class Command(BaseCommand):
    """Deletes the accounts with the ids that the log lists (docs/production.md#backups)."""

    help = "Delete accounts again that a restored backup has brought back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the argument for customer ids."""
        parser.add_argument("ids", nargs="+", type=int, metavar="ID")

    def handle(self, *args: Any, ids: list[int], **options: Any) -> None:
        """Delete each given customer that is not deleted yet; print a line for each."""
        for customer in Customer.objects.filter(pk__in=ids).order_by("pk"):
            if customer.is_deleted:
                self.stdout.write(f"{customer.pk} is deleted already")
                continue
            delete_again(customer=customer)
            erase(customer.pk)
            self.stdout.write(f"{customer.pk} is deleted")
