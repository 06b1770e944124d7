"""The Discord client: gateway intents, extensions, and the slash commands.

Public commands are refused in silent channels, and most commands in servers without Kith.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.bot.audience import Audiences, place_ids
from cogs.bot.error_handler import cannot_be_answered, send_error
from cogs.bot.gateway_events import CHANNEL, completed
from cogs.bot.interactions import is_in_server, log_errors
from cogs.bot.localisation import Localiser, tr
from cogs.bot.start_report import start_lines
from cogs.bot.views import answer_expired
from utils.app import App
from utils.common.errors import KithError
from utils.common.shards import shard_of
from utils.common.translation import set_command_ids
from utils.guilds.settings import GuildSettingsService
from utils.models.memory import DIRECT_MESSAGES
from utils.runtime.stopping import start_kept

if TYPE_CHECKING:
    from cogs.chat.chat import Chat
    from cogs.chat.deletions import DeletionHandler
    from cogs.memory.consent import ConsentNotices
    from cogs.sentiment.watch_commands import WatchSetup

NEVER_HERE = "Moderators chose that I answer nobody in this channel; use this in another one."
NOT_A_MEMBER = (
    "I am not a member of this server. Here you can use `/ask`; everything else works in a direct "
    "message with me."
)
WORK_EVERYWHERE = frozenset({"ask", "Ask about this"})
PUBLIC_COMMANDS = frozenset({"reset", "config consent"})
"""The commands whose answer everybody in the channel sees."""
MAX_CLOCK_GAP = timedelta(hours=1)  # what Discord sends late is minutes old
EXTENSIONS = (
    "cogs.chat",  # first, because it is also unloaded first: pending replies are sent before exit
    "cogs.memory",
    "cogs.ask",
    "cogs.reminders",
    "cogs.speaking",
    "cogs.moderation",
    "cogs.sentiment",
    "cogs.settings",
    "cogs.maintenance",
    "cogs.dashboard",
)

_log = logging.getLogger(__name__)

# Autocomplete that came too late, or that another process answered, needs no traceback: the person
# keeps typing and asks again.
logging.getLogger("discord.app_commands.tree").addFilter(
    lambda record: (
        record.exc_info is None
        or record.exc_info[1] is None
        or not cannot_be_answered(record.exc_info[1])
    )
)


def _names_of(commands: Iterable[Mapping[str, Any]]) -> set[tuple[int, str]]:
    """Return the types and names of commands as Discord has them."""
    return {(command.get("type", 1), command["name"]) for command in commands}


def _has_no_traceback(record: logging.LogRecord) -> bool:
    """Shorten discord.py's record of a lost gateway, repeated at each try, to one line."""
    if str(record.msg).startswith("Attempting a reconnect") and record.exc_info:
        record.exc_info = None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


for _name in ("discord.client", "discord.shard"):
    logging.getLogger(_name).addFilter(_has_no_traceback)

# Kith never uses voice, so the operator needs no warning about missing voice libraries.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def gateway_intents(*, message_content: bool) -> discord.Intents:
    """Return the gateway intents: servers, messages, reactions, typing; content if granted."""
    return discord.Intents(
        guilds=True,
        guild_messages=True,
        dm_messages=True,
        guild_reactions=True,
        dm_reactions=True,
        guild_typing=True,
        dm_typing=True,
        message_content=message_content,
    )


async def may_answer_here(
    guild_settings: GuildSettingsService, interaction: discord.Interaction
) -> bool:
    """Return whether a command may answer in this channel; tell the person if not."""
    command = interaction.command
    if command is None or command.qualified_name in WORK_EVERYWHERE:
        return True
    if interaction.guild_id is not None and not is_in_server(interaction):
        return await _refuse(interaction, NOT_A_MEMBER)
    if command.qualified_name not in PUBLIC_COMMANDS:
        return True
    settings = await guild_settings.get(interaction.guild_id or DIRECT_MESSAGES)
    if not settings.never_answers(*place_ids(interaction.channel)):
        return True
    return await _refuse(interaction, NEVER_HERE)


