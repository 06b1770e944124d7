"""Texts of ``/config``: the channels of a purpose, and all settings of a server."""

from collections.abc import Iterable, Sequence

import discord

from cogs.bot.localisation import tr
from utils.models.guild import WHOLE_SERVER, GuildSettings, Purpose
from utils.models.memory import Consent, NotedMark
from utils.models.policy import WritePolicy
from utils.models.sentiment import PassiveMemory, WatchedChannel, WatchSettings

PURPOSE_MEANINGS = {
    Purpose.CHAT: "I answer every message there, unless it is for somebody else",
    Purpose.GAME: "what you told me about its topics comes to mind more easily there",
    Purpose.LOG: "my reports for moderators go there",
    Purpose.NEVER: "I never answer there, even if I am mentioned",
    Purpose.ONLY: "I answer nowhere but there and in chat channels",
    Purpose.LINKS: "I read the pages there that messages to me link to, without being asked",
}
HEADINGS = {
    Purpose.CHAT: "Chat channels",
    Purpose.GAME: "Game channels",
    Purpose.LOG: "Log channels",
    Purpose.NEVER: "Channels where I never answer",
    Purpose.ONLY: "The only channels where I answer",
    Purpose.LINKS: "Channels where I read links",
}
TOPICS = "topics: {topics}"
NONE = "none"
YES_NO = {True: "yes", False: "no"}
EVERYONE = "everyone"
CONSENT_DEFAULTS = {
    Consent.TEMPORARY: "for 30 days (temporary)",
    Consent.LASTING: "lastingly",
    Consent.OFF: "not at all",
}
NOTED_WORDS = {
    NotedMark.LINE: "a line below the answer",
    NotedMark.REACTION: "a reaction",
    NotedMark.NOTHING: "nothing",
}
SETTINGS = {
    "mode": "Mode",
    "channel modes": "Channels with a mode of their own",
    "own modes": "Modes of this server's own",
    "models": "Language models chosen here",
    "zone": "Time zone",
    "base role": "Open channels are those that this role reads",
    "talk roles": "I answer members with",
    "consent": "Those who have not chosen are remembered",
    **{purpose.value: heading for purpose, heading in HEADINGS.items()},
    "watched": "Watched channels",
    "alerts": "Alerts to moderators",
    "policy": "Learning",
    "recall": "What I remember is used in answers",
    "lore": "Shared stories of this server are noted, for tone",
    "noted": "That something was noted is shown as",
    "sources": "A line below answers says where they come from",
    "moderators": "Moderators may look at a member's memory",
    "frozen": "Frozen (nothing new is stored or learned)",
    "all messages": "I can read messages that don't mention me",
}


def channels_in_words(locale: discord.Locale, settings: GuildSettings, purpose: Purpose) -> str:
    """Return the channels of a purpose and its meaning as text."""
    lines = []
    for channel in settings.channels_for(purpose):
        topics = ", ".join(channel.topics)
        suffix = f" ({tr(locale, TOPICS, topics=topics)})" if topics else ""
        lines.append(f"- <#{channel.channel_id}>{suffix}")
    if not lines:
        return tr(locale, "**{list}:** none yet.", list=tr(locale, HEADINGS[purpose]))
    heading = f"{tr(locale, HEADINGS[purpose])}: {tr(locale, PURPOSE_MEANINGS[purpose])}."
    return "\n".join([heading, *lines])


def config_in_words(
    locale: discord.Locale,
    settings: GuildSettings,
    policy: WritePolicy,
    own_modes: Iterable[str],
    watched: Sequence[WatchedChannel],
    watching: WatchSettings,
    *,
    hears_everything: bool,
) -> str:
    """Return all settings of a server as text, one line each."""
    role_id = settings.base_role_id
    modes = [f"<#{channel_id}> {mode}" for channel_id, mode in settings.channel_modes.items()]
    models = ", ".join(
        model if channel_id == WHOLE_SERVER else f"<#{channel_id}> {model}"
        for channel_id, model in settings.models.items()
    )
    learning = tr(
        locale,
        "{mode}, active from confidence {active:g}, at most {cap} memories per member, "
        "version {version}",
        mode=policy.mode,
        active=policy.active_from,
        cap=policy.cap,
        version=settings.policy_version,
    )
    alerts = tr(
        locale,
        "from tension {tension:g}, or toxicity {toxicity:g} of one message",
        tension=watching.tension_alert,
        toxicity=watching.toxicity_alert,
    )
    values = {
        "mode": settings.mode,
        "channel modes": ", ".join(modes),
        "own modes": ", ".join(own_modes),
        "models": f"{models} (`/model show`)" if models else "",
        "zone": settings.time_zone,
        "base role": tr(locale, EVERYONE) if role_id is None else f"<@&{role_id}>",
        "talk roles": _roles(settings.talk_role_ids) or tr(locale, EVERYONE),
        "consent": tr(locale, CONSENT_DEFAULTS[settings.consent_default]),
        **{
            purpose.value: ", ".join(f"<#{id_}>" for id_ in sorted(settings.ids_for(purpose)))
            for purpose in HEADINGS
        },
        "watched": ", ".join(map(_watched, watched)),
        "alerts": f"{alerts} (`/mod tension settings`)",
        "policy": f"{learning} (`/mod policy show`)",
        "recall": tr(locale, YES_NO[settings.recall]),
        "lore": tr(locale, YES_NO[settings.lore]),
        "noted": tr(locale, NOTED_WORDS[settings.noted]),
        "sources": tr(locale, YES_NO[settings.shows_sources]),
        "moderators": tr(locale, YES_NO[settings.moderators_see_members]),
        "frozen": tr(locale, YES_NO[settings.frozen]),
        "all messages": tr(locale, YES_NO[hears_everything]),
    }
    none = tr(locale, NONE)
    lines = [
        f"- {tr(locale, label)}: **{values[name] or none}**" for name, label in SETTINGS.items()
    ]
    return "\n".join(
        [
            tr(locale, "**Settings of this server**; `/setup` changes the most important ones"),
            *lines,
        ]
    )


def _roles(role_ids: Iterable[int]) -> str:
    return ", ".join(f"<@&{role_id}>" for role_id in role_ids)


def talk_roles_in_words(locale: discord.Locale, role_ids: Sequence[int]) -> str:
    """Return whom Kith answers in a server."""
    return (
        tr(
            locale,
            "I answer moderators and members with one of these roles: {roles}.",
            roles=_roles(role_ids),
        )
        if role_ids
        else tr(locale, "I answer everybody here.")
    )


def _watched(channel: WatchedChannel) -> str:
    """Return the mention of a watched channel, marked if it is opt-out."""
    mention = f"<#{channel.channel_id}>"
    return f"{mention} ({channel.memory})" if channel.memory is PassiveMemory.OPT_OUT else mention
