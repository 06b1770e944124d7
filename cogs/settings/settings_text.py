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
MODE = "Mode"
OWN_MODES_HEADING = "Modes of this server's own"
CHANNEL_MODES = "Channels with a mode of their own"
CHOSEN_MODELS = "Language models chosen here"
ZONE = "Time zone"
BASE_ROLE = "Open channels are those that this role reads"
TALK_ROLES = "I answer members with"
CONSENT_DEFAULT = "Those who have not chosen are remembered"
LORE = "Shared stories of this server are noted, for tone"
SOURCES = "A line below answers says where they come from"
NOTED = "That something was noted is shown as"
NOTED_WORDS = {
    NotedMark.LINE: "a line below the answer",
    NotedMark.REACTION: "a reaction",
    NotedMark.NOTHING: "nothing",
}
FROZEN = "Frozen (nothing new is stored or learned)"
MODERATORS_SEE_MEMBERS = "Moderators may look at a member's memory"
RECALL = "What I remember is used in answers"
POLICY = "Learning"
WATCHED = "Watched channels"
ALERTS = "Alerts to moderators"
ANSWERS_ALL = "I answer everybody here."
ANSWERS_ROLES = "I answer moderators and members with one of these roles: {roles}."
READS_ALL_MESSAGES = "I can read messages that don't mention me"


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
    modes = [f"<#{channel.channel_id}> {channel.mode}" for channel in settings.channel_modes]
    models = ", ".join(
        choice.model
        if choice.channel_id == WHOLE_SERVER
        else f"<#{choice.channel_id}> {choice.model}"
        for choice in settings.models
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
    values = [
        (MODE, settings.mode),
        (CHANNEL_MODES, ", ".join(modes)),
        (OWN_MODES_HEADING, ", ".join(own_modes)),
        (CHOSEN_MODELS, f"{models} (`/model show`)" if models else ""),
        (ZONE, settings.time_zone),
        (BASE_ROLE, tr(locale, EVERYONE) if role_id is None else f"<@&{role_id}>"),
        (TALK_ROLES, _roles(settings.talk_role_ids) or tr(locale, EVERYONE)),
        (CONSENT_DEFAULT, tr(locale, CONSENT_DEFAULTS[settings.consent_default])),
        *(
            (HEADINGS[purpose], ", ".join(f"<#{id_}>" for id_ in sorted(settings.ids_for(purpose))))
            for purpose in HEADINGS
        ),
        (WATCHED, ", ".join(map(_watched, watched))),
        (ALERTS, f"{alerts} (`/mod tension settings`)"),
        (POLICY, f"{learning} (`/mod policy show`)"),
        (RECALL, tr(locale, YES_NO[settings.recall])),
        (LORE, tr(locale, YES_NO[settings.lore])),
        (NOTED, tr(locale, NOTED_WORDS[settings.noted])),
        (SOURCES, tr(locale, YES_NO[settings.shows_sources])),
        (MODERATORS_SEE_MEMBERS, tr(locale, YES_NO[settings.moderators_see_members])),
        (FROZEN, tr(locale, YES_NO[settings.frozen])),
        (READS_ALL_MESSAGES, tr(locale, YES_NO[hears_everything])),
    ]
    none = tr(locale, NONE)
    lines = [f"- {tr(locale, name)}: **{value or none}**" for name, value in values]
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
        tr(locale, ANSWERS_ROLES, roles=_roles(role_ids)) if role_ids else tr(locale, ANSWERS_ALL)
    )


def _watched(channel: WatchedChannel) -> str:
    """Return the mention of a watched channel, marked if it is opt-out."""
    mention = f"<#{channel.channel_id}>"
    return f"{mention} ({channel.memory})" if channel.memory is PassiveMemory.OPT_OUT else mention
