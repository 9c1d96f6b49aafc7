"""Finds the names of a login's browser and system (docs/wire.md#devices)."""

from dataclasses import dataclass

from django.utils.translation import gettext

from core.languages import TwoTexts, in_both_languages

# Parts of a User-Agent, and their names. Browsers also send names of others, so the most specific are first.
_BROWSERS = (
    ("MicroMessenger", "WeChat"),
    ("AlipayClient", "Alipay"),
    ("QQBrowser", "QQ Browser"),
    ("UCBrowser", "UC Browser"),
    ("HuaweiBrowser", "Huawei Browser"),
    ("MiuiBrowser", "Mi Browser"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("FxiOS", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("HarmonyOS", "HarmonyOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)
_CHINESE_NAMES = {
    "WeChat": "微信",
    "Alipay": "支付宝",
    "QQ Browser": "QQ 浏览器",
    "UC Browser": "UC 浏览器",
    "Huawei Browser": "华为浏览器",
    "Mi Browser": "小米浏览器",
    "Samsung Internet": "三星浏览器",
    "HarmonyOS": "鸿蒙系统",
}


@dataclass(frozen=True)
class Device:
    """The English names of a browser and its system, empty if unknown."""

    browser: str = ""
    system: str = ""

    def names(self) -> TwoTexts:
        """Return the name that customers see, such as *Chrome on Windows*."""
        texts = in_both_languages(self._pattern)
        zh = {"browser": _chinese(self.browser), "system": _chinese(self.system)}
        return TwoTexts(texts.zh % zh, texts.en % {"browser": self.browser, "system": self.system})

    def _pattern(self) -> str:
        if self.browser and self.system:
            return gettext("%(browser)s on %(system)s")
        if self.browser or self.system:
            return "%(browser)s%(system)s"
        return gettext("Unknown device")


def device_from(user_agent: str) -> Device:
    """Return the device that a User-Agent names; its own text is not stored."""
    return Device(_first_named(_BROWSERS, user_agent), _first_named(_SYSTEMS, user_agent))


def _first_named(marks: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for mark, name in marks if mark in user_agent), "")


def _chinese(name: str) -> str:
    return _CHINESE_NAMES.get(name, name)
