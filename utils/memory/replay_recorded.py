"""What members said to Kith and what it answered -> exchanges to replay, as of then.

Only of members under lasting consent, and only as long as it is stored. Evidence is what the answer
seems to have used: a memory, or an earlier message, most of whose words that were not in the
question stand in the answer. An answer can only use what the policy that held then had shown, and
so these labels flatter that policy: they tell what a change would lose, hardly what it would find.
What was said later, or is gone since, is no part of it. Nothing is written, and no use is counted.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from itertools import islice

from utils.database import exchanges, members, memories, sayings
from utils.database.engine import Session
from utils.memory.asking import Query
from utils.memory.common_ground import NOTHING_PAST, Asked
from utils.memory.composing import Material
from utils.memory.documents import CONVERSATION_GAP_S, PreparedRows, of_messages
from utils.memory.prepared import Loaded, Prepared, paragraph_for, with_facts
from utils.memory.replay import Exchange
from utils.memory.stems import stems
from utils.model.embedding import NOTHING_SIMILAR
from utils.model.guild import GuildSettings
from utils.model.memory import Audience, Consent, Event, Member, Memory, Standing
from utils.model.recall import Person, Said

MOST_EXCHANGES = 500
FEWEST_WORDS = 2
MOST_OF_ITS_WORDS = 0.5


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is stored of one member, and what they asked with what was answered."""

    member: Member
    standing: Standing
    rows: Sequence[Memory]
    behind: Mapping[int, tuple[int, ...]]
    said: Sequence[Said]
    asked: Sequence[tuple[Event, str]]

    @property
    def conversation(self) -> str:
        """What their exchanges go by."""
        return f"{self.member.guild_id}/{self.member.user_id}"

    def exchange(self, event: Event, answer: str) -> Exchange:
        """Make an exchange of a message and its answer, with all that was known of the member
        then."""
        return _exchange(self, _as_of(self, event), event, answer)

    def exchanges(self) -> Iterator[Exchange]:
        """Make those exchanges whose answers used something that was remembered, one at a time."""
        found = (self.exchange(event, answer) for event, answer in self.asked)
        return (one for one in found if one.gold)


def recorded(
    session: Session,
    now: datetime,
    guild_id: int | None = None,
    most: int = MOST_EXCHANGES,
) -> list[Recorded]:
    """Return the members of the newest ``most`` exchanges, and what is stored of them."""
    standing_of = cache(partial(_lasting, session))
    newest = exchanges.latest(session, now, guild_id)
    taken = list(islice((one for one in newest if standing_of(one[0].member)), most))
    by_member: defaultdict[Member, list[tuple[Event, str]]] = defaultdict(list)
    for event, answer in reversed(taken):
        by_member[event.member].append((event, answer))
    return [
        _stored(session, member, standing, asked, now)
        for member, asked in by_member.items()
        if (standing := standing_of(member))
    ]


def _stored(
    session: Session,
    member: Member,
    standing: Standing,
    asked: Sequence[tuple[Event, str]],
    now: datetime,
) -> Recorded:
    rows = memories.load_for_recall(session, member, now)
    behind = sayings.messages_behind(session, member)
    said, _ = sayings.load(session, member, after=0, now=now, gap_s=CONVERSATION_GAP_S)
    return Recorded(member, standing, rows, behind, said, asked)


def _lasting(session: Session, member: Member) -> Standing | None:
    """Return how a member stands who consented to lasting memory; None for any other."""
    if members.consent(session, member) is not Consent.LASTING:
        return None
    standing = members.standing(session, member)
    return None if standing.ignored else replace(standing, consent=Consent.LASTING)


def used(text_stems: str, question: frozenset[str], answer: frozenset[str]) -> bool:
    """Whether an answer seems to have used a text: at least two, and half, of the words that the
    question did not hold stand in it; one, if there is no other."""
    new = set(text_stems.split()) - question
    shared = len(new & answer)
    return shared >= min(len(new), FEWEST_WORDS) and shared >= max(1, MOST_OF_ITS_WORDS * len(new))


def _as_of(one: Recorded, event: Event) -> Prepared:
    """Prepare what was known when something was asked, and nothing that was learnt later."""
    rows = [row for row in one.rows if row.created_at < event.created_at]
    said = [each for each in one.said if each.event_id < event.id]
    return Prepared(
        rows=PreparedRows(
            rows, one.standing.version, one.behind, {each.message_id: each for each in said}
        ),
        said=of_messages(with_facts(said, rows, one.behind)),
        server_version=0,
        last_event_id=0,
        stale_at=None,
    )


def _exchange(one: Recorded, then: Prepared, event: Event, answer: str) -> Exchange:
    """Return one exchange; readers are taken for those of its own channel only."""
    member, standing = one.member, one.standing
    audience = Audience(event.guild_id, event.channel_id, None, frozenset([event.source_id]))
    name = event.author_name
    asked = Asked(
        audience=audience,
        query=Query.of(event.text, [name], (), event.created_at, UTC),
        similarities=NOTHING_SIMILAR,
        now=event.created_at,
        zone=UTC,
        shown=frozenset([event.message_id]),
        but=event.message_id,
    )
    loaded = Loaded({member: (standing, then)}, None, {})
    about = {member: Person(member.user_id, name)}
    settings = GuildSettings(event.guild_id, consent_default=Consent.LASTING)
    material = Material(asked, about, loaded, NOTHING_PAST, (), settings)
    question = frozenset([*stems(event.text), *stems(name)])
    words = frozenset(stems(answer))

    def is_here(row: Memory) -> bool:
        return row.channel_id in audience.sources and row.is_live(asked.now)

    told_anyway = paragraph_for(standing.profile, then.rows, is_here).row_ids
    of_rows = {
        row.id: frozenset([f"memory {row.id}"])
        for row in then.rows.items
        if is_here(row)
        and row.id not in told_anyway
        and used(row.stems.split("\n", 1)[0], question, words)
    }
    of_messages = {
        each.message_id: frozenset([f"message {each.message_id}"])
        for each in then.said.items
        if _is_readable(each, audience, asked.now) and used(each.stems, question, words)
    }
    gold = frozenset().union(*of_rows.values(), *of_messages.values())
    return Exchange(one.conversation, material, gold, of_rows, of_messages)


def _is_readable(one: Said, audience: Audience, now: datetime) -> bool:
    return one.source_id in audience.sources and one.expires_at > now and not one.label
