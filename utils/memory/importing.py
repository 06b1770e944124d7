"""Importer takes in memories that somebody trusted has made from messages that were heard.

They go through ``decide`` under the member's lock like any other, but what they say need not be
quoted: whoever imports vouches for it. Consent, the server's freeze, tombstones, what is never
kept, merging and the cap hold all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from utils.clock import Clock
from utils.database import events, members
from utils.database.engine import Database, Session
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.decide import decide
from utils.memory.grounding import Refused, admit
from utils.memory.heard import Heard
from utils.model.memory import (
    Candidate,
    Event,
    Extraction,
    Importance,
    Kind,
    Member,
    MemberState,
    Method,
    Source,
)
from utils.model.plan import Plan
from utils.model.policy import WritePolicy


@dataclass(frozen=True, slots=True)
class Imported:
    """One memory to take in."""

    text: str
    topics: tuple[str, ...] = ()
    kind: Kind = Kind.EPISODE
    importance: Importance = Importance.MEDIUM


class Importer:
    """Takes in memories with the messages they were made from."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        write_policy: WritePolicy,
        *,
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
    ) -> None:
        self._database = database
        self._clock = clock
        self._write_policy = write_policy
        self._forbidden = forbidden

    async def take_in(self, member: Member, message_id: int, rows: Sequence[Imported]) -> Plan:
        """Store what a message says of a member; returns the plan that was carried out.

        The message must have been recorded, by whomever it was written. Its channel is where the
        rows may be told. A message that is not there (any more) teaches nothing.
        """
        now = self._clock.now()

        def unit(session: Session) -> Plan:
            event = events.as_last_heard(session, member.guild_id, message_id)
            if event is None:
                return Plan()
            extraction = Extraction(
                tuple(_candidate(member, event, row) for row in rows), Method.IMPORT
            )
            sources = frozenset([event.source_id])
            heard = Heard(sources, sources, forbidden=self._forbidden)
            return members.change(
                session,
                member,
                partial(
                    decide,
                    extraction=extraction,
                    write_policy=self._write_policy,
                    heard=heard,
                    grounding=_vouched_for,
                ),
                now=now,
                event_ids=[event.id],
            )

        return await self._database.write(unit)


def _candidate(member: Member, event: Event, row: Imported) -> Candidate:
    return Candidate(
        subject_id=member.user_id,
        text=row.text,
        quote=event.text,
        kind=row.kind,
        importance=row.importance,
        confidence=1.0,
        lifetime_days=None,
        topics=row.topics,
        source=Source.IMPORT,
    )


def _vouched_for(candidate: Candidate, state: MemberState, heard: Heard) -> Event:
    """Return the message that a candidate was made from. Raises Refused where none may be kept."""
    admit(candidate, state, heard)
    if not state.events:
        raise Refused("quote")
    (event,) = state.events
    if event.message_id in state.tombstones:
        raise Refused("forgotten")
    return event
