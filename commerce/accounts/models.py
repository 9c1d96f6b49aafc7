"""Customers, the proofs of their identity, and their addresses."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import BASE_LEVEL, TwoNames
from core.languages import CHINESE, ENGLISH
from core.update_only import UpdateOnlyModel


class MemberLevel(TwoNames):
    """A member level; the wire has its number as `level` (docs/wire.md#account)."""

    number = models.PositiveSmallIntegerField(_("number"), primary_key=True)
    yearly_spend = models.DecimalField(
        _("yearly spend from, AUD"),
        max_digits=10,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.01"))],
        help_text=_(
            "Customers who spent at least this much in the last 365 days get this level. Empty: only "
            "staff give it."
        ),
    )
    points_rate = models.DecimalField(
        _("points per dollar"),
        max_digits=5,
        decimal_places=2,
        default=Decimal("1.00"),
        db_default=Decimal("1.00"),
        validators=[MinValueValidator(Decimal(0))],
        help_text=_(
            "Points for each dollar that is paid for products; orders keep the rate they began with."
        ),
    )

    class Meta:
        ordering = ["number"]
        verbose_name = _("member level")
        verbose_name_plural = _("member levels")

    def clean(self) -> None:
        """Refuse a yearly spend for the level of new customers; raises ValidationError."""
        if self.number == BASE_LEVEL and self.yearly_spend is not None:
            raise ValidationError({"yearly_spend": _("Everybody has this level from the beginning.")})


# The prefix of a deleted customer's account name, before their id. No e-mail address or number begins so.
DELETED_PREFIX = "deleted:"


def is_not_deleted(prefix: str = "") -> Q:
    """Return the condition that a customer's account is not deleted; `prefix`: of its columns in a query."""
    return ~Q(**{f"{prefix}account__startswith": DELETED_PREFIX})


class Customer(UpdateOnlyModel):
    """A customer with an account; staff are Django users, never customers."""

    UPDATE_ONLY = frozenset(
        {"account", "nickname", "password", "pay_password", "last_login_at", "level", "language"}
    )

    account = models.CharField(
        _("account"),
        max_length=254,
        unique=True,
        help_text=_("Email address, or mobile number as +61412345678."),
    )
    nickname = models.CharField(_("nickname"), max_length=60, blank=True)
    # Empty until the customer logs in or chooses a language.
    language = models.CharField(
        _("language"),
        max_length=10,
        choices=[(ENGLISH, "English"), (CHINESE, "中文")],
        blank=True,
        default="",
        db_default="",
    )
    password = models.CharField(max_length=200, editable=False)
    pay_password = models.CharField(max_length=200, blank=True, editable=False)
    level = models.ForeignKey(MemberLevel, models.PROTECT, default=1, verbose_name=_("level"))
    # Set by staff; null if the level follows from the customer's yearly spend.
    fixed_level = models.ForeignKey(
        MemberLevel,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        verbose_name=_("level given by staff"),
        help_text=_("Empty: the level follows each night from what the customer has bought."),
    )
    is_active = models.BooleanField(_("active"), default=True)
    created_at = models.DateTimeField(_("registered at"), auto_now_add=True)
    last_login_at = models.DateTimeField(_("last login at"), null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("customer")
        verbose_name_plural = _("customers")

    def __str__(self) -> str:
        return self.nickname or self.account

    @property
    def is_deleted(self) -> bool:
        """True if the customer deleted the account: it gets no login and no message (`commerce.privacy`)."""
        return self.account.startswith(DELETED_PREFIX)

    @property
    def level_number(self) -> int:
        """The number of the level, without a query."""
        number: int = self.level_id  # type: ignore[assignment]  # of a column that is never null
        return number

    @property
    def message_language(self) -> str:
        """The language of messages about the account, a code of LANGUAGES (docs/product.md#language)."""
        return self.language or ENGLISH


class FormerAccount(models.Model):
    """The keyed hash of a deleted account's name, so that its vouchers and shares are not used again.

    See docs/guarantees/customers.md#privacy, docs/adr/0046-a-deleted-account-leaves-a-keyed-hash.md.
    """

    customer = models.OneToOneField(Customer, models.CASCADE, primary_key=True, related_name="+")
    account_hash = models.CharField(max_length=64, db_index=True)
    expires_at = models.DateTimeField(db_index=True)


class AuthToken(UpdateOnlyModel):
    """One login; only the hash of the token is stored (docs/guarantees/customers.md#secrets)."""

    UPDATE_ONLY = frozenset({"expires_at", "used_on"})

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="tokens")
    token_hash = models.CharField(max_length=64, unique=True)
    # English names, empty if the User-Agent is unknown (docs/wire.md#devices).
    browser = models.CharField(max_length=30, blank=True, default="", db_default="")
    system = models.CharField(max_length=30, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    # A day in the shop's time zone; null for a login of the previous release that was not used since.
    used_on = models.DateField(null=True)


class CodePurpose(models.TextChoices):
    """The purpose of a verification code."""

    register = "register"
    reset = "reset"
    pay = "pay"
    login = "login"


class VerificationCode(UpdateOnlyModel):
    """A six-digit code sent to an account; stored as a hash, valid once and for five attempts.

    See docs/guarantees/customers.md#secrets.
    """

    UPDATE_ONLY = frozenset({"tries_left", "used"})

    account = models.CharField(max_length=254)
    purpose = models.CharField(max_length=10, choices=CodePurpose.choices)
    code_hash = models.CharField(max_length=64)
    tries_left = models.PositiveSmallIntegerField(default=5)
    used = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["account", "purpose", "-id"], name="code_newest")]


