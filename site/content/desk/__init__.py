"""The editors' desk in the back office: what waits, reports, and a look ahead."""
