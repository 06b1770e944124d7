"""The review queue: memories that wait for a moderator, their posts, and the decisions."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from utils.common.text import one_line
from utils.database.admin import records
from utils.database.core.engine import Connection, Database, DatabaseService, as_method, reads
from utils.database.erasure import channels, dependants
from utils.database.erasure.dependants import Erased
from utils.database.guilds import settings
from utils.database.memories import (
    members,
    memories,
    memory_changes,
    memory_history,
    review_queue,
)
from utils.memory.consolidation import profile
from utils.memory.member_data import edit_rules
from utils.memory.privacy import retraction
from utils.models.memory import Evidence, Kind, Memory
from utils.models.policy import Outcome, Review, ReviewPost, ReviewSource
from utils.models.transfer import jump_link

MAX_SHOWN = 200
CONTEXT_TURNS = 3  # messages shown with a sentence


class ReviewQueue(DatabaseService):
    """Reads the memories that wait for a moderator; MemoryEditor carries out decisions."""

    async def waiting(self, *guild_ids: int) -> list[Memory]:
        """Return the waiting memories of these servers, oldest first, at most 200."""
        return await self._database.read(
            review_queue.list_waiting,
            guild_ids=guild_ids,
            now=self._clock.now(),
            limit=MAX_SHOWN,
        )

    @reads
    def sources(self, connection: Connection, waiting: Sequence[Memory]) -> dict[int, ReviewSource]:
        """Return the sentence behind each of these memories, with its context, by memory."""
        now = self._clock.now()
        evidence = memory_history.load_evidence(connection, [memory.id for memory in waiting])
        return {
            memory.id: _source(connection, memory, evidence[memory.id][-1], now)
            for memory in waiting
            if memory.id in evidence
        }

    async def find(self, guild_id: int, memory_id: int) -> Memory | None:
        """Return a waiting memory; None if it does not wait."""
        return await self._database.read(
            review_queue.find_waiting,
            guild_id=guild_id,
            memory_id=memory_id,
            now=self._clock.now(),
        )

    async def standing(self, guild_id: int, memory_id: int) -> Review:
        """Return the state of a memory, and who decided on it."""
        return await self._database.read(
            review_queue.load_review,
            guild_id=guild_id,
            memory_id=memory_id,
            now=self._clock.now(),
        )

    async def note_post(self, post: ReviewPost) -> None:
        """Store where a waiting memory is posted, so that the post can be blanked with it.

        A post without a message is planned: it is stored before it is sent.
        """
        await self._database.write(review_queue.record_post, post=post, now=self._clock.now())

    async def stale_posts(self, guild_ids: Sequence[int]) -> list[ReviewPost]:
        """Return posts of memories that no longer wait: decided, forgotten or expired."""
        return await self._database.read(
            review_queue.stale_posts, guild_ids=guild_ids, now=self._clock.now()
        )

    open_posts = as_method(Database.read, review_queue.open_posts)
    close_post = as_method(Database.write, review_queue.close_post)


def _source(
    connection: Connection, memory: Memory, evidence: Evidence, now: datetime
) -> ReviewSource:
    """Return a memory's sentence, with the message it stands in and the messages before it."""
    guild_id, link = memory.member.guild_id, jump_link(memory.member.guild_id, evidence)
    source = ReviewSource(evidence.quote, evidence.channel_id, evidence.said_at, link)
    if link is None:
        return source
    turns = records.turns_before(
        connection, guild_id, evidence.channel_id, evidence.said_at, now, CONTEXT_TURNS + 1
    )
    if turns and turns[-1].message_id == evidence.message_id:
        says_more = one_line(turns[-1].text) != one_line(evidence.quote)
        turns = turns if says_more else turns[:-1]
    return replace(source, context=tuple(turns[-CONTEXT_TURNS:]))


def review(
    connection: Connection,
    guild_id: int,
    memory_id: int,
    *,
    approve: bool,
    moderator_id: int,
    open_sources: frozenset[int],
    now: datetime,
) -> Review:
    """Apply a moderator's decision, unless one was made; returns the memory's state and moderator.

    A rejected memory takes its messages along, with everything else that was noted from them.
    Raises BadInput for an approval in a frozen server.
    """
    waiting = review_queue.find_waiting(connection, guild_id, memory_id, now)
    if waiting is not None:
        members.lock(connection, waiting.member)
        waiting = review_queue.find_waiting(connection, guild_id, memory_id, now)
    if waiting is None:
        return review_queue.load_review(connection, guild_id, memory_id, now)
    if not approve:
        rejected = Erased(
            memory_ids=(memory_id,),
            words=dependants.words_of_memories(connection, [memory_id]),
        )
        message_ids = review_queue.reject(connection, waiting, now=now, moderator_id=moderator_id)
        retraction.retract_messages(connection, guild_id, message_ids, now, already_erased=rejected)
        channels.mark_erased(connection, guild_id, message_ids)
        return Review(Outcome.REJECTED, moderator_id, is_new=True)
    if settings.load(connection, guild_id).frozen:
        raise edit_rules.refusal("frozen")
    review_queue.approve(connection, waiting, now=now, moderator_id=moderator_id)
    # A memory that was superseded leaves the profile, and an approved public fact enters it.
    if waiting.kind is Kind.FACT and waiting.channel_id in open_sources:
        rows = memories.load_current(connection, waiting.member, now)
        stored = members.load_header(connection, waiting.member).profile
        open_rows = (row for row in rows if row.channel_id in open_sources)
        members.save_profile(connection, waiting.member, profile.complete(stored, open_rows))
    else:
        memory_changes.refresh_profile(connection, waiting.member, profile.remaining, now)
    return Review(Outcome.APPROVED, moderator_id, is_new=True)
