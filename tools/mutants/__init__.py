"""Whether the tests notice small faults in the services: `make mutants` (docs/mutants.md)."""
