"""The audit of the books: what it checks, and its run of each night (docs/audit.md)."""
