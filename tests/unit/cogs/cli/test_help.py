"""The help page, and what is said about a mistyped command line."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bot
from cogs.cli import help as pages
from cogs.cli.parser import command_line
from tests.rows import each_row
from utils.common import program

ROOT = Path(bot.__file__).parent
COMMANDS = [command.name for group in pages.GROUPS.values() for command in group]


def refused(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what is said about a command line that cannot be read."""
    with pytest.raises(SystemExit) as exit_:
        command_line().parse_args(words.split())
    assert exit_.value.code == pages.WRONG_USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("doctr", "There is no command 'doctr': did you mean 'doctor'? `python bot.py --help`"),
        ("frobnicate", "There is no command 'frobnicate'. `python bot.py --help` shows"),
        (
            "policy shwo",
            "There is no command 'shwo': did you mean 'show'? `python bot.py policy --",
        ),
        (
            "doctor --liv",
            "There is no option '--liv': did you mean '--live'? `python bot.py doctor",
        ),
        ("erase --memebr 5", "There is no option '--memebr': did you mean '--member'? `python bot"),
        ("--bogus", "There is no option '--bogus'. `python bot.py --help`"),
        ("export a b", "'b' is one argument too many. `python bot.py export --help`"),
        ("export", "The following arguments are required: FOLDER. `python bot.py export --help`"),
        ("console --database data/kith.db", "--database: a database is a URL: sqlite:///"),
        (
            "console --database mysql://kith:S3cret@host/db",
            "--database: a database is a URL: sqlite",
        ),
        ("erase --member 0", "--member: 0 is nobody's id. `python bot.py erase --help`"),
    ],
)
def test_what_is_mistyped_is_named_with_a_suggestion(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refused(words, capsys)
    assert told.startswith(said)
    assert "S3cret" not in told
    assert told.count("\n") == 1


def test_the_front_page_names_every_command_with_examples_and_exit_statuses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as exit_:
        command_line().parse_args(["--help"])
    assert exit_.value.code == 0
    page = capsys.readouterr().out
    assert page == pages.front_page()
    for name in COMMANDS:
        assert f"\n  {name} " in page
    for status, _ in pages.EXIT_STATUS:
        assert f"\n  {status} " in page
    assert max(map(len, page.splitlines())) <= pages.WIDTH + 2


@each_row("words", [example for example, _ in pages._examples()])
def test_the_examples_of_the_help_can_be_typed(words: str) -> None:
    assert command_line().parse_args(words.split()).command == words.split()[0]


@pytest.mark.parametrize("name", ["demo", "setup"])
def test_commands_that_use_no_database_offer_none(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command_line().parse_args([name, "--help"])
    assert "--database" not in capsys.readouterr().out
    for words in ([name, "--database", "sqlite:///a.db"], ["--database", "sqlite:///a.db", name]):
        with pytest.raises(SystemExit) as exit_:
            bot.parse(words)
        assert exit_.value.code == pages.WRONG_USAGE
        assert "--database" in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert f'\nversion = "{program.VERSION}"\n' in (ROOT / "pyproject.toml").read_text("utf-8")
    with pytest.raises(SystemExit):
        command_line().parse_args(["--version"])
    assert capsys.readouterr().out == f"Kith {program.VERSION}\n"


@pytest.mark.parametrize(
    ("called", "said"),
    [("/opt/venv/bin/kith", "kith doctor"), ("bot.py", "python bot.py doctor")],
)
def test_commands_are_named_as_the_program_was_called(
    monkeypatch: pytest.MonkeyPatch, called: str, said: str
) -> None:
    monkeypatch.setattr(sys, "argv", [called])
    assert program.as_called("run `python bot.py doctor`") == f"run `{said}`"
    assert f"  {said} " in pages.front_page()


def test_an_old_python_can_read_bot_py_so_that_it_can_say_what_it_needs() -> None:
    ast.parse((ROOT / "bot.py").read_text("utf-8"), feature_version=(3, 6))


def test_started_outside_its_environment_it_says_which_command_to_run() -> None:
    isolated = [sys.executable, "-S", "-E", str(ROOT / "bot.py"), "doctor", "--live"]
    ended = subprocess.run(isolated, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("The package ")
    assert "Traceback" not in ended.stderr
    assert "bot.py doctor --live`" in ended.stderr


def test_under_an_old_python_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit) as exit_:
        compiled = compile((ROOT / "bot.py").read_text("utf-8"), str(ROOT / "bot.py"), "exec")
        exec(compiled, {"__name__": "bot", "__file__": bot.__file__})
    assert str(exit_.value.code).startswith("Kith needs Python 3.11 or newer, and this is 3.9.2")
