"""Which permissions Kith lacks in the channels it was given, and what to click for each."""

from collections.abc import Iterable, Iterator, Mapping
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
    watched: Iterable[int] = (),
) -> str:
    """Say what is missing in which channel, and what to click; or that all is well."""
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
    if not lines:
        return f"✅ {tr(locale, ALL_THERE)}"
    shown = [f"⚠️ {line}" for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(tr(locale, AND_MORE, count=len(lines) - MOST_LINES))
    return "\n".join(shown)


def _line(locale: discord.Locale, missing: Missing) -> str:
    guild = missing.channel.guild
    role = guild.self_role or guild.me.top_role
    return tr(
        locale,
        OF_CHANNEL if missing.is_denied else OF_ROLE,
        channel=missing.channel.mention,
        permission=tr(locale, permission_name(missing.permission)),
        role=role.name,
    )
