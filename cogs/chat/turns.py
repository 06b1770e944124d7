"""Decide whether a message is for Kith, and make a :class:`Turn` of it.

A turn says who may read the answer, and whom it is about.
"""

import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import discord

from cogs.bot.audience import ServerPlace, find_channel, is_age_restricted, place_ids, source_id_of
from cogs.bot.client import KithClient
from cogs.bot.interactions import REQUEST_ERRORS
from cogs.bot.messages import (
    as_event,
    attachments_of,
    guild_id_of,
    name_of,
    place_text,
    visible_text,
)
from utils.common.bounded import BoundedDict
from utils.common.errors import Logged
from utils.common.visible_text import UNREADABLE
from utils.memory.recall.channel_context import STILL_GOING_ON
from utils.models.attachment import Attachment
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings, Purpose
from utils.models.memory import Audience
from utils.models.recall import Person, QuotedMessage, QuoteReason

MAX_PEOPLE = 4
MAX_PROXIED = 1_000
_LINK = re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/channels/(\d+)/(\d+)/(\d+)")

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class TurnBuilder:
    """Makes turns of the messages that one client receives."""

    _bot: KithClient
    proxied_authors: BoundedDict[int, int] = field(
        default_factory=lambda: BoundedDict(MAX_PROXIED), init=False
    )
    """By message."""

    async def build_for_answer(
        self, message: discord.Message, before: Sequence[discord.Message]
    ) -> Turn:
        """Return a message's turn with what is looked up only for an answer.

        That is the newest settings, the roles of members with overwrites of their own, and the
        people whom the message names in plain words. ``before`` are the earlier lines of the same
        question. Raises DatabaseError if the server's settings are unknown.
        """
        settings = await self._bot.app.guilds.settings.latest(guild_id_of(message))
        await self._bot.audiences.learn_members(message.channel, settings)
        turn = self.build(message, settings)
        lines = tuple(self.build(line, settings) for line in before)
        targets = frozenset().union(turn.target_ids, *(line.target_ids for line in lines))
        people = dict.fromkeys(person for part in (turn, *lines) for person in part.people)
        quoted = next((part.quoted for part in (turn, *reversed(lines)) if part.quoted), None)
        if quoted is None:
            quoted = await self.beside(
                [line.content for line in (message, *reversed(before))],
                message.channel,
                turn,
                known_ids={line.id for line in (message, *before)},
            )
        return await self.with_named(
            replace(
                turn,
                earlier_lines=tuple(line.event for line in lines),
                quoted=quoted,
                people=tuple(people)[:MAX_PEOPLE],
                target_ids=targets,
            )
        )

    def may_hear(self, message: discord.Message, turn: Turn) -> bool:
        """Return whether all who read a message's channel now may hear what a turn recalled."""
        return self._bot.audiences.may_still_hear(
            turn.audience, message.channel, turn.settings, age_restricted=turn.age_restricted
        )

    def build(self, message: discord.Message, settings: GuildSettings) -> Turn:
        """Return a message with everything that its answer depends on; looks nothing up."""
        replied_to = replied_message(message)
        audience = self._bot.audiences.of(message.channel, settings)
        quoted = None
        joined_at = getattr(message.author, "joined_at", None)
        if replied_to is not None and self._may_quote(replied_to, audience, joined_at):
            quoted = self.quote(replied_to)
        name = getattr(message.channel, "name", "")
        author_id = self.proxied_authors.get(message.id)
        participants = [message.author, *message.mentions]
        if replied_to is not None:
            participants.append(replied_to.author)
        people: tuple[Person, ...] = ()
        if author_id is None:
            names = {user.id: name_of(user) for user in participants if not user.bot}
            people = tuple(Person(user_id, name) for user_id, name in names.items())[:MAX_PEOPLE]
        attachments = self._attachments_of(message)
        text = visible_text(message, without=self._bot.user, attachments=attachments)
        event = as_event(
            message,
            text if text or message.content else UNREADABLE,  # a mention alone stays empty
            guild_id=guild_id_of(message),
            reply_to_id=replied_to.id if replied_to else None,
            attachments=attachments,
        )
        return Turn(
            event=event if author_id is None else replace(event, author_id=author_id),
            audience=audience,
            people=people,
            settings=settings,
            channel_topics=settings.topics_of(source_id_of(message.channel), name),
            quoted=quoted,
            target_ids=frozenset(user.id for user in participants),
            place_ids=place_ids(message.channel),
            age_restricted=is_age_restricted(message.channel),
            place=place_text(message.channel),
            is_proxied=author_id is not None,
            joined_at=joined_at,
        )

    def quote(self, message: discord.Message) -> QuotedMessage:
        """Return a message as it is quoted in a prompt; whether it may be is not asked here.

        Kith's alerts are not stored as its answers are: the only cards that it posts in a server.
        """
        came_with_it = self._attachments_of(message)
        is_alert = message.guild is not None and bool(message.embeds)
        return QuotedMessage(
            name_of(message.author),
            visible_text(message, attachments=came_with_it) or UNREADABLE,
            message.id,
            message.author.id,
            message.created_at,
            is_kith=message.author == self._bot.user and not is_alert,
            attachments=came_with_it,
        )

    async def beside(
        self,
        texts: Sequence[str],
        channel: object,
        turn: Turn,
        *,
        known_ids: Collection[int] = (),
    ) -> QuotedMessage | None:
        """Return a message that one of the texts links to, or that the public thread began with.

        Only what everybody who reads the answer may read. ``known_ids`` are messages of the turn.
        """
        for text in texts:
            linked = await self._linked(text, getattr(channel, "guild", None), turn)
            if linked is not None and self._may_quote(linked, turn.audience, turn.joined_at):
                return replace(self.quote(linked), reason=QuoteReason.LINK)
        if not isinstance(channel, discord.Thread) or channel.is_private():
            return None
        holder = channel if isinstance(channel.parent, discord.ForumChannel) else channel.parent
        starter = None if holder is None else await fetch_message(holder, channel.id)
        if starter is None or starter.id in known_ids:
            return None
        if not self._may_quote(starter, turn.audience, turn.joined_at):
            return None
        return replace(self.quote(starter), reason=QuoteReason.STARTER)

    async def _linked(
        self, text: str, guild: discord.Guild | None, turn: Turn
    ) -> discord.Message | None:
        """Return the first message that a text links to and everyone here may read."""
        link = _LINK.search(text)
        if link is None or guild is None or int(link[1]) != guild.id:
            return None
        with Logged(_log.debug, "a linked message was not read", *REQUEST_ERRORS):
            channel = await find_channel(guild, int(link[2]))
            if isinstance(channel, ServerPlace):
                is_fit = turn.age_restricted or not is_age_restricted(channel)
                is_readable = source_id_of(channel) in turn.audience.sources
                return (
                    await fetch_message(channel, int(link[3])) if is_fit and is_readable else None
                )
        return None

    def _may_quote(
        self, replied_to: discord.Message, audience: Audience, joined_at: datetime | None
    ) -> bool:
        """Return whether everyone who reads the answer may read the message replied to."""
        is_recent = self._bot.app.clock.now() - replied_to.created_at <= STILL_GOING_ON
        is_recent = is_recent and (joined_at is None or replied_to.created_at >= joined_at)
        return source_id_of(replied_to.channel) in audience.sources or is_recent

    def _attachments_of(self, message: discord.Message) -> tuple[Attachment, ...]:
        """Return what came with a message, if Kith reads attachments here."""
        is_proxied = message.id in self.proxied_authors
        return (
            attachments_of(message) if self._bot.app.settings.attachments and not is_proxied else ()
        )

    async def with_named(self, turn: Turn) -> Turn:
        """Return the turn with those whom it names in plain words among its people and targets.

        A name that several members share leaves open who is meant, so all of them are targets.
        """
        event, known_ids = turn.event, {person.user_id for person in turn.people}
        members = self._bot.app.guilds.members
        named = await members.resolve(turn.audience, turn.words, turn.settings, known_ids)
        quoted = "" if turn.quoted is None else turn.quoted.text
        target_ids = turn.target_ids.union(person.user_id for person in named.everybody)
        for text in (turn.words, quoted):
            target_ids |= await members.bearers(event.guild_id, text)
        return replace(
            turn,
            people=(*turn.people, *named.people)[:MAX_PEOPLE],
            target_ids=target_ids,
            named=named,
        )


