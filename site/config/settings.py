"""Every setting of the shop, read from the environment; the defaults are the embedded demonstration."""

from pathlib import Path
from zoneinfo import available_timezones

import environ
from csp.constants import NONE, SELF, UNSAFE_INLINE

from config.logs import configure_structlog, logging_config

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()

# ── What a start decides ────────────────────────────────────────────────────────────────────────────────
# `DEBUG` on is the embedded demonstration, off a production start, which refuses whatever only stands in.
PRODUCTION = not env.bool("DEBUG", True)
# Django's own switch: technical pages for who works on the shop, never for who shops in it.
DEBUG = env.bool("TECHNICAL_PAGES", False) and not PRODUCTION
DATA_DIR = Path(env.str("DATA_DIR", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)
EMBEDDED_KEY = "embedded-default-key-never-for-production"
SECRET_KEY = env.str("SECRET_KEY", EMBEDDED_KEY)
# Kept outside the database, so that a stolen copy of it is not enough to try six-digit passwords.
PASSWORD_PEPPER = env.str("PASSWORD_PEPPER", EMBEDDED_KEY)
# Only this machine by default: everyone knows the demonstration's passwords.
HOST, PORT = env.str("HOST", "127.0.0.1"), env.int("PORT", 8000)
WEB_WORKERS, WEB_THREADS = env.int("WEB_WORKERS", 2), env.int("WEB_THREADS", 4)
# From the stop signal to the kill: what a request or task under way may still take.
STOP_SECONDS = env.int("STOP_SECONDS", 35 if PRODUCTION else 3)
SITE_URL = env.str("SITE_URL", f"http://localhost:{PORT}").rstrip("/")
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=[] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]", HOST]
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
# How many proxies in front of us may be believed about a client's address.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)
# Embedded doubles that a production start may use all the same, named one by one (see config.checks).
ALLOWED_DOUBLES = frozenset(env.list("ALLOWED_DOUBLES", default=[]))

