"""Argon2 as the shop uses it, at the lowest cost."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class QuickArgon2(Argon2PasswordHasher):
    """Costs a test a millisecond, not a tenth of a second."""

    time_cost = 1
    memory_cost = 8
    parallelism = 1
