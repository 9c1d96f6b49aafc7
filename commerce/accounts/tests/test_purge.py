"""The periodic jobs that send lost messages and delete expired rows."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from commerce.accounts.models import AuthToken, CaptchaProof, VerificationCode
from commerce.accounts.tasks import purge
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.messaging.models import Message
from commerce.messaging.tasks import delete_expired_messages, send_due_messages
from commerce.messaging.tests.outbox import messages
from commerce.rate_limits.models import RateLimitCounter
from commerce.rate_limits.tasks import delete_expired_counters

pytestmark = pytest.mark.django_db


def delete_expired() -> None:
    for task in (purge, delete_expired_messages, delete_expired_counters):
        task()


def test_the_periodic_job_sends_the_message_of_a_lost_task(api: ApiClient) -> None:
    body = {"account": "new@example.com", "purpose": "register", "ticket": api.ticket()}
    api.call("POST", "common/sendCode", body)
    assert messages() == []
    send_due_messages()
    assert len(messages()) == 1


def test_rows_that_expired_a_day_ago_are_deleted_and_no_others(api: ApiClient) -> None:
    customer = make_customer()
    models = (AuthToken, VerificationCode, CaptchaProof, Message, RateLimitCounter)
    api.code(customer.account, "reset")
    old_token = auth_headers(customer)["token"]
    assert all(model.objects.exists() for model in models)
    delete_expired()
    assert all(model.objects.exists() for model in models)
    with time_machine.travel(timezone.now() + timedelta(days=32)):
        new_token = auth_headers(customer)["token"]
        api.call("POST", "login", {"account": customer.account, "password": "000000"})
        delete_expired()
        assert AuthToken.objects.count() == 1
        assert RateLimitCounter.objects.count() == 3
        assert not any(model.objects.exists() for model in (VerificationCode, CaptchaProof, Message))
        api.token = new_token
        assert api.call("POST", "logout").body["code"] == 0
        api.token = old_token
        assert api.call("POST", "logout").body["code"] == 1001
