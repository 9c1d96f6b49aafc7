"""The settings of a shop whose payments are collected by the provider at PROVIDER_URL."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS, env

INSTALLED_APPS = [*INSTALLED_APPS, "tools.chaos.remote"]
PROVIDER_URL = env.str("PROVIDER_URL", "")
