"""Read DiscordChatExporter's JSON exports message by message, without loading a whole file.

Exports are untrusted input: every field may be missing, of another type, or hostile. A malformed
message is counted and skipped. A file that is cut off yields the messages before the cut.
"""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import SEEK_END, BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from utils.common.errors import BadInput
from utils.common.visible_text import FORWARDED, STICKER, MessagePart, cards, components, with_parts
from utils.memory.policy.storable_events import is_worded
from utils.models.history import ExportedChannel, SkipReason
from utils.models.memory import DIRECT_MESSAGES, Event, Role

MESSAGES_PER_BATCH = 500
HASH_BLOCK_BYTES = 1 << 20
HEAD_BYTES = 1 << 20  # DiscordChatExporter writes the server and the channel before any message
MAX_DEPTH = 100  # DiscordChatExporter needs about ten levels
DISCORD_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
MAX_TIME = DISCORD_EPOCH + timedelta(milliseconds=2**42 - 1)
"""The latest time that a snowflake can hold, in the year 2154."""
MAX_ID = 2**63 - 1
BOM = b"\xef\xbb\xbf"
ARCHIVE_SIGNATURES = (
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"\xfd7zXZ",
    b"BZh",
    b"7z\xbc\xaf",
    b"\x28\xb5\x2f\xfd",
)
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
REPLIES = frozenset({"Reply", "19"})  # versions before 2.26 wrote Discord's number
MEMBER_MESSAGE_TYPES = frozenset({"Default", *REPLIES})
PUBLIC_THREADS = frozenset({"GuildPublicThread", "GuildNewsThread"})
STARTS = frozenset({"start_map", "start_array"})
ENDS = frozenset({"end_map", "end_array"})
DELETED_USERS = frozenset({0, 456226577798135808})
DIRECT_CHANNELS = ("DirectTextChat", "DirectGroupTextChat")
UNREADABLE = "{file} cannot be read ({reason})."
EMPTY = "{file} is empty."
COMPRESSED_FILE = "{file} is compressed; extract it and import the .json file in it."
NOT_UTF8 = "{file} is not UTF-8 text; export it again in the format JSON."
NO_EXPORT = (
    "{file} is not a JSON export of DiscordChatExporter; export the channel in the format JSON."
)
DIRECT_EXPORT = (
    "{file} holds direct messages, which are private to the people in them; only server channels "
    "can be imported."
)
DAMAGED = (
    "{file} is cut off or damaged after {count} messages; only those before were looked at. "
    "Export it again and import that file: no message is read twice."
)
TOO_DEEP = (
    "{file} is nested far deeper after {count} messages than DiscordChatExporter nests anything; "
    "only those before were looked at."
)
_END = object()
_MENTION = re.compile(r"<@!?(\d{1,20})>")


@contextmanager
def open_export(file: Path) -> Iterator[BinaryIO]:
    """Open a file for reading. Raises BadInput, which names the file, if it cannot be opened."""
    if file.exists() and not file.is_file():
        raise BadInput("{file} is not a file; name the .json files themselves.", file=file.name)
    try:
        stream = file.open("rb")
    except FileNotFoundError:
        raise BadInput("There is no file {file}.", file=file.name) from None
    except OSError as error:
        raise BadInput(UNREADABLE, file=file.name, reason=error.strerror) from None
    with stream:
        yield stream


def file_key(stream: BinaryIO, only: Collection[int]) -> str:
    """Return a hash of a file and of the members it is imported for (none: all of them)."""
    digest = hashlib.sha256()
    while block := stream.read(HASH_BLOCK_BYTES):
        digest.update(block)
    digest.update(" ".join(map(str, sorted(only))).encode())
    return digest.hexdigest()


