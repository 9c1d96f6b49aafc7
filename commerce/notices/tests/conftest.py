from pathlib import Path

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def own_outbox(settings: LazySettings, tmp_path: Path) -> None:
    """Keep each test's outbox to itself."""
    settings.DATA_DIR = tmp_path
