"""The only writers of lists of favourites; each locks the customer's row, so that the limits hold."""

from catalog.goods.models import Product
from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.favourites.models import MAX_NAME, FavouriteList
from commerce.favourites.reading import default_list, own_list
from core.errors import Err, ShopError
from core.ids import new_secret
from core.transactions import in_transaction

# Includes the default list, even if it has no row yet.
MAX_LISTS = 20
MAX_FAVOURITES = 500


@in_transaction
def make_list(*, customer: Customer, name: str) -> FavouriteList:
    """Create a list with an unused name. Locks: the customer's row.

    Raises ShopError(parameter_error) with the field `name` if the name is empty or too long,
    ShopError(list_name_taken), ShopError(lists_full).
    """
    _check_name(name)
    lock_customer(customer)
    _refuse_taken(customer, name)
    if customer.favourite_lists.exclude(name="").count() >= MAX_LISTS - 1:
        raise ShopError(Err.lists_full)
    return FavouriteList.objects.create(customer=customer, name=name)


@in_transaction
def rename_list(*, customer: Customer, list_id: int, name: str) -> None:
    """Rename a list, except the default list. Locks: the customer's row.

    Raises as `make_list`, and ShopError(parameter_error) for the default list or another customer's list.
    """
    _check_name(name)
    lock_customer(customer)
    row = _named(customer, list_id)
    if row.name != name:
        _refuse_taken(customer, name)
        row.name = name
        row.save(update_fields=["name"])


@in_transaction
def remove_list(*, customer: Customer, list_id: int) -> None:
    """Delete a list, its contents and its share link. Locks: the customer's row.

    Raises ShopError(parameter_error) for the default list or another customer's list.
    """
    lock_customer(customer)
    _named(customer, list_id).delete()


@in_transaction
def add_favourite(*, customer: Customer, list_id: int, product_id: int) -> None:
    """Add a product to a list; a product that is already in it keeps its place. Locks: the customer's row.

    Raises ShopError(goods_error, goods_off_shelf, lists_full), and ShopError(parameter_error) for another
    customer's list.
    """
    lock_customer(customer)
    product = Product.objects.filter(pk=product_id).only("on_sale").first()
    if product is None:
        raise ShopError(Err.goods_error)
    if not product.on_sale:
        raise ShopError(Err.goods_off_shelf)
    _put(_list_to_write(customer, list_id), product_id)


@in_transaction
def remove_favourite(*, customer: Customer, list_id: int, product_id: int) -> None:
    """Remove a product from a list; a product that is not in it is no error. Locks: the customer's row.

    Raises ShopError(parameter_error) for another customer's list.
    """
    lock_customer(customer)
    row = own_list(customer, list_id)
    if row:
        row.favourites.filter(product_id=product_id).delete()


@in_transaction
def move_favourite(*, customer: Customer, list_id: int, product_id: int, to_list_id: int) -> None:
    """Move a product, on sale or not, to another list, or just remove it if the other list already has it.

    Locks: the customer's row. Raises ShopError(goods_error) if the product is not in the list,
    ShopError(parameter_error) for another customer's list, ShopError(lists_full).
    """
    lock_customer(customer)
    row = own_list(customer, list_id)
    favourite = row and row.favourites.filter(product_id=product_id).first()
    target = _list_to_write(customer, to_list_id)
    if favourite is None:
        raise ShopError(Err.goods_error)
    if target != row:
        _put(target, product_id)
        favourite.delete()


@in_transaction
def share_list(*, customer: Customer, list_id: int, title: str) -> FavouriteList:
    """Create the link that shows a list to everyone; an earlier link ends. Locks: the customer's row.

    `title`: the title of the shared page, which may be empty. Raises ShopError(parameter_error) for another
    customer's list, and with the field `title` if the title is too long.
    """
    if len(title) > MAX_NAME:
        raise ShopError(Err.parameter_error, fields={"title": Err.parameter_error.name})
    lock_customer(customer)
    row = _list_to_write(customer, list_id)
    row.share_token, row.share_title = new_secret(), title
    row.save(update_fields=["share_token", "share_title"])
    return row


@in_transaction
def end_share(*, customer: Customer, list_id: int) -> None:
    """End the share link of a list; a list without a link is no error. Locks: the customer's row.

    Raises ShopError(parameter_error) for another customer's list.
    """
    lock_customer(customer)
    row = own_list(customer, list_id)
    if row:
        row.share_token, row.share_title = None, ""
        row.save(update_fields=["share_token", "share_title"])


def _check_name(name: str) -> None:
    if not name or len(name) > MAX_NAME:
        raise ShopError(Err.parameter_error, fields={"name": Err.parameter_error.name})


def _refuse_taken(customer: Customer, name: str) -> None:
    if customer.favourite_lists.filter(name=name).exists():
        raise ShopError(Err.list_name_taken, fields={"name": Err.list_name_taken.name})


def _named(customer: Customer, list_id: int) -> FavouriteList:
    row = own_list(customer, list_id)
    if row is None or not row.name:
        raise ShopError(Err.parameter_error)
    return row


def _list_to_write(customer: Customer, list_id: int) -> FavouriteList:
    """Return a list of the customer; create the default list if it has no row yet."""
    return own_list(customer, list_id) or default_list(customer) or _new_default(customer)


def _new_default(customer: Customer) -> FavouriteList:
    return FavouriteList.objects.create(customer=customer, name="")


def _put(row: FavouriteList, product_id: int) -> None:
    if row.favourites.filter(product_id=product_id).exists():
        return
    if row.favourites.count() >= MAX_FAVOURITES:
        raise ShopError(Err.lists_full)
    row.favourites.create(product_id=product_id)
