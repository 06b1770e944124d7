"""``/mod summary`` and ``/mod usage``: a channel's summary, and the use of the model."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from cogs.bot.audience import ServerPlace, can_read, is_age_restricted
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import ModeratorsOnly, begin, say
from cogs.bot.localisation import number, tr
from cogs.bot.messages import is_from_a_person, name_of, visible_text
from utils.admin.costs import cost_of, costs_by_model
from utils.common.errors import BadInput
from utils.common.grouping import grouped, summed
from utils.common.prices import money
from utils.llm.token_budget import NO_ROOM, REFUSED, UNFIT
from utils.models.extraction import Judgement
from utils.models.memory import Member
from utils.models.operator import CounterName
from utils.runtime.metrics import PASSIVE
from utils.sentiment.channel_summary import HistoryMessage

if TYPE_CHECKING:
    from utils.database.admin.token_usage import DailyTokenUse

MAX_MESSAGES = 400
USAGE_DAYS = 14
REFUSED_PURPOSES = (REFUSED, UNFIT)
USAGE = {
    True: "**Use of the language model here, by day (UTC)**",
    False: "The language model was not used here in the last {days} days.",
}
PURPOSE_WORDS = {
    "chat": "answers",
    "extraction": "learning",
    "verification": "checking notes",
    "episode": "chapters",
    "watch": "watched channels",
    "summary": "summaries",
    "preview": "previews",
    "speaking": "speaking first",
    "attachment": "attachments",
    "embedding": "embeddings",
}
VERDICTS = (
    "-# Notes checked before they count as facts: {supported} supported, {unsupported} kept as "
    "words only, {other} dropped, {failed} without a verdict."
)


class ReportCommands(ModeratorsOnly, FeatureCog):
    """``/mod summary`` and ``/mod usage``."""

    @app_commands.command(description="Summarise what happened in a channel in five lines")
    @app_commands.describe(
        channel="Which channel or thread (default: this one)", hours="How many hours back"
    )
    async def summary(
        self,
        interaction: discord.Interaction,
        channel: ServerPlace | None = None,
        hours: app_commands.Range[int, 1, 72] = 6,
    ) -> None:
        """Summarise a channel that the moderator can read in at most five lines."""
        guild_id = await begin(interaction)
        target = _check_readable(interaction, channel or interaction.channel)
        if not self._bot.has_message_content:
            raise BadInput(
                "I can't read messages: my operator has to turn on the *Message Content* intent."
            )
        now = self._app.clock.now()
        settings = await self._app.guilds.settings.get(guild_id)
        history = target.history(
            limit=MAX_MESSAGES, after=now - timedelta(hours=hours), oldest_first=False
        )
        newest = [message async for message in history]
        messages = [
            HistoryMessage(message.author.id, name_of(message.author), message.created_at, said)
            for message in newest
            if (said := visible_text(message)) and is_from_a_person(message)
        ]
        summary = await self._app.sentiment.summarizer.summarise(
            Member(guild_id, interaction.user.id),
            messages[::-1],
            now,
            settings.time_zone,
            interaction.locale.name.replace("_", " "),
        )
        locale = interaction.locale
        lines = [
            tr(
                locale,
                "**{channel}, the last {hours} h** (messages: {messages})",
                channel=target.mention,
                hours=hours,
                messages=summary.messages,
            ),
            *(f"- {line}" for line in summary.lines),
        ]
        if summary.hidden or summary.older:
            lines.append(
                tr(
                    locale,
                    "-# Left out: {hidden} messages of members who don't want anything stored, "
                    "{older} older messages.",
                    hidden=summary.hidden,
                    older=summary.older,
                )
            )
        if len(newest) == MAX_MESSAGES:
            read = tr(locale, "-# I read the newest {count} messages only.", count=MAX_MESSAGES)
            lines.append(read)
        lines.append(tr(locale, "-# A language model wrote this and can be wrong."))
        await say(interaction, "\n".join(lines))

    @app_commands.command(description="Show the use of the language model by day")
    async def usage(self, interaction: discord.Interaction) -> None:
        """Show the calls, tokens and refusals of the last two weeks."""
        guild_id = await begin(interaction)
        await self._app.runtime.budget.write()
        usage = await self._app.admin.job_runs.usage(guild_id, USAGE_DAYS)
        first = (self._app.clock.now() - timedelta(days=USAGE_DAYS)).date()
        counted = await self._app.runtime.counters.since(
            first, (CounterName.VERDICTS, CounterName.MESSAGES), guild_id
        )
        counts = summed(((daily.name, daily.label), daily.count) for daily in counted)
        words = usage_in_words(interaction.locale, usage, counts)
        text = "\n".join([words, *self._models(interaction.locale, usage)])
        await say(interaction, text)

    def _models(self, locale: discord.Locale, usage: "Sequence[DailyTokenUse]") -> list[str]:
        """Return the use of each model as lines, and what all of it costs."""
        settings, today = self._app.settings, self._app.clock.now().date()
        currency, lines = settings.model_currency, []
        for model in costs_by_model(usage, settings):
            line = tr(
                locale,
                "- `{model}`: calls: {calls}, tokens: {tokens}",
                model=model.model or "—",
                calls=model.calls,
                tokens=number(locale, model.usage.total, ","),
            )
            lines.append(line if model.cost is None else f"{line}, {money(model.cost, currency)}")
        if lines:
            lines.insert(0, tr(locale, "**Models** in {days} days", days=USAGE_DAYS))
        total = cost_of(usage, settings)
        of_today = cost_of((use for use in usage if use.day == today), settings)
        if total and of_today is not None:  # else a price is missing
            lines.append(
                tr(
                    locale,
                    "**Cost** at today's prices: {total} in {days} days, {today} of it today.",
                    days=USAGE_DAYS,
                    total=money(total, currency),
                    today=money(of_today, currency),
                )
            )
        return lines


def usage_in_words(
    locale: discord.Locale,
    usage: "Sequence[DailyTokenUse]",
    counts: Mapping[tuple[CounterName, str], int],
) -> str:
    """Return the model's use as text: one line per day, newest first.

    ``counts`` are this server's messages and verdicts by label.
    """
    days = grouped((use.day, use) for use in usage)
    lines = [tr(locale, USAGE[bool(days)], days=USAGE_DAYS)]
    for day in sorted(days, reverse=True):
        answered = [use for use in days[day] if use.purpose not in (*REFUSED_PURPOSES, NO_ROOM)]
        refused = [use for use in days[day] if use.purpose in REFUSED_PURPOSES]
        tokens = summed((use.purpose, use.usage.total) for use in answered)
        purposes = ", ".join(
            f"{tr(locale, PURPOSE_WORDS.get(purpose, purpose))} {number(locale, n, ',')}"
            for purpose, n in tokens.most_common(5)
        )
        lines.append(
            tr(
                locale,
                "- {day}: calls: {calls}, tokens: {tokens} ({purposes}), refused: {refused}",
                day=discord.utils.format_dt(datetime.combine(day, time(12), UTC), "d"),
                calls=sum(use.calls for use in answered),
                tokens=number(locale, tokens.total(), ","),
                purposes=purposes or "—",
                refused=sum(use.calls for use in refused),
            )
        )
    watched = counts.get((CounterName.MESSAGES, PASSIVE), 0)
    lines.append(
        tr(
            locale,
            "-# Refused: the day's budget was used up, or the output filter blocked an answer. "
            "Messages in watched channels: {watched}.",
            watched=number(locale, watched, ","),
        )
    )
    if calls := sum(use.calls for use in usage if use.purpose == NO_ROOM):
        lines.append(
            tr(
                locale,
                "-# ⚠ Not done for now, because the model spent all its tokens on thoughts "
                "(calls: {calls}). My operator can set REASONING_EFFORT or choose another model.",
                calls=calls,
            )
        )
    judged = {name.value: counts.get((CounterName.VERDICTS, name.value), 0) for name in Judgement}
    if any(judged.values()):
        lines.append(tr(locale, VERDICTS, **judged))
    return "\n".join(lines)


def _check_readable(interaction: discord.Interaction[Any], channel: object) -> ServerPlace:
    """Return a channel that the moderator and Kith can read. Raises BadInput for any other."""
    if not isinstance(channel, ServerPlace) or not isinstance(interaction.user, discord.Member):
        raise BadInput("Choose a text channel, a voice channel's chat, or a thread.")
    is_here = channel.id == interaction.channel_id
    if not can_read(interaction.user, channel, is_here=is_here):
        raise BadInput(
            "You can't read {channel}, so I can't tell you what happened there.",
            channel=channel.mention,
        )
    if not can_read(channel.guild.me, channel, is_here=True):
        raise BadInput(
            "I can't read {channel}: I need *View Channel* and *Read Message History* there, in a "
            "voice channel *Connect* too.",
            channel=channel.mention,
        )
    if is_age_restricted(channel) and not is_age_restricted(interaction.channel):
        raise BadInput(
            "{channel} is age-restricted. I only tell you what happened there in a channel that "
            "is so too.",
            channel=channel.mention,
        )
    return channel
