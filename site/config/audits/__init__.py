"""The audit of the books: its rules, and its nightly run (docs/audit.md)."""
