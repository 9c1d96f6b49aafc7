from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from commerce.invoices.tests.builders import make_seller


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Keep the files of each test apart; returns the folder of its invoices."""
    settings.DATA_DIR = tmp_path
    return tmp_path / "invoices"


@pytest.fixture(autouse=True)
def shop_settings(db: None) -> Any:
    """Set who sells."""
    return make_seller()
