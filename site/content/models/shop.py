"""The shop's name and contact, which all pages show."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, MultiFieldPanel, ObjectList
from wagtail.contrib.settings.models import BaseGenericSetting, register_setting

from catalog.goods.models import is_chinese
from core.backoffice import ProtectedForm
from core.languages import other_html_language
from core.snapshots import PageRows


class ShopDetails(models.Model):
    """The shop's name and contact."""

    name_en = models.CharField(_("English name"), max_length=60, default="Shop")
    name_zh = models.CharField(_("Chinese name"), max_length=60, default="商店")
    tagline_en = models.CharField(_("one sentence about the shop, English"), max_length=160, blank=True)
    tagline_zh = models.CharField(_("one sentence about the shop, Chinese"), max_length=160, blank=True)
    popular_searches_en = models.CharField(
        _("popular searches, English"), max_length=200, blank=True, default="", db_default=""
    )
    popular_searches_zh = models.CharField(
        _("popular searches, Chinese"), max_length=200, blank=True, default="", db_default=""
    )
    legal_name = models.CharField(_("legal name"), max_length=120, blank=True)
    abn = models.CharField(_("ABN"), max_length=20, blank=True)
    address = models.CharField(_("address"), max_length=200, blank=True)
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    email = models.EmailField(_("email"), blank=True)
    # Contact and bank account for payments that staff collect (docs/wire.md#payinstructions).
    wechat = models.CharField(_("WeChat ID"), max_length=60, blank=True, default="", db_default="")
    wechat_qr = models.ForeignKey(
        "wagtailimages.Image",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("WeChat code to scan"),
        db_index=False,
    )
    bank_bank = models.CharField(_("bank"), max_length=80, blank=True, default="", db_default="")
    bank_holder = models.CharField(_("account name"), max_length=120, blank=True, default="", db_default="")
    bank_bsb = models.CharField(_("BSB"), max_length=10, blank=True, default="", db_default="")
    bank_number = models.CharField(_("account number"), max_length=40, blank=True, default="", db_default="")
    bank_swift = models.CharField(_("SWIFT code"), max_length=11, blank=True, default="", db_default="")

    class Meta:
        abstract = True

    @property
    def name(self) -> str:
        """The name in the reader's language."""
        return self.name_zh if is_chinese() else self.name_en

    @property
    def other_name(self) -> str:
        """The name in the other language."""
        return self.name_en if is_chinese() else self.name_zh

    @property
    def other_lang(self) -> str:
        """The lang attribute of `other_name`."""
        return other_html_language()

    @property
    def tagline(self) -> str:
        """The shop's tagline in the reader's language."""
        return self.tagline_zh if is_chinese() else self.tagline_en

    @property
    def popular_searches(self) -> list[str]:
        """The words that the search offers before a reader types, in the reader's language."""
        words = self.popular_searches_zh if is_chinese() else self.popular_searches_en
        return [
            word for each in words.replace("，", ",").replace("、", ",").split(",") if (word := each.strip())
        ]


@register_setting(icon="home", order=5)
class ShopSettings(ShopDetails, BaseGenericSetting):
    """The shop's name and contact, which all pages show."""

    edit_handler = ObjectList(
        [
            MultiFieldPanel([FieldPanel("name_en"), FieldPanel("name_zh")], heading=_("Name")),
            MultiFieldPanel([FieldPanel("tagline_en"), FieldPanel("tagline_zh")], heading=_("About")),
            MultiFieldPanel(
                [FieldPanel("popular_searches_en"), FieldPanel("popular_searches_zh")],
                heading=_("Popular searches"),
                help_text=_(
                    "Words with commas between. "
                    "The empty search field and searches with no results offer them."
                ),
            ),
            MultiFieldPanel(
                [FieldPanel(name) for name in ("legal_name", "abn", "address", "phone", "email")],
                heading=_("Legal details and contact"),
            ),
            MultiFieldPanel(
                [FieldPanel("wechat"), FieldPanel("wechat_qr")],
                heading=_("Customer service on WeChat"),
                help_text=_("Shown next to phone and email to customers whose payment staff collect."),
            ),
            MultiFieldPanel(
                [FieldPanel(f"bank_{name}") for name in ("bank", "holder", "bsb", "number", "swift")],
                heading=_("Bank account for transfers"),
                help_text=_("Shown to customers who pay an order by bank transfer."),
            ),
        ],
        base_form_class=ProtectedForm,
    )

    class Meta:
        verbose_name = _("shop settings")

    @classmethod
    def _get_or_create(cls) -> "ShopSettings":
        """Return the settings, which threads share and must not change; one query in SNAPSHOT_SECONDS.

        `load` calls it once for each request.
        """
        shared: ShopSettings = _shared.get()
        return shared


_shared = PageRows(super(ShopSettings, ShopSettings)._get_or_create, ShopSettings)
