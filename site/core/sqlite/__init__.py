"""Django's backend for SQLite, with a configurable wait."""