# ── The house ───────────────────────────────────────────────────────────────────────────────────────────
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
INSTALLED_APPS = [
    "config",
    "core",
    "content",
    "content.desk",
    "catalog.search",
    "catalog.goods",
    "catalog.stock",
    "catalog.promotions",
    "catalog.browse",
    "commerce.accounts",
    "commerce.ledger",
    "commerce.cart",
    "commerce.delivery",
    "commerce.notices",
    "commerce.orders",
    "commerce.payments",
    "commerce.payments.sandbox",
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
    "huey.contrib.djhuey",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.CompressText",
    "config.middleware.request_log",
    "config.pagecache.PageCache",
    "config.middleware.content_policy",
    "config.middleware.permissions_policy",
    "config.middleware.api_envelope",
    "config.middleware.Sessions",
    "config.middleware.language_of_path",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.Staff",
    "config.middleware.Messages",
    "config.middleware.BackOfficeRefusals",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "commerce.accounts.middleware.member_level",
    "config.redirects.Redirects",
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

# ── Database: SQLite embedded, PostgreSQL by DATABASE_URL ───────────────────────────────────────────────
DATABASES = {"default": env.db("DATABASE_URL", f"sqlite:///{DATA_DIR / 'shop.sqlite3'}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
IS_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
# A thread keeps its connection: opening one costs more than most requests, on SQLite too.
DATABASES["default"]["CONN_MAX_AGE"] = 60
if IS_SQLITE:
    # IMMEDIATE takes the write lock at the start: the default upgrades a read lock and dies of it under load.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # A file, as in use: a database in memory is shared by threads without waiting for locks.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # How often a query of `core.prepared` is asked before a connection keeps its plan.
    DATABASES["default"]["OPTIONS"] = {"prepare_threshold": 5}

# ── Queue and cache ─────────────────────────────────────────────────────────────────────────────────────
REDIS_URL = env.str("REDIS_URL", "")
HUEY: dict[str, object] = {"name": "shop", "immediate": False, "results": False, "consumer": {"workers": 2}}
if REDIS_URL:
    HUEY |= {"huey_class": "huey.RedisHuey", "connection": {"url": REDIS_URL}}
elif IS_SQLITE:
    HUEY |= {"huey_class": "huey.SqliteHuey", "filename": str(DATA_DIR / "queue.sqlite3"), "timeout": 20}
else:
    # Its tables come with the migrations: made at import, no command would start without the database.
    HUEY |= {"huey_class": "huey.PostgresHuey", "dsn": env.str("DATABASE_URL"), "create_tables": False}
CACHES = {"default": env.cache("CACHE_URL", "locmemcache://")}
# From a change in the back office to what a shopper sees at most 5 s: a process's snapshot of rows may be so
# old, and a page made from it so much older, on its whole way through server, CDN and browser.
SNAPSHOT_SECONDS, PAGE_SECONDS = 2, 3
# Whole pages are kept; not for who works on the templates.
PAGE_CACHE = env.bool("PAGE_CACHE", not DEBUG)

# ── Languages and times ─────────────────────────────────────────────────────────────────────────────────
LANGUAGE_CODE = "en"
LANGUAGES = WAGTAIL_CONTENT_LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
# The second holds what Wagtail's own Chinese catalogues lack; what the shop says itself goes before it.
LOCALE_PATHS = [BASE_DIR / "site" / "locale", BASE_DIR / "site" / "locale" / "wagtail"]
USE_I18N = WAGTAIL_I18N_ENABLED = True
USE_TZ = True
FORMAT_MODULE_PATH = "core.formats"
TIME_ZONE = env.str("SHOP_TIME_ZONE", "Australia/Perth")

# ── Files ───────────────────────────────────────────────────────────────────────────────────────────────
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "build" / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/islands/[^/]+\.(js|css)$|\.[0-9a-f]{12}\.\w+$"
# Maps are for who debugs; compressing them would take half of the set-up's time.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("jpg", "png", "webp", "avif", "gz", "br", "woff2", "map")
# Elsewhere where a CDN or an object store hands the pictures out.
MEDIA_URL = env.str("MEDIA_URL", "/media/")
MEDIA_HOSTS = [f"https://{MEDIA_URL.split('/')[2]}"] if MEDIA_URL.startswith("https://") else []
MEDIA_ROOT = DATA_DIR / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.ShopStaticFiles"},
}

# ── Wagtail ─────────────────────────────────────────────────────────────────────────────────────────────
WAGTAIL_SITE_NAME = "Eastbowl"
# Where the shop's own names are kept, as `core.shop` reads them.
SHOP_SETTINGS_MODEL = "content.ShopSettings"
WAGTAILADMIN_BASE_URL = SITE_URL
WAGTAIL_APPEND_SLASH = APPEND_SLASH = False
WAGTAILADMIN_PERMITTED_LANGUAGES = LANGUAGES
# Only names of places: browsers know no zone called "localtime".
WAGTAIL_USER_TIME_ZONES = sorted(name for name in available_timezones() if "/" in name)
WAGTAILIMAGES_MAX_UPLOAD_SIZE = 5 * 1024 * 1024
# A small file may unfold to gigabytes; no picture of goods needs more.
WAGTAILIMAGES_MAX_IMAGE_PIXELS = 25_000_000
WAGTAILIMAGES_IMAGE_FORM_BASE = "core.pictureforms.PictureForm"
WAGTAILIMAGES_EXTENSIONS = ["jpg", "jpeg", "png", "webp", "avif"]
# Whatever a browser would run comes from the shop's own address, and so with the rights of who opens it.
WAGTAILDOCS_EXTENSIONS = ["csv", "docx", "odt", "pdf", "pptx", "rtf", "txt", "xlsx", "zip"]
WAGTAIL_ENABLE_UPDATE_CHECK = False
# A profile picture is uploaded; nobody's address is sent elsewhere for one.
WAGTAIL_GRAVATAR_PROVIDER_URL = None
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# ── Customers and money ─────────────────────────────────────────────────────────────────────────────────
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
# Rounds of PBKDF2 for each of a captcha's few hundred derivations: about a second of work for a phone.
CAPTCHA_COST = env.int("CAPTCHA_COST", 5_000)
# Verification codes that all customers together may ask for in a day: what a flood may cost at most.
CODES_PER_DAY = env.int("CODES_PER_DAY", 2_000)
# Empty: messages are written as files to the outbox; else an apprise URL of the SMS gateway with {to}.
SMS_URL = env.str("SMS_URL", "")
EMAIL_URL = env.str("EMAIL_URL", "")
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "shop@example.com")
if EMAIL_URL:
    vars().update(env.email("EMAIL_URL"))
# Where the exchange rate is read, in the order they are asked; an empty address leaves one out.
RATE_SOURCES = {
    "RBA": env.str("RATE_RBA_URL", "https://www.rba.gov.au/rss/rss-cb-exchange-rates.xml"),
    "Frankfurter": env.str("RATE_FRANKFURTER_URL", "https://api.frankfurter.dev/v2/rate/AUD/CNY"),
    "ECB": env.str("RATE_ECB_URL", "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"),
}
# How long an unpaid order holds its goods.
ORDER_HOLD_MINUTES = env.int("ORDER_HOLD_MINUTES", 30)
# How many threads of one process may wait for a gateway at a time; the others go on serving pages.
GATEWAY_SLOTS = env.int("GATEWAY_SLOTS", 2)
# How many seconds of each minute the task consumer encodes pictures.
PICTURE_SECONDS = env.int("PICTURE_SECONDS", 20)
# The stand-in for every redirecting pay type; a double, so production must name it in ALLOWED_DOUBLES.
SANDBOX_GATEWAY = env.bool("SANDBOX_GATEWAY", not PRODUCTION)
SANDBOX_SECRET = env.str("SANDBOX_SECRET", EMBEDDED_KEY)

# ── Headers ─────────────────────────────────────────────────────────────────────────────────────────────
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
# Wagtail writes styles and scripts into its pages and shows previews in frames.
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
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# ── Logs ────────────────────────────────────────────────────────────────────────────────────────────────
LOGGING = logging_config(env.str("LOG_LEVEL", "INFO"))
configure_structlog()
