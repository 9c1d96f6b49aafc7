"""Random customers, staff and clocks step by step against plain dictionaries (docs/chaos.md)."""
