"""Deliver reminders when they are due: where they were asked for, else by direct message.

A reminder is claimed before it is sent and deleted afterwards; a repeated one gets its next time.
If the process is killed in between, the next one looks for the message that was sent, so that none
arrives twice.
What was sent is recorded as words of Kith that rest on the member's: it goes when theirs do, and at
once if they were erased while it was sent.
"""

import logging
from dataclasses import replace
from datetime import timedelta
from functools import partial

import discord
from discord.utils import format_dt

from cogs.bot.audience import (
    ServerPlace,
    can_read,
    find_channel,
    is_age_restricted,
    may_write,
    place_ids,
)
from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import REQUEST_ERRORS, is_refused
from cogs.bot.localisation import ENGLISH, tr
from cogs.bot.login import is_connected_for
from cogs.bot.messages import as_event, guild_id_of
from utils.conversation import output_filter
from utils.models.episode import BY_DIRECT_MESSAGE, REMINDER_SIGN, OpenLoop
from utils.models.memory import DIRECT_MESSAGES, NO_MESSAGE, Role
from utils.models.provenance import Provenance, SourceKind, SourceRef

LOOK_EVERY_S = 10.0
CLOCK_SKEW = timedelta(minutes=1)
MAX_MESSAGES = 100  # since the first try, among which the sent one is looked for
LATE = "I was away, so this is late; it was due {at}."
LAST = (
    "That was the last time: I keep what you said here no longer. Ask me again if it should go on."
)

_log = logging.getLogger(__name__)


class ReminderDelivery(FeatureCog):
    """Sends what is due, every few seconds, in the servers of this process."""

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        self._reminders = self._app.memory.reminders
        self._reminders.can_deliver = True
        self.workers = (self._new_worker("reminders", self.deliver_due, interval_s=LOOK_EVERY_S),)

    async def deliver_due(self) -> None:
        """Deliver every reminder that is due. Raises DatabaseError."""
        if not self._bot.is_ready():
            return
        for reminder in await self._reminders.due(partial(is_connected_for, self._bot)):
            if await self._reminders.claim(reminder):
                await self._deliver(reminder)

    async def _deliver(self, reminder: OpenLoop) -> None:
        """Send a reminder and delete it; what Discord may accept later is tried again."""
        try:
            is_delivered = await self._send(reminder)
        except REQUEST_ERRORS as error:
            _log.info("a reminder is delivered later: %s", type(error).__name__)
            return
        if not is_delivered:
            _log.info("a reminder could not be delivered")
        await self._reminders.finish(reminder, is_delivered=is_delivered)

    async def _send(self, reminder: OpenLoop) -> bool:
        """Send a reminder where it was asked for, else directly; False if neither is possible."""
        person = await self._person(reminder)
        if person is None:
            return False
        channel = await self._channel(reminder, person)
        for place in dict.fromkeys((channel, None)):  # None: by direct message
            try:
                await self._send_in(place or await person.create_dm(), reminder, person)
            except discord.HTTPException as error:
                if not is_refused(error):
                    raise
            else:
                return True
        return False

    async def _person(self, reminder: OpenLoop) -> discord.Member | discord.User | None:
        """Return whom to remind; None if they left the server, or are no more."""
        guild_id, user_id = reminder.member.guild_id, reminder.member.user_id
        try:
            if guild_id == DIRECT_MESSAGES:
                return await self._bot.fetch_user(user_id)
            guild = self._bot.get_guild(guild_id)
            return None if guild is None else await guild.fetch_member(user_id)
        except discord.NotFound:
            return None

    async def _channel(
        self, reminder: OpenLoop, person: discord.Member | discord.User
    ) -> discord.abc.Messageable | None:
        """Return the channel in which to remind; None: by direct message.

        The member must still be able to read it and to write there, moderators must let Kith speak
        there, and the text must be fit for it: Kith says nothing that they could not say.
        """
        if reminder.channel_id == BY_DIRECT_MESSAGE or isinstance(person, discord.User):
            return None
        guild = person.guild
        channel = await find_channel(guild, reminder.channel_id)
        if not isinstance(channel, ServerPlace) or not can_read(person, channel):
            return None
        if not (may_write(person, channel) and is_fit(reminder.text, channel)):
            return None
        settings = await self._app.guilds.settings.get(guild.id)
        return None if settings.never_answers(*place_ids(channel)) else channel

    async def _send_in(
        self,
        channel: discord.abc.Messageable,
        reminder: OpenLoop,
        person: discord.Member | discord.User,
    ) -> None:
        """Send a reminder, unless a process that was killed has sent it already, and record it."""
        words = f"{REMINDER_SIGN} {person.mention} {reminder.text}"
        sent = None
        if reminder.offers:  # an earlier try may have sent it
            since = (reminder.first_offered_at or reminder.created_at) - CLOCK_SKEW
            async for message in channel.history(limit=MAX_MESSAGES, after=since):
                if message.author == self._bot.user and message.content.startswith(words):
                    sent = message
                    break
        if sent is None:
            locale = (
                person.guild.preferred_locale if isinstance(person, discord.Member) else ENGLISH
            )
            text = words
            if reminder.due_at is not None and self._reminders.is_late(reminder):
                text = f"{words}\n-# {tr(locale, LATE, at=format_dt(reminder.due_at, 'f'))}"
            if reminder.repeats and self._reminders.is_last(reminder):
                text = f"{text}\n-# {tr(locale, LAST)}"
            sent = await channel.send(
                text,
                allowed_mentions=discord.AllowedMentions(
                    everyone=False, roles=False, users=[discord.Object(person.id)]
                ),
                suppress_embeds=True,
                # Discord accepts it once, also from a process that was held up since it claimed it.
                nonce=f"r{reminder.id}-{reminder.due_at:%y%m%d%H%M%S}",
            )
        await self._record(sent, reminder, person)

    async def _record(
        self, sent: discord.Message, reminder: OpenLoop, person: discord.Member | discord.User
    ) -> None:
        """Record a reminder that was sent, with the words that it rests on."""
        guild_id = reminder.member.guild_id
        settings = await self._app.guilds.settings.get(guild_id)
        text = f"{REMINDER_SIGN} {person.display_name} {reminder.text}"
        event = as_event(sent, text, guild_id=guild_id, reply_to_id=None, role=Role.KITH)
        if guild_id_of(sent) != guild_id:  # by direct message: no channel of the server has it
            event = replace(event, source_id=reminder.source_id, revision=NO_MESSAGE)
        await self._app.memory.recorder.record(
            replace(
                event,
                about_ids=(reminder.member.user_id,),
                provenance=Provenance(
                    sources=(
                        SourceRef(
                            SourceKind.MESSAGE, reminder.message_id, user_id=reminder.member.user_id
                        ),
                    ),
                    loops=((reminder.id, reminder.message_id),),
                ),
            ),
            self._bot.audiences.of(sent.channel, settings),
        )


def is_fit(text: str, channel: object) -> bool:
    """Return whether Kith may post a member's text in a channel, by the rules of its answers."""
    return output_filter.fault(text, age_restricted=is_age_restricted(channel)) is None
