"""The form of a promotion in the back office."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.services import largest_share
from core.backoffice import ProtectedForm
from core.time_fields import ShopTimeField


class PromotionForm(ProtectedForm):
    """A promotion with its products. Saved rows keep their product; rows with orders cannot be deleted.

    An order counts its units on the row of its product. `locking_promotion` keeps the validated facts true.
    """

    starts_at = ShopTimeField(
        label=capfirst(_("starts")),
        help_text=_("In the shop’s time zone. A date alone means the beginning of that day."),
    )
    ends_at = ShopTimeField(
        label=capfirst(_("ends")),
        help_text=_("In the shop’s time zone. A date alone means the end of that day."),
        is_end=True,
    )

    def clean(self) -> dict[str, Any]:
        """Refuse promotions without products and changes that the orders of a saved row forbid.

        Such a row cannot change its product, be deleted or get a lower limit than a customer has ordered.
        """
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        rows = self.formsets.get("items")
        if rows is None or not rows.is_valid():
            return cleaned
        kind = cleaned.get("kind")
        kept = [row for row in rows.forms if row not in rows.deleted_forms and row.cleaned_data]
        for row in kept:
            _check_price(row, kind)
            if row.cleaned_data.get("is_gift") and kind != Promotion.Kind.gift:
                row.add_error("is_gift", _("Only a promotion with a gift has one."))
        if cleaned.get("is_active"):
            self._check_products(kept)
        for row in rows.deleted_forms:
            if row.instance.taken:
                text = _("%(name)s has been ordered at this price: set its quota to what is taken instead.")
                raise ValidationError(text % {"name": row.instance.product.name})
        for row in rows.initial_forms:
            # The row was deleted after the form was opened, so saving adds it again.
            if row.instance.pk is None and cleaned.get("opened_with"):
                continue
            if "product" in row.changed_data:
                row.add_error("product", _("A saved row keeps its product: add the other one as a new row."))
            if "limit_amount" in row.changed_data:
                _check_limit(row)
        return cleaned

    def _check_products(self, rows: list[forms.ModelForm[PromotionItem]]) -> None:
        gifts = [row for row in rows if row.cleaned_data.get("is_gift")]
        if len(gifts) == len(rows):
            self.add_error(None, _("Add a product, or switch the promotion off."))
        if self.cleaned_data.get("kind") == Promotion.Kind.gift and not gifts:
            self.add_error(None, _("Mark the product that is the gift."))


def _check_price(row: forms.ModelForm[PromotionItem], kind: str | None) -> None:
    if kind == Promotion.Kind.price and row.cleaned_data.get("price") is None:
        row.add_error("price", _("This kind of promotion needs a price for each product."))


def _check_limit(row: forms.ModelForm[PromotionItem]) -> None:
    limit, share = row.cleaned_data["limit_amount"], largest_share(row.instance)
    if 0 < limit < share:
        text = _("This cannot be lower than what one customer has already ordered: %(count)d.") % {
            "count": share
        }
        row.add_error("limit_amount", text)
