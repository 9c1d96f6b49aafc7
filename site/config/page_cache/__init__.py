"""Pages that are the same for everyone, cached in each web process."""
