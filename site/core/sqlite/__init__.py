"""SQLite, whose writers take turns."""
