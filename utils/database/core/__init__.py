"""The engine: connections, units of work, errors, migrations and backups of the database."""
