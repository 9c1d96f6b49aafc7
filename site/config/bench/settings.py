"""The shop's own settings, and two addresses more to compare with."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "config.bench.urls"
