"""Pictures: uploads, sizes on pages, forms of the back office."""
