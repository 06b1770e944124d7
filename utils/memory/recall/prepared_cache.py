"""Loads members' memories and messages, prepares them for ranking, and caches them.

What is cached of a member has a key: the member's MemoryVersion, the server's version, which every
erasure raises (``members.invalidate_guild``), and the id of their newest message. Each recall reads
the key again, so it sees what another process writes or erases. Messages that are only newer, and
memories of changes that only added some, are added to what is cached. After any other change, all
is read again.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np

from utils.database.core.engine import Connection
from utils.database.core.queries import Selection, run, run_all
from utils.database.memories import members, memory_rows
from utils.database.messages import open_loops
from utils.database.messages import said as sayings
from utils.memory.recall.corpus import Corpus, Links
from utils.memory.recall.documents import CONVERSATION_GAP_S, Documents, prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.models.episode import LoopKind, OpenLoop
from utils.models.memory import (
    DIRECT_MESSAGES,
    SERVER_USER_ID,
    Member,
    MemberHeader,
)
from utils.models.policy import WriteMode, WritePolicy
from utils.models.recall import MemoryColumns, Said, SaidColumns
from utils.nlp.stem_text import BoolArray

NO_COLUMNS = MemoryColumns.of(())
NO_MEMORIES = PreparedMemories(NO_COLUMNS, 0)
NOTHING_SAID: tuple[SaidColumns, datetime | None] = (SaidColumns.of(()), None)
MEMBER_SIZE = 4
"""What a member takes of the cache beside documents: some KB of arrays, even if they are empty."""
MAX_ADDED = 500
"""Messages that are added to what is cached, before the oldest are dropped."""
REQUESTED = (LoopKind.ASK, LoopKind.REMINDER)
MAX_TOTAL = sayings.MAX_MESSAGES_SHOWN + MAX_ADDED


@dataclass(frozen=True, slots=True)
class PreparedMember:
    """A member's memories and messages, ready to be ranked, and the key they were read at.

    ``changes`` are those of the member's header. Attachment texts are among the messages, with a
    label: ``attached`` in the form that was read.
    ``stale_at`` is when the first text of another member among them expires. ``loops`` are the
    member's loops in any state, newest first.
    """

    rows: PreparedMemories
    said: Documents[Said]
    server_version: int
    last_event_id: int
    stale_at: datetime | None
    changes: int = 0
    loops: tuple[OpenLoop, ...] = ()
    attached: Sequence[Said] = ()
    links: Links = field(init=False)
    corpus: Corpus = field(init=False)

    def __post_init__(self) -> None:
        """Find which messages are behind which memories."""
        links = Links(self.rows, self.said)
        object.__setattr__(self, "links", links)
        object.__setattr__(self, "corpus", Corpus([self.rows, self.said], links))

    def recallable(
        self, sources: Collection[int], now: datetime, write_policy: WritePolicy
    ) -> BoolArray:
        """Return which memories are live, active, not faded, and readable in these channels.

        A quote is left out while its message is stored: the message is recalled instead.
        """
        recallable = self.rows.recallable(sources, now, write_policy)
        behind = self.links.memories[self.links.is_said]
        recallable[behind[self.rows.is_quote[behind]]] = False
        return recallable

    def usable_messages(
        self,
        sources: Collection[int],
        now: datetime,
        exclude_ids: Collection[int],
        mode: WriteMode,
    ) -> BoolArray:
        """Return which messages readers of these channels may hear of, as moderators allow.

        A message is not used while a memory that rests on it waits for approval or is kept unused.
        Unless memories are used without approval (``mode`` AUTO), a message is used only if an
        approved memory rests on it. A request that was carried out is not used: what came of it is.
        """
        requests = {loop.message_id for loop in self.loops if loop.kind in REQUESTED}
        excluded = requests.union(exclude_ids, self.rows.requests)
        usable = self.said.readable(sources, now, exclude_ids=excluded)
        links = self.links
        if mode is not WriteMode.AUTO:
            is_approved = np.zeros(len(usable), np.bool_)
            is_approved[links.messages[self.rows.is_active[links.memories]]] = True
            usable &= is_approved
        usable[links.messages[self.rows.is_unapproved[links.memories]]] = False
        return usable

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


def stamps(guild_id: int, about: Iterable[Member]) -> list[Selection[Any]]:
    """Return the queries that tell :func:`load` what has changed."""
    server = members.header(Member(guild_id, SERVER_USER_ID))
    return [server, *(query for member in about for query in _stamps_of(member))]


def _stamps_of(member: Member) -> tuple[Selection[MemberHeader], Selection[int]]:
    return members.header(member), sayings.last_event_id(member)


def load(
    connection: Connection,
    guild_id: int,
    about: Collection[Member],
    stamped: Sequence[Any],
    get_cached: Callable[[Member], PreparedMember | None],
    lore: PreparedMemories | None,
    now: datetime,
    visible_ids: Collection[int] = (),
) -> LoadedMemory:
    """Return the memory of ``about`` and the speaker's linked account; reads only what has changed.

    Direct messages have no lore.

    Args:
        connection: the caller's unit of work.
        guild_id: the server.
        about: the members an answer concerns, the speaker first.
        stamped: the results of :func:`stamps`.
        get_cached: returns what is cached of a member.
        lore: what is cached of the server.
        now: the time.
        visible_ids: the messages that the prompt has anyway; while all newer ones are among them,
            they are not added.
    """
    version = stamped[0].version
    headers = dict(zip(about, stamped[1::2], strict=True))
    last_ids = dict(zip(about, stamped[2::2], strict=True))
    linked: dict[Member, Member] = {}
    speaker = next(iter(about), None)
    other_id = None if speaker is None else headers[speaker].linked_id
    if speaker is not None and other_id is not None and Member(guild_id, other_id) not in headers:
        linked[speaker] = other = Member(guild_id, other_id)
        headers[other], last_ids[other] = run_all(connection, _stamps_of(other))
    readings = {
        member: _Reading.of(member, get_cached(member), header, version, last_ids[member], now)
        for member, header in headers.items()
    }
    has_lore = guild_id != DIRECT_MESSAGES and version != 0
    is_stale = has_lore and (lore is None or lore.version != version)
    queries_of = {member: reading.queries() for member, reading in readings.items()}
    queries = [query for named in queries_of.values() for query in named.values()]
    if is_stale:
        queries.append(memory_rows.lore_for_recall(guild_id, now))
    loaded = iter(run_all(connection, queries))
    people = {}
    for member, reading in readings.items():
        fetched = {name: next(loaded) for name in queries_of[member]}
        people[member] = headers[member], reading.prepared(connection, fetched, visible_ids)
    if is_stale:
        lore = PreparedMemories(next(loaded), version)
    return LoadedMemory(people, lore if has_lore else None, linked, version)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is cached of a member, and what has to be read of them instead.

    ``current`` is what is cached if no message of it was erased or has expired, ``same`` if the
    member's memories are the same, too. ``known`` are memories that are still the same.
    """

    member: Member
    header: MemberHeader
    server_version: int
    last_event_id: int
    now: datetime
    current: PreparedMember | None
    same: PreparedMember | None
    known: PreparedMemories

    @classmethod
    def of(
        cls,
        member: Member,
        cached: PreparedMember | None,
        header: MemberHeader,
        server_version: int,
        last_event_id: int,
        now: datetime,
    ) -> "_Reading":
        is_current = (
            cached is not None
            and cached.server_version == server_version
            and last_event_id >= cached.last_event_id
            and (cached.stale_at is None or cached.stale_at > now)
        )
        current = cached if is_current else None
        is_same = current is not None and current.rows.version == header.version
        same = current if is_same else None
        known = NO_MEMORIES
        if current is not None and current.changes == header.changes:
            known = current.rows
        return cls(member, header, server_version, last_event_id, now, current, same, known)

    def queries(self) -> dict[str, Selection[Any]]:
        """Return the queries for what is not cached, by name."""
        member, now, queries = self.member, self.now, dict[str, Selection[Any]]()
        if self.same is None and self.header.version:
            newest_id = self.known.newest_id
            queries["rows"] = memory_rows.for_recall(member, now, after=newest_id)
            queries["sources"] = sayings.sources_for_recall(member, after=newest_id)
            queries["loops"] = open_loops.all_of(member, now)
        if self.same is None and self.last_event_id:
            queries["attached"] = sayings.attachments(member, now)
        after = 0 if self.current is None else self.current.last_event_id
        if self.last_event_id > after:
            queries["said"] = self._said(after)
        return queries

    def _said(self, after: int) -> Selection[tuple[SaidColumns, datetime | None]]:
        return sayings.since(self.member, after=after, now=self.now, gap_s=CONVERSATION_GAP_S)

    def prepared(
        self, connection: Connection, fetched: Mapping[str, Any], visible_ids: Collection[int]
    ) -> PreparedMember:
        """Return the member's memory, made of what is cached and what the queries fetched."""
        current, same = self.current, self.same
        messages, stale_at = fetched.get("said", NOTHING_SAID)
        if same is not None and all(id in visible_ids for id in messages.message_ids):
            return same
        attached = current.attached if same is not None and current else fetched.get("attached", [])
        if current is not None:
            total = len(current.said) + len(messages.ids)
            is_few = len(messages.ids) <= MAX_ADDED and total <= MAX_TOTAL
            if is_few and current.attached == attached:
                said = current.said
                stale_at = min(filter(None, (current.stale_at, stale_at)), default=None)
            else:
                current = None
                messages, stale_at = run(connection, self._said(after=0))
        if current is None:
            said = prepare_messages(messages)
            messages = SaidColumns.of(attached)
        if len(messages.ids):
            said = said.followed_by(prepare_messages(messages))
        if same is not None:
            rows, loops = same.rows, same.loops
        else:
            added = fetched.get("rows", NO_COLUMNS)
            newer = PreparedMemories(added, self.header.version, *fetched.get("sources", ()))
            rows = self.known.with_added(newer)
            loops = tuple(reversed(fetched.get("loops", ())))
        return PreparedMember(
            rows,
            said,
            self.server_version,
            self.last_event_id,
            stale_at,
            self.header.changes,
            loops,
            attached,
        )


class PreparedCache:
    """Caches the members that were recalled last, up to a total size in documents."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._size = 0
        self._members: OrderedDict[Member, PreparedMember] = OrderedDict()

    def get(self, member: Member) -> PreparedMember | None:
        """Return a member's cached memory."""
        return self._members.get(member)

    def clear(self) -> None:
        """Drop all members."""
        self._members.clear()
        self._size = 0

    def put(self, member: Member, prepared: PreparedMember) -> None:
        """Keep it; drop the members used longest ago beyond the capacity."""
        old = self._members.pop(member, None)
        old_size = 0 if old is None else len(old) + MEMBER_SIZE
        self._size += len(prepared) + MEMBER_SIZE - old_size
        self._members[member] = prepared
        while self._size > self._capacity and self._members:
            _, dropped = self._members.popitem(last=False)
            self._size -= len(dropped) + MEMBER_SIZE
