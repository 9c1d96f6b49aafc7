from pathlib import Path

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def own_outbox(settings: LazySettings, tmp_path: Path) -> None:
    """Give each test its own outbox and private files."""
    settings.DATA_DIR = tmp_path
