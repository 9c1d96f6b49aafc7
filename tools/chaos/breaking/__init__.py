"""An app of scenarios only: ends the process at a named point of the shop's work."""
