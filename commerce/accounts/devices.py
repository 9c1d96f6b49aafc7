"""The short name of the browser and the system of a login (docs/wire.md#devices)."""

from dataclasses import dataclass

from django.utils.translation import gettext

from core.languages import TwoTexts, in_both_languages

# Parts of a User-Agent, and their names. Browsers name others as well: the most specific come first.
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
    """A browser and its system by their English names, empty where unknown."""

    browser: str = ""
    system: str = ""

    def names(self) -> TwoTexts:
        """Return what customers recognise it by, such as *Chrome on Windows*."""
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
    """Return what a User-Agent names; nothing of its own text is kept."""
    return Device(_first_named(_BROWSERS, user_agent), _first_named(_SYSTEMS, user_agent))


def _first_named(marks: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for mark, name in marks if mark in user_agent), "")


def _chinese(name: str) -> str:
    return _CHINESE_NAMES.get(name, name)
