"""The permissions that Kith needs: its invite link, and what it lacks in its channels.

For each missing one it says what to click. Two optional ones, for the buttons under alerts, are
mentioned but not required.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

import discord

from cogs.bot.audience import Vocal
from cogs.bot.error_handler import permission_name
from cogs.bot.localisation import tr
from utils.models.guild import GuildSettings, Purpose

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    read_message_history=True,
    attach_files=True,
    embed_links=True,
    add_reactions=True,
)


def invite_link(application_id: int) -> str:
    """Return the link for an application."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS)


READ = ("view_channel", "read_message_history")
NEEDED: Mapping[Purpose, tuple[str, ...]] = {
    Purpose.CHAT: (*READ, "send_messages", "send_messages_in_threads"),
    Purpose.ONLY: (*READ, "send_messages"),
    Purpose.LOG: (*READ, "send_messages", "embed_links", "attach_files"),
}
NEEDED_TO_WATCH = (*READ, "send_messages")
TIME_OUTS = "*Time out members* is missing; it is needed only for time-outs."
SLOW_MODE = "*Manage Channels* is missing; it is needed only for slow mode."
MISSING = {  # denied by the channel, or not granted by a role
    True: (
        "{channel}: *{permission}* is denied. Click *Edit Channel → Permissions*, choose (or add) "
        "*{role}*, and set it to ✓."
    ),
    False: (
        "{channel}: *{permission}* is missing. Click *Server Settings → Roles → {role} → "
        "Permissions* and switch it on."
    ),
}
CONTRADICTIONS = {  # of channels where Kith never answers
    Purpose.CHAT: (
        "{channels}: a chat channel, and one where I never answer. I don't answer there; take it "
        "out of one of the two lists."
    ),
    Purpose.ONLY: (
        "{channels}: one of the only channels where I answer, and one where I never answer. I "
        "don't answer there; take it out of one of the two lists."
    ),
}
NO_TALK_ROLE = (
    "The roles whose members I answer are gone, so I only answer moderators. `/config talkrole` "
    "chooses others."
)
ALL_THERE = "I have every permission I need in the channels you chose."
MAX_LINES = 12
MAX_NAMED = 5
AND_MORE = "… and {count} more."


def missing_lines(
    locale: discord.Locale, channel: discord.abc.GuildChannel, needed: Iterable[str]
) -> Iterator[str]:
    """Yield what to click for each permission that Kith lacks in a channel.

    Where *View Channel* is missing, that is all. The channel denies what a role grants.
    """
    me = channel.guild.me
    granted = channel.permissions_for(me)
    if not granted.view_channel:
        needed = ("view_channel",)
    elif isinstance(channel, Vocal):
        needed = (*needed, "connect")
    for permission in needed:
        is_idle = permission == "send_messages" and isinstance(channel, discord.ForumChannel)
        if not getattr(granted, permission) and not is_idle:
            yield tr(
                locale,
                MISSING[getattr(me.guild_permissions, permission)],
                channel=channel.mention,
                permission=tr(locale, permission_name(permission)),
                role=_own_role(channel.guild),
            )


def contradictions(locale: discord.Locale, settings: GuildSettings) -> list[str]:
    """Return which channels are in lists that contradict each other."""
    lines = []
    for purpose, sentence in CONTRADICTIONS.items():
        both = settings.ids_for(purpose) & settings.ids_for(Purpose.NEVER)
        if both:
            channels = ", ".join(f"<#{channel_id}>" for channel_id in sorted(both)[:MAX_NAMED])
            lines.append(tr(locale, sentence, channels=channels))
    return lines


def faults_of_channels(
    locale: discord.Locale, guild: discord.Guild, settings: GuildSettings
) -> list[str]:
    """Return what keeps Kith from answering in the channels that are for talking with it."""
    lines = contradictions(locale, settings)
    chat_ids = settings.ids_for(Purpose.CHAT)
    talk_ids = chat_ids | settings.ids_for(Purpose.ONLY)
    for channel_id in sorted(talk_ids - settings.ids_for(Purpose.NEVER)):
        channel = guild.get_channel(channel_id)
        if channel is not None:
            needed = NEEDED[Purpose.CHAT if channel_id in chat_ids else Purpose.ONLY]
            lines += missing_lines(locale, channel, needed)
    named = [f"⚠️ {line}" for line in lines[:MAX_NAMED]]
    if len(lines) > MAX_NAMED:
        named.append(tr(locale, AND_MORE, count=len(lines) - MAX_NAMED))
    return named


def permission_report(
    locale: discord.Locale,
    guild: discord.Guild,
    settings: GuildSettings,
    watched: Collection[int],
) -> str:
    """Return what is missing in which channel and what to click, or that nothing is missing.

    Where there can be alerts, the optional permissions for their buttons follow.
    """
    lines = contradictions(locale, settings)
    if settings.talk_role_ids and not any(map(guild.get_role, settings.talk_role_ids)):
        lines.append(tr(locale, NO_TALK_ROLE))
    required: dict[int, dict[str, None]] = {}
    for purpose, needed in NEEDED.items():
        for purpose_channel in settings.channels_for(purpose):
            required.setdefault(purpose_channel.channel_id, {}).update(dict.fromkeys(needed))
    for channel_id in watched:
        required.setdefault(channel_id, {}).update(dict.fromkeys(NEEDED_TO_WATCH))
    for channel_id, permissions in required.items():
        channel = guild.get_channel(channel_id)
        if channel is None:
            lines.append(
                tr(
                    locale,
                    "<#{channel_id}> is gone; choose another channel.",
                    channel_id=channel_id,
                )
            )
        else:
            lines += missing_lines(locale, channel, permissions)
    report = [f"⚠️ {line}" for line in lines[:MAX_LINES]]
    if not lines:
        report.append(f"✅ {tr(locale, ALL_THERE)}")
    elif len(lines) > MAX_LINES:
        report.append(tr(locale, AND_MORE, count=len(lines) - MAX_LINES))
    if watched or settings.channels_for(Purpose.LOG):
        report += [f"ℹ️ {line}" for line in _optional(locale, guild, watched)]
    return "\n".join(report)


def _optional(
    locale: discord.Locale, guild: discord.Guild, watched: Collection[int]
) -> Iterator[str]:
    """Yield the permissions missing for the buttons under alerts, and what to click for each."""
    everywhere, role = guild.me.guild_permissions, _own_role(guild)
    where = tr(
        locale,
        "Click *Server Settings → Roles → {role} → Permissions* and switch it on.",
        role=role,
    )
    if not everywhere.moderate_members:
        yield f"{tr(locale, TIME_OUTS)} {where}"
    if not everywhere.manage_channels:
        yield f"{tr(locale, SLOW_MODE)} {where}"
        return
    denied = []
    for channel in map(guild.get_channel, watched):
        if channel is not None:
            granted = channel.permissions_for(guild.me)
            if granted.view_channel and not granted.manage_channels:
                denied.append(channel.mention)
    if denied:
        channels = ", ".join(denied[:MAX_NAMED])
        if len(denied) > MAX_NAMED:
            channels += " " + tr(locale, AND_MORE, count=len(denied) - MAX_NAMED)
        yield tr(
            locale,
            "{channels}: *Manage Channels* is denied; it is needed only for slow mode. Click "
            "*Edit Channel → Permissions*, choose (or add) *{role}*, and set it to ✓.",
            channels=channels,
            role=role,
        )


def _own_role(guild: discord.Guild) -> str:
    """Return the name of the role that grants Kith its permissions."""
    return (guild.self_role or guild.me.top_role).name
