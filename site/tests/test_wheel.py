"""The wheel of the shop contains its packages, and neither tests nor tools."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.conf import settings


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files of the wheel, which is built as an installer builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=settings.BASE_DIR, check=True, capture_output=True, timeout=60)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return [Path(name) for name in archive.namelist()]


def test_the_wheel_contains_the_packages_of_the_shop_only(names: list[Path]) -> None:
    packages = {name.parts[0] for name in names if name.suffix == ".py"}
    assert packages == {"catalog", "commerce", "config", "content", "core"}
    assert Path("commerce/orders/services/place.py") in names


def test_the_wheel_contains_no_test(names: list[Path]) -> None:
    assert [name for name in names if {"tests", "conftest.py"} & set(name.parts)] == []
