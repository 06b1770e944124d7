"""Discord's messages as Kith hears them."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from cogs.audience import source_id_of
from utils.files.sniffing import posted
from utils.model.artifact import ArtifactKind, Attachment, marks
from utils.model.memory import DIRECT_MESSAGES, Event, Role

ATTACHED = "[sent an attachment that I cannot read]"
MOST_ATTACHMENTS = 10  # as many as a message can have
MOST_LINKS = 3


def is_from_a_person(message: discord.Message) -> bool:
    """Whether a member wrote a message, neither a bot nor Discord itself."""
    is_words = message.type in (discord.MessageType.default, discord.MessageType.reply)
    return is_words and not message.author.bot and message.webhook_id is None


def guild_id_of(message: discord.Message) -> int:
    """Return the server a message was written in, or the space of direct messages."""
    return message.guild.id if message.guild else DIRECT_MESSAGES


def revision_of(message: discord.Message) -> int:
    """Return when a message was last edited, in milliseconds since 1970; 0: never."""
    return round(message.edited_at.timestamp() * 1000) if message.edited_at else 0


def spoken_text(
    message: discord.Message,
    bot_user: discord.ClientUser | None,
    *,
    attached: str = "",
    attachments: Sequence[Attachment] = (),
) -> str:
    """Return what was said, with mentions as names and without the one that called Kith.

    ``attachments`` are those that are read: marks stand for them, on a line of their own.
    ``attached`` stands for others that came without a word.
    """
    me = message.guild.me if message.guild else bot_user
    text = message.clean_content.strip()
    if me is not None:
        called = f"@{me.display_name}"
        text = text.removeprefix(called).removesuffix(called).replace(called, me.display_name)
    if not text.strip() and message.attachments and not attachments:
        return attached
    return "\n".join(filter(None, (text.strip(" ,:\n"), marks(attachments))))


def attachments_of(message: discord.Message) -> tuple[Attachment, ...]:
    """Return what came with a message: its files, and the links that Discord has unfolded."""
    files = [
        posted(one.filename, one.content_type or "", one.size, one.url)
        for one in message.attachments[:MOST_ATTACHMENTS]
    ]
    titles = [one.title for one in message.embeds if one.title and one.url]
    links = [
        replace(posted(title, "", 0, ""), kind=ArtifactKind.LINK) for title in titles[:MOST_LINKS]
    ]
    return (*files, *links)


def as_event(
    message: discord.Message,
    text: str,
    *,
    guild_id: int,
    reply_to_id: int | None,
    role: Role = Role.MEMBER,
    attachments: tuple[Attachment, ...] = (),
) -> Event:
    """Return a message as an event that says ``text``, with the attachments that are read."""
    return Event(
        guild_id=guild_id,
        channel_id=message.channel.id,
        source_id=source_id_of(message.channel),
        message_id=message.id,
        author_id=message.author.id,
        author_name=message.author.display_name,
        role=role,
        text=text,
        created_at=message.created_at,
        reply_to_id=reply_to_id,
        revision=revision_of(message),
        attachments=attachments,
    )
