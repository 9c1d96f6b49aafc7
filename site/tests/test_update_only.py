"""Columns that services change by UPDATE are declared, and saving a row that was read earlier leaves them."""

import ast
import importlib
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction
from django.test.utils import CaptureQueriesContext
from modelcluster.models import get_all_child_relations
from wagtail.admin.viewsets import viewsets
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.goods.tests.builders import make_product
from catalog.imports.models import FileRun
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.services import take_quota
from catalog.promotions.tests.builders import make_promotion
from commerce.orders.models import Order
from core.protected import ProtectedModel
from core.tests.rows import rolled_back
from core.update_only import UpdateOnlyError, UpdateOnlyModel
from tests.test_project_rules import CODE, module_of

Model = type[models.Model]

SHOP = [
    model for model in apps.get_models() if model.__module__.startswith(("catalog.", "commerce.", "content."))
]
# The models that a related manager gives, by its name.
RELATED: dict[str, set[Any]] = {}
for each in SHOP:
    for relation in each._meta.related_objects:
        RELATED.setdefault(relation.get_accessor_name() or "", set()).add(relation.related_model)
DECLARED: list[Any] = [model for model in SHOP if issubclass(model, UpdateOnlyModel)]

# Columns that are changed by UPDATE and saved as well, and why nothing is lost by it.
ALSO_SAVED = {
    "CartItem.amount": "every writer of a cart locks its customer's row",
    "ConsentChange.is_given": "it is written once; its file changes that of the customer's consent",
    "Customer.is_active": "its form locks the row, and is refused where that has changed",
    "DeliveryWindow.capacity": "staff set it; what changes is that of its slots",
    "LedgerEntry.balance": "an entry is never changed; its file changes the balance of the account",
    "LedgerEntry.reference": "an entry is never changed; the file of refunds changes that of a refund",
    "OrderRefundLine.unsent": "it is written once; its file changes that of the order's line",
    "Payment.amount": "it is written once; the file of reviews changes that of a certificate",
    "Payment.note": "it is written once; files change that of a certificate and of a refund",
    "Payment.reference": "it is written once; the file of refunds changes that of a refund",
    "Payment.staff": "it is written once; the file of refunds changes that of a refund",
    "Product.market_price": "it is removed in the transaction that saved it, or by night where it is too old",
    "Product.top_category": "it is read again for each save, with the category locked",
    "PromotionItem.quota": "editors set it; only the demonstration raises it",
    "Refund.payment": "it is written once; the file that matches lists of providers changes that of a line",
    "TrackingEvent.text_en": "news are written by one statement, which replaces what a carrier has corrected",
    "TrackingEvent.text_zh": "as the English text",
}


class Write(NamedTuple):
    """A call that changes columns: where, which ones, and the models that may be meant."""

    place: str
    columns: set[str]
    models: set[Model]


@cache
def writes() -> list[Write]:
    """Find the calls of `update`, and of functions that hand their keywords on to one.

    Every model that the file names may be meant, and every one that a related manager of that name gives:
    `promotion.items`.
    """
    calls = [found for file in CODE for found in calls_in(file)]
    # The functions that hand keywords on, with their files.
    known: dict[str, tuple[Path, ast.FunctionDef]] = {}
    while True:
        found, new = [], dict(known)
        for file, call, function in calls:
            name, home, own = name_of(call), file, set[str]()
            if name in known:
                home, target = known[name]
                own = {argument.arg for argument in (*target.args.args, *target.args.kwonlyargs)}
            if name not in {"update", *known} or (name.startswith("_") and home != file):
                continue
            if function and function.name != "update" and hands_on(function, call):
                new[function.name] = (file, function)
            place = f"{module_of(file)}:{call.lineno}"
            found.append(Write(place, columns_named(call) - own, models_meant(call, home)))
        if len(new) == len(known):
            return found
        known = new


def calls_in(file: Path) -> list[tuple[Path, ast.Call, ast.FunctionDef | None]]:
    """Return the calls with keywords in a file, each with its function."""
    found: dict[ast.Call, ast.FunctionDef | None] = {}

    def visit(node: ast.AST, function: ast.FunctionDef | None) -> None:
        if isinstance(node, ast.Call) and node.keywords:
            found[node] = function
        for child in ast.iter_child_nodes(node):
            visit(child, node if isinstance(node, ast.FunctionDef) else function)

    visit(ast.parse(file.read_text("utf-8")), None)
    return [(file, call, function) for call, function in found.items()]


