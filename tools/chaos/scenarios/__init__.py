"""One file for each kind of fault: `run` makes the scenario in a shop that is not started yet."""
