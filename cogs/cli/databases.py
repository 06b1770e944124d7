"""Refuse a database that is not there: a command of the operator means the running bot's."""

from utils.app import App
from utils.common.errors import NotFound
from utils.database.core import drivers

MISSING = (
    "There is no database {file}, so nothing was done: run this command where Kith runs, with its "
    "settings (`docker compose exec kith-sqlite /venv/bin/python bot.py …`, or `systemd-run` as in "
    "docs/deployment.md), or name the database with `--database sqlite:////folder/kith.db`; "
    "`python bot.py migrate` creates an empty one."
)


def require_database(app: App) -> None:
    """Raise NotFound if the configured SQLite file does not exist."""
    url = drivers.parse_url(app.settings.database_url)
    if url.get_backend_name() == "sqlite":
        file = drivers.sqlite_file(url)
        if not file.exists():
            raise NotFound(MISSING, file=file.absolute())
