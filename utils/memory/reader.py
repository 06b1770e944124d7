"""Reader recalls: rows + message + audience -> the block for the prompt. Never writes while asked.

Nothing about a member is cached but their prepared rows, stamped with the MemoryVersion that each
recall reads anew; consent, status, expiry and audience are applied after the cache.
"""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from functools import partial
from zoneinfo import ZoneInfo

from utils.clock import Clock
from utils.database import events, members, memories
from utils.database.engine import Database, Session
from utils.memory import common_ground, prepared, told, transfer
from utils.memory.asking import Query
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.common_ground import Asked, CommonGround, Past
from utils.memory.composing import Material, Rules, compose
from utils.memory.explaining import Witness
from utils.memory.policies_in_force import InForce, PoliciesInForce
from utils.memory.policy import ReadPolicy, WritePolicy
from utils.memory.prepared import Loaded, Prepared, PreparedCache
from utils.memory.raised import RaisedLoops
from utils.memory.safety import refusal_reason
from utils.memory.shadow import ShadowRoom
from utils.model.embedding import NOTHING_SIMILAR, Similarities, Similarity
from utils.model.guild import GuildSettings
from utils.model.memory import (
    SERVER_ITSELF,
    Audience,
    Event,
    Member,
    Memory,
)
from utils.model.recall import Person, Recall, Shown
from utils.model.transfer import Files, Why
from utils.token_calibration import TokenCalibration

MOST_PREPARED = 50_000  # memories and messages: about 75 MB, indexes included
FEWEST_INDEXED = 20
MOST_INDEXED_AT_ONCE = 4
MOST_RANKED_ON_LOOP = 3_000  # for fewer, handing it to a thread and back costs more than ranking
MOST_VERDICTS = 50_000


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
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
        similar: Similarity | None = None,
        calibration: TokenCalibration | None = None,
        shadow: ShadowRoom | None = None,
    ) -> None:
        """``read_policy`` holds until another one is applied; ``shadow`` hears of each recall while
        a policy is in the shadow."""
        self._database = database
        self._clock = clock
        self._read_only = read_only
        self._forbidden = forbidden
        self._similar = similar
        self._policies = PoliciesInForce(read_policy)
        self._shadow = shadow
        self._prepared = PreparedCache(MOST_PREPARED)
        self._ground = CommonGround()
        self._uses: dict[int, tuple[int, datetime]] = {}
        self._indexing: set[asyncio.Task[None]] = set()
        self._verdicts: dict[int, bool] = {}
        self.raised = RaisedLoops(database)
        self._rules = Rules(
            write_policy or WritePolicy(),
            self._may_tell,
            self.raised.__contains__,
            calibration or TokenCalibration(),
        )

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
        witness: Witness | None = None,
    ) -> tuple[Recall, list[Event]]:
        """Return what :meth:`recall` and :meth:`working_memory` do, by one read.

        A ``witness`` sees how it came about; then it is no use of what is recalled.
        """
        now = self._clock.now()
        guild_id = audience.guild_id
        about = {Member(guild_id, person.user_id): person for person in people}
        lore, past = self._ground.lore(guild_id), self._ground.past(guild_id)

        def unit(session: Session) -> tuple[InForce, Loaded, Past, list[Event]]:
            in_force = self._policies.load(session, now)
            turns = common_ground.last_turns(session, guild_id, audience.channel_id, but, now)
            loaded = prepared.load(session, guild_id, about, self._prepared.get, lore, now)
            version = loaded.server_version
            read_past = common_ground.load(session, audience, past, version, now)
            return in_force, loaded, read_past, turns

        everybody = [*about, Member(guild_id, SERVER_ITSELF)]
        (in_force, loaded, past, turns), similarities = await asyncio.gather(
            self._database.read(unit), self._alike(text, everybody)
        )
        self._keep(loaded)
        self._ground.keep(guild_id, loaded.server, past)
        zone = ZoneInfo(settings.time_zone)
        asked = Asked(
            audience=audience,
            query=Query.of(text, [one.name for one in people], channel_topics, now, zone),
            similarities=similarities,
            now=now,
            zone=zone,
            shown=frozenset([but, *(turn.message_id for turn in turns)]),
            but=but,
        )
        material = Material(asked, about, loaded, past, turns, settings)
        read_policy = in_force.active.policy
        cuts = None if witness is None else witness.cuts
        fit = partial(compose, material, read_policy, self._rules, cuts)
        begun = self._clock.monotonic()
        is_much = len(material) > MOST_RANKED_ON_LOOP
        recall = await asyncio.to_thread(fit) if is_much else fit()
        if witness is not None:
            witness.see(asked, loaded, recall, read_policy, self._rules.write_policy, begun)
            return recall, turns
        if in_force.shadow is not None and self._shadow is not None:
            took_ms = (self._clock.monotonic() - begun) * 1000
            self._shadow.expect(material, in_force, self._rules, recall, took_ms)
        self._note_use(recall.rows, now)
        return recall, turns

    async def working_memory(self, guild_id: int, channel_id: int, but: int = 0) -> list[Event]:
        """Return the channel's last ten turns as recorded, oldest first, but for one message."""
        now = self._clock.now()
        return await self._database.read(
            lambda session: common_ground.last_turns(session, guild_id, channel_id, but, now)
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
        if self._read_only:
            return
        if uses:
            await self._database.write(partial(memories.record_use, uses=uses))
        await self.raised.write()

    def _keep(self, loaded: Loaded) -> None:
        """Keep what was loaded for the next recall, with an index made meanwhile."""
        for member, (_, one) in loaded.people.items():
            if self._prepared.put(member, one):
                self._index_later(one)

    async def _alike(self, text: str, members: Sequence[Member]) -> Similarities:
        return await self._similar.to(text, members) if self._similar else NOTHING_SIMILAR

    def _may_tell(self, text: str) -> bool:
        """Whether a text is fit to be told by the rules of now, whatever let it be stored.

        Verdicts are kept by hash, so that no words are.
        """
        key = hash(text)
        if key not in self._verdicts:
            if len(self._verdicts) >= MOST_VERDICTS:
                self._verdicts.clear()
            self._verdicts[key] = refusal_reason(text, self._forbidden) is None
        return self._verdicts[key]

    def _index_later(self, one: Prepared) -> None:
        """Make the index for the next recall in a thread, beside the model call of this one."""
        if len(one) >= FEWEST_INDEXED and len(self._indexing) < MOST_INDEXED_AT_ONCE:
            task = asyncio.create_task(asyncio.to_thread(one.make_index), name="index")
            self._indexing.add(task)
            task.add_done_callback(self._indexing.discard)

    def _note_use(self, rows: Iterable[Memory], now: datetime) -> None:
        for row in rows:
            times, _ = self._uses.get(row.id, (0, now))
            self._uses[row.id] = (times + 1, now)
