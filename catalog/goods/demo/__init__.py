"""The demonstration's catalogue, and synthetic products made from it."""
