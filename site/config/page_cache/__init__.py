"""The cache of pages that are the same for all visitors, in each web process."""
