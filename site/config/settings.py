"""All settings of the shop, read from the environment; the defaults are those of the demonstration."""

from functools import partial
from pathlib import Path
from zoneinfo import available_timezones

import environ
from csp.constants import NONE, SELF, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy

from config.logs import configure_structlog, logging_config

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()

# ── The environment ───────────────────────────────────────────────────────────────────────────────────
# With `DEBUG` on, this is the embedded demonstration; off, it is a production start, which refuses fakes.
PRODUCTION = not env.bool("DEBUG", True)
# Django's own setting: technical error pages for developers, never in production.
DEBUG = env.bool("TECHNICAL_PAGES", False) and not PRODUCTION
DATA_DIR = Path(env.str("DATA_DIR", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)
EMBEDDED_KEY = "embedded-default-key-never-for-production"
SECRET_KEY = env.str("SECRET_KEY", EMBEDDED_KEY)
# Stored outside the database, so that a stolen copy of it is not enough to guess six-digit passwords.
PASSWORD_PEPPER = env.str("PASSWORD_PEPPER", EMBEDDED_KEY)
# By version. The first key hashes new pay passwords; the others verify older ones.
_pay_password_keys = [each.strip().partition("=")[::2] for each in env.list("PAY_PASSWORD_KEYS", default=[])]
PAY_PASSWORD_KEYS: dict[str, str] = dict(_pay_password_keys) or {"1": EMBEDDED_KEY}
# It includes versions that occur twice by mistake.
PAY_PASSWORD_VERSIONS = [version for version, _ in _pay_password_keys]
# The first key encrypts recipients' ID cards; the others decrypt older ones.
ID_CARD_KEYS = env.list("ID_CARD_KEYS", default=[]) or [EMBEDDED_KEY]
# Only the loopback interface by default, since the demonstration's passwords are public.
HOST, PORT = env.str("HOST", "127.0.0.1"), env.int("PORT", 8000)
WEB_WORKERS, WEB_THREADS = env.int("WEB_WORKERS", 2), env.int("WEB_THREADS", 4)
# How long a request's body may take if it arrives below the minimum rate (config.front_end.bodies).
WEB_BODY_SECONDS = env.int("WEB_BODY_SECONDS", 10)
# Seconds from the stop signal to the kill, for requests and tasks under way.
STOP_SECONDS = env.int("STOP_SECONDS", 35 if PRODUCTION else 3)
SITE_URL = env.str("SITE_URL", f"http://localhost:{PORT}").rstrip("/")
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=[] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]", HOST]
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
CSRF_FAILURE_VIEW = "config.middleware.back_office_sending_again.csrf_failure"
# The number of proxies whose headers about the client's address and https are trusted.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)
# Fakes that a production start may use, by name (see config.checks).
ALLOWED_FAKES = frozenset(env.list("ALLOWED_FAKES", default=[]))

# ── Applications and middleware ───────────────────────────────────────────────────────────────────────
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
INSTALLED_APPS = [
    "config",
    "config.audits",
    "core",
    "content",
    "content.dashboard",
    "content.help",
    "content.translating",
    "catalog.search",
    "catalog.rates",
    "catalog.goods",
    "catalog.stock",
    "catalog.imports",
    "catalog.promotions",
    "catalog.browse",
    "commerce.messaging",
    "commerce.rate_limits",
    "commerce.refused_notices",
    "commerce.approvals",
    "commerce.accounts",
    "commerce.ledger",
    "commerce.cart",
    "commerce.favourites",
    "commerce.delivery",
    "commerce.stock_alerts",
    "commerce.vouchers",
    "commerce.orders",
    "commerce.enquiries",
    "commerce.shipments",
    "commerce.invoices",
    "commerce.payments",
    "commerce.payments.providers.sandbox",
    "commerce.refunds",
    "commerce.claims",
    "commerce.statements",
    "commerce.notifications",
    "commerce.privacy",
    "wagtail_localize",
    "wagtail_localize.locales",
    "wagtail.contrib.settings",
    "wagtail.contrib.redirects",
    "wagtail.embeds",
    "wagtail.sites",
    "wagtail.users",
    "wagtail.snippets",
    "wagtail.documents",
    "wagtail.images",
    "wagtail.search",
    "wagtail.admin",
    "wagtail",
    "modelcluster",
    "taggit",
    "ninja",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    # Wagtail uses it to show how long ago something happened.
    "django.contrib.humanize",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.compression.compress_text",
    "config.middleware.request_log.request_log",
    "config.page_cache.middleware.PageCache",
    "config.middleware.content_policy.content_policy",
    "config.middleware.permissions_policy.permissions_policy",
    "config.middleware.health_checks.health_checks",
    "config.middleware.api_envelope.api_envelope",
    "config.middleware.api_head.head_as_get",
    "config.middleware.back_office_limits.back_office_limits",
    "config.middleware.back_office_session.Sessions",
    "config.middleware.language.language_of_path",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.typed_texts.clean_typed_texts",
    "config.middleware.back_office_session.Staff",
    "config.middleware.back_office_session.Messages",
    "config.middleware.back_office_errors.BackOfficeErrors",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "commerce.accounts.middleware.member_level",
    "config.middleware.redirects.Redirects",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "wagtail.contrib.settings.context_processors.settings",
            ],
        },
    }
]

