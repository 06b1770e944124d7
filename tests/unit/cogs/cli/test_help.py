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
        ("doctor --liv=S3cret", "'--liv' is no option. `python bot.py doctor --help`"),
        ("export a b", "'b' is one argument too many. `python bot.py export --help`"),
        ("policy show --jso", "'--jso' is no option. `python bot.py policy show --help`"),
        (
            "console --database mysql://kith:S3cret@host/db",
            "--database: a database is a URL: sqlite",
        ),
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


@each_row("words", [example for example, _ in pages.EXAMPLES])
def test_the_examples_of_the_help_can_be_typed(words: str) -> None:
    assert command_line().parse_args(words.split()).command == words.split()[0]


def test_an_old_python_can_read_bot_py_so_that_it_can_say_what_it_needs() -> None:
    ast.parse((ROOT / "bot.py").read_text("utf-8"), feature_version=(3, 6))


def test_started_outside_its_environment_it_says_which_command_to_run() -> None:
    isolated = [sys.executable, "-S", "-E", str(ROOT / "bot.py"), "doctor", "--live"]
    ended = subprocess.run(isolated, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("The package ")
    assert "Traceback" not in ended.stderr
    assert "bot.py doctor --live`" in ended.stderr
