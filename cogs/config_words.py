"""A server's settings in words: what a channel is for, and everything at once."""

from collections.abc import Iterable, Sequence

import discord

from cogs.localisation import tr
from utils.model.guild import GuildSettings, Purpose
from utils.model.memory import Consent
from utils.model.policy import WritePolicy
from utils.model.watch import PassiveMemory, WatchedChannel, WatchSettings

CHANNEL_WORDS = {
    Purpose.CHAT: "I answer every message there",
    Purpose.GAME: "what you told me about its topics comes to mind more easily there",
    Purpose.LOG: "my reports for moderators go there",
    Purpose.NEVER: "I answer nobody there, not even when I am mentioned",
}
HEADINGS = {
    Purpose.CHAT: "Chat channels",
    Purpose.GAME: "Game channels",
    Purpose.LOG: "Log channels",
    Purpose.NEVER: "Channels where I never answer",
}
NO_CHANNEL = "There is no {purpose} channel yet."
TOPICS = "topics: {topics}"
NONE = "none"
YES_NO = {True: "yes", False: "no"}
EVERYONE = "everyone"
CONSENT_DEFAULTS = {
    Consent.TEMPORARY: "for 30 days (temporary)",
    Consent.LASTING: "lastingly",
    Consent.OFF: "not at all",
}
TITLE = "**Settings of this server**; `/setup` changes the most important ones"
MODE = "Mode"
OWN_MODES_HEADING = "Modes of this server's own"
CHANNEL_MODES = "Channels with a mode of their own"
ZONE = "Time zone"
BASE_ROLE = "Open channels are those that this role reads"
CONSENT_DEFAULT = "Those who have not chosen are remembered"
FROZEN = "Frozen (nothing new is stored or learnt)"
SHOWN = "Moderators may look at a member's memory"
RECALL = "What I remember is used in answers"
POLICY = "Learning"
POLICY_WORDS = (
    "{mode}, sure from {active:g}, at most {cap} memories for a member, version {version}"
)
WATCHED = "Watched channels"
ALERTS = "Alerts to moderators"
ALERT_WORDS = "from tension {tension:g}, or toxicity {toxicity:g} of one message"
HEARS = "I can read messages that don't mention me"


def channels_in_words(locale: discord.Locale, settings: GuildSettings, purpose: Purpose) -> str:
    """Say which channels have a purpose, and what it means."""
    lines = []
    for channel in settings.channels_for(purpose):
        topics = ", ".join(channel.topics)
        named = f" ({tr(locale, TOPICS, topics=topics)})" if topics else ""
        lines.append(f"- <#{channel.channel_id}>{named}")
    if not lines:
        return tr(locale, NO_CHANNEL, purpose=purpose)
    heading = f"{tr(locale, HEADINGS[purpose])}: {tr(locale, CHANNEL_WORDS[purpose])}."
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
    """Say everything a server chose, a line for each choice; its policy in brief."""
    role_id = settings.base_role_id
    modes = [f"<#{one.channel_id}> {one.mode}" for one in settings.channel_modes]
    learning = tr(
        locale,
        POLICY_WORDS,
        mode=policy.mode,
        active=policy.active_from,
        cap=policy.cap,
        version=settings.policy_version,
    )
    alerts = tr(
        locale, ALERT_WORDS, tension=watching.tension_alert, toxicity=watching.toxicity_alert
    )
    values = [
        (MODE, settings.mode),
        (CHANNEL_MODES, ", ".join(modes)),
        (OWN_MODES_HEADING, ", ".join(own_modes)),
        (ZONE, settings.time_zone),
        (BASE_ROLE, tr(locale, EVERYONE) if role_id is None else f"<@&{role_id}>"),
        (CONSENT_DEFAULT, tr(locale, CONSENT_DEFAULTS[settings.consent_default])),
        *((HEADINGS[purpose], _channels(settings, purpose)) for purpose in HEADINGS),
        (WATCHED, ", ".join(map(_watched, watched))),
        (ALERTS, f"{alerts} (`/mod tension settings`)"),
        (POLICY, f"{learning} (`/mod policy show`)"),
        (RECALL, tr(locale, YES_NO[settings.recall])),
        (SHOWN, tr(locale, YES_NO[settings.moderators_see_members])),
        (FROZEN, tr(locale, YES_NO[settings.frozen])),
        (HEARS, tr(locale, YES_NO[hears_everything])),
    ]
    none = tr(locale, NONE)
    lines = [f"- {tr(locale, name)}: **{value or none}**" for name, value in values]
    return "\n".join([tr(locale, TITLE), *lines])


def _channels(settings: GuildSettings, purpose: Purpose) -> str:
    return ", ".join(f"<#{one.channel_id}>" for one in settings.channels_for(purpose))


def _watched(one: WatchedChannel) -> str:
    """Return a watched channel; with its choice, as /mod watch calls it, where that is opt-out."""
    channel = f"<#{one.channel_id}>"
    return f"{channel} ({one.memory})" if one.memory is PassiveMemory.OPT_OUT else channel
