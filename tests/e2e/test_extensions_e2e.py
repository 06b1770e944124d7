"""Every feature is an extension that can be unloaded and loaded again while the bot runs."""

from typing import Any

import pytest

from cogs.bot.client import EXTENSIONS, KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.localisation import Localiser
from cogs.bot.views import PersistentButton
from tests.e2e.den import Den
from tests.e2e.eyes import TOKEN


async def payloads(client: KithClient) -> dict[tuple[int, str], Any]:
    """What Discord is told about each command, with subcommands in the order of their names."""
    found = {}
    for command in client.tree.get_commands():
        payload = await command.get_translated_payload(client.tree, Localiser())
        options = sorted(payload.get("options", []), key=lambda option: option["name"])
        found[payload["type"], payload["name"]] = payload | {"options": options}
    return found


async def answered(den: Den) -> None:
    asked = await den.say(den.alice, "hello")
    await den.fake.wait_message(asked.channel, after=asked, where=lambda m: m.reply_to is asked)


async def test_a_feature_can_be_unloaded_and_loaded_again(den: Den) -> None:
    async with den.awake(dashboard_token=TOKEN, dashboard_port=0):
        client = den.client
        cogs, commands = set(client.cogs), await payloads(client)
        for name in EXTENSIONS:
            await client.unload_extension(name)
            assert set(client.cogs) < cogs
            assert not [
                cog for cog in client.cogs.values() if cog.__module__.startswith(f"{name}.")
            ]
            await client.load_extension(name)
            assert set(client.cogs) == cogs
            assert await payloads(client) == commands
            await answered(den)


async def test_every_cog_and_button_is_loaded_and_unloaded_as_its_base_says(
    own_kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, calls = own_kith.client, []
    names = [name for name, cog in client.cogs.items() if isinstance(cog, FeatureCog)]
    load, unload = FeatureCog.cog_load, FeatureCog.cog_unload

    async def note_load(cog: FeatureCog) -> None:
        calls.append(("load", cog.qualified_name))
        await load(cog)

    async def note_unload(cog: FeatureCog) -> None:
        calls.append(("unload", cog.qualified_name))
        await unload(cog)

    monkeypatch.setattr(FeatureCog, "cog_load", note_load)
    monkeypatch.setattr(FeatureCog, "cog_unload", note_unload)
    for name in EXTENSIONS:
        await client.unload_extension(name)
        await client.load_extension(name)
    assert sorted(calls) == sorted((event, name) for event in ("load", "unload") for name in names)
    buttons = client._connection._view_store._dynamic_items
    assert {*buttons.values()} == {*PersistentButton.__subclasses__()}
    for name in EXTENSIONS:
        await client.unload_extension(name)
    assert not buttons