class DiscordExport:
    """An export that is open for reading.

    ``channel`` is the exported channel, ``size`` the number of bytes. Raises BadInput, which names
    the file, if the file is not such an export.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self.size = stream.seek(0, SEEK_END)
        stream.seek(0)
        head = stream.read(HEAD_BYTES)
        self._start = len(BOM) if head.startswith(BOM) else 0
        self.channel = self._channel(head[self._start :], is_whole=len(head) < HEAD_BYTES)

    def messages(self) -> Iterator[Event | SkipReason]:
        """Yield every message as an event, or the reason to skip it.

        Raises BadInput where the file is cut off, damaged or nested too deep, after yielding all
        messages before that.
        """
        self._stream.seek(self._start)
        messages = _messages(self._stream)
        count = 0
        while True:
            try:
                message = next(messages, _END)
            except (ijson.JSONError, UnicodeDecodeError):
                raise BadInput(DAMAGED, file=self._name, count=count) from None
            except RecursionError:
                raise BadInput(TOO_DEEP, file=self._name, count=count) from None
            if message is _END:
                return
            count += 1
            try:
                event = _event(message, self.channel)
            except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
                event = SkipReason.MALFORMED
            yield event

    async def batches(self, after_id: int = 0) -> AsyncIterator[list[Event | SkipReason]]:
        """Yield the messages after ``after_id`` in batches, each read in a thread.

        Raises BadInput as :meth:`messages` does, after the last batch before the damage.
        """
        messages = _after(self.messages(), after_id)
        error: BadInput | None = None

        def read() -> list[Event | SkipReason]:
            nonlocal error
            batch: list[Event | SkipReason] = []
            try:
                batch.extend(islice(messages, MESSAGES_PER_BATCH))
            except BadInput as caught:
                error = caught
            return batch

        while batch := await asyncio.to_thread(read):
            yield batch
        if error is not None:
            raise error

    def _channel(self, head: bytes, *, is_whole: bool) -> ExportedChannel:
        if not head.strip():
            raise BadInput(EMPTY, file=self._name)
        if head.startswith(ARCHIVE_SIGNATURES):
            raise BadInput(COMPRESSED_FILE, file=self._name)
        if head.startswith(UTF16_BOMS):
            raise BadInput(NOT_UTF8, file=self._name)
        fields, is_cut = _fields_before_messages(head)
        if fields is None:
            if is_cut and is_whole and head.lstrip().startswith(b"{"):
                raise BadInput(DAMAGED, file=self._name, count=0)
            raise BadInput(NO_EXPORT, file=self._name)
        guild_id, channel_id = _id(fields.get("guild.id")), _id(fields.get("channel.id"))
        if fields.get("channel.type") in DIRECT_CHANNELS or guild_id == DIRECT_MESSAGES:
            raise BadInput(DIRECT_EXPORT, file=self._name)
        if guild_id is None or not channel_id:
            raise BadInput(NO_EXPORT, file=self._name)
        parent_id = _id(fields.get("channel.categoryId"))
        is_public = fields.get("channel.type") in PUBLIC_THREADS
        source_id = parent_id if is_public and parent_id else channel_id
        return ExportedChannel(guild_id, channel_id, source_id)


def _event(message: Any, channel: ExportedChannel) -> Event | SkipReason:
    """Return a message of an export as an event, or the reason to skip it.

    Raises KeyError, TypeError, ValueError, OverflowError or AttributeError for a malformed one.
    """
    author = message["author"]
    message_id, author_id = _id(message["id"]), _id(author["id"])
    if not message_id or author_id is None:
        return SkipReason.MALFORMED
    if message.get("type", "Default") not in MEMBER_MESSAGE_TYPES:
        return SkipReason.SYSTEM_MESSAGE
    if author.get("isBot") or author_id in DELETED_USERS:
        return SkipReason.NOT_A_MEMBER
    created_at = _time(message["timestamp"])
    words = _with_names(message.get("content") or "", message.get("mentions") or ())
    text = with_parts(words, _parts_of(message))
    if not is_worded(words) and text == words:
        return SkipReason.NO_TEXT
    edited, reference = message.get("timestampEdited"), message.get("reference")
    if (
        not isinstance(reference, Mapping) or message.get("type") not in REPLIES
    ):  # a forward has one
        reference = {}
    return Event(
        guild_id=channel.guild_id,
        channel_id=channel.channel_id,
        source_id=channel.source_id,
        message_id=message_id,
        author_id=author_id,
        author_name=str(author.get("nickname") or author.get("name") or ""),
        role=Role.MEMBER,
        text=text,
        created_at=created_at,
        reply_to_id=_id(reference.get("messageId")) or None,
        revision=round(_time(edited).timestamp() * 1000) if edited else 0,
    )


def _parts_of(message: Mapping[str, Any]) -> Iterator[MessagePart]:
    """Yield what a message shows besides its author's words; polls are in no export."""
    forwarded = message.get("forwardedMessage")
    if isinstance(forwarded, Mapping):
        words = forwarded.get("content") or ""
        yield MessagePart(FORWARDED, with_parts(words, _parts_of(forwarded)))
    yield from cards(message.get("embeds") or ())
    yield from components(message.get("components") or ())
    yield from (MessagePart(STICKER, sticker["name"]) for sticker in message.get("stickers") or ())


