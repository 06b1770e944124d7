"""Moderator actions on alerts: timeouts, warnings, slow mode, reading its messages.

All checks run before the action, and each fails with one sentence: a permission that the moderator
or Kith lacks, or a member who cannot be timed out. Discord checks again.
"""

from contextlib import suppress
from datetime import datetime
from typing import Any

import discord

from cogs.bot.audience import ServerPlace, can_read, find_channel, missing_to_send
from cogs.bot.localisation import tr
from cogs.bot.messages import visible_text
from cogs.bot.texts import HIDDEN_CHANNEL
from cogs.sentiment.alert_text import NO_MESSAGES
from utils.common.errors import BadInput
from utils.common.text import clip, defuse_mentions, escape_markdown, one_line
from utils.models.alert import ActionKind, Alert, hottest
from utils.models.sentiment import StoredScore

SLOW_MODE_S = 30
REASON = "Kith alert #{number}, pressed by {name} ({id})"
AUTOMATIC_REASON = "Kith alert #{number}, automatic action"
YOU_LACK = "You can't do that: you need the permission {permission}."
I_LACK = "I can't do that: I need the permission {permission}; see *Server Settings → Roles*."
I_LACK_HERE = "I can't do that: I need the permission {permission} in {channel}."
DECISION_PERMISSIONS = "Manage Server or Manage Messages"
MAX_LINES, LINE_LIMIT = 5, 300
MODERATOR_PERMISSIONS = discord.Permissions(
    administrator=True,
    manage_guild=True,
    manage_messages=True,
    manage_channels=True,
    manage_roles=True,
    moderate_members=True,
    kick_members=True,
    ban_members=True,
).value


async def fetch_member(guild: discord.Guild, user_id: int) -> discord.Member:
    """Fetch a member. Raises BadInput if they have left the server."""
    try:
        return await guild.fetch_member(
            user_id
        )  # without the Members intent, the cache is out of date
    except discord.NotFound:
        raise BadInput("<@{user_id}> has left the server.", user_id=user_id) from None


async def time_out(
    alert: Alert, target: discord.Member, actor: discord.Member | None, until: datetime
) -> None:
    """Time a member out for a moderator, or automatically (``actor`` None).

    Raises BadInput if that is not allowed or not needed.
    """
    check_timeout(target, actor)
    current = target.timed_out_until
    if current is not None and current >= until:
        raise BadInput(
            "{member} is already timed out until {until}.",
            member=target.mention,
            until=discord.utils.format_dt(current, "t"),
        )
    await target.timeout(until, reason=reason_for(alert, actor))


def check_timeout(target: discord.Member, actor: discord.Member | None) -> None:
    """Raise BadInput if the moderator or Kith may not time a member out."""
    guild, mention = target.guild, target.mention
    if actor is not None and not actor.guild_permissions.moderate_members:
        raise BadInput(YOU_LACK, permission="Time out members")
    if not guild.me.guild_permissions.moderate_members:
        raise BadInput(I_LACK, permission="Time out members")
    if target.id == guild.owner_id:
        raise BadInput("{member} owns the server and can't be timed out.", member=mention)
    if target.guild_permissions.administrator:
        raise BadInput(
            "{member} is an administrator. Discord doesn't allow administrators to be timed out.",
            member=mention,
        )
    if actor is not None and actor.id != guild.owner_id and target.top_role >= actor.top_role:
        raise BadInput(
            "{member} has a role as high as yours or higher, so you can't time them out.",
            member=mention,
        )
    if guild.me.id != guild.owner_id and target.top_role >= guild.me.top_role:
        raise BadInput(
            "{member} has a role as high as mine or higher. Move my role up to let me do that.",
            member=mention,
        )


def check_may_decide(interaction: discord.Interaction[Any]) -> None:
    """Raise BadInput unless the moderator may decide on alerts."""
    permissions = interaction.permissions
    if not (permissions.manage_guild or permissions.manage_messages):
        raise BadInput(YOU_LACK, permission=DECISION_PERMISSIONS)


def check_may_act(interaction: discord.Interaction[Any], kind: ActionKind) -> None:
    """Raise BadInput unless the moderator may warn or time out a member."""
    if kind is ActionKind.WARN:
        check_may_decide(interaction)
    elif not interaction.permissions.moderate_members:
        raise BadInput(YOU_LACK, permission="Time out members")


