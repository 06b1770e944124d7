"""Reading DiscordChatExporter's JSON exports, a message at a time, however long they are. Pure.

Whatever is read is another program's: every field may be missing, of another type, or hostile. A
message that makes no sense is counted, and a file that ends in the middle gives what stands before.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from io import SEEK_END, BytesIO
from typing import Any, BinaryIO

import ijson

from utils.errors import BadInput
from utils.memory.storable import is_worded
from utils.model.history import ExportedPlace, Unread
from utils.model.memory import DIRECT_MESSAGES, Event, Role

HEAD_BYTES = 1 << 20  # DiscordChatExporter writes the server and the channel before any message
DEEPEST = 100  # DiscordChatExporter needs about ten levels
DISCORD_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
LAST_MOMENT = DISCORD_EPOCH + timedelta(milliseconds=2**42 - 1)
"""The last moment that the id of a message can tell, in the year 2154."""
LARGEST_ID = 2**63 - 1
BOM = b"\xef\xbb\xbf"
PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"\xfd7zXZ", b"BZh", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd")
WIDE = (b"\xff\xfe", b"\xfe\xff")
SPOKEN = frozenset({"Default", "Reply"})
PUBLIC_THREADS = frozenset({"GuildPublicThread", "GuildNewsThread"})
STARTS = frozenset({"start_map", "start_array"})
ENDS = frozenset({"end_map", "end_array"})
DELETED_USERS = frozenset({0, 456226577798135808})
DIRECT = ("DirectTextChat", "DirectGroupTextChat")

EMPTY = "{file} is empty."
PACKED_FILE = "{file} is packed; unpack it, and import the .json file that is in it."
NOT_UTF8 = "{file} is not UTF-8 text; export it again, with the format JSON."
NO_EXPORT = (
    "{file} is no JSON export of DiscordChatExporter; export the channel with the format JSON."
)
DIRECT_EXPORT = (
    "{file} holds direct messages, which concern nobody but those two; I only import channels of "
    "servers."
)
DAMAGED = (
    "{file} is cut off or damaged after {count} messages; what stands before was read. Export it "
    "again and import that: nothing is read twice."
)
TOO_DEEP = (
    "{file} is nested far deeper after {count} messages than DiscordChatExporter nests anything; "
    "what stands before was read."
)
_END = object()
_MENTION = re.compile(r"<@!?(\d{1,20})>")


class Export:
    """An export that is open for reading; ``place`` says of which channel it is, ``size`` how many
    bytes it has.

    Raises BadInput, with one sentence that names the file, for what is no such export.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self.size = stream.seek(0, SEEK_END)
        stream.seek(0)
        head = stream.read(HEAD_BYTES)
        self._start = len(BOM) if head.startswith(BOM) else 0
        self.place = self._place(head[self._start :], is_whole=len(head) < HEAD_BYTES)

    def messages(self) -> Iterator[Event | Unread]:
        """Yield every message as an event, or why it is none.

        Raises BadInput where the file is cut off, damaged or nested without end, after all that
        stands before.
        """
        self._stream.seek(self._start)
        found = _messages(self._stream)
        count = 0
        while True:
            try:
                one = next(found, _END)
            except (ijson.JSONError, UnicodeDecodeError):
                raise BadInput(DAMAGED, file=self._name, count=count) from None
            except RecursionError:
                raise BadInput(TOO_DEEP, file=self._name, count=count) from None
            if one is _END:
                return
            count += 1
            yield event_of(one, self.place)

    def _place(self, head: bytes, *, is_whole: bool) -> ExportedPlace:
        if not head.strip():
            raise BadInput(EMPTY, file=self._name)
        if head.startswith(PACKED):
            raise BadInput(PACKED_FILE, file=self._name)
        if head.startswith(WIDE):
            raise BadInput(NOT_UTF8, file=self._name)
        found, is_cut = _fields_before_messages(head)
        if found is None:
            if is_cut and is_whole and head.lstrip().startswith(b"{"):
                raise BadInput(DAMAGED, file=self._name, count=0)
            raise BadInput(NO_EXPORT, file=self._name)
        guild_id, channel_id = _id(found.get("guild.id")), _id(found.get("channel.id"))
        if found.get("channel.type") in DIRECT or guild_id == DIRECT_MESSAGES:
            raise BadInput(DIRECT_EXPORT, file=self._name)
        if guild_id is None or not channel_id:
            raise BadInput(NO_EXPORT, file=self._name)
        parent_id = _id(found.get("channel.categoryId"))
        is_public = found.get("channel.type") in PUBLIC_THREADS
        source_id = parent_id if is_public and parent_id else channel_id
        return ExportedPlace(guild_id, channel_id, source_id)


