"""Find other members by what they told: "who else here plays chess?". Reads only."""

from dataclasses import dataclass

from utils.database.core.engine import Connection, DatabaseService
from utils.database.guilds import account_links
from utils.database.memories import search
from utils.guilds.known_members import KnownMembers
from utils.memory.member_data.search import SearchQuery
from utils.memory.policy.categories import DEFAULT_CATEGORIES
from utils.memory.policy.write_policy import has_faded
from utils.memory.recall.query import related_stems
from utils.memory.safety.filter import refusal_reason
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Audience, Member, Memory
from utils.models.policy import WritePolicy
from utils.nlp.stemming import language_of

MAX_FOUND = 5


@dataclass(frozen=True, slots=True)
class FoundMember:
    """A member who told something about a topic: their name, and their newest note of it."""

    name: str
    row: Memory


@dataclass(eq=False, repr=False)
class WhoElse(DatabaseService):
    """Finds members by their verified notes, as far as all readers of the answer may hear them.

    Patterns that have faded by the policy are left out.
    """

    _members: KnownMembers
    _policy: WritePolicy

    async def find(
        self, asker: Member, audience: Audience, topic: str, settings: GuildSettings
    ) -> list[FoundMember]:
        """Return up to five other members with a note of a topic, the newest note first.

        Nobody in direct messages, or where recall is off. Left out are the asker's other account,
        members who may not be found, and every note of a sensitive subject, even if the operator
        lets Kith keep it.

        Args:
            asker: who asks; they are not among the members.
            audience: who reads the answer.
            topic: a few words; a note needs all of them, or related ones.
            settings: the server's.

        Raises:
            BadInput: the topic has no word to search for, or too many.
            DatabaseError: the database does not answer.
        """
        language = language_of(topic)
        words = tuple(word | related_stems(word, language) for word in SearchQuery.of(topic).words)
        if audience.guild_id == DIRECT_MESSAGES or not settings.recall:
            return []
        query, now = SearchQuery(words), self._clock.now()

        def may_tell(row: Memory) -> bool:
            return (
                query.matches(row)
                and refusal_reason(row.text, DEFAULT_CATEGORIES) is None
                and not has_faded(row, now, self._policy)
            )

        def unit(connection: Connection) -> list[Memory]:
            linked = account_links.other_account(connection, asker)
            return search.notes_of_others(
                connection,
                audience.guild_id,
                words,
                audience.sources,
                {asker.user_id} if linked is None else {asker.user_id, linked.user_id},
                may_tell,
                consent_default=settings.consent_default,
                now=now,
                limit=MAX_FOUND,
            )

        rows = await self._database.read(unit)
        names = await self._members.names(audience.guild_id, [row.user_id for row in rows])
        return [FoundMember(names[row.user_id], row) for row in rows]
