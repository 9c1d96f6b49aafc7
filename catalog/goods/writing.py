"""The only writers of products, brands and categories, and of everything that depends on them.

One transaction writes the rows, price history, `sold_out`, top categories and search index, and clears
expired was-prices. The models refuse all other writes.

Locks in this order, each in key order: categories to which products may move, stock levels of products whose
minimum amount changes, existing rows, postings of the search index.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from django.db import models, transaction
from django.utils import timezone
from modelcluster.models import get_all_child_relations

from catalog.goods import indexing
from catalog.goods.models import Brand, Category, PriceChange, Product
from catalog.goods.wasprices import ChargedPrice, PricesShown, expired_was_prices
from catalog.search import index
from core.protected import writable, write_row
from core.update_only import refuse_update_only

Row = Product | Brand | Category

# Columns on which other tables or columns depend.
CATEGORY, PRICES, MINIMUM_AMOUNT = {"category", "category_id"}, {"price", "market_price"}, {"min_amount"}


# A caller's validation of the locked row, before it is written.
Check = Callable[[], None]


class StockUpkeep(Protocol):
    """The functions of the app `stock` that run if minimum amounts change; products must not import it."""

    def lock_stock(self, product_ids: Collection[int]) -> None:
        """Lock the stock of products, then the products, until the transaction ends."""

    def update_sold_out(self, product_ids: Collection[int]) -> None:
        """Correct `Product.sold_out` according to the stock."""


_stock: list[StockUpkeep] = []
_writing: ContextVar["Writing | None"] = ContextVar("writing", default=None)


def register_stock_upkeep(stock: StockUpkeep) -> None:
    """Register the module that updates `sold_out` if minimum amounts change; stock calls this at startup."""
    _stock[:] = [stock]


@dataclass
class Writing:
    """The rows that one outermost `writing_catalogue` has written so far, and their former index rows."""

    # Index columns of the changed rows before the change, by model and key; new rows have none.
    before: dict[type[models.Model], dict[int, indexing.Row]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    indexed: dict[type[models.Model], set[int]] = field(default_factory=lambda: defaultdict(set))
    # Products whose prices may have changed; `held` has the caller's objects of products.
    priced: set[int] = field(default_factory=set)
    held: list[Product] = field(default_factory=list)
    minimum_amounts: set[int] = field(default_factory=set)

    def lock(self, model: type[models.Model], ids: Collection[int], fields: Collection[str]) -> None:
        """Lock the rows before these fields are written, and record the dependent writes.

        `ids`: the keys of existing rows.
        """
        if model is Product and not PRICES.isdisjoint(fields):
            self.priced.update(ids)
        if model is Product and not MINIMUM_AMOUNT.isdisjoint(fields):
            _stock[0].lock_stock(ids)
            self.minimum_amounts.update(ids)
        if not indexing.columns(model).isdisjoint(fields):
            new = set(ids) - self.indexed[model]
            self.before[model].update((row.id, row) for row in indexing.rows(model, new, lock=True))
            self.indexed[model] |= new

    def made(self, rows: Iterable[Row]) -> None:
        """Record new rows."""
        for row in rows:
            self.indexed[type(row)].add(row.pk)
            if isinstance(row, Product):
                self.priced.add(row.pk)

    def write_dependent(self) -> None:
        """Write everything that depends on the written rows."""
        if self.minimum_amounts:
            _stock[0].update_sold_out(self.minimum_amounts)
        if self.priced:
            expired = record_price_changes(self.priced)
            for product in self.held:
                if product.pk in expired:
                    product.market_price = None
        index.write(indexing.entries(self._come()), indexing.entries(self._gone()))

    def _come(self) -> Iterator[indexing.Row]:
        """Yield the current index rows of written rows, without those that did not change."""
        for model, ids in self.indexed.items():
            before = self.before[model]
            for row in indexing.rows(model, ids):
                if before.get(row.id) == row:
                    del before[row.id]
                else:
                    yield row

    def _gone(self) -> Iterator[indexing.Row]:
        """Yield the former index rows of changed or deleted rows; call it after `_come`."""
        for rows in self.before.values():
            yield from rows.values()


@contextmanager
def writing_catalogue() -> Iterator[Writing]:
    """Join all writes in the block: dependent rows are written once, at the end of the outermost block.

    Runs in one transaction. Every function of this module opens a block; open another to join several calls.
    """
    outer = _writing.get()
    if outer is not None:
        yield outer
        return
    with transaction.atomic():
        writing = Writing()
        token = _writing.set(writing)
        try:
            yield writing
        finally:
            _writing.reset(token)
        writing.write_dependent()


def save_product(
    product: Product, fields: Iterable[str] | None = None, *, check: Check | None = None
) -> None:
    """Save a product with its tiers, level prices and gallery; an invalid was-price is cleared.

    `fields`: the only columns to write of an existing product. `check`: called after the product is locked;
    may raise.
    """
    names = set(fields) if fields is not None else _columns_of(product)
    with writing_catalogue():
        if fields is None or not CATEGORY.isdisjoint(names):
            _set_top_category([product])
            names.add("top_category")
        _save(product, names, check)


def save_products(products: Sequence[Product], fields: Iterable[str]) -> None:
    """Write these columns of existing products, and clear was-prices that may not be shown.

    Raises UpdateOnlyError for columns that only `update_products` may change.
    """
    names = set(fields)
    refuse_update_only(Product, names)
    with writing_catalogue() as writing:
        if not CATEGORY.isdisjoint(names):
            _set_top_category(products)
            names.add("top_category")
        writing.held += products
        _save_all(Product, products, names)


def create_products(
    products: Sequence[Product], was_prices_since: Mapping[int, datetime] | None = None
) -> None:
    """Create products, and clear was-prices that may not be shown.

    `was_prices_since`: product id → time from which the was-price of the new product was charged elsewhere.
    """
    since = was_prices_since or {}
    with writing_catalogue() as writing:
        _set_top_category(products)
        writing.held += products
        _create(Product, products)
        PriceChange.objects.bulk_create(
            PriceChange(product=product, price=product.market_price, charged_from=since[product.pk])
            for product in products
            if product.pk in since and product.market_price is not None
        )


def update_products(products: models.QuerySet[Product], **values: Any) -> int:
    """Update columns of all products of a query, as `QuerySet.update`; return how many products matched.

    One statement if nothing depends on the columns; otherwise the products are locked first.
    """
    depends = indexing.columns(Product) | CATEGORY | PRICES | MINIMUM_AMOUNT
    if depends.isdisjoint(values):
        return writable(products).update(**values)
    with writing_catalogue() as writing:
        moved = values.get("category", values.get("category_id"))
        if moved is not None:
            category_id = getattr(moved, "pk", moved)
            values["top_category"] = _top_categories({category_id})[category_id]
        ids = list(products.order_by("pk").values_list("pk", flat=True))
        writing.lock(Product, ids, values)
        return writable(products).filter(pk__in=ids).update(**values)


def save_brand(brand: Brand, fields: Iterable[str] | None = None, *, check: Check | None = None) -> None:
    """Save a brand with the pinyin of its Chinese name.

    `fields`: the only columns to write. `check`: called after the brand is locked; may raise.
    """
    names = set(fields) if fields is not None else _columns_of(brand)
    brand.spell()
    _save(brand, names | {"pinyin"}, check)


def save_brands(brands: Sequence[Brand], fields: Iterable[str]) -> None:
    """Write these columns of existing brands, and the pinyin of their Chinese names."""
    for brand in brands:
        brand.spell()
    _save_all(Brand, brands, {*fields, "pinyin"})


def create_brands(brands: Sequence[Brand]) -> None:
    """Create brands with the pinyin of their Chinese names."""
    for brand in brands:
        brand.spell()
    _create(Brand, brands)


def save_category(category: Category, *, check: Check | None = None) -> None:
    """Save a category, and update the top category of its products.

    `check`: called after the category is locked; may raise.
    """
    with writing_catalogue():
        is_there = category.pk is not None
        _save(category, _columns_of(category), check)
        if is_there:
            _move_products([category])


def save_categories(categories: Sequence[Category], fields: Iterable[str]) -> None:
    """Write these columns of existing categories, and update the top category of their products."""
    with writing_catalogue():
        _save_all(Category, categories, set(fields))
        _move_products(categories)


def create_categories(categories: Sequence[Category]) -> None:
    """Create categories."""
    _create(Category, categories)


def delete_rows(rows: models.QuerySet[Product] | models.QuerySet[Brand] | models.QuerySet[Category]) -> None:
    """Delete products, brands or categories; raises ProtectedError if other rows refer to them."""
    with writing_catalogue() as writing:
        ids = list(rows.order_by("pk").values_list("pk", flat=True))
        writing.lock(rows.model, ids, indexing.columns(rows.model))
        writable(rows).filter(pk__in=ids).delete()


def record_price_changes(product_ids: Collection[int]) -> set[int]:
    """Record new prices and clear was-prices that may not be shown; return the ids of cleared products.

    The caller must be in the transaction that changed the products.
    """
    rows = Product.objects.filter(pk__in=product_ids).order_by("pk")
    products = [PricesShown(*row) for row in rows.values_list("pk", "price", "market_price")]
    histories = PriceChange.histories(product_ids)
    now = timezone.now()
    changed = []
    for product in products:
        history = histories[product.product_id]
        if not history or history[-1].price != product.price:
            changed.append(PriceChange(product_id=product.product_id, price=product.price, charged_from=now))
            history.append(ChargedPrice(product.price, now))
    PriceChange.objects.bulk_create(changed)
    expired = expired_was_prices(products, histories, now)
    if expired:
        writable(Product.objects.filter(pk__in=expired)).update(market_price=None)
    return expired


def _columns_of(row: Row) -> set[str]:
    """Return the names of the columns and child rows that a row's form may write."""
    names = {column.name for column in row._meta.local_concrete_fields if not column.primary_key}
    if isinstance(row, Product):
        names -= Product.UPDATE_ONLY
        names |= {relation.get_accessor_name() for relation in get_all_child_relations(row)}
    return names


