"""The benchmark, `make bench`; no part of a running shop."""
