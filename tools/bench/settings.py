"""The shop's own settings, with the two minimal views to compare with."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tools.bench.urls"
