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
from typing import Any

from utils.database.core.engine import Connection
from utils.database.core.queries import Selection, run, run_all
from utils.database.memories import members, memory_rows
from utils.database.messages import open_loops
from utils.database.messages import said as sayings
from utils.memory.recall.documents import (
    CONVERSATION_GAP_S,
    Documents,
    StemsBefore,
    add_messages,
    facts,
    prepare_messages,
    with_facts,
)
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.models.episode import LoopState, OpenLoop
from utils.models.memory import (
    DIRECT_MESSAGES,
    SERVER_USER_ID,
    Member,
    MemberHeader,
)
from utils.models.policy import WriteMode
from utils.models.recall import MemoryColumns, Said, SaidColumns
from utils.nlp.inverted_index import BoolArray

NO_MEMORIES = MemoryColumns.of(())
NOTHING_SAID: tuple[SaidColumns, datetime | None] = (SaidColumns.of(()), None)
MEMBER_SIZE = 4
"""What a member takes of the cache beside documents: up to 6 KB of arrays, even if empty."""
MAX_APPENDED = 500
"""Messages that are added to what is cached before the oldest are dropped: that costs as much as
preparing all of them."""


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

    @property
    def is_indexed(self) -> bool:
        """Whether :meth:`make_index` has nothing to do."""
        return self.rows.is_indexed and self.said.is_indexed

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
    """
    server = Member(guild_id, SERVER_USER_ID)
    version = stamped[0].version
    headers = dict(zip(about, stamped[1::2], strict=True))
    last_ids = dict(zip(about, stamped[2::2], strict=True))
    linked: dict[Member, Member] = {}
    speaker = next(iter(about), None)
    other_id = None if speaker is None else headers[speaker].linked_id
    if speaker is not None and other_id is not None and Member(guild_id, other_id) not in headers:
        linked[speaker] = other = Member(guild_id, other_id)
        headers[other], last_ids[other] = run_all(connection, _stamps_of(other))
    changes = {
        member: _Changes(member, get_cached(member), header, version, last_ids[member], now)
        for member, header in headers.items()
    }
    has_lore = guild_id != DIRECT_MESSAGES and version != 0
    is_stale = has_lore and (lore is None or lore.version != version)
    queries_of = {member: change.queries() for member, change in changes.items()}
    queries = [query for named in queries_of.values() for query in named.values()]
    if is_stale:
        queries.append(memory_rows.for_recall(server, now))
    loaded = iter(run_all(connection, queries))
    people = {}
    for member, change in changes.items():
        fetched = {name: next(loaded) for name in queries_of[member]}
        people[member] = headers[member], change.prepared(connection, fetched)
    if is_stale:
        lore = PreparedMemories(next(loaded), version)
    return LoadedMemory(people, lore if has_lore else None, linked, version)


@dataclass(frozen=True, slots=True)
class _Changes:
    """What is cached of a member, and what shows whether it is still right."""

    member: Member
    cached: PreparedMember | None
    header: MemberHeader
    server_version: int
    last_event_id: int
    now: datetime

    @property
    def _same(self) -> PreparedMember | None:
        """What is cached if the member's memories are the same."""
        cached = self.cached
        is_same = cached is not None and cached.rows.version == self.header.version
        return cached if is_same else None

    @property
    def _current(self) -> PreparedMember | None:
        """What is cached if no message of it was erased or has expired."""
        cached = self.cached
        is_current = (
            cached is not None
            and cached.server_version == self.server_version
            and self.last_event_id >= cached.last_event_id
            and (cached.stale_at is None or cached.stale_at > self.now)
        )
        return cached if is_current else None

    def queries(self) -> dict[str, Selection[Any]]:
        """Return the queries for what has changed, by name."""
        member, now, queries = self.member, self.now, dict[str, Selection[Any]]()
        same, current = self._same, self._current
        if same is None and self.header.version:
            queries |= self._memory_queries()
        if (same is None or current is None) and self.last_event_id:
            # Storing or erasing attachment texts changes a version.
            queries["attached"] = sayings.attachments(member, now)
        if current is not None and self.last_event_id > current.last_event_id:
            queries["newer"] = self._newer(current.last_event_id)
        if current is None and self.last_event_id:
            queries["newest"] = sayings.newest(member, now=now, gap_s=CONVERSATION_GAP_S)
        if self._loops is None and self.header.version:
            queries["loops"] = open_loops.all_of(member, now)
        return queries

    def _memory_queries(self) -> dict[str, Selection[Any]]:
        """Return the queries for all memories, or for those that are new or changed."""
        member, now, current = self.member, self.now, self._current
        if current is None or not 0 < current.rows.version < self.header.version:
            queries: dict[str, Selection[Any]] = {"rows": memory_rows.for_recall(member, now)}
            if self.last_event_id:
                queries["sources"] = sayings.source_messages(member)
            return queries
        last_id = int(current.rows.ids.max(initial=0))
        since = {"version": current.rows.version, "last_id": last_id}
        return {
            "changed": memory_rows.changed_for_recall(member, now, **since),
            "changed_sources": memory_rows.changed_source_messages(member, **since),
            "count": memory_rows.count_current(member, now),
        }

    def _newer(self, after: int) -> Selection[tuple[list[Said], datetime | None]]:
        return sayings.since(self.member, after=after, now=self.now, gap_s=CONVERSATION_GAP_S)

    @property
    def _loops(self) -> tuple[OpenLoop, ...] | None:
        same = self._same
        is_known = same is not None and same.server_version == self.server_version
        return same.loops if same is not None and is_known else None

    def prepared(self, connection: Connection, fetched: Mapping[str, Any]) -> PreparedMember:
        """Return the member's memory, made of what is cached and what the queries fetched."""
        same, current = self._same, self._current
        if current is not None and (added := self._added(current, fetched)) is not None:
            return added
        if "changed" in fetched:  # other memories are gone: read all
            queries: dict[str, Selection[Any]] = {
                "rows": memory_rows.for_recall(self.member, self.now),
                "sources": sayings.source_messages(self.member),
            }
            fetched = {
                **fetched,
                **dict(zip(queries, run_all(connection, list(queries.values())), strict=True)),
            }
        columns = fetched.get("rows", NO_MEMORIES)
        if same is not None:
            columns = MemoryColumns.of(same.rows.items)
        message_ids = same.rows.messages if same is not None else fetched.get("sources", {})
        attached = fetched.get("attached", [])
        messages, stale_at = fetched.get("newest", NOTHING_SAID)
        if current is not None:
            newer, stale_at = fetched.get("newer", ([], None))
            if len(newer) == sayings.MAX_MESSAGES_SHOWN:
                newer, stale_at = run(connection, self._newer(after=0))
            messages = _merged(current.said, newer)
            stale_at = _first([current.stale_at, stale_at])
            if same is not None:
                attached = current.said.attached()
        stems_before = dict(zip(messages.message_ids, messages.previous_stems, strict=True))
        stems_of = dict(zip(columns.ids, columns.stems, strict=True)).get
        messages = messages.with_facts(facts(messages.message_ids, stems_of, message_ids))
        if attached:
            messages = SaidColumns.of([*messages.items, *attached])
        is_said_before = self.cached is not None and _by_id(messages.items) == _by_id(
            self.cached.said.items
        )
        return PreparedMember(
            rows=same.rows
            if same is not None and is_said_before
            else PreparedMemories(columns, self.header.version, message_ids, stems_before),
            said=self.cached.said if self.cached and is_said_before else prepare_messages(messages),
            server_version=self.server_version,
            last_event_id=self.last_event_id,
            stale_at=stale_at,
            loops=self._loops_of(fetched),
        )

    def _added(self, current: PreparedMember, fetched: Mapping[str, Any]) -> PreparedMember | None:
        """Return what is cached with what is new or changed.

        None if that is too much, or if something cached is gone.
        """
        if not fetched:
            return current
        newer, stale_at = fetched.get("newer", ([], None))
        room = sayings.MAX_MESSAGES_SHOWN + MAX_APPENDED - len(current.said)
        attached = _attached(fetched.get("attached"), current.said)
        changed, sources = fetched.get("changed", ()), fetched.get("changed_sources", {})
        count = len(current.rows) + sum(row.id not in current.rows for row in changed)
        is_all = len(newer) <= room and len(newer) < sayings.MAX_MESSAGES_SHOWN
        if not is_all or attached is None or count != fetched.get("count", count):
            return None
        if "changed" not in fetched and self.header.version != current.rows.version:
            return None
        rows, documents = current.rows, add_messages(current.said, [*newer, *attached])
        source_ids = {id for row in changed for id in rows.messages.get(row.id, ())}
        source_ids.update(id for ids in sources.values() for id in ids)
        source_ids |= rows.source_ids.intersection(message.message_id for message in newer)
        if source_ids or self.header.version != rows.version:
            stems_before = StemsBefore(documents)
            rows = rows.with_changes(changed, self.header.version, sources, stems_before)
            on_them = documents.with_message_ids(source_ids) if source_ids else []
            documents = add_messages(documents, with_facts(on_them, rows.stems_of, rows.messages))
        return PreparedMember(
            rows=rows,
            said=documents,
            server_version=self.server_version,
            last_event_id=self.last_event_id,
            stale_at=_first([current.stale_at, stale_at]),
            loops=self._loops_of(fetched),
        )

    def _loops_of(self, fetched: Mapping[str, Any]) -> tuple[OpenLoop, ...]:
        return _open(fetched.get("loops", ())) if self._loops is None else self._loops


