"""Call the import in tests, and read what it has changed."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db.models import Model
from wagtail.images import get_image_model

from catalog.goods.models import Brand, Category, Product, ProductGroup
from catalog.stock.models import StockLevel, StockMovement


def load(*args: Any, **kw: Any) -> str:
    """Run the command; returns its output."""
    out = io.StringIO()
    call_command("import_goods", *map(str, args), stdout=out, **kw)
    return out.getvalue()


def media_files() -> set[Path]:
    """List the files of the media folder."""
    return {path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()}


def everything() -> dict[str, Any]:
    """Read every row that an import could change."""
    models: tuple[type[Model], ...] = (
        Category,
        Brand,
        ProductGroup,
        Product,
        StockLevel,
        StockMovement,
        get_image_model(),
    )
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}


def refused(folder: Path, **kw: Any) -> str:
    """Import a folder that must be refused without any change; returns the message."""
    before, files = everything(), media_files()
    with pytest.raises(CommandError) as refusal:
        load(folder, **kw)
    assert everything() == before
    assert media_files() == files
    return str(refusal.value)