def _save(row: Row, fields: Collection[str], check: Check | None) -> None:
    with writing_catalogue() as writing:
        is_new = row._state.adding
        writing.lock(type(row), [] if row.pk is None else [row.pk], fields)
        if check:
            check()
        if isinstance(row, Product):
            writing.held.append(row)
        write_row(row, None if is_new else fields)
        if is_new:
            writing.made([row])


def _save_all(model: type[Any], rows: Sequence[Any], fields: Collection[str]) -> None:
    with writing_catalogue() as writing:
        writing.lock(model, [row.pk for row in rows], fields)
        writable(model.objects.all()).bulk_update(rows, sorted(fields))


def _create(model: type[Any], rows: Sequence[Any]) -> None:
    with writing_catalogue() as writing:
        writing.made(writable(model.objects.all()).bulk_create(rows))


def _set_top_category(products: Sequence[Product]) -> None:
    tops = _top_categories({product.category_id for product in products})
    for product in products:
        product.top_category_id = tops.get(product.category_id, product.category_id)


def _top_categories(ids: Collection[int]) -> dict[int, int]:
    """Return category id → top category id; lock the rows, or a concurrent move would miss these products."""
    rows = Category.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
    return {pk: parent or pk for pk, parent in rows.values_list("pk", "parent_id")}


def _move_products(categories: Sequence[Category]) -> None:
    for category in categories:
        top = category.parent_id or category.pk
        update_products(category.products.exclude(top_category=top), top_category=top)