def is_moderator(member: discord.Member) -> bool:
    """Whether automatic action must skip a member: owner, administrators, moderators, bots."""
    can_moderate = bool(member.guild_permissions.value & MODERATOR_PERMISSIONS)
    return member.bot or member.id == member.guild.owner_id or can_moderate


async def warn(alert: Alert, target: discord.Member) -> discord.Message:
    """Ask a member to keep it friendly, in the channel of their worst message.

    Only that member is notified. Raises BadInput if Kith can't write there.
    """
    channel = _channel_of(target.guild, alert, alert.hottest_message(target.id))
    if missing := missing_to_send(channel):
        raise BadInput(I_LACK_HERE, permission=missing, channel=channel.mention)
    return await channel.send(
        tr(
            target.guild.preferred_locale,
            "{member}, the moderators ask you to keep it friendly here. If something is wrong, "
            "please tell them.",
            member=target.mention,
        ),
        allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=[target]),
    )


def slow_mode_of(alert: Alert, actor: discord.Member) -> tuple[ServerPlace, int]:
    """Return the channel of the worst message, and the seconds of slow mode that it has.

    Raises BadInput if a moderator, or Kith, can't turn on slow mode there.
    """
    channel = _channel_of(actor.guild, alert, alert.hottest_message())
    permission = "Manage Threads" if isinstance(channel, discord.Thread) else "Manage Channels"
    name = permission.lower().replace(" ", "_")
    if not getattr(channel.permissions_for(actor), name):
        raise BadInput(YOU_LACK, permission=permission)
    if not getattr(channel.permissions_for(actor.guild.me), name):
        raise BadInput(I_LACK_HERE, permission=permission, channel=channel.mention)
    delay_s: int = channel.slowmode_delay  # type: ignore[assignment]
    if delay_s >= SLOW_MODE_S:
        raise BadInput(
            "{channel} already has slow mode: {seconds} seconds between messages.",
            channel=channel.mention,
            seconds=delay_s,
        )
    return channel, delay_s


async def end_slow_mode(guild: discord.Guild, channel_id: int, seconds: int, number: int) -> None:
    """Set a channel's slow mode back, unless somebody has changed it or the channel is gone.

    ``number`` is the alert's. An archived thread, which cannot be changed, is opened for it.
    """
    channel: Any = await find_channel(guild, channel_id)
    if not isinstance(channel, ServerPlace) or channel.slowmode_delay != SLOW_MODE_S:
        return
    ends = {"slowmode_delay": seconds, "reason": AUTOMATIC_REASON.format(number=number)}
    is_archived = getattr(channel, "archived", False)
    for changes in ({"archived": False}, ends, {"archived": True}) if is_archived else (ends,):
        await channel.edit(**changes)


async def lines_of(alert: Alert, reader: discord.Member) -> list[str]:
    """Return the alert's most heated messages that a moderator may read now, oldest first.

    They are fetched from Discord. Raises BadInput if there are none, or none of their channels may
    be read.
    """
    lines, may_read = [], False
    messages = list(hottest(alert.messages, MAX_LINES))
    ids = {message.channel_id for message in messages}
    channels = {channel_id: await find_channel(reader.guild, channel_id) for channel_id in ids}
    for message in messages:
        channel = channels[message.channel_id]
        if not isinstance(channel, ServerPlace) or not can_read(reader, channel):
            continue
        may_read = True
        with suppress(discord.NotFound, discord.Forbidden):  # deleted, or hidden from Kith
            text = one_line(visible_text(await channel.fetch_message(message.message_id)))
            words = escape_markdown(defuse_mentions(clip(text, LINE_LIMIT, at_word=True)))
            at = discord.utils.format_dt(message.said_at, "t")
            lines.append(f"{at} <@{message.user_id}>: {words}")
    if not alert.messages:
        raise BadInput(NO_MESSAGES)
    if not may_read:
        raise BadInput("You can't read the channels of these messages.")
    return lines


def _channel_of(guild: discord.Guild, alert: Alert, message: StoredScore | None) -> ServerPlace:
    """Return a message's channel, else the watched one. Raises BadInput if it is gone."""
    channel_id = message.channel_id if message else alert.place_id
    channel = guild.get_channel_or_thread(channel_id)
    if not isinstance(channel, ServerPlace):
        raise BadInput(HIDDEN_CHANNEL)
    return channel


def reason_for(alert: Alert, actor: discord.Member | None) -> str:
    """Return the reason for Discord's audit log."""
    if actor is None:
        return AUTOMATIC_REASON.format(number=alert.alert_id)
    return REASON.format(number=alert.alert_id, name=actor.name, id=actor.id)
