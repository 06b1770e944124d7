"""The check `doctor` makes of channels: where Kith cannot recall in its servers, and why."""

import re
from collections.abc import AsyncIterator

import discord

from cogs.bot.audience import server_readers
from cogs.bot.localisation import tr
from cogs.bot.login import rest_client
from cogs.bot.member_roles import MemberRoleCache
from cogs.bot.recall_report import Names, report_lines
from utils.app import App
from utils.guilds.recall_findings import recall_findings
from utils.models.guild import GuildSettings

MAX_SERVERS = 20  # each takes four requests
MAX_LINES = 10
MORE = "{count} more; see `/config show` there."
CLICKABLE = re.compile(r"</([a-z ]+):\d+>")


async def recall_lines(app: App, locale: discord.Locale) -> AsyncIterator[str]:
    """Yield a line for each restriction in the first servers; needs a token and the database.

    Raises KithError if Discord refuses the token or cannot be reached, and DatabaseError.
    """
    token = app.settings.discord_token
    if token is None:
        return
    async with rest_client(token) as client:
        async for partial in client.fetch_guilds(limit=MAX_SERVERS):
            guild = await client.fetch_guild(partial.id, with_counts=False)
            settings = await app.guilds.settings.get(guild.id)
            lines = await _server_lines(app, client, guild, settings, locale)
            for line in lines[:MAX_LINES]:
                yield f"{guild.name}: {_plain(line)}"
            if len(lines) > MAX_LINES:
                yield f"{guild.name}: {_plain(tr(locale, MORE, count=len(lines) - MAX_LINES))}"


def _plain(line: str) -> str:
    """Return a sentence without Discord's clickable commands, which a running bot writes."""
    return CLICKABLE.sub(r"`/\1`", line)


async def _server_lines(
    app: App,
    client: discord.Client,
    guild: discord.Guild,
    settings: GuildSettings,
    locale: discord.Locale,
) -> list[str]:
    channels = await guild.fetch_channels()
    kith = await guild.fetch_member(client.user.id if client.user else 0)
    base_role_id = settings.base_role_id
    readers = server_readers(guild, channels, *settings.base_roles, bot_ids=[kith.id])
    visible = [channel.id for channel in channels if channel.permissions_for(kith).view_channel]
    cache = MemberRoleCache(app.clock)
    await cache.fetch(guild, readers.undecided_anywhere(visible, {}))
    member_roles, _ = cache.known(guild.id, readers.all_named_members)
    names = {channel.id: f"#{channel.name}" for channel in channels}
    roles = {role.id: f"@{role.name}" for role in guild.roles}
    return report_lines(
        locale,
        recall_findings(readers, visible, member_roles),
        has_base_role=base_role_id is None or base_role_id in roles,
        names=Names(
            lambda channel_id: names.get(channel_id, str(channel_id)),
            lambda role_id: roles.get(role_id, str(role_id)),
            lambda user_id: tr(locale, "member {id}", id=user_id),
        ),
    )
