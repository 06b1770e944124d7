"""Convert Discord messages to events: what people see of them, attachments, ids."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord

from cogs.bot.audience import is_hidden, source_id_of
from utils.common.text import clip, is_visible, one_line
from utils.common.visible_text import (
    FORWARDED,
    STICKER,
    UNREADABLE,
    MessagePart,
    cards,
    components,
    poll,
    with_parts,
)
from utils.files.sniffing import declared_attachment
from utils.models.attachment import Attachment, AttachmentKind, placeholders
from utils.models.memory import DIRECT_MESSAGES, Event, Role

NOTED = "📝"
NOTED_LINE = f"-# {NOTED} "
"""Begins the line below an answer that shows what was noted."""
SOURCES_LINE = "-# ↳ "
"""Begins the line below an answer that shows where it comes from."""
MAX_ATTACHMENTS = 10  # as many as a message can have
MAX_LINKS = 3
TOPIC_LIMIT = 300
UNREAD = " that I cannot read"
_MENTION = re.compile(r"<(@[!&]?|#)([0-9]{1,20})>")


def is_from_a_person(message: discord.Message) -> bool:
    """Return whether a person wrote a message, rather than a bot, a webhook or Discord."""
    is_ordinary = message.type in (discord.MessageType.default, discord.MessageType.reply)
    return is_ordinary and not message.author.bot and message.webhook_id is None


def guild_id_of(message: discord.Message) -> int:
    """Return the id of a message's server, or DIRECT_MESSAGES."""
    return message.guild.id if message.guild else unknown_server_id(message) or DIRECT_MESSAGES


def unknown_server_id(message: discord.Message) -> int | None:
    """Return the id of a message's server if the client does not know where that was said.

    That is a server, channel or thread that Discord has not sent, or a thread in such a channel.
    """
    channel = message.channel
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return channel.guild.id
    return channel.guild_id if isinstance(channel, discord.PartialMessageable) else None


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


def reply_to_id_of(message: discord.Message) -> int | None:
    """Return the id of the message that a message replies to; None for others, forwards too."""
    is_reply = message.type is discord.MessageType.reply
    return message.reference.message_id if is_reply and message.reference else None


def name_of(person: discord.abc.User) -> str:
    """Return the name that people see, or the account's if that one shows nothing."""
    name = person.display_name
    return name if is_visible(name) else person.name


def visible_text(
    message: discord.Message,
    *,
    without: discord.abc.User | None = None,
    attachments: Sequence[Attachment] = (),
) -> str:
    """Return what a person sees of a message: its words, then what else it shows.

    Mentions are names; that of the user ``without`` is left out at either end.
    ``attachments`` are those that Kith reads: their placeholders follow on a line of their own.
    """
    words = "" if message.is_system() else _words_of(message, without)
    text = with_parts(words, parts_of(message, attachments))
    return "\n".join(filter(None, (text, placeholders(attachments))))


def parts_of(message: discord.Message, attachments: Sequence[Attachment] = ()) -> list[MessagePart]:
    """Return what a message shows besides its author's words, without ``attachments``."""
    parts = []
    starter = message.reference.resolved if message.reference else None
    if message.type is discord.MessageType.thread_starter_message:
        starter_text = visible_text(starter) if isinstance(starter, discord.Message) else ""
        parts.append(MessagePart("the message that this thread began with", starter_text))
    elif message.is_system():
        kind = message.type.name.replace("_", " ")
        parts.append(MessagePart(f"notice by Discord: {kind}", message.content))
    if message.interaction_metadata is not None:
        parts.append(
            MessagePart("answer to a command by", name_of(message.interaction_metadata.user))
        )
    if message.activity is not None:
        application = message.application
        parts.append(MessagePart("invitation to join in", application.name if application else ""))
    place = message.channel
    if isinstance(place, discord.Thread) and place.id == message.id:
        tags = (f"tag: {tag.name}" for tag in place.applied_tags)
        parts.append(MessagePart("title of this post", "\n".join((place.name, *tags))))
    for snapshot in message.message_snapshots:
        words = _with_names(snapshot.content, message)
        parts.append(MessagePart(FORWARDED, with_parts(words, _shown_by(snapshot, ()))))
    parts += _shown_by(message, attachments)
    if message.poll is not None:
        voted = (
            (answer.text or str(answer.emoji), answer.vote_count) for answer in message.poll.answers
        )
        answers = (f"{text} ({votes})" if votes else text for text, votes in voted)
        question = getattr(message.poll, "question", "")  # discord.py fails where it has no words
        parts.append(poll(question, answers))
    return parts


