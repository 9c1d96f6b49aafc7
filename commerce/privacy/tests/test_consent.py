"""Consent to news and offers: given unticked at the registration or on the page, ended without a login."""

import re

import pytest
from django.test import Client

from catalog.imports.formulas import without_formula
from commerce.accounts.models import Customer
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import make_level
from commerce.messaging.models import Message
from commerce.orders.tests.builders import Buyer
from commerce.privacy.links import unsubscribe_token
from commerce.privacy.models import ConsentChange, MarketingConsent
from commerce.privacy.services import has_consented, may_be_written_to
from commerce.privacy.services.consent import GIVEN_PER_DAY
from commerce.privacy.tests.builders import staff
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

CALL = "/setting/consent"


def log_of(customer: Customer) -> list[tuple[bool, str]]:
    changes = ConsentChange.objects.filter(customer=customer).order_by("pk")
    return list(changes.values_list("is_given", "source"))


def agree(buyer: Buyer, agrees: object = True, lang: str = "en") -> dict[str, object]:
    return buyer.send("PUT", CALL, {"marketing": agrees}, lang=lang)


def test_no_customer_has_agreed_until_they_do_and_each_change_is_recorded_once() -> None:
    buyer = Buyer()
    assert buyer.send("GET", CALL)["result"] == {"marketing": False, "changes": []}
    assert agree(buyer, False)["result"] == {"marketing": False, "changes": []}
    for agrees in (True, True, False, False, True):
        answer = agree(buyer, agrees)["result"]
        assert answer["marketing"] is agrees  # type: ignore[index]
    assert log_of(buyer.customer) == [(True, "account"), (False, "account"), (True, "account")]
    shown = buyer.send("GET", CALL)["result"]["changes"]
    assert [(change["marketing"], change["source"]) for change in shown] == log_of(buyer.customer)


def test_a_customer_gives_it_ten_times_a_day_and_can_always_withdraw_it() -> None:
    buyer = Buyer()
    for _time in range(GIVEN_PER_DAY.maximum):
        assert agree(buyer)["code"] == 0
        assert agree(buyer, False)["code"] == 0
    before = log_of(buyer.customer)
    refused = buyer.client.put(f"/api/v1/pc{CALL}", {"marketing": True}, "application/json")
    assert (refused.status_code, refused.json()["reason"]) == (429, "too_frequent")
    assert (log_of(buyer.customer), has_consented(buyer.customer)) == (before, False)
    assert agree(buyer, False)["code"] == 0


def test_what_is_no_yes_or_no_is_refused_and_changes_nothing(subtests: pytest.Subtests) -> None:
    buyer = Buyer()
    wrong: list[object] = [None, "perhaps", 2, []]
    for value in wrong:
        with subtests.test(value=value):
            assert agree(buyer, value)["code"] == 1002
            assert not MarketingConsent.objects.exists()


def test_the_box_of_the_registration_counts_as_consent_only_where_it_is_ticked(
    client: Client, subtests: pytest.Subtests
) -> None:
    make_level()
    api = ApiClient(client)
    api.lang = "zh"
    account = "mei@example.com"
    assert api.ask_code(account, "register").body["code"] == 0
    body = {"account": account, "password": "314159", "code": Message.objects.get().code}
    for ticked in (True, False, None):
        with subtests.test(ticked=ticked), rolled_back():
            answer = api.call("POST", "register", body | ({} if ticked is None else {"marketing": ticked}))
            assert answer.body["code"] == 0
            customer = Customer.objects.get(account=account)
            assert log_of(customer) == ([(True, "registration")] if ticked else [])
            assert has_consented(customer) is bool(ticked)
            if ticked:
                assert MarketingConsent.objects.get().language == "zh-hans"


def test_the_link_ends_the_consent_without_login_and_looking_at_it_does_not(client: Client) -> None:
    buyer = Buyer()
    agree(buyer, lang="zh")
    link = MarketingConsent.objects.get().unsubscribe_link
    path = link[link.index("/zh-hans/home/unsubscribe/") :]
    page = client.get(path)
    name, _, domain = buyer.customer.account.partition("@")
    assert (page.status_code, page.cookies) == (200, {})
    assert f"{name[:1]}***@{domain}" in page.content.decode()
    assert buyer.customer.account not in page.content.decode()
    assert has_consented(buyer.customer)

    # As a mail program does it, by one click.
    strict = Client(enforce_csrf_checks=True)
    body = {"List-Unsubscribe": "One-Click"}
    assert [strict.post(path, body).status_code for _ in range(2)] == [200, 200]
    assert log_of(buyer.customer) == [(True, "account"), (False, "link")]
    assert "<form method" not in re.sub(r"(?s)<header.*?</header>", "", client.get(path).content.decode())


def test_a_link_that_the_shop_has_not_signed_ends_nothing(client: Client, subtests: pytest.Subtests) -> None:
    buyer = Buyer()
    agree(buyer)
    for token in ("x", "MQ:1abc:zzz", "%00"):
        with subtests.test(token=token):
            for prefix in ("", "/zh-hans"):
                assert client.post(f"{prefix}/home/unsubscribe/{token}").status_code == 404
            assert has_consented(buyer.customer)


def test_a_link_of_a_customer_who_never_agreed_is_no_fault(client: Client) -> None:
    path = f"/home/unsubscribe/{unsubscribe_token(Buyer().customer.pk)}"
    assert client.post(path).status_code == 200
    assert client.post(f"/home/unsubscribe/{unsubscribe_token(10**12)}").status_code == 200
    assert not ConsentChange.objects.exists()


def test_staff_export_customers_with_consent_each_with_their_link() -> None:
    agreed, refused, blocked = Buyer(), Buyer(), Buyer()
    for buyer in (agreed, refused, blocked):
        agree(buyer, lang="zh")
    agree(refused, False)
    Customer.objects.filter(pk=blocked.customer.pk).update(is_active=False)
    Customer.objects.filter(pk=agreed.customer.pk).update(nickname="=1+1")
    assert [row.customer_id for row in may_be_written_to()] == [agreed.customer.pk]
    browser = staff("writer", "view_marketingconsent")
    answer = browser.get("/admin/newsletter/", {"export": "csv"})
    table = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    [_titles, row] = table.strip().splitlines()
    assert agreed.customer.account in row
    assert without_formula("=1+1") in row
    assert f"/zh-hans/home/unsubscribe/{unsubscribe_token(agreed.customer.pk)}" in row
    assert staff("reader").get("/admin/newsletter/").status_code == 302


def test_staff_note_a_consent_for_a_customer_with_their_name() -> None:
    buyer = Buyer()
    path = f"/admin/customers/{buyer.customer.pk}/consent/"
    helper = staff("helper", "handle_request")
    assert helper.post(path, {"agrees": "1"}).status_code == 302
    change = ConsentChange.objects.get()
    assert (change.is_given, change.source, change.staff.username) == (True, "staff", "helper")  # type: ignore[union-attr]
    page = helper.get(f"/admin/customers/inspect/{buyer.customer.pk}/").content.decode()
    assert "staff, helper" in page
    other = staff("other")
    assert other.post(path, {"agrees": "0"}).status_code == 302
    assert has_consented(buyer.customer)
    assert path not in other.get(f"/admin/customers/inspect/{buyer.customer.pk}/").content.decode()
