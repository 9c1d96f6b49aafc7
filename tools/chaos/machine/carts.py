"""Steps of customers who fill their carts."""

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.stateful import rule

from commerce.cart.models import CartType
from commerce.cart.services import Changed, add_to_cart, merge_cart, remove_from_cart, set_amount
from core.errors import Err
from tools.chaos.machine.opened import BUYERS, PRODUCTS, UNITS, OpenedShop


class FillingCarts(OpenedShop):
    """Customers fill carts, here and in another browser."""

    @rule(buyer=BUYERS, product=PRODUCTS, units=st.integers(0, 5), adds=st.booleans())
    def put_in_cart(self, buyer: int, product: int, units: int, adds: bool) -> None:
        """Add units of a product to a cart, set how many there are, or remove it."""
        customer, pk = self.buyers[buyer], self.products[product].pk
        if not units:
            remove_from_cart(customer=customer, type=CartType.direct_mail, product_id=pk)
            self.books.put_in_cart(customer.pk, pk, 0)
            return
        most = self.books.buyable(pk)
        change: Callable[..., Changed] = add_to_cart if adds else set_amount
        changed = self._expect(
            None if most > 0 else Err.stock_insufficient,
            lambda: change(customer=customer, type=CartType.direct_mail, product_id=pk, amount=units),
        )
        if most > 0:
            wanted = units + (self.books.carts.get((customer.pk, pk), 0) if adds else 0)
            assert changed is not None
            assert changed.note is (Err.amount_above_limit if wanted > most else None)
            self.books.put_in_cart(customer.pk, pk, min(wanted, most))

    @rule(buyer=BUYERS, pushed=st.dictionaries(PRODUCTS, UNITS))
    def merge_carts(self, buyer: int, pushed: dict[int, int]) -> None:
        """Merge the cart of a browser into a customer's."""
        customer = self.buyers[buyer]
        amounts = {self.products[product].pk: units for product, units in pushed.items()}
        first, again = (
            merge_cart(customer=customer, type=CartType.direct_mail, pushed=list(amounts.items()))
            for _ in range(2)
        )
        removed = []
        for pk, units in amounts.items():
            most = self.books.buyable(pk)
            if most > 0:
                self.books.put_in_cart(customer.pk, pk, min(units, most))
            elif (customer.pk, pk) not in self.books.carts:
                removed.append(pk)
        assert first.note is again.note
        assert first.removed == again.removed == removed
        assert list(first.contents.amounts.items()) == list(again.contents.amounts.items())
