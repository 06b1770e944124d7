"""The options that ``/memory search`` and ``/mod search`` share."""

from typing import Literal, TypeAlias

import discord
from discord import app_commands

from cogs.bot.audience import Place
from cogs.bot.localisation import tr
from utils.app import App
from utils.common.text import defuse_mentions, escape_markdown, one_line
from utils.memory.member_data.search import MAX_SEARCH_LENGTH, SearchFilter
from utils.models.memory import Kind

OWN_WORDS = "own words"
MAX_TIME_LENGTH = 60

SearchWords: TypeAlias = app_commands.Range[str, 1, MAX_SEARCH_LENGTH]
SearchTime: TypeAlias = app_commands.Range[str, 1, MAX_TIME_LENGTH]
SearchKind: TypeAlias = Literal[
    "own words",
    "fact",
    "preference",
    "constraint",
    "episode",
    "pattern",
    "task",
    "lore",
    "server fact",
]
SearchChannel: TypeAlias = Place | discord.Thread
SEARCH_OPTIONS = {
    "words": "A few words, in any form, or a question",
    "kind": "Only memories of this kind; own words: only what was said word for word",
    "when": "Only what was said then, such as: yesterday, last week, March 2026",
    "channel": "Only what was said in this channel",
}


async def search_filter(
    app: App, guild_id: int, kind: str | None, when: str | None, channel: SearchChannel | None
) -> SearchFilter:
    """Return what a search is limited to. Raises BadInput if ``when`` names no time."""
    zone = (await app.guilds.settings.get(guild_id)).zone
    return SearchFilter.of(
        None if kind in (None, OWN_WORDS) else Kind(kind.replace(" ", "_")),
        None if channel is None else channel.id,
        when,
        app.clock.now(),
        zone,
        own_words=kind == OWN_WORDS,
    )


def limits_in_words(
    locale: discord.Locale, kind: str | None, when: str | None, channel: SearchChannel | None
) -> str:
    """Return what a search was limited to; empty if it was not."""
    time = when and escape_markdown(defuse_mentions(one_line(when)))
    place = None if channel is None else f"<#{channel.id}>"
    return " · ".join(filter(None, [kind and tr(locale, kind), time, place]))
