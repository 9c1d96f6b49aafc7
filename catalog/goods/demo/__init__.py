"""The demonstration's catalogue, and a larger one made out of it."""
