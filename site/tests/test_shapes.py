"""What requests and answers of the API are made of (docs/wire.md#envelope)."""

import json
import re
from contextlib import suppress
from importlib import import_module
from typing import Any, get_args

import pytest
from django.test import Client, RequestFactory
from pydantic import BaseModel, ValidationError

from commerce.accounts.tests.builders import auth_headers, make_customer
from config.api import api
from core.errors import ShopError
from core.wire import AnswerModel, WireModel

# It adds the routers within others.
import_module("config.urls")
CALLS = [
    (f"{method} {path}", operation)
    for router in api._routers
    for path, view in router[1].path_operations.items()
    for operation in view.operations
    for method in operation.methods
]


def within(models: Any) -> set[type[BaseModel]]:
    """Return the models within those that Ninja makes around arguments and answers."""
    found: set[type[BaseModel]] = set()
    left = [field.annotation for model in models for field in model.model_fields.values()]
    while left:
        annotation = left.pop()
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            left += get_args(annotation)
        elif annotation not in found:
            found.add(annotation)
            left += [field.annotation for field in annotation.model_fields.values()]
    return found


def test_requests_are_wire_models_and_answers_are_answer_models(subtests: pytest.Subtests) -> None:
    for call, operation in CALLS:
        with subtests.test(call=call, operation=operation):
            assert {shape for shape in within(operation.models) if not issubclass(shape, WireModel)} == set()
            answers = within(operation.response_models.values())
            assert answers, f"{call} declares no answer"
            assert {shape for shape in answers if not issubclass(shape, AnswerModel)} == set()


REQUESTS = sorted(
    {shape for _, call in CALLS for shape in within(call.models)}, key=lambda each: each.__name__
)


def test_a_field_that_is_null_or_empty_is_read_or_refused(subtests: pytest.Subtests) -> None:
    for shape in REQUESTS:
        with subtests.test(shape=shape):
            for name, field in shape.model_fields.items():
                blanks: list[Any] = [None, "", [], {}]
                for blank in blanks:
                    with suppress(ValidationError, ShopError):
                        shape.model_validate({field.alias or name: blank})


def reads(source: str) -> list[tuple[str, str]]:
    """Return method and path, its ids filled in, of the calls that read something of a source."""
    return [
        (call.split()[0], "/api" + re.sub(r"{\w+}", "1", call.split()[1]))
        for call, operation in CALLS
        if any(model.__ninja_param_source__ == source for model in operation.models)
    ]


def test_every_text_of_a_request_is_cleaned_but_passwords(
    rf: RequestFactory, subtests: pytest.Subtests
) -> None:
    typed, cleaned = "\u200b１２\u3000", "12 "
    for shape in REQUESTS:
        with subtests.test(shape=shape):
            for name, field in shape.model_fields.items():
                sent = {field.alias or name: typed}
                expected = {field.alias or name: typed if "password" in name.lower() else cleaned}
                body = rf.post("/", json.dumps({"in": [sent]}), content_type="application/json")
                assert api.parser.parse_body(body) == {"in": [expected]}
                query = rf.get("/", sent)
                assert api.parser.parse_querydict(query.GET, [], query) == expected


JUNK = ['"\\u0000"', '"\\ud800"', "NaN", "1e999", "[" * 33 + "]" * 33]


@pytest.mark.django_db
def test_no_call_takes_a_body_with_junk_anywhere(client: Client, subtests: pytest.Subtests) -> None:
    headers = auth_headers(make_customer())
    for method, path in reads("body"):
        with subtests.test(method=method, path=path):
            for junk in JUNK:
                for body in (f'{{"unknown": [{{"deep": {junk}}}]}}', f'[{{"unknown": {junk}}}]'):
                    answer = client.generic(method, path, body, "application/json", headers=headers).json()
                    assert (answer["code"], answer["reason"]) == (1002, "parameter_error"), body


@pytest.mark.django_db
def test_no_call_takes_a_query_with_junk_anywhere(client: Client, subtests: pytest.Subtests) -> None:
    headers = auth_headers(make_customer())
    for method, path in reads("query"):
        with subtests.test(method=method, path=path):
            answer = client.generic(method, f"{path}?unknown=%00", headers=headers).json()
            assert (answer["code"], answer["reason"]) == (1002, "parameter_error")