class CaptchaProof(UpdateOnlyModel):
    """A solved captcha, stored so that it counts once; its ticket allows one sendCode or login."""

    UPDATE_ONLY = frozenset({"used"})

    proof_hash = models.CharField(max_length=64, unique=True)
    ticket_hash = models.CharField(max_length=64, unique=True)
    used = models.BooleanField(default=False)
    expires_at = models.DateTimeField(db_index=True)


class Address(UpdateOnlyModel):
    """A delivery address, in the server's form (docs/product.md#things-and-their-fields)."""

    UPDATE_ONLY = frozenset({"is_default"})

    class Type(models.IntegerChoices):
        china = 0, _("China")
        australia = 1, _("Australia")
        other = 2, _("Other country")

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="addresses")
    contacts = models.CharField(_("recipient"), max_length=60)
    contact_phone = models.CharField(_("phone"), max_length=30)
    country_name = models.CharField(_("country"), max_length=60, default="Australia")
    province_name = models.CharField(_("state or province"), max_length=60, blank=True)
    city_name = models.CharField(_("city"), max_length=60, blank=True)
    area_name = models.CharField(_("suburb or district"), max_length=60, blank=True)
    address_detail = models.CharField(_("street address"), max_length=200)
    zip_code = models.CharField(_("postcode"), max_length=12, blank=True)
    is_default = models.BooleanField(_("default"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-is_default", "-id"]
        verbose_name = _("address")
        verbose_name_plural = _("addresses")
        constraints = [
            models.UniqueConstraint(
                fields=["customer"], condition=Q(is_default=True), name="one_default_address"
            )
        ]

    @property
    def add_type(self) -> int:
        """The wire's `addType`, which depends on the country."""
        types = {"China": self.Type.china, "Australia": self.Type.australia}
        return types.get(self.country_name, self.Type.other).value

    def wire_text(self) -> str:
        """Return country, province, city, area and post code joined by `-`, without empty parts.

        See docs/wire.md#commonfreight.
        """
        parts = [self.country_name, self.province_name, self.city_name, self.area_name, self.zip_code]
        return "-".join(part for part in parts if part)
