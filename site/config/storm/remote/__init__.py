"""A payment provider that is reached over the network, so that a storm can let it hang."""
