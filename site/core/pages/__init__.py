"""Code shared by the pages of all apps."""
