"""Reader recalls: rows + message + audience -> the block for the prompt. Never writes while asked.

Nothing about a member is cached but their prepared rows, stamped with the MemoryVersion that each
recall reads anew; consent, status, expiry and audience are applied after the cache.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import partial
from itertools import islice
from zoneinfo import ZoneInfo

from utils.clock import Clock
from utils.database import events, members, memories
from utils.database.engine import Database, Session
from utils.memory import envelope, policy, profile, told, transfer
from utils.memory.policy import ReadPolicy, WritePolicy
from utils.memory.ranking import PreparedRows, Query, rank
from utils.model.guild import GuildSettings
from utils.model.memory import (
    Audience,
    Consent,
    Event,
    Kind,
    Member,
    Memory,
    Profile,
    Standing,
)
from utils.model.recall import Person, Recall, Shown
from utils.model.transfer import Files, Why

MOST_PREPARED_ROWS = 50_000  # about 75 MB, indexes included
FEWEST_INDEXED_ROWS = 20
MOST_INDEXED_AT_ONCE = 4
MOST_ROWS_ON_LOOP = 1_000  # ranking more takes longer than the event loop may stand still
WORKING_TURNS = 10

Loaded = dict[Member, tuple[Standing, PreparedRows]]


class Reader:
    """Finds what Kith knows that fits, for those who will read the answer."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        read_policy: ReadPolicy | None = None,
        write_policy: WritePolicy | None = None,
        *,
        read_only: bool = False,
    ) -> None:
        self._database = database
        self._clock = clock
        self._read_only = read_only
        self._policy = read_policy or ReadPolicy()
        self._write_policy = write_policy or WritePolicy()
        self._prepared = _PreparedCache(MOST_PREPARED_ROWS)
        self._uses: dict[int, tuple[int, datetime]] = {}
        self._indexing: set[asyncio.Task[None]] = set()

    async def recall(
        self,
        audience: Audience,
        people: Sequence[Person],
        text: str,
        *,
        settings: GuildSettings,
        channel_topics: Sequence[str] = (),
    ) -> Recall:
        """Return what fits the message, about the people it concerns, the speaker first.

        Raises DatabaseError when memory does not answer.
        """
        recall, _ = await self.recall_with_turns(
            audience, people, text, settings=settings, channel_topics=channel_topics
        )
        return recall

    async def recall_with_turns(
        self,
        audience: Audience,
        people: Sequence[Person],
        text: str,
        *,
        settings: GuildSettings,
        channel_topics: Sequence[str] = (),
        but: int = 0,
    ) -> tuple[Recall, list[Event]]:
        """Return what :meth:`recall` and :meth:`working_memory` do, by one read."""
        now = self._clock.now()
        about = {Member(audience.guild_id, person.user_id): person for person in people}
        stamps = {member: self._prepared.get(member) for member in about}

        def unit(session: Session) -> tuple[Loaded, list[Event]]:
            turns = _turns(session, audience.guild_id, audience.channel_id, but, now)
            return _load(session, stamps, now), turns

        loaded, turns = await self._database.read(unit)
        for member, (_, prepared) in loaded.items():
            if prepared is not stamps[member]:
                self._index_later(prepared)
            self._prepared.put(member, prepared)
        query = Query.of(text, (person.name for person in about.values()), channel_topics)
        fit = partial(self._fit, audience, about, loaded, query, settings, now)
        is_large = sum(len(prepared.rows) for _, prepared in loaded.values()) > MOST_ROWS_ON_LOOP
        recall = await asyncio.to_thread(fit) if is_large else fit()
        self._note_use(recall.rows, now)
        return recall, turns

    async def working_memory(self, guild_id: int, channel_id: int, but: int = 0) -> list[Event]:
        """Return the channel's last ten turns as recorded, oldest first, but for one message."""
        now = self._clock.now()
        return await self._database.read(
            lambda session: _turns(session, guild_id, channel_id, but, now)
        )

    async def asked_by(self, guild_id: int, message_id: int) -> int | None:
        """Return who asked for one of Kith's answers; None when it is not known to be one."""
        return await self._database.read(
            partial(events.author_answered, guild_id=guild_id, message_id=message_id)
        )

    async def answer_parts(self, guild_id: int, message_id: int) -> list[int]:
        """Return all messages of the answer that one of Kith's messages is a part of."""
        return await self._database.read(
            partial(events.answer_parts, guild_id=guild_id, message_id=message_id)
        )

    async def show(self, member: Member, sources: frozenset[int] | None = None) -> Shown:
        """Return everything known of a member in a server, newest first, for their own eyes.

        ``sources`` are the channels that somebody else who looks can read: they see no more.
        """
        return await self._database.read(
            partial(told.shown, member=member, sources=sources, now=self._clock.now())
        )

    async def why(self, member: Member, memory_id: int) -> Why | None:
        """Return what one of a member's memories rests on, and its past; None if it is not theirs.

        Memories that were superseded have their reasons too.
        """
        return await self._database.read(
            partial(told.why, member=member, memory_id=memory_id, now=self._clock.now())
        )

    async def export(self, member: Member, zone: tzinfo, made: Files | None = None) -> Files:
        """Return everything stored of a member as files, with times in that zone.

        Ask again with what was made before it is handed out: that is returned itself if nothing
        has changed since, else, something may have been erased, it is made anew.
        """
        if made is not None:
            standing = await self._database.read(partial(members.standing, member=member))
            if (made.member, made.version) == (member, standing.version):
                return made
        loaded = await self._database.read(
            partial(told.export, member=member, now=self._clock.now())
        )
        return await asyncio.to_thread(transfer.as_files, loaded, zone)

    async def places(self, user_id: int) -> list[int]:
        """Return the servers in which something of a person is stored, 0 for direct messages."""
        return await self._database.read(partial(members.places, user_id=user_id))

    async def write_uses(self) -> None:
        """Store what was recalled since the last time: use counts, and when; not where nothing
        may be written (MEMORY_READ_ONLY).

        Indexes under way are waited for, so that none is left behind at the end.
        """
        await asyncio.gather(*self._indexing, return_exceptions=True)
        uses, self._uses = self._uses, {}
        if uses and not self._read_only:
            await self._database.write(partial(memories.record_use, uses=uses))

    def _fit(
        self,
        audience: Audience,
        about: Mapping[Member, Person],
        loaded: Loaded,
        query: Query,
        settings: GuildSettings,
        now: datetime,
    ) -> Recall:
        """Choose and write down what fits; changes nothing, so that any thread may do it."""
        zone = ZoneInfo(settings.time_zone)
        found: dict[int, envelope.Known] = {}
        for member, person in about.items():
            standing, prepared = loaded[member]
            if (standing.consent or settings.consent_default) is Consent.OFF:
                continue
            known = self._known(person, standing, prepared, query, audience, now)
            if known.is_anything:
                found[member.user_id] = known
        budgets = envelope.split_budget(len(found), self._policy)
        blocks = [
            envelope.block(known, now, zone, self._policy, budget)
            for known, budget in zip(found.values(), budgets, strict=True)
        ]
        rows = tuple(row for block in blocks for row in block.rows)
        return Recall("\n".join(block.text for block in blocks), rows, tuple(found))

    def _known(
        self,
        person: Person,
        standing: Standing,
        prepared: PreparedRows,
        query: Query,
        audience: Audience,
        now: datetime,
    ) -> envelope.Known:
        """Sort what this audience may hear of one person into layers."""
        sources = audience.sources

        def may_recall(row: Memory) -> bool:
            return (
                row.channel_id in sources
                and row.is_live(now)
                and not policy.has_faded(row, now, self._write_policy)
            )

        paragraph = _paragraph(standing.profile, prepared, may_recall)
        ranked = rank(prepared, query, may_recall, now, self._policy)
        relevant = [one for one in ranked if one.row.id not in paragraph.row_ids]
        said = {*paragraph.row_ids, *(one.row.id for one in relevant)}
        recent = (
            row
            for row in prepared.newest
            if row.id not in said and row.kind is not Kind.CONSTRAINT and may_recall(row)
        )
        return envelope.Known(
            name=person.name,
            profile=paragraph.text,
            constraints=tuple(filter(may_recall, prepared.constraints)),
            relevant=tuple(one for one in relevant if one.row.kind is not Kind.CONSTRAINT),
            recent=tuple(islice(recent, self._policy.most_recent)),
        )

    def _index_later(self, prepared: PreparedRows) -> None:
        """Make the index for the next recall in a thread, beside the model call of this one."""
        if len(prepared.rows) >= FEWEST_INDEXED_ROWS and len(self._indexing) < MOST_INDEXED_AT_ONCE:
            task = asyncio.create_task(asyncio.to_thread(prepared.make_index), name="index")
            self._indexing.add(task)
            task.add_done_callback(self._indexing.discard)

    def _note_use(self, rows: Iterable[Memory], now: datetime) -> None:
        for row in rows:
            times, _ = self._uses.get(row.id, (0, now))
            self._uses[row.id] = (times + 1, now)


