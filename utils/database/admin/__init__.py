"""Units of work for operators: archives, counts, jobs, leases, health and lists of memories."""
