"""The address and language of the client that sent a request."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from core.languages import CHINESE, ENGLISH

# Providers assign a customer an IPv6 network of one of these sizes.
_IPV6_PREFIXES = (64, 56, 48)


def client_address(request: HttpRequest) -> str:
    """Return the client's address; empty if there is none, as on a local socket.

    In `X-Forwarded-For` only the entries of the TRUSTED_PROXIES nearest proxies are trusted.
    """
    direct = request.META.get("REMOTE_ADDR", "")
    if not settings.TRUSTED_PROXIES:
        return _address(direct)
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    vouched = hops[-settings.TRUSTED_PROXIES :]
    return (_address(vouched[0]) if vouched else "") or _address(direct)


def client_network(request: HttpRequest) -> str:
    """Return the client's key for rate limits: its IPv4 address, or its IPv6 network of 64 bits."""
    address = client_address(request)
    if address and isinstance(ip_address(address), IPv6Address):
        return str(ip_network((address, _IPV6_PREFIXES[0]), strict=False))
    return address


def networks_around(network: str) -> tuple[str, ...]:
    """Return a client's networks, the narrowest first: of 64, 56 and 48 bits, or an IPv4 address alone.

    `network`: as `client_network` returns it.
    """
    if "/" not in network:
        return (network,)
    return tuple(str(ip_network(network).supernet(new_prefix=prefix)) for prefix in _IPV6_PREFIXES)


def asked_language(request: HttpRequest) -> str:
    """Return the language that the `lang` header requests; empty without one (docs/wire.md#headers)."""
    asked = request.headers.get("lang", "").lower()
    if not asked:
        return ""
    return CHINESE if asked.startswith("zh") else ENGLISH


def client_language(request: HttpRequest) -> str:
    """Return the language that the `lang` header requests; English without one (docs/wire.md#headers)."""
    return asked_language(request) or ENGLISH


def _address(text: str) -> str:
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
