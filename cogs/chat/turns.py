"""Decide whether a message is for Kith, and make a :class:`Turn` of it.

A turn says who may read the answer, and whom it is about.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import discord

from cogs.bot.audience import is_age_restricted, place_ids, source_id_of
from cogs.bot.client import KithClient
from cogs.bot.messages import ATTACHED, as_event, attachments_of, guild_id_of, spoken_text
from utils.memory.recall.channel_context import STILL_GOING_ON
from utils.models.attachment import Attachment
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings, Purpose
from utils.models.memory import Audience
from utils.models.recall import Person, QuotedMessage

MAX_PEOPLE = 4

_log = logging.getLogger(__name__)


class TurnBuilder:
    """Makes turns of the messages that one client receives."""

    def __init__(self, bot: KithClient) -> None:
        self._client = bot
        self._app = bot.app
        self._audiences = bot.audiences

    async def build_for_answer(
        self, message: discord.Message, before: Sequence[discord.Message]
    ) -> Turn:
        """Return a message's turn with what is looked up only for an answer.

        ``before`` are the earlier lines of the same question.

        That is the newest settings, the roles of members with overwrites of their own, and the
        people whom the message names in plain words. Raises DatabaseError if the server's settings
        are unknown.
        """
        settings = await self._app.guilds.settings.latest(guild_id_of(message))
        await self._audiences.learn_members(message.channel, settings)
        turn = self.build(message, settings)
        lines = tuple(self.build(line, settings) for line in before)
        targets = frozenset().union(turn.target_ids, *(line.target_ids for line in lines))
        people = dict.fromkeys(person for part in (turn, *lines) for person in part.people)
        return await self.with_named(
            replace(
                turn,
                earlier_lines=tuple(line.event for line in lines),
                quoted=next((one.quoted for one in (turn, *reversed(lines)) if one.quoted), None),
                people=tuple(people)[:MAX_PEOPLE],
                target_ids=targets,
            )
        )

    def may_hear(self, message: discord.Message, turn: Turn) -> bool:
        """Return whether all who read a message's channel now may hear what a turn recalled."""
        return self._audiences.may_still_hear(
            turn.audience, message.channel, turn.settings, age_restricted=turn.age_restricted
        )

    def build(self, message: discord.Message, settings: GuildSettings) -> Turn:
        """Return a message with everything that its answer depends on; looks nothing up."""
        replied_to = replied_message(message)
        audience = self._audiences.of(message.channel, settings)
        quoted = None
        joined_at = getattr(message.author, "joined_at", None)
        if replied_to is not None and self._may_quote(replied_to, audience, joined_at):
            quoted = self.quote(replied_to)
        name = getattr(message.channel, "name", "")
        attachments = self._attachments_of(message)
        return Turn(
            event=as_event(
                message,
                spoken_text(message, self._client.user, attached=ATTACHED, attachments=attachments),
                guild_id=guild_id_of(message),
                reply_to_id=replied_to.id if replied_to else None,
                attachments=attachments,
            ),
            audience=audience,
            people=_people(message, replied_to),
            settings=settings,
            channel_topics=settings.topics_of(source_id_of(message.channel), name),
            quoted=quoted,
            target_ids=_targets(message, replied_to),
            place_ids=place_ids(message.channel),
            age_restricted=is_age_restricted(message.channel),
            joined_at=joined_at,
        )

    def quote(self, message: discord.Message) -> QuotedMessage:
        """Return a message as it is quoted in a prompt; whether it may be is not asked here."""
        came_with_it = self._attachments_of(message)
        is_unread = message.attachments and not came_with_it
        return QuotedMessage(
            message.author.display_name,
            message.clean_content or (ATTACHED if is_unread else ""),
            message.id,
            message.author.id,
            message.created_at,
            is_kith=message.author == self._client.user,
            attachments=came_with_it,
        )

    def _may_quote(
        self, replied_to: discord.Message, audience: Audience, joined_at: datetime | None
    ) -> bool:
        """Return whether everyone who reads the answer may read the message replied to."""
        is_recent = self._app.clock.now() - replied_to.created_at <= STILL_GOING_ON
        is_recent = is_recent and (joined_at is None or replied_to.created_at >= joined_at)
        has_content = bool(replied_to.content or replied_to.attachments)
        return has_content and (audience.may_read_past or is_recent)

    def _attachments_of(self, message: discord.Message) -> tuple[Attachment, ...]:
        """Return what came with a message, if Kith reads attachments here."""
        return attachments_of(message) if self._app.settings.attachments else ()

    async def with_named(self, turn: Turn) -> Turn:
        """Return the turn with those whom it names in plain words among its people and targets.

        A name that several members share leaves open who is meant, so all of them are targets.
        """
        event, known_ids = turn.event, {person.user_id for person in turn.people}
        members = self._app.guilds.members
        named = await members.resolve(turn.audience, turn.words, turn.settings, known_ids)
        quoted = "" if turn.quoted is None else turn.quoted.text
        target_ids = turn.target_ids.union(person.user_id for person in named.everybody)
        for text in (turn.words, quoted):
            target_ids |= await members.bearers(event.guild_id, text)
        people = (*turn.people, *named.people)[:MAX_PEOPLE]
        return replace(turn, people=people, target_ids=target_ids, named=named)


