"""Django's backend for SQLite, with a wait that can be changed."""
