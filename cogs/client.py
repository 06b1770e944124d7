"""Discord's client: intents, cogs, slash commands synchronised on change, and a calm end."""

import hashlib
import json
import logging

import discord
from discord import app_commands
from discord.ext import commands
from pydantic import SecretStr

from cogs.answering import LINE_LOST
from cogs.answers import Answers
from cogs.audience import Audiences
from cogs.cascade import Cascade
from cogs.chat import Chat
from cogs.consent import ConsentNotices
from cogs.error_door import answer_error, is_out_of_reach
from cogs.kith import KithCommands
from cogs.known_names import KnownNames
from cogs.localisation import Localiser
from cogs.maintenance import Maintenance
from cogs.memory import MemoryCommands
from cogs.memory_menus import MemoryMenus
from cogs.moderation import ModerationCommands
from cogs.modes import ModeCommands
from cogs.review import Reviews
from cogs.sentiment.alerts import Alerts
from cogs.sentiment.charts import Charts
from cogs.sentiment.choosing import WatchChoice
from cogs.sentiment.commands import WatchCommands
from cogs.sentiment.reports import Reports
from cogs.sentiment.tension import TensionCommands
from cogs.sentiment.watching import Watching
from cogs.settings import ConfigCommands, General
from cogs.setup import Setup
from cogs.silence import may_answer_here
from utils.core import Core
from utils.errors import KithError, SettingsError

LAST_ANSWERS_S = 10.0
REFUSED_BY_DISCORD = (
    "Discord refused DISCORD_TOKEN. Copy the token anew from the developer portal (Bot → Reset "
    "Token) into .env."
)
NOT_SET_UP = (
    "DISCORD_TOKEN is not set. Put your bot's token into .env (see README.md, “Put it on your "
    "server”), or run `python bot.py console` to talk in the terminal."
)
WRONG_SHARDS = (
    "Discord refused SHARD_IDS of SHARD_COUNT: every process needs the same SHARD_COUNT, and "
    "SHARD_IDS below it. Mend them in .env, or leave both empty."
)
TOO_FEW_SHARDS = (
    "Discord wants these servers dealt to more shards than SHARD_COUNT says. Raise it in .env, for "
    "all processes alike, or leave SHARD_COUNT and SHARD_IDS empty: then Discord advises."
)
TOO_OLD = (
    "Discord does not understand this version of Kith any more. Get the newest, and run "
    "`pip install -r requirements.txt`."
)
NO_INTENT = (
    "Discord refused what Kith asked to hear. Look at the Message Content Intent in the developer "
    "portal (Bot → Privileged Gateway Intents)."
)
# Discord's codes for closing a connection that would be closed again (its documentation, "Gateway
# Close Event Codes"): the token was reset, invalid shard, sharding required, and so on.
CLOSED_FOR_GOOD = {
    4004: REFUSED_BY_DISCORD,
    4010: WRONG_SHARDS,
    4011: TOO_FEW_SHARDS,
    4012: TOO_OLD,
    4013: TOO_OLD,
}
# What discord.py lets through when Discord is away or refuses.
DISCORD_ERRORS = (
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.LoginFailure,
    discord.ConnectionClosed,
    *LINE_LOST,
)

_log = logging.getLogger(__name__)

# Choices that came too late, or that another process offered, are nothing to trace: the person goes
# on typing and asks again.
logging.getLogger("discord.app_commands.tree").addFilter(
    lambda record: (
        record.exc_info is None
        or record.exc_info[1] is None
        or not is_out_of_reach(record.exc_info[1])
    )
)

# Kith never speaks aloud: what that would need is nothing to warn an operator about.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def intents(*, message_content: bool) -> discord.Intents:
    """Return what Kith asks Discord to send: servers, messages, reactions; texts if it may."""
    wanted = discord.Intents.none()
    wanted.guilds = True
    wanted.guild_messages = True
    wanted.dm_messages = True
    wanted.guild_reactions = True
    wanted.dm_reactions = True
    wanted.message_content = message_content
    return wanted


