"""Rules of the project that no other tool checks; they need no database."""

import ast
import importlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    AlterUniqueTogether,
    CreateModel,
    RenameField,
    RenameIndex,
    RenameModel,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import NOT_PROVIDED
from django.urls import resolve
from django.utils.translation import override

from commerce.ledger.serializers import CHARGEBACK_OF_WALLET_ZH, REASON_ZH
from config.management.commands.export_errors import FOLDER, exported
from core.migration_operations import AddIndexConcurrently, AddUniqueConstraintConcurrently
from tests.test_addresses import CLOSED

ROOT: Path = settings.BASE_DIR
SOURCES = sorted(
    file for folder in (ROOT / "site", ROOT / "catalog", ROOT / "commerce") for file in folder.rglob("*.py")
)
CODE = [file for file in SOURCES if not {"tests", "migrations"} & set(file.parts)]
CONCURRENT = (AddIndexConcurrently, AddUniqueConstraintConcurrently)
# They make no index again.
RENAMING = (RenameField, RenameIndex, RenameModel)
# The one function that writes a price as a JSON number.
WHERE_MONEY_LEAVES = {"site/core/wire.py"}


# The pages of docs/product.md#pages; the home page is Wagtail's.
PAGES = [
    "/",
    "/shop",
    "/shop/shopdetails/101",
    "/home/createOrder",
    "/home/account",
    "/home/account/rewards",
    "/home/account/claims",
    "/home/account/claims/new/1",
    "/home/account/claims/C1",
    "/home/account/privacy",
    "/home/unsubscribe/token",
    *CLOSED,
]


def module_of(file: Path) -> str:
    path = file.relative_to(ROOT).with_suffix("")
    parts = path.parts[1:] if path.parts[0] == "site" else path.parts
    return ".".join(part for part in parts if part != "__init__")


def test_the_folder_site_is_not_a_package() -> None:
    assert not (ROOT / "site" / "__init__.py").exists()


def test_nothing_is_imported_as_site() -> None:
    wrong = re.compile(r"^\s*(import|from) site\b", re.MULTILINE)
    assert not [str(file) for file in SOURCES if wrong.search(file.read_text("utf-8"))]


def test_every_module_can_be_imported() -> None:
    for file in CODE:
        # An interpreter loads that one automatically, and moves its clock.
        if file.name != "sitecustomize.py":
            importlib.import_module(module_of(file))


def test_migrations_import_nothing_of_the_shop_but_their_operations() -> None:
    # The key of the migrated test database hashes migrations, not what else they would import.
    own = re.compile(
        r"^\s*(import|from) (config|core(?!\.migration_operations import)|content|catalog|commerce|tests)\b",
        re.MULTILINE,
    )
    files = [file for file in SOURCES if "migrations" in file.parts]
    assert files
    assert not [str(file) for file in files if own.search(file.read_text("utf-8"))]


def required_columns_without_default(operations: Sequence[Operation]) -> list[str]:
    """Name the added columns that the release before, which does not know them, could not leave out."""
    return [
        f"{operation.model_name}.{operation.name}"
        for operation in operations
        if isinstance(operation, AddField)
        and not (
            operation.field.null
            or operation.field.many_to_many
            or operation.field.db_default is not NOT_PROVIDED
        )
    ]


def test_added_columns_are_nullable_or_have_a_default_in_the_database() -> None:
    files = [file for file in SOURCES if "migrations" in file.parts and file.name != "__init__.py"]
    migrations = [importlib.import_module(module_of(file)).Migration for file in files]
    assert migrations
    found = [
        each
        for migration in migrations
        if not getattr(migration, "initial", False)
        for each in required_columns_without_default(migration.operations)
    ]
    assert not found


