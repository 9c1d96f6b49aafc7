"""The OpenAPI description of the API, in which every call can be refused (docs/wire.md#envelope)."""

from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from core.wire import Refusal

_SHAPE = {"$ref": "#/components/schemas/Refusal"}
_REFUSED = {"$ref": "#/components/responses/Refusal"}


class ShopAPI(NinjaAPI):
    """The shop's API."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Describe every call with its answer and refusals."""
        if path_prefix is None:
            path_prefix = self.get_root_path(path_params or {})
        return _Description(self, path_prefix)


class _Description(OpenAPISchema):
    def responses(self, operation: Operation) -> dict[Any, Any]:
        """Describe the answers of a call; a refusal may have the status of a success."""
        found: dict[Any, Any] = super().responses(operation)
        for answer in found.values():
            for content in answer["content"].values():
                content["schema"] = {"anyOf": [content["schema"], _SHAPE]}
        return found | {"4XX": _REFUSED, "5XX": _REFUSED}

    def get_components(self) -> dict[str, Any]:
        """Describe the schemas and answers that calls refer to."""
        found: dict[str, Any] = super().get_components()
        found["schemas"]["Refusal"] = Refusal.model_json_schema()
        content = {self.api.renderer.media_type: {"schema": _SHAPE}}
        return found | {"responses": {"Refusal": {"description": "Refused", "content": content}}}
