"""Back-in-stock alerts and requests to stock products on the wire."""

from core.wire import WireId, WireModel, WireText


class NoticeWanted(WireModel):
    """A product, and the address for the message."""

    goodsId: WireId
    email: WireText = ""


class ProductWanted(WireModel):
    """The words of a search without results."""

    word: WireText
