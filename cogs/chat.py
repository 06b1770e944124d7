"""mention · reply · DM · chat channel -> a reply."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import date
from functools import partial

import discord
from discord.ext import commands

from cogs.answering import LINE_LOST
from cogs.audience import Audiences, is_age_restricted, place_ids, source_id_of
from cogs.consent import ConsentNotices
from cogs.error_door import sentence_for
from cogs.localisation import ENGLISH, tr
from cogs.messages import (
    ATTACHED,
    as_event,
    attachments_of,
    guild_id_of,
    is_from_a_person,
    spoken_text,
)
from cogs.saying import OnSaid, Pace, Saying
from cogs.texts import AWAY, UNWRITABLE
from cogs.turnstile import QueueFull, TooSoon, Turnstile
from utils.core import Core
from utils.errors import BudgetSpent, KithError
from utils.metrics import MODEL, PLAIN, Stage
from utils.model.conversation import Answer, Quoted, Turn
from utils.model.guild import GuildSettings, Purpose
from utils.model.memory import Member, Recorded, Role
from utils.model.recall import Person

MOST_PEOPLE = 4
TYPING_S = 2.0

_log = logging.getLogger(__name__)


class Chat(commands.Cog):
    """Hears what is addressed to Kith and answers it."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        core: Core,
        audiences: Audiences,
        notices: ConsentNotices,
    ) -> None:
        self._bot = bot
        self._core = core
        self._audiences = audiences
        self._notices = notices
        self._turnstile = Turnstile(
            core.clock,
            cooldown_s=core.settings.member_cooldown_s,
            queue=core.settings.channel_queue,
        )
        self._pace = Pace(core.clock)
        self._saying: dict[int, Saying] = {}
        self._answering: dict[int, asyncio.Task[None]] = {}
        self._asked_in: dict[int, set[int]] = {}
        self._asked_by: dict[int, Member] = {}
        self._told_spent: set[tuple[int, int, date]] = set()
        self._told_away: set[int] = set()
        self._closing = False

    async def cog_load(self) -> None:
        """Hear of those of whom everything is to be erased."""
        self._core.erasures.listen(self.break_off_to)

    async def cog_unload(self) -> None:
        """Hear of it no more."""
        self._core.erasures.leave(self.break_off_to)

    async def drain(self, limit_s: float) -> None:
        """Take no more messages, and let the answers under way be given, within a limit."""
        self._closing = True
        if self._answering:
            _, late = await asyncio.wait(self._answering.values(), timeout=limit_s)
            for task in late:
                task.cancel()
            if late:  # what was asked is recorded by then, or waits for the database
                await asyncio.wait(late)

    # --- hearing -------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that is addressed to Kith, once."""
        task = asyncio.current_task()
        if self._closing or task is None or not is_from_a_person(message):
            return
        if message.id in self._answering:
            return  # Discord told of it twice
        self._answering[message.id] = task
        self._asked_in[message.id] = {message.channel.id, source_id_of(message.channel)}
        self._asked_by[message.id] = Member(guild_id_of(message), message.author.id)
        try:
            settings = await self._settings(message)
            if settings is None or settings.never_answers(*place_ids(message.channel)):
                return
            if self._is_addressed(message, settings):
                await self._answer(message, settings)
        except asyncio.CancelledError:
            _log.info("an answer was broken off: its prompt was deleted, or Kith is closing")
        finally:
            del self._answering[message.id], self._asked_in[message.id], self._asked_by[message.id]

    async def break_off(self, message_ids: Iterable[int]) -> None:
        """Break off the answers to messages that were deleted.

        What they were about to store is stored when this returns, and so can be erased.
        """
        broken_off = [self._answering[one] for one in message_ids if one in self._answering]
        for task in broken_off:
            task.cancel()
        if broken_off:
            await asyncio.wait(broken_off)

    async def break_off_in(self, channel_ids: Iterable[int]) -> None:
        """Break off the answers to messages in channels that were deleted."""
        gone = set(channel_ids)
        await self.break_off([one for one, where in self._asked_in.items() if where & gone])

    async def break_off_to(self, member: Member, *, only_answers: bool = False) -> None:
        """Break off the answers to somebody of whom everything is to be erased."""
        if not only_answers:
            theirs = [one for one, asked in self._asked_by.items() if asked == member]
            await self.break_off(theirs)

    async def break_off_answer(self, answer_id: int) -> bool:
        """Break off, and take back, the answer that a message shows in part; False if it is none.

        An answer that is complete is none any more.
        """
        shown = [one for one, saying in self._saying.items() if saying.is_made_of(answer_id)]
        await self.break_off(shown)
        return bool(shown)

    async def answered(self, message_id: int) -> None:
        """Return when no answer to a message is under way (any more)."""
        if message_id in self._answering:
            await asyncio.wait([self._answering[message_id]])

    async def _settings(self, message: discord.Message) -> GuildSettings | None:
        """Return a server's settings; None while they cannot be looked up, and never could.

        Then nobody is answered, or heard: it may be where moderators chose that Kith never answers.
        """
        try:
            return await self._core.guilds.get(guild_id_of(message))
        except KithError as error:
            _log.info("silent where settings are unknown: %s", type(error).__name__)
            return None

    def _is_addressed(self, message: discord.Message, settings: GuildSettings) -> bool:
        if message.guild is None or self._bot.user in message.mentions:
            return True
        if any(self._is_my_role(role) for role in message.role_mentions):
            return True
        replied_to = _replied_to(message)
        if replied_to is not None and replied_to.author == self._bot.user:
            return True
        chat = {channel.channel_id for channel in settings.channels_for(Purpose.CHAT)}
        here = {message.channel.id, source_id_of(message.channel)}
        return bool((message.content or message.attachments) and chat & here)

    def _is_my_role(self, role: discord.Role) -> bool:
        """Whether a role is the one Discord made for this bot; people mention it by mistake."""
        me = self._bot.user
        return role.tags is not None and me is not None and role.tags.bot_id == me.id

    # --- answering -----------------------------------------------------------------------------

    async def _answer(self, message: discord.Message, settings: GuildSettings) -> None:
        turn = self.turn(message, settings)
        if not self._may_speak(message):
            return
        saying = self._saying[message.id] = Saying(message, self._pace)
        try:
            await self._answer_or_say_why(message, turn, saying)
        except asyncio.CancelledError:
            await saying.withdraw()
            raise
        finally:
            del self._saying[message.id]

    async def _answer_or_say_why(
        self, message: discord.Message, turn: Turn, saying: Saying
    ) -> None:
        """Answer; what was shown of an answer that can't be given makes room for a sentence."""
        try:
            async with self._core.conversation.hearing(turn) as recording:
                await self._answer_in_turn(message, turn, recording, saying)
        except BudgetSpent as error:
            is_told = self._is_first_time_spent(turn, error)
            await self._say(saying, message, error, _sentence(message, error) if is_told else "")
        except Exception as error:
            await self._say(saying, message, error, _sentence(message, error))

    async def _answer_in_turn(
        self,
        message: discord.Message,
        turn: Turn,
        recording: asyncio.Future[Recorded],
        saying: Saying,
    ) -> None:
        """Answer one member after the other, or say, once, that it is too soon or too much."""
        try:
            self._turnstile.check_cooldown(turn.event.member)
            began_at = self._core.clock.monotonic()
            async with self._turnstile.turn(message.channel.id):
                self._core.metrics.took(Stage.QUEUEING, began_at)
                async with AsyncExitStack() as until_seen:
                    await until_seen.enter_async_context(_typing(message.channel))
                    saying.before_first = until_seen.aclose
                    turn = self.turn(message, await self._core.guilds.latest(turn.event.guild_id))
                    turn = replace(turn, people=await self._with_named(turn))
                    answer = await self._think(turn, recording, saying)
                if answer is not None:
                    with self._core.metrics.stage(Stage.SENDING):
                        record = partial(self._record, turn, answer.about_ids)
                        outcome = PLAIN if self._core.model is None else MODEL
                        await self._say(saying, message, outcome, answer.text, record)
                    await self._after(message, answer)
        except (TooSoon, QueueFull) as error:
            if await asyncio.shield(recording) and error.is_first:
                await self._say(saying, message, error, _sentence(message, error))

    async def _say(
        self,
        saying: Saying,
        message: discord.Message,
        outcome: str | BaseException,
        text: str,
        on_said: OnSaid | None = None,
    ) -> None:
        """Say an answer, or the sentence in its place, and count it once it stands there."""
        was_whole = saying.is_whole
        try:
            await saying.finish(text, on_said)
        finally:
            if saying.is_whole and not was_whole:
                self._core.metrics.replied(guild_id_of(message), outcome)

    async def _think(
        self, turn: Turn, recording: asyncio.Future[Recorded], saying: Saying
    ) -> Answer | None:
        """Let the answer be found, and seen while it is written, where that is wanted."""
        conversation = self._core.conversation
        if not self._core.settings.stream_answers:
            return await conversation.answer(turn, recording)
        async with saying.while_written(partial(conversation.may_show, turn)):
            return await conversation.answer(turn, recording, saying.write)

    async def _record(
        self, turn: Turn, about_ids: tuple[int, ...], sent: discord.Message, text: str
    ) -> None:
        """Record what was said, as a part of the conversation."""
        said = as_event(
            sent,
            text,
            guild_id=guild_id_of(sent),
            reply_to_id=turn.event.message_id,
            role=Role.KITH,
        )
        await self._core.conversation.said(replace(said, about_ids=about_ids), turn.audience)

    async def _after(self, message: discord.Message, answer: Answer) -> None:
        """Introduce Kith's memory; while it is away, say that, once in a channel and outage."""
        self._core.shadow.replied(message.id)
        if answer.has_memory and answer.is_stored:
            self._told_away.discard(message.channel.id)
            await self._notices.introduce(message)
        elif message.channel.id not in self._told_away:
            self._told_away.add(message.channel.id)
            words = UNWRITABLE if answer.has_memory else AWAY
            await Saying(message, self._pace, name="away").finish(tr(_locale(message), words))

    def turn(self, message: discord.Message, settings: GuildSettings) -> Turn:
        """Return a message as something to answer, or to hear."""
        replied_to = _replied_to(message)
        quoted = None
        if replied_to is not None and replied_to.content:
            quoted = Quoted(replied_to.author.display_name, replied_to.clean_content)
        name = getattr(message.channel, "name", "")
        attachments = attachments_of(message) if self._core.settings.attachments else ()
        return Turn(
            event=as_event(
                message,
                spoken_text(message, self._bot.user, attached=ATTACHED, attachments=attachments),
                guild_id=guild_id_of(message),
                reply_to_id=replied_to.id if replied_to else None,
                attachments=attachments,
            ),
            audience=self._audiences.of(message.channel, settings.base_role_id),
            people=_people(message, replied_to),
            settings=settings,
            channel_topics=settings.topics_of(source_id_of(message.channel), name),
            quoted=quoted,
            target_ids=_targets(message, replied_to),
            place_ids=place_ids(message.channel),
            age_restricted=is_age_restricted(message.channel),
        )

    async def _with_named(self, turn: Turn) -> tuple[Person, ...]:
        """Return whom the answer concerns, with those whom the message names in plain words."""
        event, known = turn.event, {person.user_id for person in turn.people}
        named = await self._core.acquaintances.named(
            event.guild_id, event.channel_id, event.text, but=known
        )
        return (*turn.people, *named)[:MOST_PEOPLE]

    def _may_speak(self, message: discord.Message) -> bool:
        """Check the permission to answer here; without it only the operator can be told."""
        if message.guild is None or message.guild.me is None:
            return True
        mine = message.channel.permissions_for(message.guild.me)
        in_thread = isinstance(message.channel, discord.Thread)
        if mine.send_messages_in_threads if in_thread else mine.send_messages:
            return True
        _log.warning(
            "I was asked in channel %d but may not answer: give me the permission %r there",
            message.channel.id,
            "Send Messages in Threads" if in_thread else "Send Messages",
        )
        return False

    def _is_first_time_spent(self, turn: Turn, error: BudgetSpent) -> bool:
        """Whether it was not said yet today: to the member, or in the server's channel."""
        whose = turn.event.author_id if error.is_share else turn.event.channel_id
        key = (turn.event.guild_id, whose, self._core.clock.now().date())
        if key in self._told_spent:
            return False
        self._told_spent = {told for told in self._told_spent if told[2] == key[2]} | {key}
        return True


