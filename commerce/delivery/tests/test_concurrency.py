"""Two editors who save freight rules at one moment (docs/freight.md#which-rule-wins)."""

from collections.abc import Callable
from contextlib import nullcontext
from threading import Barrier
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from commerce.delivery import wagtail_hooks
from commerce.delivery.models import FreightRule
from commerce.delivery.tests.builders import make_freight_rule
from commerce.delivery.tests.test_admin import RULE
from core.tests.threads import before_commit, concurrently

pytestmark = pytest.mark.django_db(transaction=True)


def saves(staff: Client, page: str) -> list[Callable[[], int]]:
    """Return what saves a new rule, and what saves one on a page that begins while the first applies."""
    other = make_freight_rule(country="Japan")
    url = reverse(f"freight_rules:{page}", args=[] if page == "add" else [other.pk])

    def save(url: str, start: str) -> int:
        return staff.post(url, RULE | {"valid_from": start}).status_code

    return [lambda: save(reverse("freight_rules:add"), "2026-07-01"), lambda: save(url, "2026-08-01")]


@pytest.mark.parametrize("page", ["add", "edit", "copy"])
def test_of_two_overlapping_rules_that_are_saved_at_the_same_time_the_second_is_refused(
    staff: Client, page: str
) -> None:
    assert before_commit(*saves(staff, page))[1] == 200
    assert [str(rule.valid_from) for rule in FreightRule.objects.filter(storage="frozen")] == ["2026-07-01"]


def test_control_without_the_lock_both_are_saved(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    are_checked, validate = Barrier(2, timeout=20), FreightRule.validate_constraints

    def validate_and_wait(rule: FreightRule, exclude: Any = None) -> None:
        validate(rule, exclude)
        are_checked.wait()

    monkeypatch.setattr(wagtail_hooks, "locking_freight_rules", nullcontext)
    monkeypatch.setattr(FreightRule, "validate_constraints", validate_and_wait)
    assert concurrently(lambda save: save(), saves(staff, "add")) == [302, 302]
    assert FreightRule.objects.filter(storage="frozen").count() == 2
