"""What holds for every command there is: permissions, checks, languages."""

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.ext import commands

from tests.e2e.den import Den, hidden_from_nobody
from tests.e2e.test_commands_e2e import use
from tests.fakes.discord import CannotDo
from tests.rows import each_row
from utils.common.translation import languages

FOR_EVERYBODY = {
    "ask": "like talking to Kith; where it answers is checked",
    "Ask about this": "like a reply to that message; where Kith answers is checked",
    "memory": "a member's own memory",
    "kith": "how a member wants to be treated",
    "help": "for all",
    "privacy": "for all",
    "remind": "a member's own reminders",
    "reset": "for whoever can write in the channel, which it checks",
    "Delete this answer": "for whoever asked, which it checks",
    "Remember this": "a member's own message, which it checks",
    "What did you note?": "one's own notes",
    "Where does this come from?": "what one may read oneself",
    "What do you know?": "oneself; about others it checks",
}


def leaves(
    command: Any,
) -> Iterator[app_commands.Command[Any, ..., Any] | app_commands.ContextMenu]:
    if isinstance(command, app_commands.Group):
        for one in command.commands:
            yield from leaves(one)
    else:
        yield command


def is_checked(command: app_commands.Command[Any, ..., Any]) -> bool:
    """Whether something looks at permissions when the command is used."""
    cog = command.binding
    own = cog is not None and type(cog).interaction_check is not commands.Cog.interaction_check
    return bool(command.checks) or own


def every_name(
    payload: dict[str, Any], path: str = ""
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every description, option and choice, with what it is and how it is called."""
    here = f"{path} {payload['name']}".strip()
    if payload.get("description"):
        yield here, "description", payload
    for option in payload.get("options", []):
        if option["type"] > 2:
            yield f"{here} {option['name']}", "name", option
        for choice in option.get("choices", []):
            yield f"{here} {option['name']}={choice['name']}", "name", choice
        yield from every_name(option, here)


async def test_every_command_has_default_permissions_and_a_check_or_is_for_everybody(
    kith: Den,
) -> None:
    for command in kith.client.tree.get_commands():
        if command.name not in FOR_EVERYBODY:
            assert command.default_permissions is not None, command.name
            assert command.guild_only, command.name
            for leaf in leaves(command):
                assert is_checked(leaf), leaf.qualified_name


async def test_members_are_refused_at_run_time_whatever_a_server_shows_them(kith: Den) -> None:
    for command in kith.client.tree.get_commands():
        if command.name in FOR_EVERYBODY:
            continue
        for leaf in leaves(command):
            needed = [parameter for parameter in leaf.parameters if parameter.required]
            options = {parameter.name: given(kith, parameter) for parameter in needed}
            with pytest.raises(CannotDo, match="hidden"):
                await use(kith, kith.alice, leaf.qualified_name, **options)
            with hidden_from_nobody(kith):
                refused = await use(kith, kith.alice, leaf.qualified_name, **options)
            assert refused.ephemeral
            assert refused.content.startswith("This command is for moderators:")


@each_row(
    ("words", "options", "reason"),
    [
        ("remind me", {"when": "tomorrow"}, "needs the option 'text'"),
        ("remind me", {"when": "x" * 101, "text": "x"}, "101 characters"),
        ("mod summary", {"hours": 73}, "not between 1 and 72"),
        ("memory show", {"pages": 1}, "no option 'pages'"),
        ("memory", {}, "needs a subcommand"),
        ("nothing", {}, "no command 'nothing'"),
    ],
)
async def test_what_discords_client_does_not_send_the_fake_does_not_send(
    kith: Den, words: str, options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(CannotDo, match=reason):
        await kith.fake.slash(kith.moderator, kith.general, words, options)


def given(kith: Den, parameter: app_commands.Parameter) -> Any:
    """Return something to hand over as a command's option."""
    if parameter.choices:
        return parameter.choices[0].value
    return {
        discord.AppCommandOptionType.integer: parameter.min_value or 1,
        discord.AppCommandOptionType.user: kith.bob,
        discord.AppCommandOptionType.channel: kith.general,
        discord.AppCommandOptionType.role: kith.guild.bot_role,
        discord.AppCommandOptionType.attachment: ("card.json", b"{}"),
    }.get(parameter.type, "words")


@pytest.mark.parametrize("language", sorted(languages()))
async def test_every_name_and_description_is_told_in_every_language(
    kith: Den, language: str
) -> None:
    missing = []
    for payload in kith.fake.commands.listed(None):
        if payload["type"] != 1 and language not in (payload.get("name_localizations") or {}):
            missing.append(payload["name"])
        for path, what, one in every_name(payload):
            if language not in (one.get(f"{what}_localizations") or {}):
                missing.append(f"{path}: {one[what]!r}")
    assert not missing, "add to cogs/languages: " + "\n".join(missing)


async def test_a_failure_is_one_sentence_with_a_reference_that_is_in_the_log(
    kith: Den, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret words of somebody")

    monkeypatch.setattr(kith.app.guilds.personas, "names", broken)
    told = await use(kith, kith.alice, "kith mode")
    assert told.ephemeral
    assert "secret" not in told.content
    reference = told.content.removesuffix(".").rpartition(" ")[2]
    assert any(reference in record.getMessage() for record in caplog.records)
