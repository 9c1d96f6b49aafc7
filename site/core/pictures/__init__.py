"""Pictures: uploads, the sizes that pages show, forms of the back office."""
