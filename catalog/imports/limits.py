"""Limits of files, in a module without models, which the web server reads before Django is set up."""

# Bytes of an import's file.
MAX_BYTES = 60 << 20
