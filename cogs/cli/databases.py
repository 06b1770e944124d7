"""Open the database for a command, which means the running bot's; imports ask before they write."""

from pathlib import Path

from cogs.cli.terminal import confirm, require_terminal
from utils.app import App
from utils.common.errors import KithError, NotFound
from utils.database.core import drivers

MISSING = (
    "There is no database {file}, so nothing was done: run this command where Kith runs, with its "
    "settings (`docker compose exec kith /venv/bin/python bot.py …`, or `systemd-run` as in "
    "docs/deployment.md), or name the database with `--database sqlite:////folder/kith.db`; "
    "`python bot.py migrate` creates an empty one."
)
RUN_AGAIN = "Run the same command again: it continues where it stopped."


async def open_database(app: App, *, is_dry_run: bool, sure: bool) -> None:
    """Open the database for an import; only a real one may upgrade the schema.

    ``sure``: the operator is not asked. Raises KithError without a terminal to ask on, or for a
    dry run on another schema version.
    """
    if not (is_dry_run or sure):
        require_terminal()
    await app.database.open(upgrade=not is_dry_run)
    if is_dry_run and not await app.database.schema_is_current():
        raise KithError(
            "The database's schema is not of this version; run `python bot.py migrate` first."
        )


def confirm_import() -> bool:
    """Ask the operator whether to import; says so if not."""
    is_confirmed = confirm("Import this?")
    if not is_confirmed:
        print("Nothing was imported.")
    return is_confirmed


def missing_file(app: App) -> Path | None:
    """Return the configured SQLite file if it does not exist."""
    url = drivers.parse_url(app.settings.database_url)
    if url.get_backend_name() != "sqlite":
        return None
    file = drivers.sqlite_file(url)
    return None if file.exists() else file.absolute()


def require_database(app: App) -> None:
    """Raise NotFound if the configured SQLite file does not exist."""
    if (file := missing_file(app)) is not None:
        raise NotFound(MISSING, file=file)
