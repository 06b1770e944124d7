"""Search memories and stored messages by words. Reads only, without ranking.

A memory matches if its text or topics have every word of the query in any form ("dogs" finds
"dog"), a message if its text or an attachment's has. The newest comes first, as in the list of
all memories.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from functools import cache, partial

from utils.common.errors import BadInput
from utils.common.grouping import grouped
from utils.common.text import clean
from utils.database.core.engine import Connection, DatabaseService
from utils.database.core.queries import run
from utils.database.memories import search
from utils.database.messages import said, stored_messages
from utils.memory.extraction.own_statements import CODES
from utils.memory.member_data import view
from utils.models.memory import Form, Kind, Member, Memory
from utils.models.recall import MemberMessage, SearchResult
from utils.nlp.dates.parser import mentioned_dates
from utils.nlp.dates.ranges import DateRange
from utils.nlp.dates.vocabulary import DAYS_AHEAD
from utils.nlp.stemming import LANGUAGES, query_stems

MAX_SEARCH_LENGTH = 200  # characters
MAX_WORDS = 24  # of one query; in scripts without spaces each pair of characters counts
MAX_FOUND = 50
MAX_RANKED_MESSAGES = 2_000
"""The newest messages that are ranked; all of them are searched for all of the words."""
MIN_BEGINNING = 4
MAX_ENDING = 2
"""Letters: stems that agree in their beginning and differ in so short an ending are one word."""
# One or two words do not reveal their language, so the stems of all of these are tried.
NO_WORDS = "There is no word in that to search for; name one that says more, such as: dog."
TOO_LONG = f"Search for a few words, at most {MAX_SEARCH_LENGTH} characters."
TOO_MANY = f"Search for fewer words; {MAX_WORDS} are the most."


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What a search is limited to; None limits nothing.

    Attributes:
        kind: memories of this kind, and no messages.
        own_words: True for messages and for memories in the member's own words.
        channel_id: what was said in this channel, or in one of its public threads.
        days: what was said or confirmed on one of these days in ``zone``.
    """

    kind: Kind | None = None
    own_words: bool = False
    channel_id: int | None = None
    days: tuple[DateRange, ...] | None = None
    zone: tzinfo = UTC

    @classmethod
    def of(
        cls,
        kind: Kind | None,
        channel_id: int | None,
        when: str | None,
        now: datetime,
        zone: tzinfo,
        *,
        own_words: bool = False,
    ) -> "SearchFilter":
        """Return the filter of a person's choices; ``when`` is a day or a time in their words.

        Raises BadInput if ``when`` names no day up to today.
        """
        days = None
        if when is not None:
            today = now.astimezone(zone).date()
            is_today = DAYS_AHEAD.get(" ".join(when.casefold().split())) == 0
            days = (DateRange(today, today),) if is_today else mentioned_dates(when, now, zone)
            if not days:
                raise BadInput(
                    "I do not understand that time; try one such as: yesterday, last week, "
                    "March 2026."
                )
        return cls(kind, own_words, channel_id, days, zone)

    def has_row(self, row: Memory) -> bool:
        """Whether a memory is among what is searched."""
        is_quote = row.form is Form.QUOTE
        return (
            (self.kind is None or (row.kind is self.kind and not is_quote))
            and (is_quote or not self.own_words)
            and self.channel_id in (None, row.channel_id)
            and self._has_time(row.created_at, row.last_confirmed_at)
        )

    def has_message(self, message: MemberMessage) -> bool:
        """Whether a message is among what is searched."""
        return (
            self.kind is None
            and self.channel_id in (None, message.channel_id, message.source_id)
            and self._has_time(message.said_at)
        )

    def _has_time(self, *times: datetime) -> bool:
        if self.days is None:
            return True
        dates = [time.astimezone(self.zone).date() for time in times]
        return any(days.first <= date <= days.last for date in dates for days in self.days)


UNLIMITED = SearchFilter()


class MemorySearch(DatabaseService):
    """Finds memories by their words, for the member or for a moderator."""

    async def of_member(
        self,
        member: Member,
        text: str,
        sources: frozenset[int] | None = None,
        linked_sources: frozenset[int] = frozenset(),
        *,
        for_others: bool = False,
    ) -> SearchResult:
        """Return a member's memories and messages that have all of these words.

        Memories that wait for approval are included, and at most 50 messages.

        Args:
            member: whose memories.
            text: the words.
            sources: the channels that the viewer can read; None if it is the member.
            linked_sources: as in :meth:`MemberData.show`.
            for_others: the viewer is not the member, so messages and what they told in confidence
                are left out.

        Raises:
            BadInput: the text has no word to search for, or too many.
        """
        searched = await self._database.read(
            search_member,
            member=member,
            query=SearchQuery.of(text),  # refused before the database is asked
            sources=sources,
            linked_sources=linked_sources,
            now=self._clock.now(),
            for_others=for_others,
        )
        return searched.result

    async def of_server(
        self,
        guild_id: int,
        text: str,
        sources: Collection[int],
        only: SearchFilter = UNLIMITED,
    ) -> SearchResult:
        """Return a server's memories that have all of these words, newest first, at most 50.

        ``sources`` are the channels that the viewer can read. Without a full-text index only the
        newest memories are searched, and the result says so. Raises BadInput as :meth:`of_member`.
        """
        query = SearchQuery.of(text)
        return await self._database.read(
            search.search_newest,
            guild_id=guild_id,
            words=query.words,
            sources=sources,
            is_match=lambda row: query.matches(row) and only.has_row(row),
            now=self._clock.now(),
            limit=MAX_FOUND,
        )


