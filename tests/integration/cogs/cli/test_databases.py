"""Commands that mean the running bot's database refuse one that is not there, or too new or old."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

import bot
from utils.common.errors import DatabaseUnavailable
from utils.database.core import error_codes, migrations

COMMANDS = (
    "doctor --live",
    "prune",
    "erase --member 5 --yes",
    "import-history nothing.json --yes",
)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_database_that_is_not_there_is_refused_and_not_created(
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bot.main(words.split()) == 1
    captured = capsys.readouterr()
    said = captured.out + captured.err
    assert f"There is no database {tmp_path / 'data' / 'kith.db'}, so nothing was done" in said
    assert all(way in said for way in ("compose exec", "systemd-run", "sqlite:////", "migrate"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (error_codes.FULL, "/kith.db is full; make room on it"),
        (error_codes.LOCKED, "/kith.db; wait until it is done, or end it"),
    ],
)
def test_migrate_creates_it_or_says_what_keeps_it_from_that(
    fault: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as faulty:
        faulty.setattr(migrations, "upgrade_to_head", Mock(side_effect=DatabaseUnavailable(fault)))
        assert bot.main(["migrate"]) == 1
    assert said in capsys.readouterr().err
    assert bot.main(["migrate"]) == 0
    assert (tmp_path / "data" / "kith.db").exists()
    assert bot.main(["policy", "show"]) == 0
    assert "Version 0 is active" in capsys.readouterr().out


def test_an_unknown_member_is_said_and_nothing_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    bot.main(["migrate"])
    capsys.readouterr()
    for words in ("--member 5", "--member 5 --yes", "--member 5 --guild 7"):
        assert bot.main(["erase", *words.split()]) == 1
        said = capsys.readouterr().err
        assert said.startswith("Nothing is stored of member 5 in ")
        assert said.endswith("; nothing was erased. Check the id.\n")


def test_an_erasure_that_is_not_in_the_ledgers_file_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    bot.main(["migrate"])
    with closing(sqlite3.connect(tmp_path / "data" / "kith.db")) as raw, raw:
        raw.execute(
            "INSERT INTO UserState (GuildId, UserId, UserNotes, NotesRowIds, PassiveOptIn, "
            "MemoryVersion, Ignored) VALUES (7, 5, '', '', 0, 1, 0)"
        )
    monkeypatch.setenv("ERASURE_LEDGER", str(tmp_path / "data" / "kith.db" / "ledger.jsonl"))
    capsys.readouterr()
    assert bot.main(["erase", "--member", "5", "--yes"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Erased: ")
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("The erasure ledger ")


OPENING = ("run", "doctor", "erase --member 5 --yes", "restore backup.db --yes --without-ledger")


@pytest.fixture(scope="module")
def development_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database and a backup of a development version, and an archive of today."""
    folder = tmp_path_factory.mktemp("development")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        assert [bot.main(words.split()) for words in ("migrate", "export archive")] == [0, 0]
    database = folder / "data" / "kith.db"
    with closing(sqlite3.connect(database)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '0002'")
        raw.commit()
    shutil.copyfile(database, folder / "backup.db")
    return folder


def contents_of(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("words", OPENING)
def test_the_database_of_a_development_version_is_refused_and_not_changed(
    words: str,
    development_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its revision 0002 is not the one that is called so today."""
    monkeypatch.chdir(development_folder)
    before = contents_of(development_folder)
    assert bot.main(words.split()) == 1
    captured = capsys.readouterr()
    (sentence,) = (
        line for line in (captured.out + captured.err).splitlines() if " has schema 0002, " in line
    )
    assert sentence.endswith("so update Kith, or use the version that made it.")
    assert contents_of(development_folder) == before
