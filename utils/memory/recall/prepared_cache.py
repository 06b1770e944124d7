"""Loads members' memories and messages, prepares them for ranking, and caches them.

Memories and attachment texts are cached with the member's MemoryVersion. Messages are cached with
the last event id and the server's version, which every erasure raises
(``members.invalidate_guild``). Each recall reads these versions again, so it sees what another
process writes or erases.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from utils.database.core.engine import Connection
from utils.database.memories import members, memories
from utils.database.messages import attachment_texts, open_loops
from utils.database.messages import said as sayings
from utils.memory.consolidation import profile
from utils.memory.recall.documents import (
    CONVERSATION_GAP_S,
    Documents,
    PreparedMemories,
    prepare_messages,
)
from utils.models.episode import LoopState, OpenLoop
from utils.models.memory import (
    DIRECT_MESSAGES,
    SERVER_USER_ID,
    Member,
    MemberHeader,
    Memory,
    Profile,
)
from utils.models.policy import WriteMode
from utils.models.recall import Said
from utils.nlp.inverted_index import BoolArray


@dataclass(frozen=True, slots=True)
class PreparedMember:
    """A member's memories and messages, ready to be ranked, and the versions they were read at.

    Attachment texts are among the messages, with a label. ``stale_at`` is when the first text of
    another member among them expires. ``loops`` are the member's open loops.
    """

    rows: PreparedMemories
    said: Documents[Said]
    server_version: int
    last_event_id: int
    stale_at: datetime | None
    loops: tuple[OpenLoop, ...] = ()

    def usable_messages(
        self,
        sources: Collection[int],
        now: datetime,
        exclude_ids: Collection[int],
        mode: WriteMode,
    ) -> BoolArray:
        """Return which messages readers of these channels may hear of, as moderators allow."""
        readable = self.said.readable(sources, now, exclude_ids=exclude_ids)
        allowed = self.rows.quotable(self.said, mode)
        return readable if allowed is None else readable & allowed

    def make_index(self) -> None:
        """Build indexes that make later recalls faster; safe in any thread."""
        self.rows.make_index()
        self.said.make_index()

    def __len__(self) -> int:
        return len(self.rows) + len(self.said)


@dataclass(frozen=True, slots=True)
class LoadedMemory:
    """What one read loaded: each member's header and prepared memory, and the server's memories.

    ``linked`` maps the speaker to their other, confirmed account. Other members' links are not
    used: a question about a member is answered from the account that it names.
    """

    people: Mapping[Member, tuple[MemberHeader, PreparedMember]]
    server: PreparedMemories | None
    linked: Mapping[Member, Member]
    server_version: int = 0

    def accounts(self, member: Member) -> tuple[Member, ...]:
        """Return a member and their other account, if they confirmed one."""
        return (member, self.linked[member]) if member in self.linked else (member,)

    def speaking(self, speaker: Member | None) -> tuple[Member, ...]:
        """Return the speaker's accounts, even if the other one is among the people anyway."""
        if speaker is None:
            return ()
        other_id = self.people[speaker][0].linked_id
        return (speaker,) if other_id is None else (speaker, replace(speaker, user_id=other_id))

    def user_ids(self, members: Iterable[Member]) -> tuple[int, ...]:
        """Return the ids of these members and of their other accounts."""
        return tuple(account.user_id for member in members for account in self.accounts(member))


def load(
    connection: Connection,
    guild_id: int,
    about: Collection[Member],
    get_cached: Callable[[Member], PreparedMember | None],
    lore: PreparedMemories | None,
    now: datetime,
) -> LoadedMemory:
    """Return the memory of ``about`` and the speaker's linked account; reads only what has changed.

    Direct messages have no lore.

    Args:
        about: the members an answer concerns, the speaker first.
    """
    server = Member(guild_id, SERVER_USER_ID)
    version = members.load_header(connection, server).version
    people: dict[Member, tuple[MemberHeader, PreparedMember]] = {}
    linked: dict[Member, Member] = {}

    def read_member(member: Member) -> MemberHeader:
        header = members.load_header(connection, member)
        refreshed = _refreshed(connection, member, get_cached(member), header, version, now)
        people[member] = header, refreshed
        return header

    speaker = next(iter(about), None)
    for member in about:
        other_id = read_member(member).linked_id
        linked_member = None if other_id is None else Member(guild_id, other_id)
        if member == speaker and linked_member is not None and linked_member not in about:
            linked[member] = linked_member
            read_member(linked_member)
    if guild_id == DIRECT_MESSAGES or version == 0:
        return LoadedMemory(people, None, linked, version)
    if lore is None or lore.version != version:
        lore = PreparedMemories(memories.load_for_recall(connection, server, now), version)
    return LoadedMemory(people, lore, linked, version)