def _with_names(text: str, mentions: Any) -> str:
    """Replace mentions by names, as Discord shows them; exports hold ids or names."""
    if "<@" not in text:
        return text
    names = {
        str(mention["id"]): str(mention.get("nickname") or mention.get("name") or "someone")
        for mention in mentions
        if isinstance(mention, Mapping) and "id" in mention
    }
    return _MENTION.sub(lambda match: f"@{names.get(match[1], 'someone')}", text)


def _after(messages: Iterator[Event | SkipReason], message_id: int) -> Iterator[Event | SkipReason]:
    """Yield the messages after the one of that id; all of them if it is 0."""
    if message_id:
        for message in messages:
            if isinstance(message, Event) and message.message_id == message_id:
                break
    yield from messages


def _fields_before_messages(head: bytes) -> tuple[dict[str, object] | None, bool]:
    """Return the fields before the messages by their paths, and whether the bytes are cut off.

    The fields are None if no array of messages begins in these bytes.
    """
    fields: dict[str, object] = {}
    path: list[str] = []
    try:
        for kind, value in ijson.basic_parse(BytesIO(head)):
            if kind == "map_key":
                path[-1] = value
            elif kind == "start_array" and path == ["messages"]:
                return fields, False
            elif kind.startswith("start_"):
                path.append("")
            elif kind.startswith("end_"):
                path.pop()
            else:
                fields[".".join(path)] = value
            if len(path) > MAX_DEPTH:
                return None, False
    except (ijson.JSONError, UnicodeDecodeError) as error:
        return None, "EOF" in str(error)
    return None, False


def _messages(stream: BinaryIO) -> Iterator[object]:
    """Yield the elements of the array of messages, one at a time.

    Raises RecursionError for elements that are nested too deep. ijson.items has no limit, and its
    time grows with the square of the depth.
    """
    depth, key, is_inside, message = 0, "", False, ijson.ObjectBuilder()
    for kind, value in ijson.basic_parse(stream):
        depth -= kind in ENDS
        if depth == 1:
            key = value if kind == "map_key" else key
            is_inside = kind == "start_array" and key == "messages"
        elif is_inside:
            if depth == 2:
                message = message if kind in ENDS else ijson.ObjectBuilder()
            message.event(kind, value)
            if depth == 2 and kind not in STARTS:
                yield message.value
        depth += kind in STARTS
        if depth > MAX_DEPTH:
            raise RecursionError


def _id(value: object) -> int | None:
    """Return a snowflake; None for anything else."""
    text = str(value)
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(MAX_ID)):
        return None
    return number if (number := int(text)) <= MAX_ID else None


def _time(text: str) -> datetime:
    """Return a time in UTC.

    Raises ValueError, TypeError or OverflowError if it is malformed or no Discord message can have
    that time.
    """
    parsed = datetime.fromisoformat(text)
    time = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    if not DISCORD_EPOCH <= time <= MAX_TIME:
        raise ValueError
    return time
