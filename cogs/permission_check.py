"""Which permissions Kith lacks in the channels it was given, and what to click for each.

Two more, for what moderators can press under alerts, are only told of: nobody has to give them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import discord

from cogs.error_door import permission_name
from cogs.localisation import tr
from utils.model.guild import GuildSettings, Purpose

READ = ("view_channel", "read_message_history")
NEEDED: Mapping[Purpose, tuple[str, ...]] = {
    Purpose.CHAT: (*READ, "send_messages", "send_messages_in_threads"),
    Purpose.LOG: (*READ, "send_messages", "embed_links", "attach_files"),
}
NEEDED_TO_WATCH = (*READ, "send_messages")
TIME_OUTS = "*Time out members* is missing; it is needed only for time-outs."
SLOW_MODE = "*Manage Channels* is missing; it is needed only for slow mode."
WHERE_IN_ROLE = "Click *Server Settings → Roles → {role} → Permissions* and switch it on."
SLOW_MODE_DENIED = (
    "{channels}: *Manage Channels* is denied; it is needed only for slow mode. Click *Edit Channel "
    "→ Permissions*, choose (or add) *{role}*, and set it to ✓."
)
OF_ROLE = (
    "{channel}: *{permission}* is missing. Click *Server Settings → Roles → {role} → Permissions* "
    "and switch it on."
)
OF_CHANNEL = (
    "{channel}: *{permission}* is denied. Click *Edit Channel → Permissions*, choose (or add) "
    "*{role}*, and set it to ✓."
)
CHANNEL_GONE = "<#{channel_id}> is gone; choose another channel."
ALL_THERE = "I have every permission I need in the channels you chose."
MOST_LINES = 12
MOST_NAMED = 5
AND_MORE = "… and {count} more."


@dataclass(frozen=True, slots=True)
class Missing:
    """A permission that is missing in a channel; ``is_denied``: the channel itself denies it."""

    channel: discord.abc.GuildChannel
    permission: str
    is_denied: bool


def missing_in(channel: discord.abc.GuildChannel, needed: Iterable[str]) -> Iterator[Missing]:
    """Yield what Kith lacks in a channel. Without *View Channel*, that hides all the rest."""
    me = channel.guild.me
    here, everywhere = channel.permissions_for(me), me.guild_permissions
    if not here.view_channel:
        needed = ("view_channel",)
    for permission in needed:
        is_idle = permission == "send_messages" and isinstance(channel, discord.ForumChannel)
        if not getattr(here, permission) and not is_idle:
            yield Missing(channel, permission, is_denied=getattr(everywhere, permission))


def check_in_words(
    locale: discord.Locale,
    guild: discord.Guild,
    settings: GuildSettings,
    watched: Collection[int] = (),
) -> str:
    """Say what is missing in which channel, and what to click; or that all is well.

    What only alerts' buttons need is said after that, where there can be alerts.
    """
    lines: list[str] = []
    wanted: dict[int, dict[str, None]] = {}
    for purpose, needed in NEEDED.items():
        for one in settings.channels_for(purpose):
            wanted.setdefault(one.channel_id, {}).update(dict.fromkeys(needed))
    for channel_id in watched:
        wanted.setdefault(channel_id, {}).update(dict.fromkeys(NEEDED_TO_WATCH))
    for channel_id, permissions in wanted.items():
        channel = guild.get_channel(channel_id)
        if channel is None:
            lines.append(tr(locale, CHANNEL_GONE, channel_id=channel_id))
        else:
            lines += [_line(locale, one) for one in missing_in(channel, permissions)]
    shown = [f"⚠️ {line}" for line in lines[:MOST_LINES]]
    if not lines:
        shown.append(f"✅ {tr(locale, ALL_THERE)}")
    elif len(lines) > MOST_LINES:
        shown.append(tr(locale, AND_MORE, count=len(lines) - MOST_LINES))
    if watched or settings.channels_for(Purpose.LOG):
        shown += [f"ℹ️ {line}" for line in _optional(locale, guild, watched)]
    return "\n".join(shown)


def _optional(
    locale: discord.Locale, guild: discord.Guild, watched: Collection[int]
) -> Iterator[str]:
    """Yield what is missing for the buttons under alerts, and what to click for each."""
    everywhere, role = guild.me.guild_permissions, _own_role(guild)
    where = tr(locale, WHERE_IN_ROLE, role=role)
    if not everywhere.moderate_members:
        yield f"{tr(locale, TIME_OUTS)} {where}"
    if not everywhere.manage_channels:
        yield f"{tr(locale, SLOW_MODE)} {where}"
        return
    denied = [
        channel.mention
        for channel in map(guild.get_channel, watched)
        if channel is not None and _denies_slow_mode(channel)
    ]
    if denied:
        channels = ", ".join(denied[:MOST_NAMED])
        if len(denied) > MOST_NAMED:
            channels += " " + tr(locale, AND_MORE, count=len(denied) - MOST_NAMED)
        yield tr(locale, SLOW_MODE_DENIED, channels=channels, role=role)


def _denies_slow_mode(channel: discord.abc.GuildChannel) -> bool:
    """Whether a channel that Kith sees denies it *Manage Channels*."""
    here = channel.permissions_for(channel.guild.me)
    return here.view_channel and not here.manage_channels


def _own_role(guild: discord.Guild) -> str:
    """Return the name of the role that Kith's permissions are given to."""
    return (guild.self_role or guild.me.top_role).name


def _line(locale: discord.Locale, missing: Missing) -> str:
    return tr(
        locale,
        OF_CHANNEL if missing.is_denied else OF_ROLE,
        channel=missing.channel.mention,
        permission=tr(locale, permission_name(missing.permission)),
        role=_own_role(missing.channel.guild),
    )