def test_control_a_required_column_without_default_is_found() -> None:
    columns: dict[str, models.Field[Any, Any]] = {
        "bare": models.IntegerField(default=0),
        "defaulted": models.IntegerField(default=0, db_default=0),
        "nullable": models.IntegerField(null=True),
    }
    added = [AddField("product", name, column) for name, column in columns.items()]
    assert required_columns_without_default(added) == ["product.bare"]


HOW_TO_ADD_AN_INDEX = """
An index locks its table while PostgreSQL makes it. So an index on a table that exists already is made by
AddIndexConcurrently or AddUniqueConstraintConcurrently of core/migration_operations.py, in a migration of its
own with `atomic = False`. A new field has db_index=False, a foreign key too; its index is named in
Meta.indexes. See CONTRIBUTING.md#migrations. This is not so here:"""


def indexes_of(state: ProjectState, app: str) -> dict[str, set[tuple[object, ...]]]:
    """Return what the database keeps an index for, by table."""
    found: dict[str, set[tuple[object, ...]]] = {}
    for (label, name), model in state.models.items():
        if label == app:
            columns = {key: field for key, field in model.fields.items() if not field.many_to_many}
            found[name] = {
                *(("unique", key) for key, field in columns.items() if field.unique),
                *(("index", key) for key, field in columns.items() if field.db_index),
                *(("together", *key) for key in model.options.get("unique_together", ())),
                *((index.name,) for index in model.options.get("indexes", ())),
                *(
                    (constraint.name,)
                    for constraint in model.options.get("constraints", ())
                    if isinstance(constraint, models.UniqueConstraint)
                ),
            }
    return found


def locking_operations(migration: Migration, state: ProjectState) -> list[str]:
    """Name the operations that make an index on a table of the state, and lock it in the meantime."""
    tables = {name for label, name in state.models if label == migration.app_label}
    concurrent = [each for each in migration.operations if isinstance(each, CONCURRENT)]
    is_their_own = not migration.atomic and len(concurrent) == len(migration.operations)
    wrong: list[Operation] = [] if is_their_own else [*concurrent]
    for operation in migration.operations:
        before = indexes_of(state, migration.app_label)
        operation.state_forwards(migration.app_label, state)
        after = indexes_of(state, migration.app_label)
        makes = any(after[table] - before[table] for table in tables & after.keys() & before.keys())
        if makes and not isinstance(operation, (*CONCURRENT, *RENAMING)):
            wrong.append(operation)
    return [f"{migration}: {operation.describe()}" for operation in wrong]


@pytest.mark.django_db
def test_indexes_of_existing_tables_are_made_concurrently() -> None:
    loader = MigrationLoader(None)
    own = {module_of(file) for file in SOURCES if "migrations" in file.parts}
    wrong = [
        each
        for key, migration in loader.graph.nodes.items()
        if migration.__module__ in own and not migration.initial
        for each in locking_operations(migration, loader.project_state(key, at_end=False))
    ]
    assert not wrong, "\n".join([HOW_TO_ADD_AN_INDEX, *wrong])


def migration_of(*operations: Operation, atomic: bool = True) -> Migration:
    facts = {"operations": [*operations], "atomic": atomic}
    migration: Migration = type("Migration", (Migration,), facts)("0002_more", "goods")
    return migration


INDEX = models.Index(fields=["name"], name="by_name")
UNIQUE = models.UniqueConstraint(fields=["name"], name="one_of_a_name")
TO_OTHER: dict[str, Any] = {"to": "goods.product", "on_delete": models.CASCADE, "null": True}
NEW_TABLE = CreateModel("new", [("id", models.IntegerField(primary_key=True)), ("name", models.TextField())])