async def _refuse(interaction: discord.Interaction, sentence: str) -> bool:
    """Tell the person why a command does nothing here; autocomplete gets no choices."""
    if interaction.type is discord.InteractionType.application_command:
        await interaction.response.send_message(tr(interaction.locale, sentence), ephemeral=True)
    return False


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


class KithCommandTree(app_commands.CommandTree["KithClient"]):
    """The slash commands; refuses public commands in silent channels, and handles all errors."""

    async def interaction_check(self, interaction: discord.Interaction["KithClient"], /) -> bool:
        """Return whether a command may be used in this channel; tell the person if not."""
        try:
            return await may_answer_here(interaction.client.app.guilds.settings, interaction)
        except (discord.HTTPException, KithError) as error:  # discord.py would not catch it
            await send_error(interaction, error)
            return False

    async def on_error(
        self, interaction: discord.Interaction["KithClient"], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the person what went wrong."""
        await send_error(interaction, error)


def _guarded(event: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a parser that leaves out an event it cannot read; discord.py ends the bot for one."""

    def guarded(data: Any) -> None:
        try:
            parse(completed(event, data))
        except Exception as error:  # without its text, which can quote a message
            _log.error(
                "An event %s of Discord is left out: discord.py cannot read it (%s)",
                event,
                type(error).__name__,
            )

    return guarded


class KithClient(commands.AutoShardedBot):
    """The bot on Discord. A message pings only whom the call that sends it names.

    Features are extensions; a cog gets what it needs of its own feature in ``setup``. What it needs
    of another feature is an attribute here: ``audiences`` and ``mod_group`` are built with the
    client, the others are set by the ``setup`` of an extension. Read those when they are used,
    because reloading the extension replaces them.
    """

    chat: "Chat"
    consent_notices: "ConsentNotices"
    deletions: "DeletionHandler"
    watch_setup: "WatchSetup"

    def __init__(
        self, app: App, *, message_content: bool, guild_ready_timeout: float = 2.0
    ) -> None:
        shard_ids = app.settings.shard_ids
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=KithCommandTree,
            intents=gateway_intents(message_content=message_content),
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=guild_ready_timeout,
            shard_count=app.settings.shard_count,
            shard_ids=None if shard_ids is None else list(shard_ids),  # type: ignore[arg-type]
        )
        self.app = app
        self.audiences = Audiences(app.clock)
        self.mod_group = ModGroup()
        self.has_message_content = message_content
        self._has_reported = False
        parsers = self._connection.parsers
        parsers.update({name: _guarded(name, parsers[name]) for name in parsers if name != "READY"})
        self._parse_ready, parsers["READY"] = parsers["READY"], self._on_session
        self._parse_update = parsers["MESSAGE_UPDATE"]
        parsers["MESSAGE_UPDATE"] = self._on_message_update
        self._get_channel = self.http.get_channel
        self.http.get_channel = self._completed_channel  # type: ignore[method-assign,assignment]
        self._fetching: set[asyncio.Task[None]] = set()
        self._has_warned_of_clock = False

    def _on_session(self, data: Any) -> None:
        """Pass a new session to discord.py, which keeps servers that removed Kith before it.

        Discord's documentation lets it leave out the shard, which discord.py needs.
        """
        data["shard"] = data.get("shard") or (0, 1)
        shard_id, shard_count = data["shard"]
        present = {int(guild["id"]) for guild in data["guilds"]}
        for guild in self.guilds:
            if shard_of(guild.id, shard_count) == shard_id and guild.id not in present:
                self._connection.parsers["GUILD_DELETE"]({"id": guild.id})
        self._parse_ready(data)

    def _on_message_update(self, data: Any) -> None:
        """Pass an update to discord.py, which needs the whole message; fetch it if that is a part.

        Discord's documentation promises whole ones since 2025.
        """
        if "author" in data:
            self._parse_update(data)
        if "author" in data or "content" not in data:  # such as a link's preview
            return
        start_kept(self._fetch_update(data), f"fetch update {data['id']}", self._fetching)

    async def _completed_channel(self, channel_id: int) -> Any:
        """Return a channel or thread that Discord is asked for, with what it may leave out."""
        return CHANNEL | await self._get_channel(channel_id)

    async def _fetch_update(self, data: Any) -> None:
        with log_errors("an updated message was not read again"):
            full_message = await self.http.get_message(data["channel_id"], data["id"])
            self._parse_update({**data, **full_message})

    async def add_cogs(self, *cogs: commands.Cog) -> None:
        """Add these cogs, one after the other."""
        for cog in cogs:
            await self.add_cog(cog)

    async def setup_hook(self) -> None:
        """Load every feature and synchronise the slash commands, before the first message."""
        await self.add_cog(self.audiences)
        self.tree.add_command(self.mod_group)
        for name in EXTENSIONS:
            try:
                await self.load_extension(name)
            except commands.ExtensionFailed as error:
                raise error.original from None
        await self.tree.set_translator(Localiser())
        await self._synchronise_commands()

    async def close(self) -> None:
        """Disconnect; commands in texts are plain again."""
        set_command_ids({})
        await super().close()

    async def on_ready(self) -> None:
        """Log that the bot is ready, and load what the start did not wait for."""
        lines = start_lines(self)
        for line in lines[:1] if self._has_reported else lines:  # Discord repeats the event
            _log.info("%s", line)
        self._has_reported = True
        await self.app.warm_up()

    async def on_message(self, message: discord.Message) -> None:
        """Compare the clocks; the chat cog answers, and there are no prefix commands."""
        ahead = self.app.clock.now() - message.created_at
        if abs(ahead) > MAX_CLOCK_GAP and not self._has_warned_of_clock:
            self._has_warned_of_clock = True
            _log.warning(
                "this machine's clock is %.1f hours %s Discord's: until it is set, memories end "
                "and reminders come at wrong times",
                abs(ahead) / timedelta(hours=1),
                "ahead of" if ahead > timedelta() else "behind",
            )

    async def on_interaction(self, interaction: discord.Interaction["KithClient"]) -> None:
        """Answer presses of buttons that no view waits for any more."""
        await answer_expired(interaction, self.app.clock)

    async def _synchronise_commands(self) -> None:
        """Send the slash commands to Discord if their definition has changed."""
        translator = self.tree.translator or Localiser()
        payload = [
            await command.get_translated_payload(self.tree, translator)
            for command in self.tree.get_commands()
        ]
        text = json.dumps(payload, sort_keys=True, default=str)
        payload_hash = hashlib.sha256(text.encode()).hexdigest()
        application_id = self.application_id or 0
        job_runs = self.app.admin.job_runs
        try:
            if not await job_runs.have_commands_changed(application_id, payload_hash):
                listed = await self.http.get_global_commands(application_id)
                if _names_of(payload) <= _names_of(listed):  # else somebody has removed some
                    self._note_ids(listed)
                    return
            # What `tree.sync` does, but it makes an object of every option that Discord returns.
            self._note_ids(await self.http.bulk_upsert_global_commands(application_id, payload))
        except discord.HTTPException as error:  # the old ones still work, and so does chat
            _log.error(
                "slash commands could not be synchronised (%s %s); tried again at the next start",
                error.status,
                error.code,
            )
            return
        await job_runs.record_command_sync(application_id, payload_hash)
        _log.info("slash commands synchronised")

    def _note_ids(self, commands: Sequence[Mapping[str, Any]]) -> None:
        slash_command = discord.AppCommandType.chat_input.value
        ids = {
            command["name"]: int(command["id"])
            for command in commands
            if command["type"] == slash_command
        }
        set_command_ids(
            {
                command.qualified_name: ids[command.qualified_name.split()[0]]
                for command in self.tree.walk_commands()
                if isinstance(command, app_commands.Command)
                and command.qualified_name.split()[0] in ids
            }
        )
