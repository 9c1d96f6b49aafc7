"""Code that the pages of all apps share."""