def _merged(cached: Documents[Said], newer: Iterable[Said]) -> SaidColumns:
    """Return the cached messages without attachment texts, and newer ones; the oldest are dropped
    if there are too many."""
    messages = [*(message for message in cached.items if not message.label), *newer]
    by_event_id = {message.event_id: message for message in messages}.values()
    messages = sorted(by_event_id, key=lambda message: message.message_id)
    if len(messages) > sayings.MAX_MESSAGES_SHOWN + MAX_APPENDED:
        messages = messages[-sayings.MAX_MESSAGES_SHOWN :]
    return SaidColumns.of(messages)


def _by_id(messages: Iterable[Said]) -> dict[int, Said]:
    return {message.event_id: message for message in messages}


def _attached(fetched: Sequence[Said] | None, cached: Documents[Said]) -> list[Said] | None:
    """Return the attachment texts that are new or changed; None if one is gone."""
    if fetched is None:
        return []
    cached_by_id = _by_id(cached.attached())
    if not cached_by_id.keys() <= {message.event_id for message in fetched}:
        return None
    return [message for message in fetched if cached_by_id.get(message.event_id) != message]


def _first(times: Iterable[datetime | None]) -> datetime | None:
    return min((time for time in times if time is not None), default=None)


def _open(loops: Sequence[OpenLoop]) -> tuple[OpenLoop, ...]:
    return tuple(loop for loop in reversed(loops) if loop.state is LoopState.OPEN)


class PreparedCache:
    """Caches the members that were recalled last, up to a total size in documents."""

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
        old_size = 0 if old is None else len(old) + MEMBER_SIZE
        self._size += len(prepared) + MEMBER_SIZE - old_size
        self._members[member] = prepared
        while self._size > self._capacity and self._members:
            _, dropped = self._members.popitem(last=False)
            self._size -= len(dropped) + MEMBER_SIZE
        return old is not prepared
