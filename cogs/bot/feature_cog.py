"""The bases of cogs: what one adds and runs while it is loaded, and who may use its commands."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from discord import app_commands
from discord.ext import commands

from cogs.bot.client import KithClient
from cogs.bot.interactions import ModeratorsOnly
from cogs.bot.views import PersistentButton
from utils.runtime.signals import Listeners
from utils.runtime.worker import Worker


class FeatureCog(commands.Cog):
    """A part of a feature.

    ``buttons`` are its persistent buttons, including those of messages from before a restart. A
    subclass sets ``menus``, ``workers`` and ``listeners`` when it is made; the latter are signals,
    each with what is called at it. ``_new_worker`` makes a Worker with this process's
    infrastructure.
    """

    buttons: ClassVar[tuple[type[PersistentButton[Any]], ...]] = ()
    menus: Sequence[app_commands.ContextMenu] = ()
    workers: Sequence[Worker] = ()
    listeners: Sequence[tuple[Listeners[Any], Any]] = ()

    def __init__(self, bot: KithClient) -> None:
        self._bot = bot
        self._app = bot.app
        self._new_worker = partial(Worker, bot.app.runtime.infrastructure)

    async def cog_load(self) -> None:
        """Register the buttons and menus, connect the listeners, and start the workers."""
        self._bot.add_dynamic_items(*self.buttons)
        for menu in self.menus:
            self._bot.tree.add_command(menu)
        for signal, listener in self.listeners:
            signal.connect(listener)
        for worker in self.workers:
            worker.start()

    async def cog_unload(self) -> None:
        """Disconnect the listeners, stop the workers, and remove the buttons and menus.

        What is queued stays queued.
        """
        for signal, listener in self.listeners:
            signal.disconnect(listener)
        await asyncio.gather(*(worker.close() for worker in self.workers))
        self._bot.remove_dynamic_items(*self.buttons)
        for menu in self.menus:
            self._bot.tree.remove_command(menu.name, type=menu.type)


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class MemberGroup(FeatureCog, commands.GroupCog):
    """A group of commands for everybody, in servers and in direct messages with Kith."""


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class ModeratorGroup(ModeratorsOnly, FeatureCog, commands.GroupCog):
    """A group of commands for members with *Manage Server*, in servers only."""
