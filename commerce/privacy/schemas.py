"""Consent, data copies and account deletion on the wire."""

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
    """`path`: the page that shows the obstacle, without a language; empty if there is none."""

    text: str
    textEn: str
    path: str


class DeletionOut(AnswerModel):
    """`recordYears`: how many years tax records are stored."""

    obstacles: Sequence[ObstacleOut]
    points: int
    recordYears: int


class DeletionIn(WireModel):
    password: Password
