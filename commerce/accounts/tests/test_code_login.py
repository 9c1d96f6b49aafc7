"""Logins by a code that was sent to the account, without the password."""

import pytest

from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import auth_headers, make_customer


@pytest.mark.django_db
def test_a_code_logs_in_once_and_does_not_end_other_logins(api: ApiClient) -> None:
    customer = make_customer()
    other = auth_headers(customer)["token"]
    body = {"account": customer.account, "code": api.code(customer.account, "login")}
    answer = api.call("POST", "login/code", body).body
    assert (answer["code"], answer["result"]["account"]) == (0, customer.account)
    assert api.call("POST", "login/code", body).body["reason"] == "verification_code_error"
    for token in (answer["result"]["token"], other):
        api.token = token
        assert api.call("POST", "logout").body["code"] == 0


@pytest.mark.django_db
def test_a_wrong_code_answers_the_same_for_an_unknown_account_and_five_end_it(api: ApiClient) -> None:
    customer = make_customer()
    code = api.code(customer.account, "login")
    api.ask_code("unknown@example.com", "login")
    wrong = "000000" if code != "000000" else "000001"
    answers = [
        api.call("POST", "login/code", {"account": account, "code": wrong}).content
        for account in (customer.account, "unknown@example.com")
    ]
    assert answers[0] == answers[1]
    for _ in range(4):
        api.call("POST", "login/code", {"account": customer.account, "code": wrong})
    body = {"account": customer.account, "code": code}
    assert api.call("POST", "login/code", body).body["reason"] == "verification_code_error"


@pytest.mark.django_db
def test_a_code_for_something_else_or_of_a_closed_account_begins_no_login(api: ApiClient) -> None:
    customer = make_customer()
    body = {"account": customer.account, "code": api.code(customer.account, "reset")}
    assert api.call("POST", "login/code", body).body["reason"] == "verification_code_error"
    closed = make_customer(is_active=False)
    body = {"account": closed.account, "code": api.code(closed.account, "login")}
    assert api.call("POST", "login/code", body).body["reason"] == "account_abnormal"
