"""What members said to Kith and what it answered -> exchanges to replay, as of then.

Only of members under lasting consent, and only as long as it is stored. Evidence is what the answer
seems to have used: a memory, or an earlier message, most of whose words that were not in the
question stand in the answer. An answer can only use what the policy that held then had shown, and
so these labels flatter that policy: they tell what a change would lose, hardly what it would find.
What was said later, or is gone since, is no part of it. Nothing is written, and no use is counted.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

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


def recorded(session: Session, now: datetime, guild_id: int | None = None) -> list[Exchange]:
    """Return the newest exchanges whose answers used something that is remembered."""
    by_member: defaultdict[Member, list[tuple[Event, str]]] = defaultdict(list)
    for event, answer in exchanges.latest(session, now, MOST_EXCHANGES, guild_id):
        by_member[event.member].append((event, answer))
    found = []
    for member, asked in by_member.items():
        standing = members.standing(session, member)
        if members.consent(session, member) is Consent.LASTING and not standing.ignored:
            found += _of_member(session, member, standing, asked, now)
    return found


def used(text_stems: str, question: frozenset[str], answer: frozenset[str]) -> bool:
    """Whether an answer seems to have used a text: at least two, and half, of the words that the
    question did not hold stand in it; one, if there is no other."""
    new = set(text_stems.split()) - question
    shared = len(new & answer)
    return shared >= min(len(new), FEWEST_WORDS) and shared >= max(1, MOST_OF_ITS_WORDS * len(new))


def _of_member(
    session: Session,
    member: Member,
    standing: Standing,
    asked: Sequence[tuple[Event, str]],
    now: datetime,
) -> list[Exchange]:
    rows = memories.load_for_recall(session, member, now)
    behind = sayings.messages_behind(session, member)
    said, _ = sayings.load(session, member, after=0, now=now, gap_s=CONVERSATION_GAP_S)
    found = []
    for event, answer in asked:
        then = Prepared(
            rows=PreparedRows(
                [row for row in rows if row.created_at < event.created_at],
                standing.version,
                behind,
                {one.message_id: one for one in said if one.event_id < event.id},
            ),
            said=of_messages(
                with_facts([one for one in said if one.event_id < event.id], rows, behind)
            ),
            server_version=0,
            last_event_id=0,
            stale_at=None,
        )
        held = replace(standing, consent=Consent.LASTING)
        exchange = _exchange(member, held, then, event, answer)
        if exchange.gold:
            found.append(exchange)
    return found


def _exchange(
    member: Member, standing: Standing, then: Prepared, event: Event, answer: str
) -> Exchange:
    """Return one exchange; readers are taken for those of its own channel only."""
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
        one.message_id: frozenset([f"message {one.message_id}"])
        for one in then.said.items
        if _is_readable(one, audience, asked.now) and used(one.stems, question, words)
    }
    gold = frozenset().union(*of_rows.values(), *of_messages.values())
    return Exchange(f"{member.guild_id}/{member.user_id}", material, gold, of_rows, of_messages)


def _is_readable(one: Said, audience: Audience, now: datetime) -> bool:
    return one.source_id in audience.sources and one.expires_at > now and not one.label
