"""The ``/mod`` command group. Each feature declares its own commands and adds them here."""

from discord import app_commands
from discord.ext import commands


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class ModGroup(app_commands.Group):
    """``/mod …``, in servers only, for members with *Manage Server*.

    Extensions add their commands in ``setup`` and remove them in ``teardown``. A class of commands
    inherits :class:`~cogs.bot.interactions.ModeratorsOnly`, because moderators of a server can
    change the default permission of the group.
    """

    def __init__(self) -> None:
        super().__init__(name="mod", description="What I may remember in this server (moderators).")

    def add_commands_of(self, cog: commands.Cog) -> None:
        """Add the commands and groups that a cog declares; the cog itself is not added to a bot."""
        for command in cog.get_app_commands():
            self.add_command(command)

    def remove_commands_of(self, package: str) -> None:
        """Remove every command that was declared in a package."""
        for command in self.commands:
            if f"{command.module}.".startswith(f"{package}."):
                self.remove_command(command.name)
