"""Carousels and special areas on the wire (docs/wire.md#catalogue)."""

from ninja import Schema


class CarouseOut(Schema):
    """A slide; `link` is a path of the shop without the language."""

    id: int
    imgUrl: str | None
    title: str
    titleEn: str
    link: str


class SpecialAreaOut(Schema):
    """A special area; `checked` ones are on the home page."""

    id: int
    mallGoodsClassifyName: str
    mallGoodsClassifyNameEn: str
    imgUrl: str | None
    checked: bool
