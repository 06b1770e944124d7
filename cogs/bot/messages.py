"""Convert Discord messages to events: text, attachments, ids."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from cogs.bot.audience import source_id_of
from utils.files.sniffing import declared_attachment
from utils.models.attachment import Attachment, AttachmentKind, placeholders
from utils.models.memory import DIRECT_MESSAGES, Event, Role

ATTACHED = "[sent an attachment that I cannot read]"
NOTED = "📝"
NOTED_LINE = f"-# {NOTED} "
"""Begins the line below an answer that shows what was noted."""
SOURCES_LINE = "-# ↳ "
"""Begins the line below an answer that shows where it comes from."""
MAX_ATTACHMENTS = 10  # as many as a message can have
MAX_LINKS = 3


def is_from_a_person(message: discord.Message) -> bool:
    """Return whether a person wrote a message, rather than a bot, a webhook or Discord."""
    is_ordinary = message.type in (discord.MessageType.default, discord.MessageType.reply)
    return is_ordinary and not message.author.bot and message.webhook_id is None


def guild_id_of(message: discord.Message) -> int:
    """Return the id of a message's server, or DIRECT_MESSAGES."""
    return message.guild.id if message.guild else DIRECT_MESSAGES


def revision_of(message: discord.Message) -> int:
    """Return when a message was last edited, in milliseconds since 1970; 0 if never."""
    return round(message.edited_at.timestamp() * 1000) if message.edited_at else 0


def without_lines(text: str, *lines: str) -> str:
    """Return one of Kith's answers without the lines at its end that begin like these.

    Without any, it is what is said in the answer: no line that only shows something about it.
    """
    before, _, last = text.rpartition("\n")
    is_line = last.startswith(lines or (NOTED_LINE, SOURCES_LINE))
    return without_lines(before, *lines) if is_line else text


def spoken_text(
    message: discord.Message,
    bot_user: discord.ClientUser | None,
    *,
    attached: str = "",
    attachments: Sequence[Attachment] = (),
) -> str:
    """Return a message's text, with mentions as names and without the mention of Kith itself.

    ``attachments`` are those that Kith reads: their placeholders follow on a line of their own.
    ``attached`` replaces the text of a message that has only other attachments.
    """
    bot = message.guild.me if message.guild else bot_user
    text = message.clean_content.strip()
    if message.author == bot:
        text = without_lines(text)
    if bot is not None:
        mention = f"@{bot.display_name}"
        text = text.removeprefix(mention).removesuffix(mention)
        text = text.replace(mention, bot.display_name)
    if not text.strip() and message.attachments and not attachments:
        return attached
    return "\n".join(filter(None, (text.strip(" ,:\n"), placeholders(attachments))))


def attachments_of(message: discord.Message) -> tuple[Attachment, ...]:
    """Return a message's files, and the links that Discord shows embeds for."""
    files = [
        declared_attachment(file.filename, file.content_type or "", file.size, file.url)
        for file in message.attachments[:MAX_ATTACHMENTS]
    ]
    titles = [embed.title for embed in message.embeds if embed.title and embed.url]
    links = [
        replace(declared_attachment(title, "", 0, ""), kind=AttachmentKind.LINK)
        for title in titles[:MAX_LINKS]
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
    """Return a message as an event with this text and these attachments."""
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