def _sentence(message: discord.Message, error: BaseException) -> str:
    """Return what to tell a channel of an error, in its server's language."""
    return sentence_for(error, _locale(message))


def _locale(message: discord.Message) -> discord.Locale:
    return message.guild.preferred_locale if message.guild else ENGLISH


def _replied_to(message: discord.Message) -> discord.Message | None:
    reference = message.reference
    resolved = reference.resolved if reference is not None else None
    return resolved if isinstance(resolved, discord.Message) else None


def _people(message: discord.Message, replied_to: discord.Message | None) -> tuple[Person, ...]:
    """Return whom the answer concerns: the author, those mentioned, whom they replied to."""
    concerned = [message.author, *message.mentions]
    if replied_to is not None:
        concerned.append(replied_to.author)
    names = {person.id: person.display_name for person in concerned if not person.bot}
    return tuple(Person(user_id, name) for user_id, name in names.items())[:MOST_PEOPLE]


def _targets(message: discord.Message, replied_to: discord.Message | None) -> frozenset[int]:
    """Return all those whom an answer could be at the cost of."""
    concerned = [message.author, *message.mentions]
    if replied_to is not None:
        concerned.append(replied_to.author)
    return frozenset(person.id for person in concerned)


@asynccontextmanager
async def _typing(channel: discord.abc.Messageable) -> AsyncIterator[None]:
    """Show typing until the block ends, before the answer is sent; never a reason to fail."""
    typing = channel.typing()
    try:
        async with asyncio.timeout(TYPING_S):
            await typing.__aenter__()
    except (discord.HTTPException, TimeoutError, *LINE_LOST) as error:
        _log.info("typing could not be shown: %s", type(error).__name__)
        yield
        return
    try:
        yield
    finally:
        await typing.__aexit__(None, None, None)
