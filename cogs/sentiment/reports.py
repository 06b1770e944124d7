"""/mod summary and /mod usage: what happened in a channel, and what the model was asked."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from cogs.answering import ForModerators, begin, say
from cogs.audience import READ
from cogs.localisation import tr
from utils.budget import REFUSED, UNFIT
from utils.core import Core
from utils.errors import BadInput
from utils.model.memory import Member
from utils.watching.summarist import Said, Summary

if TYPE_CHECKING:
    from utils.database.usage import DayUse

Spoken = discord.TextChannel | discord.VoiceChannel | discord.Thread
MOST_MESSAGES = 400
USAGE_DAYS = 14
NOT_ASKED = (REFUSED, UNFIT)
NO_SUCH_PLACE = "Choose a text channel, a voice channel's chat, or a thread."
CANNOT_READ = "You can't read {channel}, so I can't tell you what happened there."
I_CANNOT_READ = "I can't read {channel}: I need *View Channel* and *Read Message History* there."
CANNOT_HEAR = (
    "I can't read what people write: my operator has to switch on the *Message Content* intent."
)
HEADING = "**{channel}, the last {hours} h** (messages: {messages})"
LEFT_OUT = "-# Left out: {hidden} messages of members who want nothing kept, {older} older ones."
CAUTION = "-# A language model wrote this and can be wrong."
NO_USE = "In the last {days} days nothing was asked of the model here."
USAGE = "**What was asked of the model here, by day (UTC)**"
DAY = "- {day}: {calls} calls, {tokens} tokens ({purposes}), {refused} refused"
REFUSED_MEANS = (
    "-# Refused: the day's budget was used up, or an answer was not fit to be given. Watched here "
    "and everywhere since my start: {counts}."
)


class Reports(ForModerators):
    """Two commands under /mod; each checks for itself that a moderator asks."""

    def __init__(self, core: Core, *, hears_everything: bool) -> None:
        self._core = core
        self._hears_everything = hears_everything

    def commands(self) -> list[app_commands.Command[Any, ..., Any]]:
        """Make the commands, to be added to /mod."""
        made: list[app_commands.Command[Any, ..., Any]] = [
            app_commands.Command(
                name="summary",
                description="Say in five lines what happened in a channel",
                callback=Reports.summary,
            ),
            app_commands.Command(
                name="usage",
                description="Show what was asked of the language model, day by day",
                callback=Reports.usage,
            ),
        ]
        for one in made:
            one.binding = self  # and so its interaction_check is asked
        return made

    @app_commands.describe(
        channel="Which channel or thread (default: this one)", hours="How many hours back"
    )
    async def summary(
        self,
        interaction: discord.Interaction,
        channel: Spoken | None = None,
        hours: app_commands.Range[int, 1, 72] = 6,
    ) -> None:
        """Say in at most five lines what happened in a channel that the moderator can read."""
        guild_id = await begin(interaction)
        place = _readable(interaction, channel or interaction.channel)
        if not self._hears_everything:
            raise BadInput(CANNOT_HEAR)
        now = self._core.clock.now()
        settings = await self._core.guilds.get(guild_id)
        summary = await self._core.summarist.summarise(
            Member(guild_id, interaction.user.id),
            await read(place, now - timedelta(hours=hours)),
            now,
            settings.time_zone,
            interaction.locale.name.replace("_", " "),
        )
        text = summary_in_words(interaction.locale, place.mention, hours, summary)
        await say(interaction, text)

    async def usage(self, interaction: discord.Interaction) -> None:
        """Show calls, tokens and refusals of the last two weeks."""
        guild_id = await begin(interaction)
        used = await self._core.upkeep.usage(guild_id, USAGE_DAYS)
        await say(interaction, usage_in_words(interaction.locale, used, self._core.watcher.counts))


async def read(place: Spoken, since: datetime) -> list[Said]:
    """Read what people said in a channel since then, at most the last 400 messages."""
    said: list[Said] = []
    async for one in place.history(limit=MOST_MESSAGES, after=since, oldest_first=False):
        text = one.clean_content.strip()
        if one.attachments:
            text += f" ({len(one.attachments)} attachments)"
        if text and not one.author.bot and not one.is_system():
            said.append(Said(one.author.id, one.author.display_name, one.created_at, text))
    return said[::-1]


def summary_in_words(locale: discord.Locale, channel: str, hours: int, summary: Summary) -> str:
    """Return a summary as it is shown."""
    lines = [tr(locale, HEADING, channel=channel, hours=hours, messages=summary.messages)]
    lines += [f"- {one}" for one in summary.lines]
    if summary.hidden or summary.older:
        lines.append(tr(locale, LEFT_OUT, hidden=summary.hidden, older=summary.older))
    return "\n".join([*lines, tr(locale, CAUTION)])


def usage_in_words(
    locale: discord.Locale, used: "Sequence[DayUse]", counts: Mapping[str, int]
) -> str:
    """Say what was spent, a line for each day, the newest first."""
    days: dict[date, list[DayUse]] = {}
    for one in used:
        days.setdefault(one.day, []).append(one)
    lines = [tr(locale, USAGE) if days else tr(locale, NO_USE, days=USAGE_DAYS)]
    for day in sorted(days, reverse=True):
        asked = [one for one in days[day] if one.purpose not in NOT_ASKED]
        by_tokens = sorted(asked, key=lambda one: -one.usage.total)
        purposes = ", ".join(f"{one.purpose} {one.usage.total:,}" for one in by_tokens[:5])
        lines.append(
            tr(
                locale,
                DAY,
                day=f"{day:%d.%m.}",
                calls=sum(one.calls for one in asked),
                tokens=f"{sum(one.usage.total for one in asked):,}",
                purposes=purposes or "—",
                refused=sum(one.calls for one in days[day] if one.purpose in NOT_ASKED),
            )
        )
    told = ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))
    lines.append(tr(locale, REFUSED_MEANS, counts=told or "—"))
    return "\n".join(lines)


def _readable(interaction: discord.Interaction[Any], place: object) -> Spoken:
    """Return a channel that both the moderator and Kith can read. Raises BadInput for others."""
    if not isinstance(place, Spoken) or not isinstance(interaction.user, discord.Member):
        raise BadInput(NO_SUCH_PLACE)
    if not _reads(interaction.user, place):
        raise BadInput(CANNOT_READ, channel=place.mention)
    if not _reads(place.guild.me, place):
        raise BadInput(I_CANNOT_READ, channel=place.mention)
    return place


def _reads(person: discord.Member, place: Spoken) -> bool:
    return place.permissions_for(person).value & READ == READ
