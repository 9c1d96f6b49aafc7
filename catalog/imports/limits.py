"""Limits of files, in a module without models because the web server reads it before Django is set up."""

# The maximum size of an import's file in bytes.
MAX_BYTES = 60 << 20
