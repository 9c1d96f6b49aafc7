"""A form of the back office takes a limited number of rows; more are refused before one is made."""

from collections.abc import Callable
from typing import Any

import pytest
from django.forms import BaseModelForm
from django.test import Client
from django.urls import reverse

from catalog.goods.tests.builders import make_product
from catalog.promotions.tests.builders import make_promotion
from commerce.delivery.tests.builders import make_shop
from commerce.vouchers.tests.builders import make_voucher
from content.tests.staff import in_each_language
from core.backoffice import MAX_ROWS
from tests.test_two_editors import sent_by

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

# The screens of each model, its list, and what makes a row of the model.
FORMS: dict[str, tuple[str, Callable[[], Any]]] = {
    "promotions": ("items", lambda: make_promotion((make_product(), "3.50"))),
    "vouchers": ("scopes", make_voucher),
    "pickup_shops": ("hours", make_shop),
}
REFUSED = {
    "en": f"No more than {MAX_ROWS} rows can be saved: open the form again.",
    "zh-hans": f"最多可保存 {MAX_ROWS} 行：请重新打开此表单。",
}


def test_too_many_rows_are_refused_before_one_is_made(
    staff: Client, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    made: list[Any] = []
    initialise = BaseModelForm.__init__

    def count(self: Any, *args: Any, **kwargs: Any) -> None:
        made.append(self)
        initialise(self, *args, **kwargs)

    for name, (rows, make) in FORMS.items():
        row = make()
        before = list(getattr(row, rows).values())
        url = reverse(f"{name}:edit", args=[row.pk])
        data = sent_by(staff.get(url)) | {"name_en": "Other", f"{rows}-TOTAL_FORMS": MAX_ROWS + 1}
        for language in in_each_language(staff):
            with subtests.test(name=name, language=language), monkeypatch.context() as counting:
                made.clear()
                counting.setattr(BaseModelForm, "__init__", count)
                answer = staff.post(url, data)
                assert answer.status_code == 200
                assert REFUSED[language] in answer.content.decode()
                # An empty row, which the page copies, is not bound.
                assert len([each for each in made if each.is_bound]) == 1
                row.refresh_from_db()
                assert row.name_en != "Other"
                assert list(getattr(row, rows).values()) == before


def test_as_many_rows_as_are_allowed_are_taken(staff: Client) -> None:
    voucher = make_voucher(from_amount=20)
    url = reverse("vouchers:edit", args=[voucher.pk])
    page = staff.get(url)
    assert page.context["form"].formsets["scopes"].max_num == MAX_ROWS
    data = sent_by(page) | {"name_en": "Other", "scopes-TOTAL_FORMS": MAX_ROWS}
    assert staff.post(url, data).status_code == 302
    voucher.refresh_from_db()
    assert voucher.name_en == "Other"
