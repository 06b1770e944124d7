"""``/remind``: members ask for a reminder, list theirs, skip one time of it and cancel it."""

from typing import Literal

import discord
from discord import app_commands
from discord.utils import format_dt

from cogs.bot.audience import may_write, source_id_of
from cogs.bot.feature_cog import MemberGroup
from cogs.bot.interactions import respond, say
from cogs.bot.localisation import tr
from cogs.memory.choices import MAX_CHOICES, Choices, choice
from cogs.memory.showing import begin_here, here
from cogs.reminders.delivery import is_fit
from utils.common.errors import BadInput
from utils.memory.member_data.reminders import ReminderRequest, coming_times
from utils.models.episode import BY_DIRECT_MESSAGE, LOOP_LIMIT, MAX_MISSES, OpenLoop
from utils.models.memory import DIRECT_MESSAGES

QUIET = "That one is quiet, because it reached nobody three times; `/remind skip` wakes it: {line}"
UNKNOWN = "There is no reminder {number} of yours here; `/remind list` shows them."


class ReminderCommands(MemberGroup, group_name="remind"):
    """Let me remind you of something."""

    @app_commands.command()
    @app_commands.describe(
        when="For example: tomorrow at 18:30, in 1h 30min, every Monday at 9",
        text="What to remind you of",
        where="here: in this channel, for all to read; direct: by direct message",
    )
    async def me(
        self,
        interaction: discord.Interaction,
        when: app_commands.Range[str, 1, 100],
        text: app_commands.Range[str, 1, LOOP_LIMIT],
        where: Literal["direct", "here"] = "direct",
    ) -> None:
        """Get a reminder at a time you choose."""
        member, channel = await begin_here(interaction), interaction.channel
        channel_id = interaction.channel_id or 0
        is_here = where == "here" or member.guild_id == DIRECT_MESSAGES
        is_public = is_here and member.guild_id != DIRECT_MESSAGES
        if is_public and not (may_write(interaction.user, channel) and is_fit(text, channel)):
            raise BadInput(
                "I can't post that here for you; choose *direct*, and I remind you by direct "
                "message."
            )
        source_id = channel_id if channel is None else source_id_of(channel)  # type: ignore[arg-type]
        settings = await self._app.guilds.settings.get(member.guild_id)
        reminders = self._app.memory.reminders
        zone = await reminders.zone(member, settings.time_zone)
        request = ReminderRequest(
            member,
            text,
            when,
            channel_id if is_here else BY_DIRECT_MESSAGE,
            source_id,
            interaction.id,
        )
        reminder = await reminders.add(request, zone)
        words = tr(
            interaction.locale,
            "I will remind you here, where others can read it, {at}: {text}"
            if is_public and reminder.channel_id
            else "I will remind you by direct message {at}: {text}",
            at=_at(reminder, interaction.locale),
            text=discord.utils.escape_markdown(reminder.text),
        )
        zone_used = tr(
            interaction.locale, "(Time zone: {zone}; `/kith timezone` changes it.)", zone=zone.key
        )
        await say(interaction, f"{words}\n{zone_used}")

    @app_commands.command()
    async def list(self, interaction: discord.Interaction) -> None:
        """Show what I will remind you of."""
        reminders = await self._app.memory.reminders.of_member(await begin_here(interaction))
        if not reminders:
            await respond(interaction, "I have nothing to remind you of here.")
            return
        lines = [f"- {_line(reminder, interaction.locale)}" for reminder in reminders]
        await say(
            interaction, "\n".join([tr(interaction.locale, "What I will remind you of:"), *lines])
        )

    @app_commands.command()
    @app_commands.describe(reminder="Which one; choose from the list, or give its number")
    async def skip(self, interaction: discord.Interaction, reminder: str) -> None:
        """Leave out the next time of a repeated reminder."""
        member = await begin_here(interaction)
        number = _number(reminder)
        skipped = number and await self._app.memory.reminders.skip(member, number)
        if not skipped:
            raise BadInput(UNKNOWN, number=reminder[:20])
        await respond(
            interaction, "Skipped. The next time is {at}.", at=_at(skipped, interaction.locale)
        )

    @app_commands.command()
    @app_commands.describe(reminder="Which one; choose from the list, or give its number")
    async def cancel(self, interaction: discord.Interaction, reminder: str) -> None:
        """Cancel a reminder, with all its repetitions."""
        member = await begin_here(interaction)
        reminders = await self._app.memory.reminders.of_member(member)
        loop_id = _number(reminder)
        is_known = any(item.id == loop_id for item in reminders)
        if not is_known or not await self._app.memory.loops.drop(member, loop_id):
            raise BadInput(UNKNOWN, number=reminder[:20])
        await respond(interaction, "Cancelled. I won't remind you of that.")

    @skip.autocomplete("reminder")
    async def _repeated(self, interaction: discord.Interaction, typed: str) -> Choices:
        return await self._choices(interaction, typed, only_repeated=True)

    @cancel.autocomplete("reminder")
    async def _reminders(self, interaction: discord.Interaction, typed: str) -> Choices:
        return await self._choices(interaction, typed)

    async def _choices(
        self, interaction: discord.Interaction, typed: str, *, only_repeated: bool = False
    ) -> Choices:
        return [
            choice(reminder.text, reminder.id)
            for reminder in await self._app.memory.reminders.of_member(here(interaction))
            if typed.casefold() in reminder.text.casefold()
            and (reminder.repeats or not only_repeated)
        ][:MAX_CHOICES]


def _number(reminder: str) -> int:
    """Return the number that a member gave; 0 if it is none."""
    digits = reminder.strip("`# ")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 19 else 0


def _line(reminder: OpenLoop, locale: discord.Locale) -> str:
    is_direct = BY_DIRECT_MESSAGE in (reminder.channel_id, reminder.member.guild_id)
    line = tr(
        locale,
        "`{number}` {at} by direct message: {text}"
        if is_direct
        else "`{number}` {at} in {place}: {text}",
        number=reminder.id,
        at=_at(reminder, locale),
        place=f"<#{reminder.channel_id}>",
        text=discord.utils.escape_markdown(reminder.text),
    )
    return tr(locale, QUIET, line=line) if reminder.misses >= MAX_MISSES else line


def _at(reminder: OpenLoop, locale: discord.Locale) -> str:
    first, *later = coming_times(reminder)
    text = f"{format_dt(first, 'F')} ({format_dt(first, 'R')})"
    if not reminder.repeats:
        return text
    return text + tr(
        locale,
        " 🔁 {again} … until {end}",
        again=" · ".join(format_dt(at, "f") for at in later),
        end=format_dt(reminder.expires_at, "D"),
    )
