"""The settings of the database that matter to Kith."""

from functools import partial

from utils.common.clock import Clock
from utils.database.admin import server_settings
from utils.database.core.engine import Database
from utils.models.operator import DatabaseSetting


async def database_settings(database: Database, clock: Clock) -> list[DatabaseSetting]:
    """Return the settings with what to change; none for SQLite. Raises DatabaseError."""
    return await database.read(partial(server_settings.load, monotonic=clock.monotonic))
