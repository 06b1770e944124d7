"""The printed sqlcmd lines: read back by a stand-in, they reach the right server and database."""

import os
import re
import shutil
import subprocess
from pathlib import Path, PurePosixPath
from urllib.parse import quote

import pytest

from tests.fakes import sqlcmd as stand_in
from tests.fakes.clock import NOON
from utils.database.core import drivers, migrations, sqlcmd

ANY_SHELL = pytest.mark.parametrize("is_windows", [False, True])
PASSWORD = 'it\'s "one"; $HOME `id` %PATH%\\'


def url_of(place: str, database: str = "kith", options: str = "") -> str:
    login, name = f"kith:{quote(PASSWORD, safe='')}", quote(database, safe="")
    return drivers.parse_url(f"mssql+pyodbc://{login}@{place}/{name}{options}")


def backup(url, *, is_windows=False):
    line = sqlcmd.backup_command(url, NOON, is_windows=is_windows)
    return stand_in.parse(line, is_windows=is_windows)


@pytest.mark.parametrize(
    ("place", "host", "instance", "port"),
    [
        ("db.example", "db.example", None, None),
        ("db.example:14330", "db.example", None, 14330),
        ("db.example\\SQLEXPRESS", "db.example", "SQLEXPRESS", None),
        ("10.0.0.7:1434", "10.0.0.7", None, 1434),
    ],
)
@ANY_SHELL
def test_the_line_reaches_the_server_of_the_url(place, host, instance, port, is_windows):
    call = backup(url_of(place), is_windows=is_windows)
    assert (call.host, call.instance, call.port) == (host, instance, port)
    assert call.values["-d"] == "master"
    assert "-b" in call.flags


@pytest.mark.parametrize("name", ["kith", "ki]th's", 'a "b" c', "$(PATH) $HOME `id`", "ends\\"])
@ANY_SHELL
def test_names_come_back_as_they_are(name, is_windows):
    back_up, verify = backup(url_of("db", name), is_windows=is_windows).statements
    file = f"{name}-20260311-120000.bak"
    assert back_up[:6] == ["BACKUP", "DATABASE", name, "TO", "DISK", "="]
    assert back_up[6:] == [file, "WITH", "COPY_ONLY", ",", "CHECKSUM"]
    assert verify == ["RESTORE", "VERIFYONLY", "FROM", "DISK", "=", file, "WITH", "CHECKSUM"]


@pytest.mark.parametrize("file", ["C:\\back ups\\kith's.bak", "/var/opt/mssql/data/kith.bak"])
@ANY_SHELL
def test_a_restore_takes_the_database_for_itself_and_gives_it_back(file, is_windows):
    path = PurePosixPath(file)
    line = sqlcmd.restore_command(url_of("db:1444"), Path(path), is_windows=is_windows)
    call = stand_in.parse(line, is_windows=is_windows)
    alone, put, back = call.statements
    assert call.port == 1444
    exists, alter = alone[:8], alone[8:]
    assert exists == ["IF", "DB_ID", "(", "kith", ")", "IS", "NOT", "NULL"]  # not on a new server
    assert alter[2:] == ["kith", "SET", "SINGLE_USER", "WITH", "ROLLBACK", "IMMEDIATE"]
    assert put[:6] == ["RESTORE", "DATABASE", "kith", "FROM", "DISK", "="]
    assert put[6:] == [file, "WITH", "REPLACE", ",", "CHECKSUM"]
    assert back == ["ALTER", "DATABASE", "kith", "SET", "MULTI_USER"]


@ANY_SHELL
def test_no_line_holds_the_password_or_the_login(is_windows):
    line = sqlcmd.backup_command(url_of("db"), NOON, is_windows=is_windows)
    assert PASSWORD not in line
    assert "one" not in line
    assert "-U" not in line
    assert "-P" not in line


# --- sql/create_login.sql -------------------------------------------------------------------------

LOGIN_SCRIPT = migrations.SCRIPTS / "create_login.sql"
STUB = '#!/bin/bash\nprintf "%s" "$KITH_PASSWORD" > "$0.password"; printf "%q " "$@" > "$0.line"\n'


@pytest.mark.skipif(shutil.which("bash") is None, reason="the header's lines are for bash")
@pytest.mark.parametrize("password", ["it's", "''", 'a "b" $HOME `id` \\ end', "plain"])
def test_the_headers_lines_give_the_login_any_password(tmp_path, password):
    script = LOGIN_SCRIPT.read_text(encoding="utf-8")
    lines = re.findall(r"(?m)^--     (read .*|KITH_PASSWORD.*)$", script)
    stub = tmp_path / "sqlcmd"
    stub.write_text(STUB)
    stub.chmod(0o700)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    told = [shutil.which("bash"), "-euc", "\n".join(lines)]
    subprocess.run(told, input=f"{password}\n", text=True, check=True, env=environment)
    call = stand_in.parse(f"sqlcmd {(tmp_path / 'sqlcmd.line').read_text()}")
    assert call.flags == {"-C", "-b"}
    assert call.values["-i"] == "sql/create_login.sql"
    literal = (tmp_path / "sqlcmd.password").read_text()
    for statement in ("CREATE LOGIN", "ALTER LOGIN"):
        value = re.search(rf"{statement} kith WITH PASSWORD = N'(.*?)'[,;]", script)[1]
        told = value.replace("$(KITH_PASSWORD)", literal)
        assert not re.search(r"(?<!')'(?:'')*(?!')", told), "the text would end too early"
        assert told.replace("''", "'") == password
