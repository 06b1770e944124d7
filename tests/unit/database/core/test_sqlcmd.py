"""The printed sqlcmd lines: they reach the right server and database, without the password."""

import shlex
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.fakes.clock import NOON
from utils.database.core import drivers, sqlcmd

PASSWORD = 'it\'s "one"; $HOME `id` %PATH%\\'


def url_of(place: str, database: str = "kith") -> str:
    login, name = f"kith:{quote(PASSWORD, safe='')}", quote(database, safe="")
    return drivers.parse_url(f"mssql+pyodbc://{login}@{place}/{name}")


def test_a_backup_reaches_the_server_of_the_url_and_the_database_whatever_its_name():
    url = url_of("db.example:14330", "$(PATH) ki]th's")
    *words, query = shlex.split(sqlcmd.backup_command(url, NOON, is_windows=False))
    assert words[words.index("-S") + 1] == "db.example,14330"
    assert "BACKUP DATABASE [$(PATH) ki]]th's] TO DISK = N'$(PATH) ki]th''s-20260311" in query
    assert "-x" in words  # $(PATH) is no variable


def test_a_restore_takes_the_database_for_itself_and_gives_it_back():
    line = sqlcmd.restore_command(url_of("db"), Path("/var/opt/mssql/data/kith.bak"))
    assert line.index("SINGLE_USER") < line.index("RESTORE DATABASE") < line.index("MULTI_USER")


@pytest.mark.parametrize("is_windows", [False, True])
def test_no_line_holds_the_password_or_the_login(is_windows):
    line = sqlcmd.backup_command(url_of("db"), NOON, is_windows=is_windows)
    assert [part for part in (PASSWORD, "one", "-U", "-P") if part in line] == []
