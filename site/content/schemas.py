"""Carousels and special areas on the wire (docs/wire.md#catalogue)."""

from core.wire import AnswerModel


class CarouseOut(AnswerModel):
    """A slide; `link` is a path of the shop without the language."""

    id: int
    imgUrl: str | None
    title: str
    titleEn: str
    link: str


class SpecialAreaOut(AnswerModel):
    """A special area; `checked`: whether it is on the home page."""

    id: int
    mallGoodsClassifyName: str
    mallGoodsClassifyNameEn: str
    imgUrl: str | None
    checked: bool
