"""What a customer pays with, as far as their browser says."""

from django.http import HttpRequest

from commerce.payments.providers.base import Device


def device_of(request: HttpRequest) -> Device:
    """Tell a desktop, a phone and the browser within WeChat apart, by the User-Agent header."""
    agent = request.headers.get("User-Agent", "")
    if "MicroMessenger" in agent:
        return Device.wechat
    return Device.phone if "Mobi" in agent or "Android" in agent else Device.desktop
