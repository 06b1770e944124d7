"""Search for people: what has all of the words first, then the best others by recall's ranking."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, tzinfo
from itertools import zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from utils.common.clock import Clock
from utils.database.core.engine import Connection, Database
from utils.database.core.queries import run
from utils.database.memories import recall_policies, search
from utils.database.messages import said
from utils.memory.member_data.search import (
    MAX_FOUND,
    UNLIMITED,
    MemorySearch,
    SearchedMember,
    SearchFilter,
    SearchQuery,
    search_member,
)
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.active_policy import PolicyCache
from utils.memory.recall.corpus import Corpus, Links
from utils.memory.recall.documents import CONVERSATION_GAP_S, prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query, without_names
from utils.memory.recall.ranking import find_matches, rank_linked
from utils.models.memory import Member
from utils.models.recall import (
    NOTHING_SIMILAR,
    MemberMessage,
    Said,
    SearchResult,
    Similarities,
)

if TYPE_CHECKING:  # loaded only where something is embedded
    from utils.memory.recall.similarity import SimilarityIndex

NO_STEMS: Mapping[int, str] = {}


class RankedSearch:
    """Searches what is stored of a member, or a server's memories, for a person who looks."""

    def __init__(
        self, database: Database, clock: Clock, similar: "SimilarityIndex | None" = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._similar = similar
        self._exact = MemorySearch(database, clock)
        self._policies = PolicyCache()

    async def of_member(
        self,
        member: Member,
        text: str,
        sources: frozenset[int] | None = None,
        linked_sources: frozenset[int] = frozenset(),
        *,
        only: SearchFilter = UNLIMITED,
        name: str = "",
        for_others: bool = False,
    ) -> SearchResult:
        """Return a member's memories and messages that fit a few words or a question.

        The other arguments and errors are those of :meth:`MemorySearch.of_member`.

        Args:
            only: what the search is limited to.
            name: the member's name, which is no word to rank by.
        """
        words, now = SearchQuery.of(text), self._clock.now()

        def unit(connection: Connection) -> tuple[SearchedMember, RecallPolicy, dict[int, str]]:
            searched = search_member(
                connection,
                member,
                words,
                sources,
                linked_sources,
                now,
                only=only,
                for_others=for_others,
            )
            stems_before = dict[int, str]()
            for account in searched.accounts:
                recalled, _ = run(
                    connection, said.since(account, after=0, now=now, gap_s=CONVERSATION_GAP_S)
                )
                stems_before |= dict(zip(recalled.ids, recalled.previous_stems, strict=True))
            return searched, self._policy(connection, now), stems_before

        searched, policy, stems_before = await self._database.read(unit)
        similarities = NOTHING_SIMILAR
        if self._similar is not None:
            similarities = await self._similar.to(
                without_names(text, [name]), searched.accounts or [member]
            )
        is_compared = similarities is not NOTHING_SIMILAR
        searched = replace(searched, result=replace(searched.result, by_meaning=is_compared))
        query = Query.of(text, [name], now=now, zone=only.zone)
        return await asyncio.to_thread(
            _with_others, searched, policy, query, only.zone, similarities, stems_before
        )

    async def of_server(
        self,
        guild_id: int,
        text: str,
        sources: frozenset[int],
        *,
        only: SearchFilter = UNLIMITED,
    ) -> SearchResult:
        """Return a server's memories that fit a few words or a question.

        The other arguments and errors are those of :meth:`MemorySearch.of_server`.
        """
        result = await self._exact.of_server(guild_id, text, sources, only)
        words, now = SearchQuery.of(text).words, self._clock.now()

        def unit(connection: Connection) -> tuple[SearchedMember, RecallPolicy]:
            rows = search.newest_with_any(connection, guild_id, words, sources, now)
            rows = list(filter(only.has_row, rows))
            return SearchedMember(result, rows), self._policy(connection, now)

        if len(result.rows) >= MAX_FOUND:
            return result
        searched, policy = await self._database.read(unit)
        query = Query.of(text, now=now, zone=only.zone)
        return await asyncio.to_thread(_with_others, searched, policy, query, only.zone)

    def _policy(self, connection: Connection, now: datetime) -> RecallPolicy:
        uses = run(connection, recall_policies.uses())
        return self._policies.load(connection, uses, now).active.policy


def _with_others(
    searched: SearchedMember,
    policy: RecallPolicy,
    query: Query,
    zone: tzinfo,
    similarities: Similarities = NOTHING_SIMILAR,
    stems_before: Mapping[int, str] = NO_STEMS,
) -> SearchResult:
    """Return the result with what has only some of the words: memories and messages in turn.

    ``stems_before`` are those of the message before each message, by event id.
    """
    result = searched.result
    count = len(result.rows) + len(result.messages)
    room = MAX_FOUND - count
    if room <= 0 or (count and len(query.words) == 1):
        return result  # what has some of one word has all of it

    memories = PreparedMemories(sorted(searched.rows, key=attrgetter("id")), 0, searched.sources)
    by_id = {message.id: message for message in searched.messages}
    messages = prepare_messages(
        Said(
            event_id=id,
            message_id=message.message_id,
            channel_id=message.channel_id,
            source_id=message.source_id,
            text=message.text,
            said_at=message.said_at,
            expires_at=message.expires_at,
            stems=message.stems,
            previous_stems=stems_before.get(id, ""),
        )
        for id, message in sorted(by_id.items())
    )
    corpus = Corpus([memories, messages], Links(memories, messages))
    found = find_matches(
        corpus,
        query,
        np.ones(len(corpus), np.bool_),
        policy,
        zone=zone,
        similarities=(similarities.rows, similarities.events),
    )
    ranked_rows, ranked_messages = rank_linked(found, policy, in_context=False)
    rows = [ranked.row for ranked in ranked_rows]
    listed = {id for row in (*result.rows, *rows) for id in searched.sources.get(row.id, ())}
    shown_messages = [
        by_id[ranked.row.event_id]
        for ranked in ranked_messages
        if ranked.row.message_id not in listed
    ]
    known = {row.id for row in result.rows}, {message.id for message in result.messages}
    in_turn = (
        item for pair in zip_longest(rows, shown_messages) for item in pair if item is not None
    )
    others = [item for item in in_turn if item.id not in known[isinstance(item, MemberMessage)]]
    return replace(result, others=tuple(others[:room]))
