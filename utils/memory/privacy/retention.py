"""Erase what depends on a deleted message, a deleted channel, or a departed member or server.

Retention periods, besides those of consent (utils/memory/policy/write_policy.py) and of tables
whose rows expire by themselves (utils/database/erasure/inventory.py):

- deleted messages, and what an edit removed: erased at once, with everything that only they
  supported; a tombstone without text stays permanently;
- deleted channels and threads: erased at once;
- members who left: erased after 30 days, unless they write or come back. Without the Members
  intent, and for leaves while Kith was away, Kith asks Discord once a week about every member who
  has not written for three days. It counts who is gone as gone since they were last known to be
  there, so they are erased 13 to 30 days after they left. Before that it asks once more, because
  who came back without writing would not be noticed otherwise. Members without lasting consent are
  erased after a year without a message, even if they did not leave;
- servers that removed Kith: erased after 7 days, unless it is invited back.

After a start, Kith compares all that it stores with Discord, to find missed deletions and edits.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from utils.common.clock import Clock
from utils.common.text import clean
from utils.database.admin import history_import
from utils.database.core.engine import Connection, Database, DatabaseService, as_method, reads
from utils.database.core.queries import BEFORE_ALL_MEMBERS
from utils.database.erasure import (
    answer_removals,
    channels,
    confidences,
    dependants,
    forgetting,
    messages,
    retention,
)
from utils.database.memories import members
from utils.database.privacy import erasure_ledger, tombstones
from utils.database.sentiment import waiting_messages
from utils.memory.policy import write_policy
from utils.memory.privacy import retraction
from utils.memory.privacy.large_erasures import erase_most
from utils.models.memory import Event, Member
from utils.models.operator import Erasure, ErasureCounts, ErasureKind

KEEP_DEPARTED_MEMBER = timedelta(days=30)
KEEP_UNSEEN_MEMBER = timedelta(days=365)
QUIET_AFTER = timedelta(days=3)
KEEP_REMOVED_GUILD = timedelta(days=7)

ASK_BEFORE_ERASURE = timedelta(days=1)
"""Another process may prune before this one has asked about its own servers today."""

MEMBERS_PER_PAGE = 500
PAUSE_S = 0.01  # gives replies and extraction a turn
CHECK_INTERVAL_DAYS = 7
MAX_UNNOTICED = QUIET_AFTER + timedelta(days=2 * CHECK_INTERVAL_DAYS)
"""A member is known to have been there so long before a check at the latest: one may fail."""
MAX_SCRUB_BYTES = 1024**4  # the operator waits for the erasure of a member


async def members_of(
    database: Database, clock: Clock, page: Callable[..., list[Member]]
) -> AsyncIterator[Member]:
    """Yield members in the order of their ids, without locks; ``page`` returns the next of them."""
    after = BEFORE_ALL_MEMBERS
    while batch := await database.read(page, after=after, limit=MEMBERS_PER_PAGE):
        for member in batch:
            yield member
        if len(batch) < MEMBERS_PER_PAGE:
            return
        after = batch[-1]
        await clock.sleep(PAUSE_S)


@dataclass(eq=False, repr=False)
class Retention(DatabaseService):
    """Applies changes on Discord to what is stored, each in its own units of work."""

    _revising: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    # --- messages ------------------------------------------------------------------------------

    async def revise(self, event: Event, record: Callable[[], Awaitable[object]]) -> bool:
        """Retract what only the earlier text of an edited message supported, then record the new.

        Returns False and changes nothing for unknown messages, older revisions and unchanged text.

        A new revision without text retracts everything, like a deletion. So does a message whose
        memories were forgotten. Watched messages and imported ones are not recorded again here:
        watching analyses edits itself.

        Args:
            event: the new revision.
            record: records the new revision.
        """
        if not await self._database.read(retraction.is_new_revision, event=event):
            return False
        now = self._clock.now()
        has_words = bool(clean(event.text).strip())

        def unit(connection: Connection) -> tuple[bool, bool]:
            members.lock_existing(connection, event.guild_id, [event.author_id])
            if not retraction.is_new_revision(connection, event):
                return False, False
            marked = confidences.marked(connection, event.guild_id, [event.message_id])
            # Nothing is learnt again from a forgotten message.
            is_forgotten = tombstones.permanent(connection, event.guild_id, [event.message_id])
            last = channels.load_last_revision(connection, event.guild_id, event.message_id)
            is_recorded = has_words and not is_forgotten and last is not None and last.is_talk
            retraction.retract_messages(
                connection,
                event.guild_id,
                [event.message_id],
                now,
                until=event.revision - is_recorded,
                new_text=clean(event.text),
                keeps_attachments=is_recorded,
            )
            if not is_recorded:
                channels.mark_erased(connection, event.guild_id, [event.message_id], event.revision)
            elif marked:
                confidences.keep_mark(connection, event)
            return True, is_recorded

        async with self._revising:  # otherwise revisions could be recorded in the wrong order
            is_new, is_recorded = await self._database.write(unit)
            if is_recorded:
                await record()
                await self._database.write(retraction.retract_if_stale, event=event, now=now)
        return self._database.scrub_soon_if(is_new)

    async def remove_answers(self, guild_id: int, posts: Collection[tuple[int, int]]) -> None:
        """Have answers that are not stored, each with its channel, deleted on Discord."""
        await self._database.write(
            answer_removals.queue, guild_id=guild_id, posts=posts, now=self._clock.now()
        )

    async def retract(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Erase deleted messages with what only they supported.

        With an answer goes the command that asked for it: Discord shows no message of that.
        Unknown messages change nothing and cost one query.
        """
        now = self._clock.now()

        def is_known(connection: Connection) -> bool:
            return (
                messages.is_any_stored(connection, guild_id, message_ids)
                or bool(forgetting.affected_members(connection, guild_id, message_ids))
                or dependants.has_dependants(connection, guild_id, message_ids)
            )

        def unit(connection: Connection) -> None:
            question_ids = channels.questions_by_command(connection, guild_id, message_ids)
            erased = [*message_ids, *question_ids]
            retraction.retract_messages(connection, guild_id, erased, now)
            channels.mark_erased(connection, guild_id, erased)

        if await self._database.read(is_known):
            await self._database.write(unit)
            self._database.scrub_soon()

    @reads
    def channels_to_compare(self, connection: Connection) -> list[tuple[int, int]]:
        """Return where watched messages wait for analysis, which goes on, or are in an alert.

        Then follow the servers and channels of all stored messages, the newest first, and those of
        which only memories are left, because their messages have ended.
        """
        queries = (waiting_messages.channels, channels.with_messages, channels.with_evidence)
        return list(dict.fromkeys(place for query in queries for place in query(connection)))

    stored_revisions = as_method(Database.read, channels.revisions_before)
    erased_until = as_method(Database.read, history_import.erased_until)
    watched_ids = as_method(Database.read, waiting_messages.ids_in)

    # --- channels ------------------------------------------------------------------------------

    async def erase_channels(self, guild_id: int, channel_ids: Sequence[int]) -> int:
        """Erase all messages of deleted channels and their threads, with what they supported.

        Returns how many messages went.
        """
        now = self._clock.now()
        total = 0

        def unit(connection: Connection) -> int:
            erased = retraction.erase_channels_batch(connection, guild_id, channel_ids, now)
            # Recorded in the first unit, so that nothing is extracted in between, and again in the
            # last one: a backup made in between has the first entry, and messages still to erase.
            if erased < retraction.BATCH or not total:
                at = self._clock.now() if total else now
                entries = [
                    Erasure(at, ErasureKind.CHANNEL, guild_id, channel_id=channel_id)
                    for channel_id in channel_ids
                ]
                erasure_ledger.record_once(connection, *entries)
            return erased

        while (erased := await self._database.write(unit)) >= retraction.BATCH:
            total += erased
        total += erased
        return self._database.scrub_soon_if(total)

    # --- members -------------------------------------------------------------------------------

    async def record_departure(self, member: Member, *, is_found_later: bool = False) -> None:
        """Record that a member left; does nothing for unknown members.

        ``is_found_later``: they left when nobody saw it, and count as gone since they were last
        known to be there.
        """
        left_at = self._clock.now() - (MAX_UNNOTICED if is_found_later else timedelta(0))

        def unit(connection: Connection) -> None:
            members.lock(connection, member)
            last_seen = retention.last_seen(connection, member)
            retention.set_left(connection, member, max(left_at, last_seen or left_at))

        if await self._database.read(retention.is_known, member=member):
            await self._database.write(unit)

    async def record_return(self, member: Member) -> None:
        """Record that a member is in the server (again)."""
        if await self._database.read(retention.is_known, member=member):
            await self._database.write(retention.set_left, member=member, at=None)

    async def members_to_check(self) -> list[Member]:
        """Return the quiet members to look up on Discord today: a seventh of them each day."""
        now = self._clock.now()
        share = now.date().toordinal() % CHECK_INTERVAL_DAYS
        unseen = partial(retention.list_unseen, unseen_since=now - QUIET_AFTER)
        return [
            member
            async for member in members_of(self._database, self._clock, unseen)
            if member.user_id % CHECK_INTERVAL_DAYS == share
        ]

    async def leavers_to_check(self) -> list[Member]:
        """Return who is to be erased soon because they left: they may be back, and be silent."""
        leavers = partial(
            retention.list_leavers,
            left_by=self._clock.now() - KEEP_DEPARTED_MEMBER + ASK_BEFORE_ERASURE,
        )
        return [member async for member in members_of(self._database, self._clock, leavers)]

    async def finish_temporary_defaults(self) -> None:
        """Shorten what a process that ended in :meth:`apply_temporary_default` left too long."""
        guild_ids = await self._database.read(
            retention.list_outliving_default,
            latest_end=self._clock.now() + write_policy.MAX_TEMPORARY + timedelta(days=1),
        )
        for guild_id in guild_ids:
            await self.apply_temporary_default(guild_id)

    async def apply_temporary_default(self, guild_id: int) -> None:
        """Shorten the lifetimes of members who have not chosen to those of temporary consent.

        For a server whose default is no longer lasting. Repeating it changes nothing.
        """
        now, after_id = self._clock.now(), 0

        def unit(connection: Connection) -> list[Member]:
            shortened = retraction.shorten_unchosen_batch(connection, guild_id, after_id, now)
            if not after_id or not shortened:  # recorded twice, as for channels
                at = self._clock.now() if after_id else now
                erasure_ledger.record_once(connection, Erasure(at, ErasureKind.SHORTER, guild_id))
            return shortened

        while shortened := await self._database.write(unit):
            after_id = shortened[-1].user_id
        self._database.scrub_soon()

    async def is_known(self, user_id: int, guild_id: int | None = None) -> bool:
        """Return whether anything is stored of a user in a server, or in any."""
        guild_ids = await self._database.read(retention.guilds_of_user, user_id=user_id)
        return bool(guild_ids) if guild_id is None else guild_id in guild_ids

    async def erase_member(self, user_id: int, guild_id: int | None = None) -> ErasureCounts:
        """Erase everything about a user in a server, or in all servers; returns the counts.

        A running extraction stores nothing afterwards, because its messages are gone.
        """
        now = self._clock.now()
        guild_ids = (
            await self._database.read(retention.guilds_of_user, user_id=user_id)
            if guild_id is None
            else [guild_id]
        )
        total = ErasureCounts()
        for id_ in guild_ids:
            member = Member(id_, user_id)
            total += await erase_most(self._database, self._clock, member, ErasureKind.MEMBER)
            total += await self._database.write(retraction.erase_member, member=member, now=now)
        return replace(total, is_scrubbed=await self._database.scrub(at_most_bytes=MAX_SCRUB_BYTES))

    # --- servers -------------------------------------------------------------------------------

    async def update_servers(
        self, guild_ids: Collection[int], is_ours: Callable[[int], bool]
    ) -> None:
        """Record which servers removed Kith and which invited it back.

        Args:
            guild_ids: the servers that Kith is in now.
            is_ours: returns whether this process is responsible for a server.
        """
        now = self._clock.now()
        stored = await self._database.read(retention.list_guilds)
        removed = {
            guild_id
            for guild_id, removed_at in stored.items()
            if removed_at is None and guild_id not in guild_ids and is_ours(guild_id)
        }
        returned = {
            guild_id
            for guild_id, removed_at in stored.items()
            if removed_at is not None and guild_id in guild_ids
        }
        for changed, removed_at in ((removed, now), (returned, None)):
            if changed:
                await self._database.write(
                    retention.set_removed, guild_ids=sorted(changed), at=removed_at
                )
