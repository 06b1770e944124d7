"""What moderators have Kith do about an alert: time-outs, warnings, slow mode.

Every check comes before the act and is one sentence: what the moderator lacks, what Kith lacks,
and whom nobody may touch. Discord checks again.
"""

from datetime import datetime

import discord

from cogs.localisation import tr
from utils.errors import BadInput
from utils.model.alerts import Alert

SLOW_MODE_S = 30
WARNED = (
    "{member}, the moderators ask you to keep it friendly here. If something is wrong, tell them "
    "instead."
)
REASON = "Kith alert #{number}, pressed by {name} ({id})"
AUTOMATIC_REASON = "Kith alert #{number}, automatic action"
YOU_LACK = "You can't do that: you need the permission {permission}."
I_LACK = "I can't do that: I need the permission {permission}; see *Server Settings → Roles*."
I_LACK_HERE = "I can't do that: I need the permission {permission} in {channel}."
HAS_LEFT = "<@{user_id}> has left the server."
IS_OWNER = "{member} owns the server; nobody can time them out."
IS_ADMINISTRATOR = "{member} is an administrator; Discord lets nobody time them out."
ABOVE_ME = "{member} has a role as high as mine or higher; move my role up to let me do that."
ABOVE_YOU = "{member} has a role as high as yours or higher; you can't time them out."
ALREADY_OUT = "{member} is timed out already, until {until}."
CHANNEL_GONE = "That channel is gone, archived, or hidden from me."
ALREADY_SLOW = "{channel} has slow mode already: {seconds} seconds between messages."
MODERATES = discord.Permissions(
    administrator=True,
    manage_guild=True,
    manage_messages=True,
    manage_channels=True,
    manage_roles=True,
    moderate_members=True,
    kick_members=True,
    ban_members=True,
).value

Spoken = discord.TextChannel | discord.VoiceChannel | discord.Thread


async def member_of(guild: discord.Guild, user_id: int) -> discord.Member:
    """Return a member as they are now. Raises BadInput if they have left."""
    try:
        return await guild.fetch_member(user_id)  # without the Members intent, caches grow old
    except discord.NotFound:
        raise BadInput(HAS_LEFT, user_id=user_id) from None


async def time_out(
    alert: Alert, target: discord.Member, actor: discord.Member | None, until: datetime
) -> None:
    """Time a member out, for a moderator or (None) by itself.

    Raises BadInput with one sentence if that may not be, or need not.
    """
    may_time_out(target, actor)
    current = target.timed_out_until
    if current is not None and current >= until:
        when = discord.utils.format_dt(current, "t")
        raise BadInput(ALREADY_OUT, member=target.mention, until=when)
    await target.timeout(until, reason=_reason(alert, actor))


def may_time_out(target: discord.Member, actor: discord.Member | None) -> None:
    """Raise BadInput with one sentence if somebody, or Kith, may not time a member out."""
    guild, mention = target.guild, target.mention
    if actor is not None and not actor.guild_permissions.moderate_members:
        raise BadInput(YOU_LACK, permission="Time out members")
    if not guild.me.guild_permissions.moderate_members:
        raise BadInput(I_LACK, permission="Time out members")
    if target.id == guild.owner_id:
        raise BadInput(IS_OWNER, member=mention)
    if target.guild_permissions.administrator:
        raise BadInput(IS_ADMINISTRATOR, member=mention)
    if actor is not None and actor.id != guild.owner_id and target.top_role >= actor.top_role:
        raise BadInput(ABOVE_YOU, member=mention)
    if guild.me.id != guild.owner_id and target.top_role >= guild.me.top_role:
        raise BadInput(ABOVE_ME, member=mention)


def is_moderator(member: discord.Member) -> bool:
    """Whether automatic action leaves somebody alone: owner, administrators, moderators, bots."""
    has_power = bool(member.guild_permissions.value & MODERATES)
    return member.bot or member.id == member.guild.owner_id or has_power


async def warn(alert: Alert, target: discord.Member) -> discord.Message:
    """Ask a member, where their worst message was said, to keep it friendly.

    Only they are notified. Raises BadInput where that cannot be.
    """
    said = alert.hottest_of(target.id)
    channel = spoken(target.guild, said.channel_id if said else alert.place_id)
    here = channel.permissions_for(target.guild.me)
    is_thread = isinstance(channel, discord.Thread)
    if not (here.send_messages_in_threads if is_thread else here.send_messages):
        raise BadInput(I_LACK_HERE, permission="Send Messages", channel=channel.mention)
    return await channel.send(
        tr(target.guild.preferred_locale, WARNED, member=target.mention),
        allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=[target]),
    )


async def slow_down(alert: Alert, actor: discord.Member) -> Spoken:
    """Switch on slow mode where the worst message was said. Raises BadInput where it can't be."""
    said = alert.hottest_of()
    channel = spoken(actor.guild, said.channel_id if said else alert.place_id)
    is_thread = isinstance(channel, discord.Thread)
    name = "manage_threads" if is_thread else "manage_channels"
    permission = "Manage Threads" if is_thread else "Manage Channels"
    if not getattr(channel.permissions_for(actor), name):
        raise BadInput(YOU_LACK, permission=permission)
    if not getattr(channel.permissions_for(actor.guild.me), name):
        raise BadInput(I_LACK_HERE, permission=permission, channel=channel.mention)
    delay_s: int = channel.slowmode_delay  # type: ignore[assignment]
    if delay_s >= SLOW_MODE_S:
        raise BadInput(ALREADY_SLOW, channel=channel.mention, seconds=delay_s)
    await channel.edit(slowmode_delay=SLOW_MODE_S, reason=_reason(alert, actor))
    return channel


def spoken(guild: discord.Guild, channel_id: int) -> Spoken:
    """Return a channel or thread where people talk. Raises BadInput if there is none any more."""
    channel = guild.get_channel_or_thread(channel_id)
    if not isinstance(channel, Spoken):
        raise BadInput(CHANNEL_GONE)
    return channel


def _reason(alert: Alert, actor: discord.Member | None) -> str:
    """Return what Discord's own audit log says of an act."""
    if actor is None:
        return AUTOMATIC_REASON.format(number=alert.alert_id)
    return REASON.format(number=alert.alert_id, name=actor.name, id=actor.id)
