"""Back-in-stock alerts on the wire."""

from core.wire import WireId, WireModel, WireText


class NoticeWanted(WireModel):
    """A product, and where to write to when it is back."""

    goodsId: WireId
    email: WireText = ""
