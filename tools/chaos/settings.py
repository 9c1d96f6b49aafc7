"""The shop's own settings, with the points at which a scenario breaks processes."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

# First of all, so that whatever is imported later finds the functions as they are watched.
INSTALLED_APPS = ["tools.chaos.breaking", *INSTALLED_APPS]