# ── Database: SQLite embedded, PostgreSQL by DATABASE_URL ─────────────────────────────────────────────
DATABASES = {"default": env.db("DATABASE_URL", f"sqlite:///{DATA_DIR / 'shop.sqlite3'}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
IS_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
# Threads reuse their connection, since opening one costs more than most requests, also on SQLite.
DATABASES["default"]["CONN_MAX_AGE"] = 60
if IS_SQLITE:
    DATABASES["default"]["ENGINE"] = "core.sqlite"
    DATABASES["default"]["OPTIONS"] = {
        # Takes the write lock at the start, since upgrading a read lock fails under load.
        "transaction_mode": "IMMEDIATE",
        # FULL waits until a commit is on the disk, so that answered requests survive a power cut.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
else:
    DATABASES["default"]["ENGINE"] = "core.postgresql"
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # Options in DATABASE_URL, such as ?sslmode=require, take precedence.
    DATABASES["default"]["OPTIONS"] = {
        # How often a query of `core.prepared` runs before the connection prepares it.
        "prepare_threshold": 5,
        # No thread waits for a server that is down or silent.
        "connect_timeout": 3,
        "tcp_user_timeout": 10_000,
    } | DATABASES["default"].get("OPTIONS", {})
# Seconds that a connection waits for a lock, runs a statement, and idles in a transaction; 0 is unlimited
# (see core.database_limits). SQLite supports only the first.
DATABASE_LIMITS = {
    "request": {
        # PostgreSQL waits twice: first in the queue for the row, then for the row itself.
        "lock": 5 if IS_SQLITE else 1,
        "statement": 8,
        "idle": 10,
    },
    "task": {
        "lock": 10,
        "statement": 300,
        "idle": 60,
    },
    # Building an index while the shop runs may take hours.
    "migration": {"lock": 3, "statement": 0, "idle": 0},
}
# Reports, lists and exports of the back office read more than a shopper's page.
BACK_OFFICE_STATEMENT_SECONDS = 30

# ── Queues and cache ──────────────────────────────────────────────────────────────────────────────────
REDIS_URL = env.str("REDIS_URL", "")
# The store of the queues; `core.queues` lists them.
QUEUE_STORE: dict[str, object]
if REDIS_URL:
    # Imported here, since the import is slow.
    from redis import ConnectionPool
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    QUEUE_STORE = {
        "huey_class": "huey.RedisHuey",
        # No request waits long for a hanging Redis; a worker waits a second for its next task.
        "connection_pool": ConnectionPool.from_url(
            REDIS_URL, socket_connect_timeout=1, socket_timeout=2, retry=Retry(NoBackoff(), 0)
        ),
    }
elif IS_SQLITE:
    QUEUE_STORE = {
        "huey_class": "huey.SqliteHuey",
        "filename": str(DATA_DIR / "queue.sqlite3"),
        "timeout": DATABASE_LIMITS["request"]["lock"],
        # Created after the migrations, as on PostgreSQL.
        "create_tables": False,
    }
else:
    # Imported here, since SQLite does not need it.
    from core.postgresql import Connection

    QUEUE_STORE = {
        "huey_class": "huey.PostgresHuey",
        "connection": partial(
            Connection.connect,
            env.str("DATABASE_URL"),
            connect_timeout=DATABASES["default"]["OPTIONS"]["connect_timeout"],
            options=f"-c lock_timeout={DATABASE_LIMITS['request']['lock'] * 1000:.0f}",
        ),
        # A migration creates the tables; creating them at import would require the database for any command.
        "create_tables": False,
    }
# Never over the network, since Wagtail reads its sites' paths from it on every page (decision 6).
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
# A change is visible within 5 s: the maximum age of a process's snapshots, plus that of a page through
# server, CDN and browser.
SNAPSHOT_SECONDS, PAGE_SECONDS = 2, 3
# A page's maximum age while the machine is overloaded: 10 seconds including the snapshot.
BUSY_PAGE_SECONDS = 8
# The maximum age in seconds of a page's copy while the database is unreachable; 0 shows none.
OUTAGE_COPY_SECONDS = 600
# Disabled for developers who work on templates.
PAGE_CACHE = not DEBUG

# ── Languages and times ───────────────────────────────────────────────────────────────────────────────
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
# The names of the languages in the reader's language.
WAGTAIL_CONTENT_LANGUAGES = [("en", gettext_lazy("English")), ("zh-hans", gettext_lazy("Chinese"))]
# The shop's own texts take precedence. The second folder replaces or completes texts of Wagtail, the third
# those of the translation screens.
LOCALE_PATHS = [BASE_DIR / "site" / "locale" / part for part in ("", "wagtail", "translating")]
USE_I18N = WAGTAIL_I18N_ENABLED = True
USE_TZ = True
FORMAT_MODULE_PATH = "core.formats"
TIME_ZONE = env.str("SHOP_TIME_ZONE", "Australia/Perth")

# ── Files ─────────────────────────────────────────────────────────────────────────────────────────────
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "build" / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_IMMUTABLE_FILE_TEST = (
    r"^/static/islands/[^/]+\.(js|css)$|^/static/regions/[0-9a-f]{12}/|\.[0-9a-f]{12}\.\w+$"
)
# Source maps are rarely read, and compressing them would take half of the set-up's time.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("jpg", "png", "webp", "avif", "gz", "br", "woff2", "map")
# Another host, if a CDN or object store serves the pictures.
MEDIA_URL = env.str("MEDIA_URL", "/media/")
MEDIA_HOSTS = [f"https://{MEDIA_URL.split('/')[2]}"] if MEDIA_URL.startswith("https://") else []
MEDIA_ROOT = DATA_DIR / "media"
STORAGES = {
    "default": {"BACKEND": "core.private_files.MediaFiles"},
    "staticfiles": {"BACKEND": "config.storage.ShopStaticFiles"},
}

# ── Wagtail ───────────────────────────────────────────────────────────────────────────────────────────
WAGTAIL_SITE_NAME = "Eastbowl"
# The model of the shop's name, for `core.shop`.
SHOP_SETTINGS_MODEL = "content.ShopSettings"
# Fonts for `commerce.invoices`, which the set-up creates.
INVOICE_FONTS = BASE_DIR / "build" / "fonts"
WAGTAILADMIN_BASE_URL = SITE_URL
WAGTAILSEARCH_BACKENDS = {"default": {"BACKEND": "content.pagesearch"}}
WAGTAIL_APPEND_SLASH = APPEND_SLASH = False
WAGTAILADMIN_PERMITTED_LANGUAGES = LANGUAGES
# Only zones named after places, since browsers do not know "localtime".
WAGTAIL_USER_TIME_ZONES = sorted(name for name in available_timezones() if "/" in name)
WAGTAILIMAGES_MAX_UPLOAD_SIZE = 5 * 1024 * 1024
# A small file may decode to gigabytes, and no picture of a product needs more pixels.
WAGTAILIMAGES_MAX_IMAGE_PIXELS = 25_000_000
WAGTAILIMAGES_IMAGE_FORM_BASE = "core.pictures.forms.PictureForm"
WAGTAILIMAGES_EXTENSIONS = ["jpg", "jpeg", "png", "webp", "avif"]
# File types that a browser would execute are refused, since they would run in the shop's origin.
WAGTAILDOCS_EXTENSIONS = ["csv", "docx", "odt", "pdf", "pptx", "rtf", "txt", "xlsx", "zip"]
# Such a file may be stored in another way; then it is only downloaded.
WAGTAILDOCS_CONTENT_TYPES = dict.fromkeys(
    ("htm", "html", "mht", "mhtml", "shtml", "svg", "svgz", "xht", "xhtml", "xml", "xsl", "js", "mjs"),
    "application/octet-stream",
)
# The shop serves documents itself, so that it can check who may read them.
WAGTAILDOCS_SERVE_METHOD = "serve_view"
# Private pages and documents are for staff, who have one login page; guesses of a password of their own would
# have no limit.
WAGTAIL_FRONTEND_LOGIN_URL = "/admin/login/"
WAGTAIL_PRIVATE_PAGE_OPTIONS = WAGTAILDOCS_PRIVATE_COLLECTION_OPTIONS = {"SHARED_PASSWORD": False}
WAGTAILADMIN_USER_LOGIN_FORM = "config.staff_login.StaffLoginForm"
WAGTAILADMIN_USER_PASSWORD_RESET_FORM = "config.staff_login.StaffPasswordResetForm"  # noqa: S105  no password
# Seconds: staff must log in again each day, even if they are active.
SESSION_COOKIE_AGE = 12 * 60 * 60
# Seconds that a link to set a new password of staff is valid.
PASSWORD_RESET_TIMEOUT = 60 * 60
WAGTAIL_ENABLE_UPDATE_CHECK = WAGTAIL_ENABLE_WHATS_NEW_BANNER = False
# No e-mail address is sent to another service to get a profile picture.
WAGTAIL_GRAVATAR_PROVIDER_URL = None
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# ── Customers and money ───────────────────────────────────────────────────────────────────────────────
PASSWORD_HASHERS = ["core.hashing.ServerArgon2"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
# PBKDF2 rounds for each of a captcha's few hundred derivations, which take a phone about a second.
CAPTCHA_COST = env.int("CAPTCHA_COST", 5_000)
# GeeTest, a third-party captcha; without its id and key only the embedded captcha is used.
GEETEST_CAPTCHA_ID = env.str("GEETEST_CAPTCHA_ID", "")
GEETEST_CAPTCHA_KEY = env.str("GEETEST_CAPTCHA_KEY", "")
GEETEST_SCRIPT_URL = "https://static.geetest.com/v4/gt4.js"
GEETEST_VALIDATE_URL = "https://gcaptcha4.geetest.com/validate"
# The hosts from which its script loads its parts, including fallbacks.
GEETEST_HOSTS = [
    "https://static.geetest.com",
    "https://static.geevisit.com",
    "https://dn-staticdown.qbox.me",
    "https://gcaptcha4.geetest.com",
    "https://gcaptcha4.geevisit.com",
    "https://gcaptcha4.gsensebot.com",
]
# Countries to which SMS codes are sent; for others they cost the shop more than a customer is worth.
SMS_COUNTRIES = frozenset(
    code.strip().upper()
    for code in env.list("SMS_COUNTRIES", default=["AU", "CN", "HK", "MY", "NZ", "SG", "TW"])
)
if not all(len(code) == 2 and code.isalpha() for code in SMS_COUNTRIES):
    raise ImproperlyConfigured("SMS_COUNTRIES has what is no code of a country, such as AU")
# The daily limit of verification codes for all customers together, which limits the cost of abuse.
CODES_PER_DAY = env.int("CODES_PER_DAY", 2_000)
# If empty, messages are written to files in the outbox; else an apprise URL of the SMS gateway with {to}.
SMS_URL = env.str("SMS_URL", "")
EMAIL_URL = env.str("EMAIL_URL", "")
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "shop@example.com")
MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
if EMAIL_URL:
    vars().update(env.email("EMAIL_URL"))
    MAIL_BACKEND = vars()["EMAIL_BACKEND"]
# The back office stores its mail as messages, so no form waits for the mail server or fails with it.
EMAIL_BACKEND = "commerce.messaging.mail.WrittenMail"
# Seconds for each step of a mail server; without a limit a silent one would block a thread forever.
EMAIL_TIMEOUT = 4
# The sources of the exchange rate, in order of use; an empty URL disables one.
RATE_SOURCES = {
    "RBA": "https://www.rba.gov.au/rss/rss-cb-exchange-rates.xml",
    "Frankfurter": "https://api.frankfurter.dev/v2/rate/AUD/CNY",
    "ECB": "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml",
}
# The tracking provider; without a key, tracking events are entered by hand or by file.
KUAIDI_URL = "https://poll.kuaidi100.com/poll/query.do"
KUAIDI_REGISTER_URL = "https://poll.kuaidi100.com/poll"
# The key of its notices' signatures; without it, notices are neither requested nor accepted.
KUAIDI_SALT = env.str("KUAIDI_SALT", "")
KUAIDI_KEY, KUAIDI_CUSTOMER = env.str("KUAIDI_KEY", ""), env.str("KUAIDI_CUSTOMER", "")
# PayPal's API, and the shop's account there; without a client id it is not used.
PAYPAL_URL = env.str("PAYPAL_URL", "https://api-m.paypal.com").rstrip("/")
PAYPAL_CLIENT_ID, PAYPAL_SECRET = env.str("PAYPAL_CLIENT_ID", ""), env.str("PAYPAL_SECRET", "")
# PayPal's notices are signed for this id; without it, none is accepted.
PAYPAL_WEBHOOK_ID = env.str("PAYPAL_WEBHOOK_ID", "")
# How long an unpaid order reserves its stock: by default, and if staff collect its money.
ORDER_HOLD_MINUTES = env.int("ORDER_HOLD_MINUTES", 30)
CUSTOMER_SERVICE_HOLD_HOURS = 24
TRANSFER_HOLD_DAYS = 3
# Above this amount, in AUD, two members of staff must approve a transfer.
APPROVAL_LIMIT = env.int("APPROVAL_LIMIT", 1_000)
# How long an order paid in cash is held after the day of its pick-up hour or delivery window.
CASH_GRACE_HOURS = 12
# How many days after the order the recipient's ID card is stored.
ID_CARD_DAYS = 90
# How many years orders keep the names of a deleted customer, as tax law requires.
TAX_RECORD_YEARS = 5
# Days until an order completes automatically: in Australia, abroad, and after its delivery.
COMPLETE_AFTER_DAYS = env.int("COMPLETE_AFTER_DAYS", 14)
COMPLETE_ABROAD_AFTER_DAYS = 30
COMPLETE_DELIVERED_AFTER_DAYS = 7
# Orders can be claimed for this many days after completion.
CLAIM_DAYS = env.int("CLAIM_DAYS", 30)
# The maximum number of a customer's undecided claims.
MAX_OPEN_CLAIMS = 5
# The maximum that a customer may reserve without paying: orders, units of a product without its own limit,
# dollars.
MAX_UNPAID_ORDERS = env.int("MAX_UNPAID_ORDERS", 5)
MAX_UNPAID_UNITS = 200
MAX_UNPAID_AMOUNT = env.int("MAX_UNPAID_AMOUNT", 20_000)
# Unpaid or expired orders of a customer within a day; without this limit, repeated orders could reserve units
# forever.
MAX_UNPAID_ORDERS_A_DAY = env.int("MAX_UNPAID_ORDERS_A_DAY", 10)
# The largest top-up of a wallet, in dollars.
MAX_RECHARGE = 5_000
# When an order earns its points: at "completion" or at "payment".
POINTS_EARNED_AT = env.str("POINTS_EARNED_AT", "completion")
if POINTS_EARNED_AT not in {"completion", "payment"}:
    raise ImproperlyConfigured("POINTS_EARNED_AT is neither completion nor payment")
# How many points pay one dollar of products; 0 disables paying with points.
POINTS_PER_DOLLAR = env.int("POINTS_PER_DOLLAR", 100)
# The provider of cards, WeChat and Alipay; without partner code and credential none of them is offered.
ROYALPAY_URL = env.str("ROYALPAY_URL", "https://mpay.royalpay.com.au/api/v1.0")
ROYALPAY_PARTNER_CODE = env.str("ROYALPAY_PARTNER_CODE", "")
ROYALPAY_CREDENTIAL = env.str("ROYALPAY_CREDENTIAL", "")
# How many threads of one process may wait for a gateway; the others continue to serve pages.
GATEWAY_SLOTS = 2
# For how many seconds of each minute the upkeep queue encodes pictures.
PICTURE_SECONDS = env.int("PICTURE_SECONDS", 20)
# The fake of every redirecting pay type; production must list it in ALLOWED_FAKES.
SANDBOX_GATEWAY = env.bool("SANDBOX_GATEWAY", not PRODUCTION)
SANDBOX_SECRET = env.str("SANDBOX_SECRET", EMBEDDED_KEY)

# ── Headers ───────────────────────────────────────────────────────────────────────────────────────────
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
X_FRAME_OPTIONS = "SAMEORIGIN"
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:", *MEDIA_HOSTS],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF, "blob:"],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
# Wagtail uses inline styles and scripts, and shows previews in frames.
ADMIN_CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": CONTENT_SECURITY_POLICY["DIRECTIVES"]
    | {
        "script-src": [SELF, UNSAFE_INLINE],
        "style-src": [SELF, UNSAFE_INLINE],
        "frame-src": [SELF],
        "frame-ancestors": [SELF],
    }
}
if PRODUCTION and SITE_URL.startswith("https://"):
    SECURE_HSTS_SECONDS = 31_536_000
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
if TRUSTED_PROXIES:
    # Without a trusted proxy, any client could claim to use https.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# ── Logs ──────────────────────────────────────────────────────────────────────────────────────────────
LOGGING = logging_config(env.str("LOG_LEVEL", "INFO"))
configure_structlog()