def place_text(channel: object) -> str:
    """Return a channel's name and topic; of a thread, its title and tags, then its channel's."""
    lines = []
    if isinstance(channel, discord.Thread):
        lines = [f"title: {channel.name}", *(f"tag: {tag.name}" for tag in channel.applied_tags)]
        channel = channel.parent
    if isinstance(channel, discord.abc.GuildChannel) and not is_hidden(channel):
        lines.append(f"channel: #{channel.name}")
        topic = one_line(getattr(channel, "topic", None) or "")
        lines += [f"topic: {clip(topic, TOPIC_LIMIT, at_word=True)}"] if topic else []
    return "\n".join(lines)


def _shown_by(
    message: discord.Message | discord.MessageSnapshot, attachments: Sequence[Attachment]
) -> Iterator[MessagePart]:
    """Yield the cards, components, stickers and files that a message or a forwarded one shows."""
    yield from cards(embed.to_dict() for embed in message.embeds)
    yield from components(map(_as_sent, getattr(message, "components", ())))  # Discord may omit it
    yield from (MessagePart(STICKER, sticker.name) for sticker in message.stickers)
    is_read = any(attachment.kind is not AttachmentKind.LINK for attachment in attachments)
    for file in message.attachments:
        if file.description or not is_read:
            kind = _declared(file).kind
            name = "file" if kind is AttachmentKind.OTHER else kind.value
            name = "voice message" if file.is_voice_message() else name
            unread = "" if is_read else UNREAD
            yield MessagePart(f"{name}{unread}", file.description or "")


def _as_sent(component: discord.Component) -> Mapping[str, Any]:
    """Return a component as Discord sends it, with a marker for what discord.py does not know."""
    try:
        return component.to_dict()
    except AttributeError:  # beside its text is something of a new kind
        return {"content": UNREADABLE}


def _declared(file: discord.Attachment) -> Attachment:
    """Return a file under the name that people see: Discord takes other than Latin letters off."""
    name = file.filename
    if file.title:
        _, dot, ending = name.rpartition(".")
        name = f"{file.title.removesuffix(dot + ending)}{dot}{ending}" if dot else file.title
    return declared_attachment(name, file.content_type or "", file.size, file.url)


def _words_of(message: discord.Message, without: discord.abc.User | None) -> str:
    """Return a message's own words with names for mentions, without one user at either end."""
    text = message.content.strip()
    if message.author.bot:  # below an answer of Kith's
        text = without_lines(text)
    if without is not None:
        mention = rf"<@!?{without.id}>"
        text = re.sub(rf"^(?:{mention}[\s,:]*)+|(?:[\s,:]*{mention})+$", "", text)
    return _with_names(text, message, without).strip(" ,:\n" if without is not None else None)


def _with_names(
    text: str, message: discord.Message, without: discord.abc.User | None = None
) -> str:
    """Replace the ids in a text by the names that a message's reader sees, with @ and #.

    The name of the user ``without`` has none.
    """
    guild = message.guild
    people = {user.id: user for user in message.mentions}

    def name(match: re.Match[str]) -> str:
        kind, target_id = match[1], int(match[2])
        if kind == "#":
            channel = None if guild is None else guild.get_channel_or_thread(target_id)
            if channel is None or is_hidden(channel):
                return "#unknown channel"
            return f"#{channel.name}"
        if kind == "@&":
            role = None if guild is None else guild.get_role(target_id)
            return f"@{role.name if role else 'unknown role'}"
        person = (guild.get_member(target_id) if guild else None) or people.get(target_id)
        at = "" if without is not None and target_id == without.id else "@"
        return f"{at}{name_of(person) if person else 'unknown user'}"

    return discord.utils.escape_mentions(_MENTION.sub(name, text))


def attachments_of(message: discord.Message) -> tuple[Attachment, ...]:
    """Return a message's files, and the links that Discord shows embeds for."""
    files = [_declared(file) for file in message.attachments[:MAX_ATTACHMENTS]]
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
        author_name=name_of(message.author),
        role=role,
        text=text,
        created_at=message.created_at,
        reply_to_id=reply_to_id,
        revision=revision_of(message),
        attachments=attachments,
    )
