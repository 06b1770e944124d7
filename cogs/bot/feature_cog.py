"""The base of cogs: what a cog adds to the client, and what it runs, lives while it is loaded."""

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

from discord import app_commands
from discord.ext import commands

from cogs.bot.client import KithClient
from cogs.bot.views import PersistentButton
from utils.runtime.worker import Worker


class FeatureCog(commands.Cog):
    """A part of a feature.

    ``buttons`` are its persistent buttons, including those of messages from before a restart. A
    subclass sets ``menus`` and ``workers`` when it is made.
    """

    buttons: ClassVar[tuple[type[PersistentButton[Any]], ...]] = ()
    menus: Sequence[app_commands.ContextMenu] = ()
    workers: Sequence[Worker] = ()

    def __init__(self, bot: KithClient) -> None:
        self._bot = bot
        self._app = bot.app

    async def cog_load(self) -> None:
        """Register the buttons and menus, and start the workers."""
        self._bot.add_dynamic_items(*self.buttons)
        for menu in self.menus:
            self._bot.tree.add_command(menu)
        for worker in self.workers:
            worker.start()

    async def cog_unload(self) -> None:
        """Stop the workers, and remove the buttons and menus."""
        await asyncio.gather(*(worker.close() for worker in self.workers))
        self._bot.remove_dynamic_items(*self.buttons)
        for menu in self.menus:
            self._bot.tree.remove_command(menu.name, type=menu.type)
