"""The delivery cost of one unit for search engines (schema.org, OfferShippingDetails)."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from catalog.browse.cards import Card
from commerce.delivery.freight import Region
from commerce.delivery.regions import provinces
from commerce.delivery.services.quotes import quote_freight
from commerce.delivery.territories import HOME_COUNTRY
from core.errors import ShopError
from core.money import aud


def shipping_details(card: Card) -> list[dict[str, Any]]:
    """Return what delivery of one unit costs in each state of Australia, states of one price together.

    The cost is that of an address without a post code. States without delivery are left out. One query every
    SNAPSHOT_SECONDS.
    """
    states_by_cost: defaultdict[Decimal, list[str]] = defaultdict(list)
    for state in sorted(provinces(HOME_COUNTRY)):
        region = Region(HOME_COUNTRY, state)
        try:
            quote = quote_freight(region=region, units=[(card.product, 1)], amount=card.amount)
        except ShopError:
            continue
        states_by_cost[quote.freight].append(state)
    return [
        {
            "@type": "OfferShippingDetails",
            "shippingRate": {"@type": "MonetaryAmount", "value": str(aud(cost)), "currency": "AUD"},
            "shippingDestination": {
                "@type": "DefinedRegion",
                "addressCountry": "AU",
                "addressRegion": states,
            },
        }
        for cost, states in sorted(states_by_cost.items())
    ]
