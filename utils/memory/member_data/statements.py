"""Notes what an agent of a member says about them, if the verifier agrees.

An agent is a program: nothing shows that the member said so. So it is verified like what a model
noted, is as uncertain as what stands in an attachment, and is never kept as a quote.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from utils.common.clock import Clock
from utils.common.errors import Conflict
from utils.database.core.engine import Connection, Database
from utils.database.memories import members, memories, memory_changes
from utils.memory.member_data import edit_rules
from utils.memory.policy.write_policy import WriteRules
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.models.extraction import BY_RULE, Judgement, Verdict
from utils.models.memory import Event, Member, Memory, Role, Status
from utils.models.plan import MemberState, Plan
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
        now = self._clock.now()
        plan = partial(
            edit_rules.plan_statement,
            channel_id=channel_id,
            text=text,
            write_policy=self._rules.policy,
            forbidden=self._rules.forbidden,
        )
        # What is refused anyway is not sent to a model.
        load = partial(memory_changes.load_state, member=member, now=now, counts_writes=True)
        state = await self._database.read(load)
        plan(state, verdict=BY_RULE)
        reason = await self._verifier.refusal_for_others(member, text)
        if reason is not None:
            raise edit_rules.refusal(reason)
        verdict = await self._verdict(member, channel_id, text, now)
        unit = partial(self._add, member=member, plan=partial(plan, verdict=verdict), now=now)
        row = await self._database.write(unit)
        if row.status is Status.PROPOSED:
            self._signals.propose(member.guild_id, (row.id,))
        return row

    async def _verdict(self, member: Member, channel_id: int, text: str, now: datetime) -> Verdict:
        """Return a verdict that supports the statement. Raises BadInput if there is none."""
        event = Event(
            guild_id=member.guild_id,
            channel_id=channel_id,
            source_id=channel_id,
            message_id=0,
            author_id=member.user_id,
            author_name="",
            role=Role.MEMBER,
            text=text,
            created_at=now,
        )
        context = edit_rules.extraction_context(event, None, self._rules.forbidden)
        request = edit_rules.explicit_request(member, event, text, context, is_note=True)
        verdict = edit_rules.verdict_on(await self._verifier.judge(request))
        if verdict.judgement is Judgement.SUPPORTED:
            return verdict
        if verdict.judgement is Judgement.FAILED:  # there is no answer, or no model
            raise Conflict(edit_rules.OTHER_REASON)
        raise edit_rules.refusal("other")

    def _add(
        self,
        connection: Connection,
        member: Member,
        plan: Callable[[MemberState], Plan],
        now: datetime,
    ) -> Memory:
        members.lock(connection, member)
        done = memory_changes.change(
            connection,
            member,
            plan,
            now=now,
            event_ids=[],
            actor_id=member.user_id,
            counts_writes=True,
        )
        for row in memories.load_current(connection, member, now):
            if row.id == done.inserted[0]:
                return row
        raise Conflict(edit_rules.OTHER_REASON)