MIGRATIONS = [
    (migration_of(AddIndex("product", INDEX)), 1),
    (migration_of(AddConstraint("product", UNIQUE)), 1),
    (migration_of(AddField("product", "other", models.ForeignKey(**TO_OTHER))), 1),
    (migration_of(AddField("product", "other", models.OneToOneField(**TO_OTHER))), 1),
    (migration_of(AddField("product", "code", models.TextField(null=True, db_index=True))), 1),
    (migration_of(AlterField("product", "name", models.TextField(unique=True))), 1),
    (migration_of(AlterUniqueTogether("product", {("name", "size")})), 1),
    (migration_of(AddIndexConcurrently("product", INDEX)), 1),
    (migration_of(AddIndexConcurrently("product", INDEX), NEW_TABLE, atomic=False), 1),
    (migration_of(AddIndexConcurrently("product", INDEX), atomic=False), 0),
    (migration_of(AddUniqueConstraintConcurrently("product", UNIQUE), atomic=False), 0),
    (migration_of(NEW_TABLE, AddIndex("new", INDEX), AddConstraint("new", UNIQUE)), 0),
    (migration_of(AddField("product", "other", models.ForeignKey(**TO_OTHER, db_index=False))), 0),
    (migration_of(AddField("product", "code", models.TextField(null=True))), 0),
    (migration_of(RenameField("product", "code", "number")), 0),
]


def test_control_an_index_that_locks_its_table_is_found(subtests: pytest.Subtests) -> None:
    for migration, number in MIGRATIONS:
        with subtests.test(migration=migration, number=number):
            state = ProjectState()
            columns: dict[str, models.Field[Any, Any]] = {
                "id": models.IntegerField(primary_key=True),
                "name": models.TextField(),
            }
            more: dict[str, models.Field[Any, Any]] = {
                "size": models.IntegerField(),
                "code": models.IntegerField(db_index=True),
            }
            if not any(isinstance(each, AddField) for each in migration.operations):
                columns |= more
            state.add_model(ModelState("goods", "Product", [*columns.items()]))
            assert len(locking_operations(migration, state)) == number


def floats_in(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that make a float or a column of floats."""
    for node in ast.walk(tree):
        named = node.func if isinstance(node, ast.Call) else None
        name = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
        if name in {"float", "FloatField"}:
            yield getattr(node, "lineno", 0)


def test_money_is_never_a_float() -> None:
    found = {
        str(file.relative_to(ROOT)): lines
        for file in CODE
        if (lines := list(floats_in(ast.parse(file.read_text("utf-8")))))
    }
    assert found.keys() <= WHERE_MONEY_LEAVES, found


def test_control_a_float_is_found() -> None:
    assert list(floats_in(ast.parse("price = models.FloatField()\nhalf = float(price)"))) == [1, 2]


def test_the_islands_know_every_error() -> None:
    assert {name: (FOLDER / name).read_text("utf-8") for name in exported()} == exported()


def test_the_islands_translate_every_reason_of_an_entry() -> None:
    islands = ROOT / "islands"
    known = {
        reason: json.loads((islands / "i18n" / f"{part}.en.json").read_text("utf-8"))[part]["reason"][key]
        for file, part in (("rewards/texts.ts", "points"), ("wallet/Statement.tsx", "wallet"))
        for reason, key in re.findall(
            rf"^  (\w+): '{part}\.reason\.(\w+)',$", (islands / file).read_text("utf-8"), re.MULTILINE
        )
    }
    sent = {*REASON_ZH.values(), CHARGEBACK_OF_WALLET_ZH}
    assert sent == known.keys()
    assert all(text.isascii() for text in known.values())


def test_every_page_is_routed_in_both_languages() -> None:
    # Wagtail's own view takes every path that no other route takes.
    for path in [*PAGES, "/livez", "/readyz", "/api/docs", "/api/openapi.json", "/admin/"]:
        assert resolve(path).url_name != "wagtail_serve", path
    with override("zh-hans"):
        for path in PAGES[1:]:
            assert resolve(f"/zh-hans{path}").url_name != "wagtail_serve", path


def test_control_an_unknown_page_is_routed_to_wagtail() -> None:
    assert resolve("/home/nothing").url_name == "wagtail_serve"
