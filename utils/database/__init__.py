"""Engine and units of work, the tables, and one module per aggregate with its queries."""
