"""The customer's kind of device, according to the browser's headers."""

from django.http import HttpRequest

from commerce.payments.providers.base import Device


def device_of(request: HttpRequest) -> Device:
    """Return desktop, phone or WeChat's browser, by the User-Agent header."""
    agent = request.headers.get("User-Agent", "")
    if "MicroMessenger" in agent:
        return Device.wechat
    return Device.phone if "Mobi" in agent or "Android" in agent else Device.desktop
