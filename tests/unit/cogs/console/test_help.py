"""Commands of the console: what a line is, what was meant, and what Tab offers."""

import pytest

from cogs.console.help import COMMANDS, CONSOLE_HELP, unknown_command
from tests.rows import each_row
from utils.common.translation import ENGLISH, languages, translate


@each_row(
    ("typed", "meant"),
    [(":clokc", ":clock"), ("/memroy", "/memory"), (":exti", ":exit"), ("/privaci", "/privacy"),
     (":hlep", ":help"), (":memory", "/memory"), ("/quit", ":quit")],
)  # fmt: skip
def test_a_mistyped_command_is_recognised(typed, meant):
    assert f"Did you mean {meant}?" in str(unknown_command(typed))


@pytest.mark.parametrize("language", [ENGLISH, *languages()])
def test_the_help_has_every_command_and_fits_in_eighty_columns(language):
    shown = translate(language, CONSOLE_HELP)
    for command in COMMANDS:
        assert command in shown or command in (":exit", "/help")
    assert max(map(len, shown.splitlines())) <= 80
