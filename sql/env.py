"""How Alembic runs: utils/database/core/migrations.py hands over an open connection, or none.

With a connection, its transaction is the caller's. Without one (``--sql``, offline), T-SQL for
SQL Server is written out.
"""

from alembic import context

from utils.database.schema.memory_tables import metadata

if context.is_offline_mode():
    context.configure(
        dialect_name="mssql",
        dialect_opts={"deprecate_large_types": True},
        target_metadata=metadata,
    )
else:
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        compare_type=True,
    )

with context.begin_transaction():
    context.run_migrations()
