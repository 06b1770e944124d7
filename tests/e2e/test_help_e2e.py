"""The help page names every command and menu there is."""

import re

from discord import AppCommandType, app_commands

from cogs.bot.texts import HELP, HELP_FOR_MODERATORS
from tests.e2e.den import Den
from tests.fakes.discord import Message
from tests.fakes.discord.things import as_typed


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
    assert {f"`{one}`" for one in text.split("`")[1::2] if one.startswith("/")} <= there


def shown(page: Message) -> list[str]:
    """The cards of a message, with commands as they are typed."""
    return [as_typed(card["description"]) for card in page.embeds]


async def test_only_moderators_are_told_of_their_commands_and_not_in_direct_messages(
    kith: Den,
) -> None:
    page = await (await kith.fake.slash(kith.alice, kith.general, "help")).reply()
    assert page.ephemeral
    assert shown(page) == [HELP]
    assert not page.components
    direct = kith.dm(kith.moderator)
    assert shown(await (await kith.fake.slash(kith.moderator, direct, "help")).reply()) == [HELP]


async def test_every_group_is_one_choice_away_and_its_commands_can_be_clicked_after_a_restart(
    den: Den,
) -> None:
    async with den.awake():
        pass
    async with den.awake():  # the second start has nothing to synchronise
        page = await (await den.fake.slash(den.moderator, den.general, "help")).reply()
        first, *groups = HELP_FOR_MODERATORS.split("\n")
        assert shown(page) == [HELP, first]
        text = page.embeds[0]["description"]
        for group in groups:
            title = group.split("**")[1].rstrip(":")
            await den.fake.select(den.moderator, page, [title])
            await den.fake.wait_until(lambda: shown(page) == [HELP, group], title)  # noqa: B023
            text += page.embeds[1]["description"]
    known = {command["name"]: command["id"] for command in den.fake.commands.listed(None)}
    assert "`/" not in text
    mentions = re.findall(r"</([a-z]+)[a-z ]*:([0-9]+)>", text)
    assert len(mentions) > 40
    assert all(known[name] == number for name, number in mentions)
