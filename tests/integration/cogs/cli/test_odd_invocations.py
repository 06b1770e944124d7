"""Odd command lines, files, settings and streams: one clear sentence each, and the right status."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bot
from tests.fakes import preloaded
from tests.rows import each_row

SCRIPT = str(Path(bot.__file__))
WRONG, FAILED, SETTING = 2, 1, bot.WRONG_SETTING
ID_HINT = "is not an id"

# (arguments, status, a part of what is said)
TABLE = [
    (["nonsense"], WRONG, "There is no command 'nonsense'."),
    (["Doctor"], WRONG, "did you mean 'doctor'?"),
    (["--verson"], WRONG, "'--verson' is no option."),
    (["run", "now"], WRONG, "'now' is one argument too many."),
    (["doctor", "--live", "--live=1"], WRONG, "ignored explicit argument '1'"),
    (["erase"], WRONG, "required: --member"),
    (["erase", "--member"], WRONG, "expected one argument"),
    (["erase", "--member", "five"], WRONG, ID_HINT),
    (["erase", "--member", "0"], WRONG, "0 is nobody's id"),
    (["erase", "--member", "5"], FAILED, "Nothing is stored of member 5"),
    (["backup", "folder"], FAILED, "folder"),
    (["backup", ""], WRONG, "'' names no file or folder"),
    (["restore"], FAILED, "Name the backup to put back"),
    (["restore", "none.db"], FAILED, "none.db"),
    (["restore", "plain"], FAILED, "plain"),
    (["export"], WRONG, "required: FOLDER"),
    (["export", "folder"], FAILED, "folder already exists"),
    (["export", "plain/out"], FAILED, "plain"),
    (["import"], WRONG, "required: FOLDER"),
    (["import", "none", "--yes"], FAILED, "There is no archive none."),
    (["import", "/dev/zero", "--yes"], FAILED, "zero is not a Kith archive"),
    (["import-history"], WRONG, "required: FILE"),
    (["import-history", "none.json", "--yes"], FAILED, "none.json"),
    (["import-history", "plain", "--yes"], FAILED, "plain"),
    (["import-history", "plain"], FAILED, "There is no terminal to confirm this on"),
    (["policy", "aply"], WRONG, "did you mean 'apply'?"),
    (["policy", "apply", "none.json"], FAILED, "none.json cannot be read"),
    (["policy", "apply", "plain"], FAILED, ""),
    (["policy", "diff", "999"], FAILED, "999"),
    (["policy", "tune", "--minutes", "nan"], WRONG, "a number of minutes: give 0.1 to 1440"),
    (["policy", "apply", "/dev/zero"], FAILED, "at most 20,000 characters"),
    (["doctor", "--database", "kith.db"], WRONG, "--database: a database is a URL"),
    (["doctor", "--database", "sqlite:///"], FAILED, "DATABASE_URL cannot be read"),
    (["doctor", "--database", "mssql+pyodbc://u:p@/kith"], FAILED, "DATABASE_URL cannot be read"),
    (["migrate", "--database", f"sqlite:///{'x' * 300}"], FAILED, "cannot be made: File name too"),
    (["migrate", "--database", "mssql+pyodbc://u:p@ss@h/d"], FAILED, "with %40 for an @"),
    (["migrate", "--database", "mssql+pyodbc://u:p@s/s@h/d"], FAILED, "with %40 for an @"),
    (["policy", "show", "--database", "sqlite:///plain"], FAILED, "is not a database"),
    (["policy", "show", "--database", "sqlite:///empty"], FAILED, "The database file empty is"),
    (["run"], SETTING, "DISCORD_TOKEN is not set"),
]


RAW = (
    "Traceback",
    "Errno",
    "Error:",
    "Input should",
    "sqlite3",
    "sqlalche.me",
    "WARNING  utils.app",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a database, a folder, an empty file and one that is nothing."""
    place = tmp_path_factory.mktemp("odd")
    (place / "folder").mkdir()
    (place / "empty").touch()
    (place / "plain").write_text("not what was asked for " * 400, encoding="utf-8")
    return place


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in that folder, with its database and without any other setting."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///kith.db")
    for name in ("DISCORD_TOKEN", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    if not Path("kith.db").exists():
        assert bot.main(["migrate"]) == 0
    return folder


def status_of(arguments: list[str]) -> int:
    """Return the exit status of a command."""
    try:
        return bot.main(arguments)
    except SystemExit as exit_:
        assert isinstance(exit_.code, int)
        return exit_.code


@each_row(("arguments", "status", "said"), TABLE)
def test_each_is_answered_in_a_sentence_with_the_right_status(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    arguments: list[str],
    status: int,
    said: str,
) -> None:
    capsys.readouterr()
    assert status_of(arguments) == status
    captured = capsys.readouterr()
    text = captured.out + captured.err
    assert said in text
    assert text.strip()
    assert not any(raw in text + caplog.text for raw in RAW)
    assert len(text.splitlines()) <= 3


@pytest.mark.parametrize(
    ("arguments", "name", "value", "status", "said"),
    [
        (["policy", "show"], "DATABASE_POOL_SIZE", "x", FAILED, "must be a whole number"),
        ([], "DASHBOARD_TOKEN", "too-short", SETTING, "needs 16 characters or more"),
        ([], "LOG_LEVEL", "LOUD", SETTING, "LOG_LEVEL must be 'DEBUG'"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    name: str,
    value: str,
    status: int,
    said: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert status_of(arguments) == status
    text = capsys.readouterr().err
    assert name in text
    assert said in text
    assert "Traceback" not in text


def in_shell(words: str, place: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell's command line, in which KITH is the program."""
    values = {"PATH": os.environ["PATH"], "DATABASE_URL": "sqlite:///kith.db"} | environment
    values["KITH"] = f"{sys.executable} {SCRIPT}"
    return subprocess.run(
        ["bash", "-c", words], cwd=place, env=values, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("$KITH --version >&-", 0, ""),
        ("LC_ALL=C PYTHONUTF8=0 $KITH doctor --live", 1, "? live: no bot has sent a heartbeat"),
    ],
)
def test_odd_streams_and_surroundings_of_pythons_start(
    here: Path, words: str, status: int | None, said: str
) -> None:
    ended = in_shell(words, here)
    if status is not None:
        assert ended.returncode == status
    assert said in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr


@pytest.mark.parametrize("arguments", [["policy", "show"], ["--help"]])
async def test_output_for_which_there_is_no_room(here: Path, arguments: list[str]) -> None:
    status, complaint = await said_to(here, os.open("/dev/full", os.O_WRONLY), arguments)
    assert status == 1
    assert "The output cannot be used: No space left on device." in complaint


async def test_output_that_nobody_reads(here: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    await said_to(here, writes, ["policy", "show"])


async def said_to(place: Path, output: int, arguments: list[str]) -> tuple[int | None, str]:
    """Run the program with this standard output; return its status and its complaint."""
    started = await preloaded.start(
        *(sys.executable, SCRIPT, *arguments),
        stdout=output,
        stderr=asyncio.subprocess.PIPE,
        cwd=place,
        env={"DATABASE_URL": "sqlite:///kith.db"},
    )
    os.close(output)
    _, complaint = await started.communicate()
    text = complaint.decode()
    assert "Traceback" not in text
    assert "Exception ignored" not in text
    return started.returncode, text
