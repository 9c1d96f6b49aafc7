"""A payment provider that is reached over the network, so that a scenario can let it hang."""