def replied_message(message: discord.Message) -> discord.Message | None:
    """Return the message that a message replies to; None if there is none, or it is deleted."""
    reference = message.reference
    resolved = reference.resolved if reference is not None else None
    return resolved if isinstance(resolved, discord.Message) else None


def _people(message: discord.Message, replied_to: discord.Message | None) -> tuple[Person, ...]:
    """Return the author, the mentioned members, and the author of the message replied to."""
    names = {
        user.id: user.display_name for user in _participants(message, replied_to) if not user.bot
    }
    return tuple(Person(user_id, name) for user_id, name in names.items())[:MAX_PEOPLE]


def _participants(
    message: discord.Message, replied_to: discord.Message | None
) -> list[discord.Member | discord.User]:
    replied_authors = [] if replied_to is None else [replied_to.author]
    return [message.author, *message.mentions, *replied_authors]


def _targets(message: discord.Message, replied_to: discord.Message | None) -> frozenset[int]:
    """Return everybody who is mentioned or replied to, bots included, and the author."""
    return frozenset(user.id for user in _participants(message, replied_to))


def is_addressed(
    message: discord.Message, settings: GuildSettings, bot_user: discord.ClientUser | None
) -> bool:
    """Return whether a message is for Kith: by mention, reply, direct message or chat channel."""
    if names_kith(message, bot_user):
        return True
    channel_ids = {message.channel.id, source_id_of(message.channel)}
    is_chat = not settings.ids_for(Purpose.CHAT).isdisjoint(channel_ids)
    has_content = bool(message.content or message.attachments)
    return is_chat and has_content and not is_for_others(message)


def names_kith(message: discord.Message, bot_user: discord.ClientUser | None) -> bool:
    """Return whether a message is for Kith by mention, reply or direct message."""
    if message.guild is None or bot_user in message.mentions:
        return True
    if any(_is_role_of(role, bot_user) for role in message.role_mentions):
        return True
    replied_to = replied_message(message)
    return replied_to is not None and replied_to.author == bot_user


def is_for_others(message: discord.Message) -> bool:
    """Return whether a message replies to another person, or mentions others."""
    replied_to = replied_message(message)
    addressees = [*message.mentions, *([] if replied_to is None else [replied_to.author])]
    return (
        any(user.id != message.author.id for user in addressees)
        or bool(message.role_mentions)
        or message.mention_everyone
    )


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


def _is_role_of(role: discord.Role, bot_user: discord.ClientUser | None) -> bool:
    """Return whether Discord made a role for this bot; people mention it by mistake."""
    return role.tags is not None and bot_user is not None and role.tags.bot_id == bot_user.id


def missing_to_send(channel: object) -> str:
    """Return the permission that Kith lacks to write in a channel; empty if it may."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return ""
    if channel.guild.me is None:
        return ""
    permissions = channel.permissions_for(channel.guild.me)
    if isinstance(channel, discord.Thread):
        return "" if permissions.send_messages_in_threads else "Send Messages in Threads"
    return "" if permissions.send_messages else "Send Messages"