def event_of(message: object, place: ExportedPlace) -> Event | Unread:
    """Return one message of an export as an event, or why it is none."""
    try:
        return _event(message, place) if isinstance(message, Mapping) else Unread.SENSELESS
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        return Unread.SENSELESS


def _event(message: Mapping[str, Any], place: ExportedPlace) -> Event | Unread:
    author = message["author"]
    message_id, author_id = _id(message["id"]), _id(author["id"])
    if not message_id or author_id is None:
        return Unread.SENSELESS
    if message.get("type", "Default") not in SPOKEN:
        return Unread.NOTICE
    if author.get("isBot") or author_id in DELETED_USERS:
        return Unread.NO_PERSON
    said_at = _time(message["timestamp"])
    text = message.get("content") or ""
    if not is_worded(text):
        return Unread.WORDLESS
    edited = message.get("timestampEdited")
    return Event(
        guild_id=place.guild_id,
        channel_id=place.channel_id,
        source_id=place.source_id,
        message_id=message_id,
        author_id=author_id,
        author_name=str(author.get("nickname") or author.get("name") or ""),
        role=Role.MEMBER,
        text=_with_names(text, message.get("mentions") or ()),
        created_at=said_at,
        reply_to_id=_replied_to(message),
        revision=round(_time(edited).timestamp() * 1000) if edited else 0,
    )


def _replied_to(message: Mapping[str, Any]) -> int | None:
    """Return which message this one answers; what is forwarded answers nothing."""
    reference = message.get("reference")
    if message.get("type") != "Reply" or not isinstance(reference, Mapping):
        return None
    return _id(reference.get("messageId")) or None


def _with_names(text: str, mentions: Any) -> str:
    """Write mentions as names, as Discord shows them; the export may hold ids or names."""
    if "<@" not in text:
        return text
    names = {
        str(one["id"]): str(one.get("nickname") or one.get("name") or "someone")
        for one in mentions
        if isinstance(one, Mapping) and "id" in one
    }
    return _MENTION.sub(lambda found: f"@{names.get(found[1], 'someone')}", text)


def _fields_before_messages(head: bytes) -> tuple[dict[str, object] | None, bool]:
    """Return what stands before the messages, by its path; None where none begin in these bytes,
    and whether these bytes ended too soon to tell."""
    found: dict[str, object] = {}
    path: list[str] = []
    try:
        for kind, value in ijson.basic_parse(BytesIO(head)):
            if kind == "map_key":
                path[-1] = value
            elif kind == "start_array" and path == ["messages"]:
                return found, False
            elif kind.startswith("start_"):
                path.append("")
            elif kind.startswith("end_"):
                path.pop()
            else:
                found[".".join(path)] = value
            if len(path) > DEEPEST:
                return None, False
    except (ijson.JSONError, UnicodeDecodeError) as error:
        return None, "EOF" in str(error)
    return None, False


def _messages(stream: BinaryIO) -> Iterator[object]:
    """Yield what the array of messages holds, one after the other.

    Raises RecursionError for what is nested too deep: ijson.items, which knows no bound, takes a
    time that grows with the square of the depth.
    """
    depth, key, is_inside, one = 0, "", False, ijson.ObjectBuilder()
    for kind, value in ijson.basic_parse(stream):
        depth -= kind in ENDS
        if depth == 1:
            key = value if kind == "map_key" else key
            is_inside = kind == "start_array" and key == "messages"
        elif is_inside:
            if depth == 2:
                one = one if kind in ENDS else ijson.ObjectBuilder()
            one.event(kind, value)
            if depth == 2 and kind not in STARTS:
                yield one.value
        depth += kind in STARTS
        if depth > DEEPEST:
            raise RecursionError


def _id(given: object) -> int | None:
    """Return an id as Discord writes it; None for anything else."""
    text = str(given)
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(LARGEST_ID)):
        return None
    return number if (number := int(text)) <= LARGEST_ID else None


def _time(text: str) -> datetime:
    """Return a time in UTC. Raises ValueError, TypeError or OverflowError for what is none, or none
    that Discord could tell."""
    given = datetime.fromisoformat(text)
    at = (given if given.tzinfo else given.replace(tzinfo=UTC)).astimezone(UTC)
    if not DISCORD_EPOCH <= at <= LAST_MOMENT:
        raise ValueError
    return at
