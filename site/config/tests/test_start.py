"""A start imports what the shop needs and nothing else, and finds all of it compiled."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

LOOK = """
import json, os, sys
import config.front_end.server, config.management.commands.serve, config.management.commands.web
modules = {
    name: bool(getattr(module, "__cached__", None)) and not os.path.exists(module.__cached__)
    for name, module in list(sys.modules.items())
    if name.partition(".")[0] not in sys.stdlib_module_names and name != "__main__"
}
print(json.dumps(modules))
"""
# What tests and other commands need, and packages that would take as long as all the rest.
UNNEEDED = (
    *("_pytest", "hypothesis", "playwright", "pytest", "schemathesis", "time_machine"),
    *("tools", "config.demo", "content.demo"),
    *("IPython", "jieba", "lxml", "matplotlib", "numpy", "pandas", "reportlab", "scipy", "weasyprint"),
)
# The shop's own, which may grow.
OWN = ("catalog", "commerce", "config", "content", "core")
# Of other packages, a hundred more than today.
MAX_MODULES = 2_150


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """The modules outside Python's own library that a start imports, and whether each lacks its bytecode."""
    looked = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=settings.BASE_DIR,
        env={
            "PYTHONPATH": ".:site",
            "PYTHONDONTWRITEBYTECODE": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATA_DIR": str(tmp_path_factory.mktemp("start")),
            "LOG_LEVEL": "ERROR",
        },
        check=True,
        timeout=60,
        stdout=subprocess.PIPE,
    )
    modules: dict[str, bool] = json.loads(looked.stdout.splitlines()[-1])
    return modules


def test_a_start_imports_nothing_that_only_tests_and_other_commands_need(imported: dict[str, bool]) -> None:
    assert not [name for name in imported if any(f"{name}.".startswith(f"{each}.") for each in UNNEEDED)]


def test_a_start_imports_no_large_package_unnoticed(imported: dict[str, bool]) -> None:
    others = [name for name in imported if name.partition(".")[0] not in OWN]
    assert MAX_MODULES / 2 < len(others) < MAX_MODULES


def test_a_start_finds_the_bytecode_of_every_package(imported: dict[str, bool]) -> None:
    of_the_shop = {
        each.name for folder in (".", "site") for each in Path(settings.BASE_DIR, folder).iterdir()
    }
    missing = [name for name, is_missing in imported.items() if is_missing]
    packages = [name for name in missing if name.partition(".")[0] not in of_the_shop]
    assert not packages, "python3 scripts/set_up.py bytecode makes it"
