"""Answers that are written without a schema, compared with the one that their call declares."""

import json

from django.http import HttpRequest, HttpResponse
from ninja.operation import Operation

from config.api import api


def check_answer(operation: Operation, request: HttpRequest, response: HttpResponse) -> None:
    """Assert that a call has answered just what its schema would have written.

    Fields that are missing, too many, of another type or in another format than the schema's all fail.
    """
    model = operation.response_models[response.status_code]
    # A time with less than a millisecond has its place in the answer, and none once it is read again.
    body = json.loads(response.content.replace(b'.000Z"', b'Z"'))
    declared = model.model_validate({"response": body}).model_dump()["response"]
    written = json.loads(api.renderer.render(request, declared, response_status=response.status_code))
    assert body == written, f"{operation.view_func.__name__} answers {body}, its schema {written}"
