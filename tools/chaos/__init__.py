"""Scenarios, `make chaos`: the shop under load while something fails; no part of a running shop."""