def _refreshed(
    connection: Connection,
    member: Member,
    cached: PreparedMember | None,
    standing: MemberHeader,
    server_version: int,
    now: datetime,
) -> PreparedMember:
    last_event_id = sayings.last_event_id(connection, member)
    is_same = cached is not None and cached.rows.version == standing.version
    is_current = (
        cached is not None
        and cached.server_version == server_version
        and last_event_id >= cached.last_event_id
        and (cached.stale_at is None or cached.stale_at > now)
    )
    if cached is not None and is_same and is_current and last_event_id == cached.last_event_id:
        return cached
    if cached is not None and is_same:
        rows, message_ids = cached.rows.items, cached.rows.messages
    else:
        rows = tuple(memories.load_for_recall(connection, member, now) if standing.version else ())
        message_ids = sayings.source_messages(connection, member) if rows and last_event_id else {}
    messages, ends, after = [], [], 0
    attached = None
    if cached is not None and is_current:
        messages = [message for message in cached.said.items if not message.label]
        ends, after = [cached.stale_at], cached.last_event_id
        attached = [message for message in cached.said.items if message.label] if is_same else None
    if attached is None:  # storing or erasing attachment texts changes a version
        attached = attachment_texts.load_said(connection, member, now) if last_event_id else []
    if last_event_id > after:
        newer, stale_at = sayings.load(
            connection, member, after=after, now=now, gap_s=CONVERSATION_GAP_S
        )
        messages += newer
        ends.append(stale_at)
    by_event_id = {message.event_id: message for message in messages}.values()
    messages = sorted(by_event_id, key=lambda message: message.message_id)[
        -sayings.MAX_MESSAGES_SHOWN :
    ]
    is_fully_current = cached is not None and is_same and cached.server_version == server_version
    loops = (
        cached.loops
        if cached is not None and is_fully_current
        else _loops(connection, member, standing, now)
    )
    return PreparedMember(
        rows=PreparedMemories(
            rows,
            standing.version,
            message_ids,
            {message.message_id: message for message in messages},
        ),
        said=prepare_messages([*with_facts(messages, rows, message_ids), *attached]),
        server_version=server_version,
        last_event_id=last_event_id,
        stale_at=min((end for end in ends if end is not None), default=None),
        loops=loops,
    )


def _loops(
    connection: Connection, member: Member, standing: MemberHeader, now: datetime
) -> tuple[OpenLoop, ...]:
    """Return a member's open loops; none if the member is unknown."""
    loops = open_loops.load_all(connection, member, now) if standing.version else []
    return tuple(loop for loop in reversed(loops) if loop.state is LoopState.OPEN)


def with_facts(
    messages: list[Said], rows: Sequence[Memory], message_ids: Mapping[int, tuple[int, ...]]
) -> list[Said]:
    """Return the messages with the stems of the memories that are based on them."""
    stems: dict[int, str] = {}
    for row in rows:
        memory_stems = row.stems.split("\n", 1)[0]
        for message_id in message_ids.get(row.id, ()):
            stems[message_id] = (
                f"{stems[message_id]} {memory_stems}" if message_id in stems else memory_stems
            )
    return [
        message
        if message.fact_stems == (facts := stems.get(message.message_id, ""))
        else replace(message, fact_stems=facts)
        for message in messages
    ]


class PreparedCache:
    """Caches the members that were recalled last, up to a total number of documents."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._size = 0
        self._members: OrderedDict[Member, PreparedMember] = OrderedDict()

    def get(self, member: Member) -> PreparedMember | None:
        """Return a member's cached memory."""
        return self._members.get(member)

    def put(self, member: Member, prepared: PreparedMember) -> bool:
        """Keep it; drop the members used longest ago beyond the capacity. False if it was kept
        already."""
        old = self._members.pop(member, None)
        self._size += len(prepared) + 1 - (len(old) + 1 if old else 0)
        self._members[member] = prepared
        while self._size > self._capacity and self._members:
            _, dropped = self._members.popitem(last=False)
            self._size -= len(dropped) + 1
        return old is not prepared


def paragraph_for(
    stored: Profile, rows: PreparedMemories, may_recall: Callable[[Memory], bool]
) -> Profile:
    """Return the profile as this audience may hear it.

    Mostly it is the stored one: only the rows that it names are looked at then.
    """
    named = [row for id in stored.row_ids if (row := rows.by_id.get(id)) and may_recall(row)]
    if stored.text and profile.readable(stored, named) is stored:
        return stored
    return profile.render(filter(may_recall, rows.items))
