"""Commands of the console: what a line is, what was meant, and what Tab offers."""

import pytest

from cogs.bot.translation import ENGLISH, languages, translate
from cogs.console.console_text import CONSOLE_HELP
from cogs.console.help import COMMANDS, command_in, completions, unknown_command
from tests.rows import each_row


@each_row(
    ("line", "command"),
    [
        ("exit", (":quit", [])),
        ("  Quit ", (":quit", [])),
        ("HELP", (":help", [])),
        ("?", (":help", [])),
        (":as Robin B", (":as", ["Robin", "B"])),
        ("/memory", ("/memory", [])),
        (":hlep", (":hlep", [])),
        ("help me", None),
        ("I quit", None),
        (":)", None),
        ("/etc/passwd is a file", None),
        ("", None),
    ],
)
def test_a_line_is_a_command_or_a_message(line, command):
    assert command_in(line) == command


@each_row(
    ("typed", "meant"),
    [(":clokc", ":clock"), ("/memroy", "/memory"), (":exti", ":exit"), ("/privaci", "/privacy"),
     (":hlep", ":help"), (":memory", "/memory"), ("/quit", ":quit")],
)  # fmt: skip
def test_a_mistyped_command_is_recognised(typed, meant):
    assert f"Did you mean {meant}?" in str(unknown_command(typed))


def test_nonsense_is_not_taken_for_a_command():
    said = str(unknown_command(":zzzzzz"))
    assert said == "There is no command :zzzzzz; :help lists all commands."


@each_row(
    ("line", "words"),
    [
        ("", []),
        ("hello /mem", []),
        ("/mem", ["/memory"]),
        ("/memory for", ["forget"]),
        ("/memory consent ", ["off", "temporary", "lasting"]),
        ("/memory forget a", ["all"]),
        ("/memory why ", []),
        (":as r", ["Robin"]),
        (":channel ", ["general", "games"]),
        (":language ", ["en", *languages()]),
        ("/nothing x", []),
    ],
)
def test_tab_offers_what_fits(line, words):
    assert completions(line, ["Guest", "Robin"], ["general", "games"]) == words


@pytest.mark.parametrize("language", [ENGLISH, *languages()])
def test_the_help_has_every_command_and_fits_in_eighty_columns(language):
    shown = translate(language, CONSOLE_HELP)
    for command in COMMANDS:
        assert command in shown or command in (":exit", "/help")
    assert max(map(len, shown.splitlines())) <= 80
