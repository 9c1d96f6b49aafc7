"""The delivery cost of one unit for search engines (schema.org, OfferShippingDetails)."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from catalog.browse.cards import Card
from commerce.delivery.freight import Region
from commerce.delivery.regions import provinces
from commerce.delivery.services.quotes import quote_unit
from commerce.delivery.territories import HOME_COUNTRY
from core.money import aud


def shipping_details(card: Card) -> list[dict[str, Any]]:
    """Return what delivery of one unit costs in each state of Australia, states of one price together.

    The cost is that of an address without a post code. States without delivery are left out. One query every
    SNAPSHOT_SECONDS.
    """
    states_by_cost: defaultdict[Decimal, list[str]] = defaultdict(list)
    regions = [Region(HOME_COUNTRY, state) for state in sorted(provinces(HOME_COUNTRY))]
    for region, quote in quote_unit(product=card.product, amount=card.amount, regions=regions):
        states_by_cost[quote.freight].append(region.province)
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