async def fetch_message(
    channel: discord.abc.Messageable, message_id: int
) -> discord.Message | None:
    """Return a message of a channel; None if it is gone or cannot be read."""
    with Logged(_log.debug, "a message beside a question was not read", *REQUEST_ERRORS):
        return await channel.fetch_message(message_id)
    return None


async def resolve_reference(message: discord.Message) -> None:
    """Fetch the message that a message replies to, if Discord left it out."""
    reference = message.reference
    if message.type is not discord.MessageType.reply or reference is None or reference.resolved:
        return
    if reference.message_id is not None:
        reference.resolved = await fetch_message(message.channel, reference.message_id)


def replied_message(message: discord.Message) -> discord.Message | None:
    """Return the message that a message replies to; None if there is none, or it is deleted."""
    reference = message.reference
    resolved = reference.resolved if reference is not None else None
    return resolved if isinstance(resolved, discord.Message) else None


def is_addressed(
    message: discord.Message, settings: GuildSettings, bot_user: discord.ClientUser | None
) -> bool:
    """Return whether a message is for Kith: by mention, reply, direct message or chat channel.

    In a chat channel, what replies to another person, or mentions others, is not.
    """
    if names_kith(message, bot_user):
        return True
    channel_ids = {message.channel.id, source_id_of(message.channel)}
    is_chat = not settings.ids_for(Purpose.CHAT).isdisjoint(channel_ids)
    if not is_chat or not visible_text(message):
        return False
    replied_to = replied_message(message)
    addressees = [*message.mentions, *([] if replied_to is None else [replied_to.author])]
    return not (
        any(user.id != message.author.id for user in addressees)
        or message.role_mentions
        or message.mention_everyone
    )


def names_kith(message: discord.Message, bot_user: discord.ClientUser | None) -> bool:
    """Return whether a message is for Kith by mention, reply or direct message."""
    if message.guild is None or bot_user in message.mentions:
        return True
    # People mention the role that Discord made for this bot by mistake.
    bot_ids = {role.tags.bot_id for role in message.role_mentions if role.tags is not None}
    if bot_user is not None and bot_user.id in bot_ids:
        return True
    replied_to = replied_message(message)
    return replied_to is not None and replied_to.author == bot_user


def may_talk(message: discord.Message, settings: GuildSettings) -> bool:
    """Return whether Kith answers the author; in a server that may depend on their roles.

    Who is not known as a member is not answered there.
    """
    author = message.author
    if message.guild is None or not settings.talk_role_ids:
        return True
    return isinstance(author, discord.Member) and settings.may_talk(
        (role.id for role in author.roles),
        is_moderator=author.guild_permissions.manage_guild,
    )
