"""Draws the demonstration's pictures: packs with their own names, fresh food, tiles of categories."""
