"""Back-in-stock alerts on the wire."""

from core.wire import WireId, WireModel, WireText


class NoticeWanted(WireModel):
    """A product, and the address for the message."""

    goodsId: WireId
    email: WireText = ""