def _turns(
    session: Session, guild_id: int, channel_id: int, but: int, now: datetime
) -> list[Event]:
    turns = events.working_memory(session, guild_id, channel_id, WORKING_TURNS + 1, now)
    return [turn for turn in turns if turn.message_id != but][-WORKING_TURNS:]


def _load(session: Session, stamps: Mapping[Member, PreparedRows | None], now: datetime) -> Loaded:
    """Read each member's stamp, and their rows only where the prepared ones are stale."""
    loaded = {}
    for member, prepared in stamps.items():
        standing = members.standing(session, member)
        if prepared is None or prepared.version != standing.version:
            rows = memories.load_for_recall(session, member, now) if standing.version else []
            prepared = PreparedRows(rows, standing.version)
        loaded[member] = (standing, prepared)
    return loaded


def _paragraph(
    stored: Profile, prepared: PreparedRows, may_recall: Callable[[Memory], bool]
) -> Profile:
    """Return the profile as this audience may hear it.

    Mostly it is the stored one: only the rows that it names are looked at then.
    """
    named = [row for id in stored.row_ids if (row := prepared.by_id.get(id)) and may_recall(row)]
    if stored.text and profile.readable(stored, named) is stored:
        return stored
    return profile.render(filter(may_recall, prepared.rows))


class _PreparedCache:
    """Prepared rows of the members asked about last, bounded by how many rows they hold."""

    def __init__(self, most_rows: int) -> None:
        self._most_rows = most_rows
        self._rows = 0
        self._kept: OrderedDict[Member, PreparedRows] = OrderedDict()

    def get(self, member: Member) -> PreparedRows | None:
        return self._kept.get(member)

    def put(self, member: Member, prepared: PreparedRows) -> None:
        old = self._kept.pop(member, None)
        self._rows += _weight(prepared) - (_weight(old) if old else 0)
        self._kept[member] = prepared
        while self._rows > self._most_rows:
            _, dropped = self._kept.popitem(last=False)
            self._rows -= _weight(dropped)


def _weight(prepared: PreparedRows) -> int:
    """Return what a member counts for: their rows, and one for the entry itself."""
    return len(prepared.rows) + 1
