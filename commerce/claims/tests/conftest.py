from pathlib import Path

import pytest
from django.conf import LazySettings

from commerce.payments.tests.conftest import _pay_types

__all__ = ["_pay_types"]


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Keep the files of each test apart; returns the folder of its pictures."""
    settings.DATA_DIR = tmp_path
    return tmp_path / "claims"
