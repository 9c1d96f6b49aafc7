"""How fast the shop is, and with how many goods: `make bench`. Nothing of it is part of a running shop."""
