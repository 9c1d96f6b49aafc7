"""The region data: written by its recipe, small, kept for a year (static/regions/NOTICE.md)."""

import importlib.util
import json
import re
from types import ModuleType

import brotli
import pytest
from django.conf import settings

FOLDER = settings.BASE_DIR / "static" / "regions"
MAX_BYTES = 30 * 1024


@pytest.fixture(scope="module")
def recipe() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "write_regions", settings.BASE_DIR / "tools" / "regions" / "write.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_what_their_recipe_writes(recipe: ModuleType) -> None:
    files = recipe.build()
    folder = json.loads((FOLDER / "current.json").read_text("utf-8"))["folder"]
    assert {file.name: file.read_bytes() for file in (FOLDER / folder).iterdir()} == files
    assert folder == recipe.folder_of(files)
    assert sorted(each.name for each in FOLDER.iterdir() if each.is_dir()) == [folder]


def test_a_changed_file_has_another_address(recipe: ModuleType) -> None:
    before = {"a.json": b"1", "b.json": b"2"}
    names = {recipe.folder_of(files) for files in (before, before | {"b.json": b"3"}, {"a.json": b"1"})}
    assert len(names) == 3
    assert all(
        re.search(settings.WHITENOISE_IMMUTABLE_FILE_TEST, f"/static/regions/{name}/a.json") for name in names
    )
    assert not re.search(settings.WHITENOISE_IMMUTABLE_FILE_TEST, "/static/regions/current.json")


def test_every_file_is_loaded_immediately() -> None:
    large = [file for file in FOLDER.glob("*/*.json") if file.stat().st_size > MAX_BYTES]
    sizes = {file.name: len(brotli.compress(file.read_bytes())) for file in large}
    assert "china.json" in sizes
    assert {name: size for name, size in sizes.items() if size > MAX_BYTES} == {}
