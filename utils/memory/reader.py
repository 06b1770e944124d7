"""Reader recalls: rows + message + audience -> the block for the prompt. Never writes while asked.

Nothing about a member is cached but their prepared rows, stamped with the MemoryVersion that each
recall reads anew; consent, status, expiry and audience are applied after the cache.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from utils.clock import Clock
from utils.database import events, members, memories
from utils.database.engine import Database, Session
from utils.memory import envelope, policy, profile
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
    Standing,
)
from utils.model.recall import Person, Recall, Shown

MOST_PREPARED_ROWS = 200_000
WORKING_TURNS = 10


class Reader:
    """Finds what Kith knows that fits, for those who will read the answer."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        read_policy: ReadPolicy | None = None,
        write_policy: WritePolicy | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = read_policy or ReadPolicy()
        self._write_policy = write_policy or WritePolicy()
        self._prepared = _PreparedCache(MOST_PREPARED_ROWS)
        self._uses: dict[int, tuple[int, datetime]] = {}

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
        now = self._clock.now()
        people = list({person.user_id: person for person in people}.values())
        keys = [Member(audience.guild_id, person.user_id) for person in people]
        known = {key: self._prepared.get(key) for key in keys}
        loaded = await self._database.read(partial(_load, stamps=known, now=now))
        query = Query.of(text, (person.name for person in people), channel_topics)
        zone = ZoneInfo(settings.time_zone)
        blocks = []
        budgets = envelope.split_budget([person.name for person in people], self._policy)
        for key, person, budget in zip(keys, people, budgets, strict=True):
            standing, prepared = loaded[key]
            self._prepared.put(key, prepared)
            if (standing.consent or settings.consent_default) is Consent.OFF:
                continue
            found = self._known(person, standing, prepared, query, audience, now)
            blocks.append(envelope.block(found, now, zone, self._policy, budget))
        rows = tuple(row for block in blocks for row in block.rows)
        self._note_use(rows, now)
        return Recall("\n".join(block.text for block in blocks if block.text), rows)

    async def working_memory(self, guild_id: int, channel_id: int) -> list[Event]:
        """Return the channel's last ten turns as recorded, oldest first."""
        return await self._database.read(
            partial(
                events.working_memory,
                guild_id=guild_id,
                channel_id=channel_id,
                limit=WORKING_TURNS,
                now=self._clock.now(),
            )
        )

    async def asked_by(self, guild_id: int, message_id: int) -> int | None:
        """Return who asked for one of Kith's answers; None when it is not known to be one."""
        return await self._database.read(
            partial(events.author_answered, guild_id=guild_id, message_id=message_id)
        )

    async def show(self, member: Member) -> Shown:
        """Return everything known of a member in a server, newest first, for their own eyes."""
        now = self._clock.now()

        def unit(session: Session) -> Shown:
            standing = members.standing(session, member)
            rows = memories.load_current(session, member, now)
            live = [row for row in rows if row.is_live(now)]
            paragraph = profile.readable(standing.profile, live).text
            return Shown(paragraph, tuple(reversed(rows)), members.consent(session, member))

        return await self._database.read(unit)

    async def write_uses(self) -> None:
        """Store what was recalled since the last time: use counts, and when."""
        uses, self._uses = self._uses, {}
        if uses:
            await self._database.write(partial(memories.record_use, uses=uses))

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

        def may_recall(row: Memory) -> bool:
            return (
                row.is_live(now)
                and row.channel_id in audience.sources
                and not policy.has_faded(row, now, self._write_policy)
            )

        rows = [row for row in prepared.rows if may_recall(row)]
        paragraph = profile.readable(standing.profile, rows)
        ranked = rank(prepared, query, may_recall, now, self._policy)
        relevant = [one for one in ranked if one.row.id not in paragraph.row_ids]
        said = {*paragraph.row_ids, *(one.row.id for one in relevant)}
        newest = sorted(
            rows, key=lambda row: (row.last_confirmed_at, row.importance, row.id), reverse=True
        )
        recent = [row for row in newest if row.id not in said and row.kind is not Kind.CONSTRAINT]
        return envelope.Known(
            name=person.name,
            profile=paragraph.text,
            constraints=tuple(row for row in newest if row.kind is Kind.CONSTRAINT),
            relevant=tuple(one for one in relevant if one.row.kind is not Kind.CONSTRAINT),
            recent=tuple(recent[: self._policy.most_recent]),
        )

    def _note_use(self, rows: Iterable[Memory], now: datetime) -> None:
        for row in rows:
            times, _ = self._uses.get(row.id, (0, now))
            self._uses[row.id] = (times + 1, now)


def _load(
    session: Session, stamps: dict[Member, PreparedRows | None], now: datetime
) -> dict[Member, tuple[Standing, PreparedRows]]:
    """Read each member's stamp, and their rows only where the prepared ones are stale."""
    loaded = {}
    for member, prepared in stamps.items():
        standing = members.standing(session, member)
        if prepared is None or prepared.version != standing.version:
            rows = memories.load_current(session, member, now) if standing.version else []
            prepared = PreparedRows(rows, standing.version)
        loaded[member] = (standing, prepared)
    return loaded


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