@dataclass(frozen=True, slots=True)
class SearchedMember:
    """The result of a search, and what it looked at: memories, and each account's messages.

    ``messages`` are the newest MAX_RANKED_MESSAGES of each account, ``sources`` the messages behind
    each memory, ``accounts`` whose messages were read.
    """

    result: SearchResult
    rows: Sequence[Memory]
    messages: Sequence[MemberMessage] = ()
    sources: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    accounts: Sequence[Member] = ()


def search_member(
    connection: Connection,
    member: Member,
    query: "SearchQuery",
    sources: frozenset[int] | None,
    linked_sources: frozenset[int],
    now: datetime,
    *,
    only: SearchFilter = UNLIMITED,
    for_others: bool = False,
) -> SearchedMember:
    """Search what is stored of a member for all of a query's words.

    ``only`` is what the search is limited to, the other arguments are those of
    :meth:`MemorySearch.of_member`.
    """
    member_view = view.shown(
        connection, member, sources, now, linked_sources, for_others=for_others
    )
    rows = tuple(filter(only.has_row, member_view.rows))
    matches = tuple(filter(query.matches, rows))
    result = SearchResult(matches, member_view.past, linked_id=member_view.linked_id)
    if for_others:
        return SearchedMember(result, rows)
    behind = dict[int, tuple[int, ...]]()
    messages, matching = list[MemberMessage](), list[MemberMessage]()
    accounts = view.accounts(connection, member, sources, linked_sources)
    for account, readable in accounts:
        sources_of_account = run(connection, said.source_messages(account))
        behind |= sources_of_account
        stored = _stored(connection, account, query, now, readable)
        for number, (message, has_all) in enumerate(stored):
            if not only.has_message(message):
                continue
            if has_all:
                matching.append(message)
            if number < MAX_RANKED_MESSAGES:
                messages.append(message)
    listed = {id for row in matches for id in behind.get(row.id, ())}
    matching = [message for message in matching if message.message_id not in listed]
    matching.sort(key=lambda message: message.id, reverse=True)
    result = replace(
        result,
        messages=tuple(matching[:MAX_FOUND]),
        has_more_messages=len(matching) > MAX_FOUND,
    )
    return SearchedMember(result, rows, messages, behind, [account for account, _ in accounts])


def _stored(
    connection: Connection,
    member: Member,
    query: "SearchQuery",
    now: datetime,
    sources: Collection[int] | None,
) -> Iterator[tuple[MemberMessage, bool]]:
    """Yield a member's stored messages, newest first, and whether each has every word of a query.

    A message's ``attached`` are the texts of its files that have a word of the query, and its
    stems are those of the message and of all its files.

    Args:
        connection: reads only.
        member: whose messages.
        query: the words.
        now: messages that have expired by then are left out.
        sources: the channels that the viewer can read; None means all.
    """
    items = run(connection, said.attachments(member, now))
    attached = grouped((item.message_id, item) for item in items)
    patterns = _patterns(query.words)
    for page in stored_messages.pages(connection, member, now, sources):
        for message in page:
            if files := attached.get(message.message_id, ()):
                texts = tuple(item.text for item in files if query.shares(item.stems))
                stems = " ".join([message.stems, *(item.stems for item in files)])
                message = replace(message, stems=stems, attached=texts)
            # Stems may have another ending: "spiel", "spielt".
            yield message, all(pattern.search(message.stems) for pattern in patterns)


def _topic_stems(topic: str) -> frozenset[str]:
    """Return the words of a topic and their stems."""
    return frozenset(stem for options in query_stems(topic) for stem in options)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A parsed query; ``words`` has for each word the stems it may be stored under."""

    words: tuple[frozenset[str], ...]
    _topic_stems: Callable[[str], frozenset[str]] = field(  # known while this query is
        default_factory=partial(cache, _topic_stems), init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, text: str) -> "SearchQuery":
        """Parse a query. Raises BadInput if it has no words, or too many."""
        if len(text) > MAX_SEARCH_LENGTH:
            raise BadInput(TOO_LONG)
        stems_in = partial(query_stems, clean(text), also=LANGUAGES, limit=MAX_WORDS + 1)
        words = stems_in()
        if not words:  # "Bo" is a stop word in Polish: those of Kith's own languages count
            words = min((stems_in(language=code) for code in CODES), key=len)
        if not words:
            raise BadInput(NO_WORDS)
        if len(words) > MAX_WORDS:
            raise BadInput(TOO_MANY)
        return cls(tuple(map(frozenset, words)))

    def matches(self, row: Memory) -> bool:
        """Whether a memory's text or topics have every word."""
        return self.matches_stems(row.stems, row.topics)

    def shares(self, stems: str) -> bool:
        """Whether a text's stems have any of the words."""
        return not frozenset().union(*self.words).isdisjoint(stems.split())

    def matches_stems(self, stems: str, topics: Sequence[str]) -> bool:
        """Whether a memory's stems and topics have every word."""
        found_stems = set(stems.partition("\n")[0].split())
        for topic in topics:
            found_stems |= self._topic_stems(topic)
        return not any(alternatives.isdisjoint(found_stems) for alternatives in self.words)


def _patterns(words: tuple[frozenset[str], ...]) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each word that finds it among stems with up to two letters more or less.

    Stems of fewer than four letters must be the same.
    """
    return tuple(
        re.compile(rf"(?<!\S)(?:{'|'.join(sorted(_forms(stem) for stem in word))})(?!\S)")
        for word in words
    )


def _forms(stem: str) -> str:
    shorter = (
        stem[:-letters] for letters in (1, MAX_ENDING) if len(stem) - letters >= MIN_BEGINNING
    )
    longer = rf"{re.escape(stem)}\w{{0,{MAX_ENDING}}}"
    full_form = longer if len(stem) >= MIN_BEGINNING else re.escape(stem)
    return "|".join([full_form, *map(re.escape, shorter)])
