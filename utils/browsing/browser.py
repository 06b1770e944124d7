"""Browser shows the operator what is remembered, said and done, and changes single memories.

Lists are pages at a bounded cost. Nothing here notes that somebody looked, but ``note_view``.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from utils.browsing import changing
from utils.clock import Clock
from utils.database import (
    guilds,
    histories,
    items,
    members,
    memories,
    policies,
    records,
    reviews,
)
from utils.database.engine import Database, Session
from utils.errors import BadInput, Conflict, NotFound
from utils.guild_book import GuildBook
from utils.memory import policy, profile
from utils.memory.explaining import Witness
from utils.memory.keeper import Keeper
from utils.memory.proposals import Proposals
from utils.memory.reader import Reader
from utils.memory.search import Asked
from utils.model.browsing import (
    LARGEST_ID,
    MOST_ON_A_PAGE,
    TEXT_LIMIT,
    AuditLine,
    Backing,
    EventLine,
    Explained,
    Item,
    ItemChange,
    ItemDetail,
    ItemFilter,
    MemberRow,
    Page,
)
from utils.model.guild import GuildSettings
from utils.model.memory import (
    DIRECT_MESSAGES,
    SERVER_ITSELF,
    Audience,
    Edition,
    Member,
    Memory,
    Profile,
    Status,
)
from utils.model.operator import EXPORTED, OPERATOR
from utils.model.policy import REASON_LIMIT, WritePolicy
from utils.model.recall import Person
from utils.model.transfer import jump_link
from utils.text import clean, clip, one_line

MOST_AUDIT = 200  # lines of one memory
MOST_NOTED_AT_ONCE = 500
NO_SUCH = "There is no memory #{id}."
NO_ID = "{name} is no id: it lies between {least} and {most}."
NO_LIMIT = "A page has between 1 and {most} rows."
NO_MESSAGE = "Write what the member would say, in 1 to {most} characters."
READ_ONLY = "MEMORY_READ_ONLY is set: nothing of memory can be changed now, only forgotten."
FROZEN = (
    "This server's moderators have frozen its memory: until they end that, memories can only be "
    "forgotten."
)


class Browser:
    """The operator's door to single memories, messages, members, and the audit."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        guild_book: GuildBook,
        keeper: Keeper,
        reader: Reader,
        proposals: Proposals,
        write_policy: WritePolicy,
        *,
        read_only: bool = False,
    ) -> None:
        """``write_policy`` is the operator's; ``read_only`` refuses every change but forgetting."""
        self._database = database
        self._clock = clock
        self._guilds = guild_book
        self._keeper = keeper
        self._reader = reader
        self._proposals = proposals
        self._write_policy = write_policy
        self._read_only = read_only

    async def items(
        self, wanted: ItemFilter, cursor: int | None = None, limit: int = 50
    ) -> Page[Item]:
        """Return memories that fit a filter, newest first, whatever their status.

        Raises BadInput for what no filter can be, such as a text without a word in it.
        """
        _check(cursor, limit, guild_id=wanted.guild_id, user_id=wanted.user_id)
        wanted = replace(wanted, topic=clean(wanted.topic))
        words = None
        if wanted.text:
            asked = Asked.of(wanted.text)
            words = items.Words(asked.words, asked.are_in)
        if wanted.expiring_before is not None and wanted.expiring_before.tzinfo is None:
            raise BadInput(changing.NO_ZONE)
        return await self._database.read(
            partial(items.items, wanted=wanted, words=words, cursor=cursor, limit=limit)
        )

    async def item(self, memory_id: int) -> ItemDetail | None:
        """Return a memory with its evidence, its audit, its past and what took its place."""
        _check_ids(memory_id=memory_id)

        def unit(session: Session) -> ItemDetail | None:
            one = items.item(session, memory_id)
            if one is None:
                return None
            evidence = histories.evidence_by_row(session, [memory_id]).get(memory_id, ())
            by = one.superseded_by
            return ItemDetail(
                item=one,
                evidence=tuple(Backing(each, jump_link(one.guild_id, each)) for each in evidence),
                audit=tuple(records.audit_of(session, memory_id, MOST_AUDIT)),
                past=tuple(items.past(session, one)),
                successor=None if by is None else items.item(session, by),
            )

        return await self._database.read(unit)

    async def events(
        self,
        guild_id: int,
        channel_id: int | None = None,
        user_id: int | None = None,
        cursor: int | None = None,
        limit: int = 50,
    ) -> Page[EventLine]:
        """Return a server's messages, newest first, each as it was last edited."""
        _check(cursor, limit, guild_id=guild_id, channel_id=channel_id, user_id=user_id)
        return await self._database.read(
            partial(
                records.events,
                guild_id=guild_id,
                channel_id=channel_id,
                user_id=user_id,
                cursor=cursor,
                limit=limit,
            )
        )

    async def audit(
        self,
        guild_id: int | None = None,
        user_id: int | None = None,
        action: str = "",
        cursor: int | None = None,
        limit: int = 50,
    ) -> Page[AuditLine]:
        """Return what was done to memories, newest first; "" stands for every action."""
        _check(cursor, limit, guild_id=guild_id, user_id=user_id)
        action = clean(action)
        if len(action) > records.ACTION_LIMIT:
            return Page()  # no action has so long a name
        return await self._database.read(
            partial(
                records.audit,
                guild_id=guild_id,
                user_id=user_id,
                action=action,
                cursor=cursor,
                limit=limit,
            )
        )

    async def members(
        self, guild_id: int, cursor: int | None = None, limit: int = 50, text: str = ""
    ) -> Page[MemberRow]:
        """Return whom Kith knows in a server; ``text`` is a part of their last name, or their id.

        Those with the highest id, which is whose account is the newest, come first.
        """
        _check(cursor, limit, guild_id=guild_id)
        return await self._database.read(
            partial(records.known_members, guild_id=guild_id, text=text, cursor=cursor, limit=limit)
        )

    async def names(self, members: Collection[Member]) -> dict[Member, str]:
        """Return under which names these members last spoke, of those who did."""
        return await self._database.read(partial(records.names, members=members))

    async def profiles(self, member: Member) -> list[Edition]:
        """Return a member's profile as the memories that are kept made it over time, newest first;
        see :func:`utils.memory.profile.editions`."""
        now = self._clock.now()

        def unit(session: Session) -> tuple[list[Memory], list[tuple[Memory, int]]]:
            current = memories.load_current(session, member, now)
            return current, memories.load_past(session, member, now)

        return await asyncio.to_thread(profile.editions, *await self._database.read(unit))

    async def change(self, memory_id: int, change: ItemChange, reason: str = "") -> Item:
        """Change a memory's status, importance or end, in one unit of work; returns it as it is.

        A waiting one that is made active is approved, and takes the place of what it corrects. The
        next recall sees it, in every process. Raises NotFound, BadInput for what no memory may be,
        and Conflict where nothing may be changed now: a memory that is gone or over, a server that
        is frozen, MEMORY_READ_ONLY.
        """
        _check_ids(memory_id=memory_id)
        if self._read_only:
            raise Conflict(READ_ONLY)
        why = clip(one_line(clean(reason)), REASON_LIMIT)
        changed = await self._database.write(
            partial(self._change, memory_id=memory_id, change=change, why=why)
        )
        if change.status is Status.PROPOSED:
            self._proposals.tell(changed.guild_id, (memory_id,))
        return changed

    def _change(self, session: Session, memory_id: int, change: ItemChange, why: str) -> Item:
        now = self._clock.now()
        one = items.item(session, memory_id)
        if one is None:
            raise NotFound(NO_SUCH, id=memory_id)
        member = Member(one.guild_id, one.user_id)
        members.lock(session, member)
        one = items.item(session, memory_id)
        if one is None:  # it went before the lock was ours
            raise NotFound(NO_SUCH, id=memory_id)
        consent = members.consent(session, member)
        rules = policy.in_force(policies.load(session, member.guild_id), self._write_policy)
        values = changing.changed(one, change, consent, rules, now)
        if not values:
            return one
        if guilds.load(session, member.guild_id).frozen:
            raise Conflict(FROZEN)
        before, after = changing.in_words(one, values, why)
        waiting = reviews.find(session, member.guild_id, memory_id, now)
        if waiting is not None and values.get("status") is Status.ACTIVE:
            reviews.approve(session, waiting, now=now, moderator_id=OPERATOR)
        items.change(session, one, values, before=before, after=after, now=now)
        if "status" in values:
            members.refresh_profile(session, member, _still_told, now)
        return replace(one, **values)

    async def forget(self, memory_id: int) -> bool:
        """Erase a memory and the messages behind it, as its member could; False if it is gone."""
        _check_ids(memory_id=memory_id)
        one = await self._database.read(partial(items.item, memory_id=memory_id))
        if one is None:
            return False
        member = Member(one.guild_id, one.user_id)
        return await self._keeper.forget(member, memory_id, actor_id=OPERATOR)

    async def explain(
        self,
        guild_id: int,
        channel_id: int,
        user_id: int,
        text: str,
        audience: Audience,
        *,
        name: str = "",
        others: Sequence[Person] = (),
        channel_name: str = "",
    ) -> Explained:
        """Return what would be recalled if that member wrote this there now, and why.

        ``name`` and ``channel_name`` are what they are called now; ``others`` are those whom the
        message concerns as well. It counts as no use of what is recalled. Raises BadInput for a
        text that no message can be.
        """
        _check_ids(guild_id=guild_id, channel_id=channel_id, user_id=user_id)
        said = clean(text)
        if not said or len(said) > TEXT_LIMIT:
            raise BadInput(NO_MESSAGE, most=TEXT_LIMIT)
        settings = await self._guilds.latest(guild_id)
        topics = settings.topics_of(channel_id, channel_name)
        witnessed = partial(
            self._witnessed, audience, said=said, settings=settings, channel_topics=topics
        )
        explained = await witnessed([Person(user_id, name or str(user_id)), *others])
        if settings.recall:
            return explained
        told = await witnessed([])  # an answer is given this much even so
        return replace(explained, block=told.block, now=told.now, tokens=told.tokens, is_off=True)

    async def _witnessed(
        self,
        audience: Audience,
        people: Sequence[Person],
        *,
        said: str,
        settings: GuildSettings,
        channel_topics: Sequence[str],
    ) -> Explained:
        witness = Witness(self._clock.monotonic())
        await self._reader.recall_with_turns(
            audience,
            people,
            said,
            settings=settings,
            channel_topics=channel_topics,
            witness=witness,
        )
        return await asyncio.to_thread(witness.explained, self._clock.monotonic())

    async def note_view(self, *seen: Member) -> None:
        """Note in these members' audits, where they see it, that the operator looked at theirs.

        Nothing is noted of a server's own memories, or of those of whom nothing is known.
        """
        if seen:
            await self._database.write(
                partial(records.note_views, seen=seen, now=self._clock.now())
            )

    async def note_deed(
        self, action: str, guild_id: int | None = None, user_id: int | None = None
    ) -> None:
        """Note in the audit what the operator did with all memories of a person, a server (of a
        person, in that one), or with everything: that stands with direct messages.

        An export is a look at everybody in it, and so in the audit of each as well.
        """
        now = self._clock.now()
        if not user_id:
            server = Member(DIRECT_MESSAGES if guild_id is None else guild_id, SERVER_ITSELF)
            await self._database.write(
                partial(histories.note, member=server, action=action, now=now, actor_id=OPERATOR)
            )
            if action == EXPORTED and user_id is None:
                await self._note_everybody(action, guild_id, now)
            return

        def unit(session: Session) -> None:
            places = members.places(session, user_id) if guild_id is None else [guild_id]
            whose = [Member(one, user_id) for one in places]
            records.note_views(session, whose, now, action)

        await self._database.write(unit)

    async def _note_everybody(self, action: str, guild_id: int | None, now: datetime) -> None:
        """Note it in the audit of everybody in a server, or in all, some in each unit of work: so
        that nobody's message waits for long."""
        last: Member | None = None

        def unit(session: Session) -> list[Member]:
            some = records.next_members(session, guild_id, last, MOST_NOTED_AT_ONCE)
            records.note_views(session, some, now, action)
            return some

        while some := await self._database.write(unit):
            last = some[-1]


def _still_told(stored: Profile, rows: list[Memory]) -> Profile:
    """Return the paragraph of those rows that it was made from and that may be recalled."""
    return profile.remaining(stored, [row for row in rows if row.status is Status.ACTIVE])


def _check(cursor: int | None, limit: int, **ids: int | None) -> None:
    if not 1 <= limit <= MOST_ON_A_PAGE:
        raise BadInput(NO_LIMIT, most=MOST_ON_A_PAGE)
    _check_ids(cursor=cursor, **ids)


def _check_ids(**ids: int | None) -> None:
    """Raise BadInput for a number that no id can be: the databases would refuse it."""
    for name, one in ids.items():
        if one is not None and not 0 <= one <= LARGEST_ID:
            raise BadInput(NO_ID, name=name, least=0, most=LARGEST_ID)
