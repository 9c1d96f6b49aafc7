"""Wire schemas of a customer's account, wallet and points (docs/wire.md#useruserinfo)."""

from datetime import datetime

from core.wire import AnswerModel, Price


class UserInfo(AnswerModel):
    """The logged-in customer; `balance` is the wallet in dollars, `integral` is the points."""

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
    """One wallet entry, in dollars; `reason` is in Chinese."""

    id: int
    amount: Price
    balance: Price
    reason: str
    refNo: str
    createTime: datetime


class IntegralEntry(AnswerModel):
    """One points entry; `reason` is in Chinese."""

    id: int
    integral: int
    balance: int
    reason: str
    orderNo: str
    createTime: datetime
