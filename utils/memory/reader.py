"""Reader recalls: rows + message + audience -> the block for the prompt. Never writes while asked.

Nothing about a member is cached but their prepared rows, stamped with the MemoryVersion that each
recall reads anew; consent, status, expiry and audience are applied after the cache.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import partial
from itertools import islice
from zoneinfo import ZoneInfo

from utils.clock import Clock
from utils.database import events, members, memories
from utils.database.engine import Database, Session
from utils.memory import common_ground, envelope, policy, prepared, told, transfer
from utils.memory.asking import Query
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.common_ground import Asked, CommonGround, Past
from utils.memory.explaining import Witness
from utils.memory.policy import ReadPolicy, WritePolicy
from utils.memory.prepared import Loaded, Prepared, PreparedCache, paragraph_for
from utils.memory.raised import RaisedLoops
from utils.memory.ranking import rank
from utils.memory.safety import refusal_reason
from utils.model.embedding import NOTHING_SIMILAR, Similarities, Similarity
from utils.model.episode import OpenLoop
from utils.model.guild import GuildSettings
from utils.model.memory import (
    SERVER_ITSELF,
    Audience,
    Consent,
    Event,
    Kind,
    Member,
    Memory,
    Standing,
)
from utils.model.recall import Cuts, Fitting, Person, Recall, Shown
from utils.model.transfer import Files, Why
from utils.text import estimate_tokens
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
    ) -> None:
        self._database = database
        self._clock = clock
        self._read_only = read_only
        self._forbidden = forbidden
        self._similar = similar
        self._calibration = calibration or TokenCalibration()
        self._policy = read_policy or ReadPolicy()
        self._write_policy = write_policy or WritePolicy()
        self._prepared = PreparedCache(MOST_PREPARED)
        self._ground = CommonGround()
        self._uses: dict[int, tuple[int, datetime]] = {}
        self._indexing: set[asyncio.Task[None]] = set()
        self._verdicts: dict[int, bool] = {}
        self.raised = RaisedLoops(database)

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

        def unit(session: Session) -> tuple[Loaded, Past, list[Event]]:
            turns = common_ground.last_turns(session, guild_id, audience.channel_id, but, now)
            loaded = prepared.load(session, guild_id, about, self._prepared.get, lore, now)
            version = loaded.server_version
            return loaded, common_ground.load(session, audience, past, version, now), turns

        everybody = [*about, Member(guild_id, SERVER_ITSELF)]
        (loaded, past, turns), similarities = await asyncio.gather(
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
        cuts = None if witness is None else witness.cuts
        fit = partial(self._fit, asked, about, loaded, past, turns, settings, cuts)
        begun = self._clock.monotonic()
        held = sum(len(one) for _, one in loaded.people.values())
        recall = await asyncio.to_thread(fit) if held > MOST_RANKED_ON_LOOP else fit()
        if witness is None:
            self._note_use(recall.rows, now)
        else:
            witness.see(asked, loaded, recall, self._policy, self._write_policy, begun)
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

    def _fit(
        self,
        asked: Asked,
        about: Mapping[Member, Person],
        loaded: Loaded,
        past: Past,
        turns: Sequence[Event],
        settings: GuildSettings,
        cuts: Cuts | None,
    ) -> Recall:
        """Choose and write down what fits; changes nothing, so that any thread may do it."""
        found: dict[Member, envelope.Known] = {}
        loops: list[OpenLoop] = []
        fitting: dict[int, Fitting] = {}
        speaking = loaded.speaking(next(iter(about), None))
        for member, person in about.items():
            parts = []
            for account in loaded.accounts(member):
                standing, one = loaded.people[account]
                if (standing.consent or settings.consent_default) is not Consent.OFF:
                    fits = fitting[account.user_id] = self._fitting(standing, one, asked)
                    parts.append(self._known(person, standing, one, fits, asked))
                    if account in speaking and not standing.ignored:
                        loops += one.loops
            known = envelope.joined(parts, person.name)
            if known.is_anything:
                found[member] = known
        lore = envelope.lore_block(
            common_ground.lore_that_fits(loaded.server, asked, self._policy, self._write_policy),
            asked.now,
            asked.zone,
            self._policy,
            self._may_tell,
            is_alone=not found,
        )
        room = self._calibration.room(self._policy.block_tokens)
        names = {one: who.name for each, who in about.items() for one in loaded.accounts(each)}
        talk = self._talk(asked, names, loops, past, turns)
        room -= sum(estimate_tokens(f"\n{text}") for text in (lore.text, talk.text) if text)
        budgets = envelope.split_budget(len(found), self._policy, room)
        blocks = [
            envelope.block(known, asked.now, asked.zone, self._policy, budget, self._may_tell, cuts)
            for known, budget in zip(found.values(), budgets, strict=True)
        ]
        blocks.append(lore)
        now_open = common_ground.goes_on(past, asked, turns)
        now_line = envelope.now_line(now_open, self._policy, self._may_tell)
        about_ids = dict.fromkeys((*loaded.user_ids(found), *talk.about_ids))
        if now_open is not None and now_line:
            about_ids |= dict.fromkeys(now_open.about_ids)
        return Recall(
            block="\n".join(text for text in (*(one.text for one in blocks), talk.text) if text),
            rows=tuple(row for one in blocks for row in one.rows),
            about_ids=(*about_ids, *((SERVER_ITSELF,) if lore.text else ())),
            said=tuple(quote for one in blocks for quote in one.said),
            fitting=fitting,
            now=now_line,
            loops=talk.loops,
        )

    def _talk(
        self,
        asked: Asked,
        names: Mapping[Member, str],
        loops: Sequence[OpenLoop],
        past: Past,
        turns: Sequence[Event],
    ) -> envelope.Talk:
        """Write what is open of the people concerned, and which past chapters fit."""
        if not names:  # recall is switched off here
            return envelope.Talk()
        waiting = [one for one in common_ground.open_here(loops, asked) if one not in self.raised]
        return envelope.talk_block(
            [(names[one.member], one) for one in waiting],
            common_ground.earlier(past, asked, self._policy, turns),
            frozenset(stem for word in asked.query.words for stem in word),
            asked.now,
            asked.zone,
            self._policy,
            self._may_tell,
        )

    def _fitting(self, standing: Standing, one: Prepared, asked: Asked) -> Fitting:
        """Rank what this audience may hear of one person."""
        query, now, zone, policy = asked.query, asked.now, asked.zone, self._policy
        rows = rank(
            one.rows,
            query,
            one.rows.recallable(asked.audience.sources, now, self._write_policy),
            now,
            policy,
            zone=zone,
            similarities=asked.similarities.rows,
        )
        if standing.ignored:
            return Fitting(tuple(rows))
        said = rank(
            one.said,
            query,
            one.said.readable(asked.audience.sources, now, but=asked.shown | {-asked.but}),
            now,
            policy,
            zone=zone,
            similarities=asked.similarities.events,
            in_context=True,
        )
        return Fitting(tuple(rows), tuple(said))

    def _known(
        self,
        person: Person,
        standing: Standing,
        one: Prepared,
        fits: Fitting,
        asked: Asked,
    ) -> envelope.Known:
        """Sort what this audience may hear of one person into layers."""
        may_recall = partial(self._may_recall, asked)
        paragraph = paragraph_for(standing.profile, one.rows, may_recall)
        relevant = [each for each in fits.rows if each.row.id not in paragraph.row_ids]
        told = {*paragraph.row_ids, *(each.row.id for each in relevant)}
        recent = (
            row
            for row in one.rows.newest
            if row.id not in told and row.kind is not Kind.CONSTRAINT and may_recall(row)
        )
        return envelope.Known(
            name=person.name,
            profile=paragraph.text,
            constraints=tuple(filter(may_recall, one.rows.constraints)),
            relevant=tuple(each for each in relevant if each.row.kind is not Kind.CONSTRAINT),
            recent=tuple(islice(recent, self._policy.most_recent)),
            said=fits.said,
            messages=one.rows.messages,
            wanted=frozenset(stem for word in asked.query.words for stem in word),
        )

    def _may_recall(self, asked: Asked, row: Memory) -> bool:
        return (
            row.channel_id in asked.audience.sources
            and row.is_live(asked.now)
            and not policy.has_faded(row, asked.now, self._write_policy)
        )

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
