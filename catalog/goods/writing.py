"""The one way to write products, brands and categories, with everything that depends on them.

Prices leave a history and was-prices that expire go, `sold_out` follows the minimum amount, a product's top
category follows its category, and the search index follows names, labels and popularity, all within the
transaction of the change. The models refuse to be written in any other way.

Locks, in this order: the categories of products that may change theirs, stock levels where minimum amounts
change, the rows that are there, then the postings of the search index; each in the order of their keys.
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

# What is written besides the row when one of these columns is.
CATEGORY, PRICES, MINIMUM_AMOUNT = {"category", "category_id"}, {"price", "market_price"}, {"min_amount"}


# What a caller still wants to know of a row that is locked, before it is written.
Check = Callable[[], None]


class StockUpkeep(Protocol):
    """What the app `stock`, which products may not import, does when minimum amounts change."""

    def lock_stock(self, product_ids: Collection[int]) -> None:
        """Lock the stock of products, and the products, until the transaction ends."""

    def update_sold_out(self, product_ids: Collection[int]) -> None:
        """Make `Product.sold_out` agree with the stock."""


_stock: list[StockUpkeep] = []
_writing: ContextVar["Writing | None"] = ContextVar("writing", default=None)


def register_stock_upkeep(stock: StockUpkeep) -> None:
    """Register what updates `sold_out` when minimum amounts change; stock calls this at the start."""
    _stock[:] = [stock]


@dataclass
class Writing:
    """What one outermost `writing_catalogue` has written so far, and what the index held of it before."""

    # The index's columns of rows that are changed, by model and key; rows that are made have none.
    before: dict[type[models.Model], dict[int, indexing.Row]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    indexed: dict[type[models.Model], set[int]] = field(default_factory=lambda: defaultdict(set))
    # Products whose prices may have changed, and those of them that the caller holds.
    priced: set[int] = field(default_factory=set)
    held: list[Product] = field(default_factory=list)
    minimum_amounts: set[int] = field(default_factory=set)

    def lock(self, model: type[models.Model], ids: Collection[int], fields: Collection[str]) -> None:
        """Lock rows whose named fields are written next, and note what depends on them.

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
        """Remember rows that were made."""
        for row in rows:
            self.indexed[type(row)].add(row.pk)
            if isinstance(row, Product):
                self.priced.add(row.pk)

    def write_dependent(self) -> None:
        """Write what depends on the rows."""
        if self.minimum_amounts:
            _stock[0].update_sold_out(self.minimum_amounts)
        if self.priced:
            expired = record_price_changes(self.priced)
            for product in self.held:
                if product.pk in expired:
                    product.market_price = None
        index.write(indexing.entries(self._come()), indexing.entries(self._gone()))

    def _come(self) -> Iterator[indexing.Row]:
        """Read the rows as they are now, those left out that the index knows so."""
        for model, ids in self.indexed.items():
            before = self.before[model]
            for row in indexing.rows(model, ids):
                if before.get(row.id) == row:
                    del before[row.id]
                else:
                    yield row

    def _gone(self) -> Iterator[indexing.Row]:
        """Return the old index rows of what was changed or deleted; after `_come`."""
        for rows in self.before.values():
            yield from rows.values()


@contextmanager
def writing_catalogue() -> Iterator[Writing]:
    """Join the writes inside into one: what depends on them is written once, as the outermost block ends.

    One transaction. Every function here opens one; open another around several calls to join them.
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
    """Write one product with its tiers, level prices and gallery; an invalid was-price is removed.

    `fields`: the only columns to write of a product that is there. `check`: is called once the product is
    locked, and may raise.
    """
    names = set(fields) if fields is not None else _columns_of(product)
    with writing_catalogue():
        if fields is None or not CATEGORY.isdisjoint(names):
            _set_top_category([product])
            names.add("top_category")
        _save(product, names, check)


def save_products(products: Sequence[Product], fields: Iterable[str]) -> None:
    """Write the named columns of products that are there; was-prices that may not be shown go.

    Raises UpdateOnlyError for what `update_products` alone may change.
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
    """Make products; was-prices that may not be shown go.

    `was_prices_since`: since when the was-price of a new product was charged elsewhere, by the product's id.
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
    """Change columns of all products of a query, as `QuerySet.update`; returns how many there were.

    Where nothing depends on the columns it is one statement; else the products are locked first.
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
    """Write one brand, and how its Chinese name sounds.

    `fields`: the only columns to write. `check`: is called once the brand is locked, and may raise.
    """
    names = set(fields) if fields is not None else _columns_of(brand)
    brand.spell()
    _save(brand, names | {"pinyin"}, check)


def save_brands(brands: Sequence[Brand], fields: Iterable[str]) -> None:
    """Write the named columns of brands that are there, and how their Chinese names sound."""
    for brand in brands:
        brand.spell()
    _save_all(Brand, brands, {*fields, "pinyin"})


def create_brands(brands: Sequence[Brand]) -> None:
    """Make brands, and note how their Chinese names sound."""
    for brand in brands:
        brand.spell()
    _create(Brand, brands)


def save_category(category: Category, *, check: Check | None = None) -> None:
    """Write one category; the top category of its products follows.

    `check`: is called once the category is locked, and may raise.
    """
    with writing_catalogue():
        is_there = category.pk is not None
        _save(category, _columns_of(category), check)
        if is_there:
            _move_products([category])


def save_categories(categories: Sequence[Category], fields: Iterable[str]) -> None:
    """Write the named columns of categories that are there; the top category of their products follows."""
    with writing_catalogue():
        _save_all(Category, categories, set(fields))
        _move_products(categories)


def create_categories(categories: Sequence[Category]) -> None:
    """Make categories."""
    _create(Category, categories)


def delete_rows(rows: models.QuerySet[Product] | models.QuerySet[Brand] | models.QuerySet[Category]) -> None:
    """Delete products, brands or categories; raises ProtectedError while others need them."""
    with writing_catalogue() as writing:
        ids = list(rows.order_by("pk").values_list("pk", flat=True))
        writing.lock(rows.model, ids, indexing.columns(rows.model))
        writable(rows).filter(pk__in=ids).delete()


def record_price_changes(product_ids: Collection[int]) -> set[int]:
    """Write down the prices that are new and clear was-prices that may not be shown; returns whose they were.

    Call it within the transaction that changed the products.
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
    """Return the names of a row's columns and child rows that its form may write."""
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
    """Return the top category of each, and lock them: one that moves now could not see these products yet."""
    rows = Category.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
    return {pk: parent or pk for pk, parent in rows.values_list("pk", "parent_id")}


def _move_products(categories: Sequence[Category]) -> None:
    for category in categories:
        top = category.parent_id or category.pk
        update_products(category.products.exclude(top_category=top), top_category=top)
