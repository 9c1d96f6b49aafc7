"""One file for each kind of fault: `run` makes the storm in a shop that is not started yet."""
