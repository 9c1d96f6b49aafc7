"""The customer's own account, wallet and points on the wire (docs/wire.md#useruserinfo)."""

from datetime import datetime

from core.wire import AnswerModel, Price


class UserInfo(AnswerModel):
    """The customer who is logged in, and what they have: dollars in the wallet, whole points."""

    account: str
    nickname: str
    language: str
    level: int
    levelName: str
    levelNameEn: str
    balance: Price
    integral: int
    hasPayPassword: bool


class BalanceEntry(AnswerModel):
    """One movement of the wallet, in dollars; `reason` in Chinese."""

    id: int
    amount: Price
    balance: Price
    reason: str
    refNo: str
    createTime: datetime


class IntegralEntry(AnswerModel):
    """One movement of the points; `reason` in Chinese."""

    id: int
    integral: int
    balance: int
    reason: str
    orderNo: str
    createTime: datetime
