"""Import a data set's facts as memories of recorded messages.

They go through ``plan_changes`` under the member's lock like any other memory, but need no quote:
the data set vouches for them. Consent, the server's freeze, tombstones, the safety filter, merging
and the cap apply.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from utils.common.clock import Clock
from utils.database.core.engine import Connection, Database
from utils.database.memories import memory_changes
from utils.database.messages import events
from utils.memory.consolidation.planner import plan_changes
from utils.memory.policy.write_policy import WriteRules
from utils.memory.verification.checks import Checked, Refused, admit
from utils.memory.verification.extraction_context import ExtractionContext
from utils.models.extraction import Candidate, Extraction, Judgement, Verdict
from utils.models.memory import Event, Importance, Kind, Member, Method, Source, VerifiedBy
from utils.models.plan import MemberState, Plan


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """A memory to import."""

    text: str
    topics: tuple[str, ...] = ()
    kind: Kind = Kind.EPISODE
    importance: Importance = Importance.MEDIUM


class MemoryImporter:
    """Imports memories with the messages they were made from."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        rules: WriteRules,
    ) -> None:
        self._database = database
        self._clock = clock
        self._rules = rules

    async def import_memories(
        self, member: Member, message_id: int, rows: Sequence[ImportedMemory]
    ) -> Plan:
        """Import memories about a member from one message; returns the plan that was applied.

        The message must be stored; anyone may have written it. Readers of its channel may see the
        memories. Returns an empty plan if the message is not stored.
        """
        now = self._clock.now()

        def unit(connection: Connection) -> Plan:
            event = events.load_latest(connection, member.guild_id, message_id)
            if event is None:
                return Plan()
            extraction = Extraction(
                tuple(_candidate(member, event, row) for row in rows), Method.IMPORT
            )
            sources = frozenset([event.source_id])
            context = ExtractionContext(sources, sources, forbidden=self._rules.forbidden)
            return memory_changes.change(
                connection,
                member,
                partial(
                    plan_changes,
                    extraction=extraction,
                    write_policy=self._rules.policy,
                    context=context,
                    check=_vouched_for,
                ),
                now=now,
                event_ids=[event.id],
            )

        return await self._database.write(unit)


def _candidate(member: Member, event: Event, row: ImportedMemory) -> Candidate:
    return Candidate(
        subject_id=member.user_id,
        text=row.text,
        quote=event.text,
        kind=row.kind,
        importance=row.importance,
        lifetime_days=None,
        topics=row.topics,
        source=Source.IMPORT,
        verdict=Verdict(Judgement.SUPPORTED, VerifiedBy.IMPORT),
    )


def _vouched_for(candidate: Candidate, state: MemberState, context: ExtractionContext) -> Checked:
    """Return the message that a candidate was made from. Raises Refused if it may not be stored."""
    admit(candidate, state, context)
    if not state.events:
        raise Refused("quote")
    (event,) = state.events
    if event.message_id in state.tombstones:
        raise Refused("forgotten")
    return Checked(event, event.text)
