"""Searching what is remembered, by its words. Only reads, and ranks nothing.

A memory is found when it has every word that was asked for, in whatever form ("dogs" finds "dog"),
in its text or its topics; the newest comes first, as in the list of all.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from utils.clock import Clock
from utils.database import search
from utils.database.engine import Database, Session
from utils.errors import BadInput
from utils.memory import told
from utils.memory.stems import query_stems
from utils.model.memory import Member, Memory
from utils.model.recall import Found
from utils.text import clean

LONGEST_SEARCH = 200  # characters
MOST_WORDS = 24  # of one search; scripts without spaces count for every pair of characters
MOST_FOUND = 50
MOST_TOPICS_KNOWN = 2_000
# A word or two do not tell their language, so that each of these may have made the stored stem.
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr")
NO_WORDS = "There is no word in that to search for; name one that says more, such as: dog."
TOO_LONG = f"Search for a few words, at most {LONGEST_SEARCH} characters."
TOO_MANY = f"Search for fewer words; {MOST_WORDS} are the most."


class Searcher:
    """Finds memories by their words, for a member's own eyes or a moderator's."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def of_member(
        self, member: Member, text: str, sources: frozenset[int] | None = None
    ) -> Found:
        """Return what is known of a member, what waits included, that has all of these words.

        ``sources`` are the channels that somebody else who looks can read: they see no more.
        Raises BadInput when there is nothing in the text to search for, or too much.
        """
        asked = Asked.of(text)
        now = self._clock.now()

        def unit(session: Session) -> Found:
            shown = told.shown(session, member, sources, now)
            return Found(tuple(filter(asked.is_in, shown.rows)), shown.past)

        return await self._database.read(unit)

    async def of_server(self, guild_id: int, text: str, sources: Collection[int]) -> Found:
        """Return what is known of a server's members that has all of these words, newest first.

        ``sources`` are the channels that whoever looks can read. At most 50 rows; where there is
        no full-text index, only the newest memories are looked at, and the answer says so. Raises
        BadInput as :meth:`of_member` does.
        """
        asked = Asked.of(text)
        return await self._database.read(
            partial(
                search.newest,
                guild_id=guild_id,
                words=asked.words,
                sources=sources,
                is_meant=asked.is_in,
                now=self._clock.now(),
                most=MOST_FOUND,
            )
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody searches for: for each word the stems it may be stored under."""

    words: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, text: str) -> "Asked":
        """Read what somebody typed. Raises BadInput when it has no words, or too many."""
        if len(text) > LONGEST_SEARCH:
            raise BadInput(TOO_LONG)
        words = query_stems(clean(text), also=LANGUAGES, limit=MOST_WORDS + 1)
        if not words:
            raise BadInput(NO_WORDS)
        if len(words) > MOST_WORDS:
            raise BadInput(TOO_MANY)
        return cls(tuple(map(frozenset, words)))

    def is_in(self, row: Memory) -> bool:
        """Whether a memory's text or topics have every word."""
        return self.are_in(row.stems, row.topics)

    def are_in(self, stems: str, topics: Sequence[str]) -> bool:
        """Whether these stems of a memory, and its topics, have every word."""
        has = set(stems.partition("\n")[0].split())
        for topic in topics:
            has |= _topic_stems(topic)
        return not any(alternatives.isdisjoint(has) for alternatives in self.words)


@lru_cache(MOST_TOPICS_KNOWN)
def _topic_stems(topic: str) -> frozenset[str]:
    """Return the words of a topic, as they stand and as stems."""
    return frozenset(stem for options in query_stems(topic) for stem in options)
