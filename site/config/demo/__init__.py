"""Loads the demonstration into an empty shop; existing rows stay unchanged."""
