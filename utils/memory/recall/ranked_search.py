"""Search for people: what has all of the words first, then the best others by recall's ranking."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from utils.memory.member_data import search as exact
from utils.memory.member_data import view
from utils.memory.member_data.search import (
    MAX_FOUND,
    UNLIMITED,
    MemorySearch,
    SearchFilter,
    SearchQuery,
)
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.active_policy import PolicyCache
from utils.memory.recall.corpus import Corpus, Links
from utils.memory.recall.documents import CONVERSATION_GAP_S, prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query, without_names
from utils.memory.recall.ranking import find_matches, rank_linked
from utils.models.memory import Member, Memory
from utils.models.recall import (
    NOTHING_SIMILAR,
    MemberMessage,
    Said,
    SearchResult,
    Similarities,
)

if TYPE_CHECKING:  # loaded only where something is embedded
    from utils.memory.recall.similarity import SimilarityIndex

MAX_RANKED_MESSAGES = 2_000
"""The newest messages that are ranked; all of them are searched for all of the words."""


@dataclass(slots=True)
class _Loaded:
    """What one read found: what has all of the words, and what may be ranked.

    ``stems_before`` are those of the message before each, by event id. ``sources`` are the messages
    behind each memory, ``accounts`` whose messages were read.
    """

    result: SearchResult
    policy: RecallPolicy
    rows: Sequence[Memory]
    messages: Sequence[MemberMessage] = ()
    stems_before: Mapping[int, str] = field(default_factory=dict)
    sources: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    accounts: Sequence[Member] = ()


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

        def unit(connection: Connection) -> _Loaded:
            member_view = view.shown(
                connection, member, sources, now, linked_sources, for_others=for_others
            )
            rows = tuple(filter(only.has_row, member_view.rows))
            matches = tuple(filter(words.matches, rows))
            result = SearchResult(matches, member_view.past, linked_id=member_view.linked_id)
            loaded = _Loaded(result, self._policy(connection, now), rows)
            if for_others:
                return loaded
            accounts = view.accounts(connection, member, sources, linked_sources)
            return _with_messages(connection, loaded, accounts, words, only, now)

        loaded = await self._database.read(unit)
        similarities = NOTHING_SIMILAR
        if self._similar is not None:
            similarities = await self._similar.to(
                without_names(text, [name]), loaded.accounts or [member]
            )
        is_compared = similarities is not NOTHING_SIMILAR
        loaded = replace(loaded, result=replace(loaded.result, by_meaning=is_compared))
        query = Query.of(text, [name], now=now, zone=only.zone)
        return await asyncio.to_thread(_with_others, loaded, query, similarities, only.zone)

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

        def unit(connection: Connection) -> _Loaded:
            rows = search.newest_with_any(connection, guild_id, words, sources, now)
            rows = list(filter(only.has_row, rows))
            return _Loaded(result, self._policy(connection, now), rows)

        if len(result.rows) >= MAX_FOUND:
            return result
        loaded = await self._database.read(unit)
        query = Query.of(text, now=now, zone=only.zone)
        return await asyncio.to_thread(_with_others, loaded, query, NOTHING_SIMILAR, only.zone)

    def _policy(self, connection: Connection, now: datetime) -> RecallPolicy:
        uses = run(connection, recall_policies.uses())
        return self._policies.load(connection, uses, now).active.policy


def _with_messages(
    connection: Connection,
    loaded: _Loaded,
    accounts: Sequence[tuple[Member, frozenset[int] | None]],
    words: SearchQuery,
    only: SearchFilter,
    now: datetime,
) -> _Loaded:
    """Return what was loaded with these accounts' messages."""
    sources = dict[int, tuple[int, ...]]()
    messages, matches = list[MemberMessage](), list[MemberMessage]()
    stems_before = dict[int, str]()
    for account, readable in accounts:
        behind = run(connection, said.source_messages(account))
        sources |= behind
        recalled, _ = run(
            connection, said.since(account, after=0, now=now, gap_s=CONVERSATION_GAP_S)
        )
        stems_before |= dict(zip(recalled.ids, recalled.previous_stems, strict=True))
        stored = exact.stored(connection, account, words, now, readable)
        for number, (message, has_all) in enumerate(stored):
            if not only.has_message(message):
                continue
            if has_all:
                matches.append(message)
            if number < MAX_RANKED_MESSAGES:
                messages.append(message)
    listed = {id for row in loaded.result.rows for id in sources.get(row.id, ())}
    matches = [message for message in matches if message.message_id not in listed]
    matches.sort(key=lambda message: message.id, reverse=True)
    result = replace(
        loaded.result,
        messages=tuple(matches[:MAX_FOUND]),
        has_more_messages=len(matches) > MAX_FOUND,
    )
    return replace(
        loaded,
        result=result,
        messages=messages,
        stems_before=stems_before,
        sources=sources,
        accounts=[account for account, _ in accounts],
    )


def _with_others(
    loaded: _Loaded, query: Query, similarities: Similarities, zone: tzinfo
) -> SearchResult:
    """Return the result with what has only some of the words: memories and messages in turn."""
    result = loaded.result
    count = len(result.rows) + len(result.messages)
    room = MAX_FOUND - count
    if room <= 0 or (count and len(query.words) == 1):
        return result  # what has some of one word has all of it

    memories = PreparedMemories(sorted(loaded.rows, key=attrgetter("id")), 0, loaded.sources)
    by_id = {message.id: message for message in loaded.messages}
    messages = prepare_messages(
        _said(by_id[id], loaded.stems_before.get(id, "")) for id in sorted(by_id)
    )
    corpus = Corpus([memories, messages], Links(memories, messages))
    found = find_matches(
        corpus,
        query,
        np.ones(len(corpus), np.bool_),
        loaded.policy,
        zone=zone,
        similarities=(similarities.rows, similarities.events),
    )
    ranked_rows, ranked_messages = rank_linked(found, loaded.policy, in_context=False)
    rows = [ranked.row for ranked in ranked_rows]
    listed = {id for row in (*result.rows, *rows) for id in loaded.sources.get(row.id, ())}
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


def _said(message: MemberMessage, stems_before: str) -> Said:
    return Said(
        event_id=message.id,
        message_id=message.message_id,
        channel_id=message.channel_id,
        source_id=message.source_id,
        text=message.text,
        said_at=message.said_at,
        expires_at=message.expires_at,
        stems=message.stems,
        previous_stems=stems_before,
    )
