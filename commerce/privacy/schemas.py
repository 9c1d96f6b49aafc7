"""Consent, copies of data and the end of an account on the wire."""

from collections.abc import Sequence

from commerce.accounts.schemas import Password
from commerce.privacy.services.copying import CopyFormat
from core.wire import AnswerModel, WireModel


class ConsentIn(WireModel):
    marketing: bool


class ConsentChangeOut(AnswerModel):
    """`source`: account, registration, link or staff."""

    marketing: bool
    source: str
    time: str


class ConsentOut(AnswerModel):
    marketing: bool
    changes: Sequence[ConsentChangeOut]


class MyDataIn(WireModel):
    password: Password
    format: CopyFormat


class MyDataOut(AnswerModel):
    fileName: str
    contentType: str
    content: str


class ObstacleOut(AnswerModel):
    """`path`: where it is seen, without a language; empty for nowhere."""

    text: str
    textEn: str
    path: str


class DeletionOut(AnswerModel):
    """`recordYears`: how long tax records are kept."""

    obstacles: Sequence[ObstacleOut]
    points: int
    recordYears: int


class DeletionIn(WireModel):
    password: Password