class KithClient(commands.AutoShardedBot):
    """The bot on Discord. Nothing it sends pings anybody unless that call says whom."""

    def __init__(
        self, core: Core, *, message_content: bool, guild_ready_timeout: float = 2.0
    ) -> None:
        shard_ids = core.settings.shard_ids
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents(message_content=message_content),
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=guild_ready_timeout,
            shard_count=core.settings.shard_count,
            shard_ids=None if shard_ids is None else list(shard_ids),  # type: ignore[arg-type]
        )
        self._core = core
        self._audiences = Audiences()
        self._notices = ConsentNotices(self, core)
        self._chat = Chat(self, core, self._audiences, self._notices)
        self._cascade = Cascade(self, core, self._chat)
        self._hears_everything = message_content
        self.tree.on_error = self._on_command_error  # type: ignore[method-assign]
        self.tree.interaction_check = self._may_answer_here  # type: ignore[method-assign]

    async def setup_hook(self) -> None:
        """Do, once, what belongs before the first message: cogs and slash commands."""
        core = self._core
        await self.add_cog(self._audiences)
        await self.add_cog(self._notices)
        await self.add_cog(KnownNames(core))
        await self.add_cog(self._chat)
        await self.add_cog(self._cascade)
        await self.add_cog(Answers(self, core, self._chat))
        await self.add_cog(MemoryCommands(core))
        await self.add_cog(MemoryMenus(self, core, self._audiences))
        reviews = Reviews(self, core, self._audiences)
        await self.add_cog(reviews)
        watching = Watching(self, core, self._audiences)
        await self.add_cog(watching)
        choice = WatchChoice(core, watching, hears_everything=self._hears_everything)
        charts = Charts()
        await self.add_cog(Alerts(self, core, charts))
        moderation = ModerationCommands(core, reviews)
        moderation.add_commands(
            WatchCommands(core, choice, hears_everything=self._hears_everything),
            TensionCommands(core, charts),
            *Reports(core, hears_everything=self._hears_everything).commands(),
        )
        await self.add_cog(moderation)
        await self.add_cog(ModeCommands(core))
        await self.add_cog(ConfigCommands(core, hears_everything=self._hears_everything))
        await self.add_cog(KithCommands(core))
        await self.add_cog(Setup(self, core, choice))
        await self.add_cog(General(core))
        maintenance = Maintenance(self, core, self._cascade.reconcile)
        await self.add_cog(maintenance)
        if core.settings.dashboard_token is not None:
            await self._open_dashboard(maintenance)
        await self.tree.set_translator(Localiser())
        await self._synchronise_commands()

    async def _open_dashboard(self, maintenance: Maintenance) -> None:
        """Serve the operator's pages; what that needs is imported only here."""
        from cogs.dashboard.discord_view import ClientView
        from cogs.dashboard.house import House
        from cogs.dashboard.server import Dashboard

        view = ClientView(self, self._audiences, self._core.guilds)
        await self.add_cog(Dashboard(House(self._core, view, maintenance.jobs)))

    async def on_ready(self) -> None:
        """Say in the log that Kith is there, and load what the start did not wait for."""
        _log.info("ready as %s in %d servers", self.user, len(self.guilds))
        await self._core.warm_up()

    async def on_message(self, message: discord.Message) -> None:
        """Leave messages to the chat cog: there are no prefix commands."""

    async def close(self) -> None:
        """Finish the answers under way, within a limit, and leave Discord."""
        if not self.is_closed():
            await self._chat.drain(LAST_ANSWERS_S)
        await super().close()

    async def _synchronise_commands(self) -> None:
        """Tell Discord about the slash commands if their definition has changed."""
        translator = self.tree.translator or Localiser()
        payload = [
            await command.get_translated_payload(self.tree, translator)
            for command in self.tree.get_commands()
        ]
        text = json.dumps(payload, sort_keys=True, default=str)
        payload_hash = hashlib.sha256(text.encode()).hexdigest()
        application_id = self.application_id or 0
        if await self._core.upkeep.commands_changed(application_id, payload_hash):
            try:
                await self.tree.sync()
            except discord.HTTPException as error:  # the old ones still work, and so does chat
                _log.error(
                    "slash commands could not be synchronised (%s %s); tried at the next start",
                    error.status,
                    error.code,
                )
                return
            await self._core.upkeep.commands_synchronised(application_id, payload_hash)
            _log.info("slash commands synchronised")

    async def _may_answer_here(self, interaction: discord.Interaction) -> bool:
        try:
            return await may_answer_here(self._core, interaction)
        except (discord.HTTPException, KithError) as error:  # nobody else would catch it
            await answer_error(interaction, error)
            return False

    async def _on_command_error(
        self, interaction: discord.Interaction, error: app_commands.AppCommandError
    ) -> None:
        await answer_error(interaction, error)


async def run_client(core: Core) -> None:
    """Talk on Discord until the process is told to stop; ``core`` has been started.

    Starts without the Message Content intent where the portal does not grant it. Raises
    SettingsError when the token or the shards are missing or wrong, KithError when Discord is away.
    """
    if core.settings.discord_token is None:
        raise SettingsError(NOT_SET_UP)
    token = usable_token(core.settings.discord_token)
    for message_content in (True, False):
        try:
            async with KithClient(core, message_content=message_content) as client:
                await client.start(token)
            return
        except discord.PrivilegedIntentsRequired:
            _log.warning(
                "the Message Content intent is off in the developer portal: I answer mentions, "
                "replies and direct messages, but not every message of chat channels"
            )
        except DISCORD_ERRORS as error:
            raise in_a_sentence(error) from None
    raise SettingsError(NO_INTENT)


def usable_token(given: SecretStr) -> str:
    """Return the token as it can be sent. Raises SettingsError if no token looks like that."""
    token = given.get_secret_value().strip()
    if not (token.isascii() and token.isprintable()):
        raise SettingsError(REFUSED_BY_DISCORD)
    return token


def in_a_sentence(error: Exception) -> KithError:
    """Say why Discord cannot be used: its refusal of a setting, or that it is away."""
    if isinstance(error, discord.LoginFailure):
        return SettingsError(REFUSED_BY_DISCORD)
    if isinstance(error, discord.ConnectionClosed) and error.code in CLOSED_FOR_GOOD:
        return SettingsError(CLOSED_FOR_GOOD[error.code])
    return KithError(
        f"Discord can't be reached ({type(error).__name__}); check this machine's network and "
        "https://discordstatus.com, then start again."
    )
