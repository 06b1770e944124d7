"""Notes what a member says about themselves outside Discord, through their own agent."""

from datetime import datetime
from functools import partial

from utils.common.clock import Clock
from utils.common.errors import Conflict
from utils.database.core.engine import Connection, Database
from utils.database.memories import members, memories, memory_changes
from utils.memory.member_data import edit_rules
from utils.memory.policy.write_rules import WriteRules
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.models.memory import Member, Memory, Status
from utils.runtime.signals import MemorySignals


class Statements:
    """Stores statements as notes, under the same checks and limits as a typed correction."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        rules: WriteRules,
        verifier: CandidateVerifier,
        signals: MemorySignals,
    ) -> None:
        self._database = database
        self._clock = clock
        self._rules = rules
        self._verifier = verifier
        self._signals = signals

    async def add(self, member: Member, channel_id: int, text: str) -> Memory:
        """Store a statement; it may be told to the readers of a channel. Returns the memory.

        Raises BadInput with the reason it may not be stored.
        """
        if self._rules.read_only:
            raise edit_rules.refusal("read-only")
        reason = await self._verifier.refusal_for_others(member, channel_id, text)
        if reason is not None:
            raise edit_rules.refusal(reason)
        unit = partial(self._add, member=member, channel_id=channel_id, text=text)
        row = await self._database.write(partial(unit, now=self._clock.now()))
        if row.status is Status.PROPOSED:
            self._signals.propose(member.guild_id, (row.id,))
        return row

    def _add(
        self, connection: Connection, member: Member, channel_id: int, text: str, now: datetime
    ) -> Memory:
        members.lock(connection, member)
        plan = memory_changes.change(
            connection,
            member,
            partial(
                edit_rules.plan_statement,
                channel_id=channel_id,
                text=text,
                write_policy=self._rules.policy,
                forbidden=self._rules.forbidden,
            ),
            now=now,
            event_ids=[],
            actor_id=member.user_id,
            counts_writes=True,
        )
        for row in memories.load_current(connection, member, now):
            if row.id == plan.inserted[0]:
                return row
        raise Conflict(edit_rules.OTHER_REASON)
