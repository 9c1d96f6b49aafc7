"""Wire schemas of accounts and addresses (docs/wire.md#account)."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from commerce.accounts.geetest import Solved
from commerce.accounts.models import CodePurpose
from commerce.accounts.passwords import MAX_LENGTH
from core.languages import WIRE_LANGUAGE
from core.wire import AnswerModel, WireId, WireModel, WireText

# Not stripped: blanks at the ends are part of a password.
Password = Annotated[str, Field(max_length=MAX_LENGTH)]
Ticket = Annotated[WireText, Field(max_length=100)]
Code = Annotated[WireText, Field(max_length=20)]
Nickname = Annotated[WireText, Field(max_length=60)]


def _text_of_null(value: Any) -> Any:
    return "" if value is None else value


# Clients may send empty parts of an address as null. The maximum lengths are those of the columns.
AddressPart = Annotated[WireText, BeforeValidator(_text_of_null)]
Part12 = Annotated[AddressPart, Field(max_length=12)]
Part30 = Annotated[AddressPart, Field(max_length=30)]
Part60 = Annotated[AddressPart, Field(max_length=60)]
Part200 = Annotated[AddressPart, Field(max_length=200)]


LANGUAGE_CODES = {name: code for code, name in WIRE_LANGUAGE.items()}


class Captcha(AnswerModel):
    provider: str
    captchaId: str
    challenge: dict[str, Any]


class SolvedGeetest(WireModel):
    """The values from GeeTest's browser script; real values are much shorter than the limits."""

    lot_number: Annotated[str, Field(pattern="^[0-9A-Za-z_-]{1,64}$")]
    captcha_output: Annotated[WireText, Field(min_length=1, max_length=8000)]
    pass_token: Annotated[WireText, Field(min_length=1, max_length=500)]
    gen_time: Annotated[WireText, Field(min_length=1, max_length=20)]

    def solved(self) -> Solved:
        """Return the domain value."""
        return Solved(**self.model_dump())


class SolvedCaptcha(WireModel):
    """A solved captcha; `payload` is a base64 text for ALTCHA, an object for GeeTest."""

    provider: WireText
    payload: str | SolvedGeetest


class TicketOut(AnswerModel):
    ticket: str


class AccountIn(WireModel):
    """An account; `country` is the two-letter country of a mobile number without its dial code."""

    account: WireText = ""
    country: Annotated[WireText, Field(max_length=2)] = ""


class CodeWanted(AccountIn):
    purpose: CodePurpose
    ticket: Ticket = ""


class Registration(AccountIn):
    password: Password = ""
    code: Code = ""
    nickname: Nickname = ""
    marketing: bool = False
    ticket: Ticket = ""


class LoginIn(AccountIn):
    password: Password = ""
    ticket: Ticket = ""


class CodeLoginIn(AccountIn):
    code: Code = ""


class LoginOut(AnswerModel):
    token: str
    nickname: str
    level: int
    account: str


class PasswordReset(AccountIn):
    code: Code = ""
    password: Password = ""


class LoginPasswordChange(WireModel):
    oldPassword: Password
    password: Password


class PayPasswordChange(WireModel):
    """A new pay password; the customer proves the change by the old password or by a code."""

    oldPassword: Password = ""
    code: Code = ""
    password: Password


class ProfileChange(WireModel):
    """A change of the profile; missing or null fields do not change."""

    nickname: Nickname | None = None
    language: Literal["en", "zh"] | None = None

    def language_code(self) -> str | None:
        """Return the code of LANGUAGES; None if the language does not change."""
        return LANGUAGE_CODES[self.language] if self.language else None


class EndLoginsQuery(WireModel):
    everywhere: bool = False


class DeviceOut(AnswerModel):
    """A login; `lastUsed` is a day in the shop's time zone."""

    id: int
    device: str
    deviceZh: str
    loginTime: datetime
    lastUsed: date
    isCurrent: bool


class DeviceList(AnswerModel):
    list: list[DeviceOut]


class AddressIn(WireModel):
    """An address that the customer sends; `addType` is ignored, since the country determines it.

    `isConfirmed`: the customer has confirmed what contradicts the region data.
    """

    contacts: Part60 = ""
    contactPhone: Part30 = ""
    countryName: Part60 = ""
    provinceName: Part60 = ""
    cityName: Part60 = ""
    areaName: Part60 = ""
    addressDetail: Part200 = ""
    zipCode: Part12 = ""
    isDefault: bool | None = None
    isConfirmed: bool = False

    def values(self) -> dict[str, str]:
        """Return the address by the names of its columns."""
        return {
            "contacts": self.contacts,
            "contact_phone": self.contactPhone,
            "country_name": self.countryName,
            "province_name": self.provinceName,
            "city_name": self.cityName,
            "area_name": self.areaName,
            "address_detail": self.addressDetail,
            "zip_code": self.zipCode,
        }


class AddressChange(AddressIn):
    addressId: WireId


class AddressChoice(WireModel):
    addressId: WireId


class AddressId(AnswerModel):
    addressId: int


class AddressCopy(AnswerModel):
    """An address as an order stores it."""

    addressId: int
    addType: int
    contacts: str
    contactPhone: str
    countryName: str
    provinceName: str
    cityName: str
    areaName: str
    addressDetail: str
    zipCode: str


class AddressOut(AddressCopy):
    """An address in the server's form (docs/product.md#things-and-their-fields)."""

    isDefault: bool


class AddressList(AnswerModel):
    list: list[AddressOut]
