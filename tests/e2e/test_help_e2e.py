"""The help page names every command and menu there is."""

import re

import pytest
from discord import AppCommandType, app_commands

from cogs.bot.texts import HELP, HELP_FOR_MODERATORS
from tests.e2e.den import Den
from tests.fakes.discord import Message
from tests.fakes.discord.things import as_typed


@pytest.fixture
def kith(shared_kith: Den) -> Den:
    return shared_kith


def slash_commands(tree: app_commands.CommandTree) -> set[str]:
    """Every slash command, as it is typed."""
    found = (one for one in tree.walk_commands() if isinstance(one, app_commands.Command))
    return {f"`/{command.qualified_name}`" for command in found}


def menus(tree: app_commands.CommandTree) -> set[str]:
    """Every context menu, as it is reached."""
    kinds = (AppCommandType.user, AppCommandType.message)
    return {f"*Apps → {menu.name}*" for kind in kinds for menu in tree.get_commands(type=kind)}


async def test_help_names_every_command_there_is_and_no_other(kith: Den) -> None:
    tree = kith.client.tree
    there = slash_commands(tree) | menus(tree)
    text = f"{HELP}\n{HELP_FOR_MODERATORS}"
    assert len(menus(tree)) == 6
    assert [name for name in sorted(there) if name not in text] == []
    told = {f"`{one}`" for one in text.split("`")[1::2] if one.startswith("/")}
    assert told <= there


def shown(page: Message) -> list[str]:
    """The cards of a message, with commands as they are typed."""
    return [as_typed(card["description"]) for card in page.embeds]


@pytest.mark.parametrize("who", ["alice", "moderator"])
async def test_only_moderators_are_told_of_their_commands(kith: Den, who: str) -> None:
    used = await kith.fake.slash(getattr(kith, who), kith.general, "help")
    page = await used.reply()
    assert page.ephemeral
    first, *groups = HELP_FOR_MODERATORS.split("\n")
    assert shown(page) == [HELP, first][: 1 if who == "alice" else 2]
    if who == "alice":
        assert not page.components
        return
    for title, group in zip(titles(), groups, strict=True):  # each is one choice away
        await kith.fake.select(kith.moderator, page, [title])
        await kith.fake.wait_until(lambda: shown(page) == [HELP, group], title)  # noqa: B023


async def test_in_a_direct_message_nobody_is_a_moderator(kith: Den) -> None:
    used = await kith.fake.slash(kith.moderator, kith.dm(kith.moderator), "help")
    assert [as_typed(card["description"]) for card in (await used.reply()).embeds] == [HELP]


def titles() -> list[str]:
    """The groups of commands that moderators choose from."""
    return [line.split("**")[1].rstrip(":") for line in HELP_FOR_MODERATORS.split("\n")[1:]]


async def test_every_command_of_the_help_can_be_clicked_also_after_a_restart(den: Den) -> None:
    for _ in range(2):  # the second start has nothing to synchronise
        async with den.awake():
            page = await (await den.fake.slash(den.moderator, den.general, "help")).reply()
            told = await (await den.fake.slash(den.alice, den.general, "privacy")).reply()
            assert "</memory consent:" in told.sent
            text = page.embeds[0]["description"]
            for title in titles():
                before = page.embeds[1]
                await den.fake.select(den.moderator, page, [title])
                await den.fake.wait_until(lambda: page.embeds[1] != before, title)  # noqa: B023
                text += page.embeds[1]["description"]
    known = {command["name"]: command["id"] for command in den.fake.commands.listed(None)}
    assert "`/" not in text
    mentions = re.findall(r"</([a-z]+)[a-z ]*:([0-9]+)>", text)
    assert len(mentions) > 40
    assert all(known[name] == number for name, number in mentions)