def name_of(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def columns_named(call: ast.Call) -> set[str]:
    named = {word.arg for word in call.keywords if word.arg}
    rest = [node for word in call.keywords if word.arg is None for node in ast.walk(word.value)]
    return named | {str(node.value) for node in rest if isinstance(node, ast.Constant)}


def hands_on(function: ast.FunctionDef, call: ast.Call) -> bool:
    rest = function.args.kwarg
    return rest is not None and any(
        word.arg is None and getattr(word.value, "id", "") == rest.arg for word in call.keywords
    )


def models_meant(call: ast.Call, file: Path) -> set[Model]:
    named = [id(value) for value in vars(importlib.import_module(module_of(file))).values()]
    steps = {getattr(node, "attr", "") for node in ast.walk(call.func)}
    related = {model for name in steps for model in RELATED.get(name, ())}
    return related | {model for model in SHOP if id(model) in named}


def undeclared() -> list[str]:
    """Name the columns that some code changes by UPDATE and their models do not declare."""
    return sorted(
        f"{place}: {model.__name__}.{field.name}"
        for place, columns, candidates in writes()
        for model in candidates
        for field in model._meta.concrete_fields
        if {field.name, field.attname} & columns
        and field.name not in getattr(model, "UPDATE_ONLY", ())
        and f"{model.__name__}.{field.name}" not in ALSO_SAVED
    )


def test_every_column_that_is_changed_by_update_is_declared() -> None:
    assert undeclared() == []


def test_a_column_that_is_not_declared_is_found_however_it_is_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # By an UPDATE of its file, by a function of its file, by a function of another file.
    for model in (PromotionItem, FileRun, Order):
        monkeypatch.setattr(model, "UPDATE_ONLY", frozenset())
    found = {line.partition(": ")[2] for line in undeclared()}
    assert found >= {"PromotionItem.taken", "FileRun.problems", "Order.paid_at"}


def test_what_is_declared_is_changed_by_some_update() -> None:
    changed = {
        f"{model.__name__}.{column}"
        for _, columns, candidates in writes()
        for model in candidates
        for column in columns
    }
    declared = {f"{model.__name__}.{column}" for model in DECLARED for column in model.UPDATE_ONLY}
    # The search index, the rate limits and the counts of refused notices have SQL of their own.
    assert declared - changed == {
        "Posting.ids",
        "Posting.version",
        "RateLimitCounter.window_ends_at",
        "RefusedNotice.count",
        "RefusedNotice.last_at",
    }


@pytest.mark.django_db
def test_saving_a_row_that_is_there_leaves_the_declared_columns(subtests: pytest.Subtests) -> None:
    for model in DECLARED:
        with subtests.test(model=model):
            row = model(pk=1)
            row._state.adding = False
            save = super(ProtectedModel, row).save if isinstance(row, ProtectedModel) else row.save
            with (
                CaptureQueriesContext(connection) as queries,
                pytest.raises(DatabaseError),
                transaction.atomic(),
            ):
                save(force_update=True)
            [statement] = [query["sql"] for query in queries if query["sql"].startswith("UPDATE")]
            written = {
                field.name for field in model._meta.concrete_fields if f'"{field.column}" = ' in statement
            }
            assert written
            assert written.isdisjoint(model.UPDATE_ONLY)
            assert {field.name for field in model._meta.concrete_fields} >= model.UPDATE_ONLY


@pytest.fixture
def promotion() -> Promotion:
    return make_promotion((make_product(price=Decimal("5.00")), "3.50"))


def save_a_revision(item: PromotionItem) -> None:
    promotion = Promotion.objects.get(pk=item.promotion_id)
    promotion.items.add(item)
    Promotion.from_json(promotion.to_json()).save()


SAVES: dict[str, Callable[[PromotionItem], object]] = {
    "save": lambda item: item.save(),
    "save a row that was not read": lambda item: PromotionItem(
        **{field.attname: getattr(item, field.attname) for field in item._meta.concrete_fields}
    ).save(),
    "save a row that was read in part": lambda item: save_in_part(item),
    "bulk update": lambda item: PromotionItem.objects.bulk_update([item], ["price"]),
    "update or create": lambda item: PromotionItem.objects.update_or_create(
        pk=item.pk, defaults={"price": item.price}
    ),
    "save the parent": lambda item: save_with_parent(item),
    "save a revision": save_a_revision,
}


def save_in_part(item: PromotionItem) -> None:
    part = PromotionItem.objects.only("price", "taken").get(pk=item.pk)
    part.price, part.taken = item.price, item.taken
    part.save()


def save_with_parent(item: PromotionItem) -> None:
    promotion = Promotion.objects.get(pk=item.promotion_id)
    promotion.items.add(item)
    promotion.save()


@pytest.mark.django_db
def test_units_taken_since_a_row_was_read_stay_taken(promotion: Promotion, subtests: pytest.Subtests) -> None:
    for way in SAVES:
        with subtests.test(msg=way), rolled_back():
            item = promotion.items.get()
            take_quota({item.pk: 7})
            item.price = Decimal("2.95")
            SAVES[way](item)
            assert list(PromotionItem.objects.values_list("price", "taken")) == [(Decimal("2.95"), 7)]


REFUSED: dict[str, Callable[[PromotionItem], object]] = {
    "save": lambda item: item.save(update_fields=["price", "taken"]),
    "bulk update": lambda item: PromotionItem.objects.bulk_update([item], ["price", "taken"]),
    "update or create": lambda item: PromotionItem.objects.update_or_create(
        pk=item.pk, defaults={"price": item.price, "taken": 0}
    ),
    "create or update": lambda item: PromotionItem.objects.bulk_create(
        [item], update_conflicts=True, unique_fields=["id"], update_fields=["price", "taken"]
    ),
}


@pytest.mark.django_db
def test_saving_a_declared_column_by_its_name_is_refused(
    promotion: Promotion, subtests: pytest.Subtests
) -> None:
    item = promotion.items.get()
    take_quota({item.pk: 7})
    item.price = Decimal("2.95")
    for way in REFUSED:
        with subtests.test(msg=way):
            with pytest.raises(UpdateOnlyError, match=r"PromotionItem: .* taken"), transaction.atomic():
                REFUSED[way](item)
            assert list(PromotionItem.objects.values_list("price", "taken")) == [(Decimal("3.50"), 7)]


def test_the_back_office_copies_no_row_with_a_declared_column() -> None:
    viewsets.populate()
    found = [viewset for viewset in viewsets.viewsets if isinstance(viewset, ModelViewSet)]
    assert found
    for viewset in found:
        rows = {viewset.model, *(child.related_model for child in get_all_child_relations(viewset.model))}
        assert not (viewset.copy_view_enabled and rows & set(DECLARED)), viewset
