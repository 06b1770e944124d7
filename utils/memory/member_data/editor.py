"""MemoryEditor changes stored memories on request: remember, correct, undo, forget, consent.

Each request is one unit of work, or BadInput with a sentence that says why it is refused.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from utils.common.errors import BadInput, Conflict
from utils.database.core.engine import Connection, Database, DatabaseService, as_method
from utils.database.guilds import account_links, settings
from utils.database.memories import (
    audit,
    members,
    memories,
    memory_changes,
    memory_history,
    write_policies,
)
from utils.database.messages import events
from utils.memory.consolidation import profile
from utils.memory.consolidation.planner import plan_changes
from utils.memory.ingestion.ephemeral_turns import EphemeralTurns
from utils.memory.member_data import edit_rules
from utils.memory.member_data import review as reviews
from utils.memory.policy import write_policy as policy
from utils.memory.policy.storable_events import storable
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy import erasure
from utils.memory.privacy.large_erasures import erase_most
from utils.memory.privacy.retention import Retention
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.memory.verification.extraction_context import ExtractionContext
from utils.models.extraction import BY_RULE, NO_VERDICT, Extraction, Judgement, Verdict
from utils.models.memory import (
    SERVER_USER_ID,
    Audience,
    Consent,
    Event,
    EventState,
    Member,
    Memory,
    Role,
    Status,
    VerifiedBy,
)
from utils.models.operator import ErasureCounts, ErasureKind
from utils.models.plan import Plan
from utils.models.policy import Review, WritePolicy
from utils.models.transfer import Statement
from utils.runtime.metrics import Metrics
from utils.runtime.signals import MemorySignals

MAX_PAST = 500
UNKNOWN = "There is no memory #{number} of yours here."
REPLACED = "Memory #{number} has been replaced by #{by}; name that one."
T = TypeVar("T")
OWN_SENTENCE = Verdict(Judgement.SUPPORTED, VerifiedBy.MEMBER)


@dataclass(eq=False, repr=False)
class MemoryEditor(DatabaseService):
    """Carries out requests of members and moderators, each in one unit of work.

    ``retention`` erases what is deleted on Discord.
    """

    _rules: WriteRules
    _verifier: CandidateVerifier
    signals: MemorySignals
    _ephemeral_turns: EphemeralTurns
    _metrics: Metrics
    retention: Retention

    async def forget(self, member: Member, memory_id: int, *, actor_id: int | None = None) -> bool:
        """Erase one memory and the messages behind it; False if it is not this member's.

        A tombstone without text stays, so that nothing is learnt from the same message again.
        ``actor_id`` is who asked for it; None: the member, who may also name a memory of their
        linked account.
        """
        return bool(await self.forget_items(member, (memory_id,), (), actor_id=actor_id))

    async def forget_message(
        self, member: Member, event_id: int, *, actor_id: int | None = None
    ) -> bool:
        """Erase one stored message and all that rests on it; False if it is not this member's.

        Nothing is learnt from it again, not even after an edit. ``actor_id`` is as in
        :meth:`forget`.
        """
        return bool(await self.forget_items(member, (), (event_id,), actor_id=actor_id))

    async def forget_items(
        self,
        member: Member,
        memory_ids: Sequence[int],
        event_ids: Sequence[int],
        *,
        actor_id: int | None = None,
    ) -> int:
        """Erase memories and messages of a member or their linked account; returns how many went.

        It is one unit of work. What was erased before is not counted. ``actor_id`` is as in
        :meth:`forget`.
        """
        unit = partial(
            erasure.forget_items,
            member=member,
            memory_ids=memory_ids,
            event_ids=event_ids,
            now=self._clock.now(),
            actor_id=actor_id,
        )
        return await self._forget(member, unit, of_both=True)

    async def forget_of_server(self, guild_id: int, memory_id: int, *, actor_id: int) -> bool:
        """Erase one of a server's own stories and facts, as ``actor_id`` asks.

        Answers that were made from it go too; messages stay. Returns False if it has none with
        this id.
        """
        unit = partial(
            erasure.forget_of_server,
            guild_id=guild_id,
            memory_id=memory_id,
            now=self._clock.now(),
            actor_id=actor_id,
        )
        return await self._forget(Member(guild_id, SERVER_USER_ID), unit)

    async def forget_all(self, member: Member) -> int:
        """Erase all messages and memories of a member and of their linked account in a server.

        Returns how many memories went. Their choice of consent stays.
        """
        most = ErasureCounts()

        async def erase_most_of(account: Member) -> None:
            nonlocal most
            most += await erase_most(self._database, self._clock, account, ErasureKind.SAID)

        unit = partial(erasure.forget_both_accounts, member=member, now=self._clock.now())
        count = await self._erase(member, unit, of_both=True, first=erase_most_of)
        self._database.scrub_soon()
        return most.memories + count

    async def remember(
        self,
        member: Member,
        event: Event,
        text: str,
        audience: Audience | None = None,
        *,
        is_literal: bool = False,
    ) -> Memory:
        """Store what a member asks to remember from their own message; returns the memory.

        The message is stored if it is unknown. ``text`` is verified like an extracted note: without
        a verdict, or if it is only the message itself, the sentence is kept as a quote. Raises
        BadInput with the reason it may not be kept.

        Args:
            audience: who reads the channel; it lets a fact that was said openly into the profile.
            is_literal: the text is the member's own sentence, which needs no verdict to be a note.
        """
        edit_rules.require_writable(self._rules)
        event = storable(event)
        was_stored = await self._database.read(events.is_stored, event=event)
        context = edit_rules.extraction_context(event, audience, self._rules.forbidden)
        verdict = OWN_SENTENCE if is_literal else NO_VERDICT
        rows = await self._database.read(
            memories.load_current, member=member, now=self._clock.now()
        )
        rows = [row for row in rows if row.channel_id in context.sources]
        request = edit_rules.explicit_request(
            member, event, text, context, rows=rows, is_note=is_literal, verdict=verdict
        )
        extraction = await self._verifier.judge(request)
        try:
            learnt = await self._database.write(
                store_remembered,
                member=member,
                event=event,
                extraction=extraction,
                context=context,
                write_policy=self._rules.policy,
                was_stored=was_stored,
                now=self._clock.now(),
            )
        except edit_rules.NotStored as error:
            self._metrics.count_refusals(member.guild_id, {error.reason: 1})
            raise
        return self._learnt(member, *learnt)

    async def correct(self, member: Member, memory_id: int, statement: Statement) -> Memory:
        """Replace a memory by the member's own words; returns the new memory.

        The old memory is kept as its past; while the new one waits for approval, both are current.
        The new one is visible where the old one was. If it comes from a message, it must follow
        from it, and is visible where that was written.
        Raises BadInput with the reason it may not be stored.
        """
        edit_rules.require_writable(self._rules)
        verdict, message = OWN_SENTENCE, statement.message
        if message is None:  # typed into a command: it may not be about others
            reason = await self._verifier.refusal_for_others(member, statement.text)
            if reason is not None:
                raise edit_rules.refusal(reason)
        else:
            context = edit_rules.extraction_context(
                message, statement.audience, self._rules.forbidden
            )
            rows = await self._database.read(
                memories.load_current, member=member, now=self._clock.now()
            )
            request = edit_rules.explicit_request(
                member,
                message,
                statement.text,
                context,
                rows=rows,
                is_note=True,
                replaces=memory_id,
            )
            verdict = edit_rules.verdict_on(await self._verifier.judge(request))
            if verdict.judgement is not Judgement.SUPPORTED:
                is_other = verdict.judgement is Judgement.OTHER
                raise edit_rules.refusal("other" if is_other else "unsupported")
        learnt = await self._database.write(
            store_correction,
            member=member,
            memory_id=memory_id,
            statement=statement,
            verdict=verdict,
            rules=self._rules,
            now=self._clock.now(),
        )
        return self._learnt(member, *learnt)

    async def add_statement(self, member: Member, channel_id: int, text: str) -> Memory:
        """Store what an agent says for a member; it may be told to the readers of a channel.

        An agent is a program: nothing shows that the member said so. So it is verified like what a
        model noted, is as uncertain as what stands in an attachment, and is never kept as a quote.
        Raises BadInput with the reason it may not be stored.
        """
        edit_rules.require_writable(self._rules)
        now = self._clock.now()
        plan = partial(
            edit_rules.plan_statement,
            channel_id=channel_id,
            text=text,
            write_policy=self._rules.policy,
            forbidden=self._rules.forbidden,
        )
        # What is refused anyway is not sent to a model.
        state = await self._database.read(
            memory_changes.load_state, member=member, now=now, counts_writes=True
        )
        plan(state, verdict=BY_RULE)
        reason = await self._verifier.refusal_for_others(member, text)
        if reason is not None:
            raise edit_rules.refusal(reason)
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
        if verdict.judgement is Judgement.FAILED:  # there is no answer, or no model
            raise Conflict(edit_rules.OTHER_REASON)
        if verdict.judgement is not Judgement.SUPPORTED:
            raise edit_rules.refusal("other")

        def unit(connection: Connection) -> Memory:
            applied = memory_changes.change(
                connection,
                member,
                partial(plan, verdict=verdict),
                now=now,
                actor_id=member.user_id,
                counts_writes=True,
            )
            return _row(connection, member, applied.inserted[0], now)

        return self._notify_moderators(member, await self._database.write(unit))

    async def undo(self, member: Member, memory_id: int) -> list[Memory]:
        """Restore the memories that one replaced; returns them.

        The number of a memory that was replaced restores it. Undoing again restores the first one.
        Raises BadInput if there is nothing to undo.
        """
        edit_rules.require_writable(self._rules)
        restored = await self._database.write(
            restore_replaced,
            member=member,
            memory_id=memory_id,
            write_policy=self._rules.policy,
            now=self._clock.now(),
        )
        return [self._notify_moderators(member, row) for row in restored]

    async def set_consent(
        self,
        member: Member,
        choice: Consent | None = None,
        *,
        passive: bool | None = None,
        findable: bool | None = None,
    ) -> None:
        """Store a member's choices, and apply them to what is stored at once.

        ``choice`` is how long Kith may remember them: OFF erases everything about them, TEMPORARY
        shortens lifetimes to 30 days, LASTING extends what only TEMPORARY would have ended.
        ``passive`` is whether Kith may note what they say to others, ``findable`` whether others
        may find them by their notes. None keeps a choice.
        """
        unit = partial(
            erasure.set_consent,
            member=member,
            choice=choice,
            passive=passive,
            findable=findable,
            write_policy=self._rules.policy,
            now=self._clock.now(),
        )
        if choice is not None:
            self._ephemeral_turns.erase(member)
        if choice is Consent.OFF:
            await self._erase(
                member,
                unit,
                first=partial(erase_most, self._database, self._clock, kind=ErasureKind.OFF),
            )
        else:
            await self._database.write(unit)
            self.signals.removals.emit()
        if choice in (Consent.OFF, Consent.TEMPORARY):
            self._database.scrub_soon()

    async def mark_consent_asked(self, member: Member) -> bool:
        """Record that a member is asked for consent now.

        False if they need not be asked: they have been, or they have chosen.
        """
        if self._rules.read_only:
            return False

        def is_to_be_asked(connection: Connection) -> bool:
            may_store = members.effective_consent(connection, member) is not Consent.OFF
            return may_store and members.needs_consent_prompt(connection, member)

        if not await self._database.read(is_to_be_asked):
            return False
        return await self._database.write(
            members.mark_consent_asked, member=member, now=self._clock.now()
        )

    unmark_consent_asked = as_method(Database.write, members.unmark_consent_asked)
    choose = as_method(Database.write, members.choose)

    async def reset(self, guild_id: int, channel_id: int) -> None:
        """Clear a channel's working memory and its open episode; memories of members stay."""
        self._ephemeral_turns.delete_channels(guild_id, [channel_id])
        await self._database.write(
            erasure.reset_channel, guild_id=guild_id, channel_id=channel_id, now=self._clock.now()
        )

    async def review(
        self,
        guild_id: int,
        memory_id: int,
        approve: bool,
        moderator_id: int,
        open_sources: frozenset[int] = frozenset(),
    ) -> Review:
        """Apply a moderator's decision on a waiting memory; returns its state and who decided.

        An approved memory becomes active. It enters the profile if it is a fact from a channel that
        everyone can read (``open_sources``). A rejected one is erased and not learnt again. Raises
        BadInput if nothing may be approved now.
        """
        if approve:
            edit_rules.require_writable(self._rules)
        review = await self._database.write(
            reviews.review,
            guild_id=guild_id,
            memory_id=memory_id,
            approve=approve,
            moderator_id=moderator_id,
            open_sources=open_sources,
            now=self._clock.now(),
        )
        if review.is_new and not approve:
            self.signals.removals.emit()
            self._database.scrub_soon()
        return review

    async def _erase(
        self,
        member: Member,
        unit: Callable[[Connection], T],
        *,
        of_both: bool = False,
        only_answers: bool = False,
        first: Callable[[Member], Awaitable[object]] | None = None,
    ) -> T:
        """Erase a member's words: first what waits in process memory, then run ``unit``.

        The member is not quoted meanwhile. What waits is erased also while the database is away.
        Raises DatabaseError.

        Args:
            member: whose words are erased.
            unit: the unit of work that erases them in the database.
            of_both: the words of the member's linked account are erased too.
            only_answers: of what waits, only Kith's answers about the member are erased.
            first: is called with each account before ``unit`` runs.
        """
        signals, accounts = self.signals, [member]
        with ExitStack() as stack:
            stack.enter_context(signals.under_erasure.marked(member))
            await signals.erasures.emit(member, only_answers=only_answers)
            if of_both:
                linked = await self._database.read(account_links.other_account, member=member)
                if linked is not None:
                    stack.enter_context(signals.under_erasure.marked(linked))
                    await signals.erasures.emit(linked, only_answers=only_answers)
                    accounts.append(linked)
            if first is not None:
                for account in accounts:
                    await first(account)
            result = await self._database.write(unit)
        signals.removals.emit()
        return result

    async def _forget(
        self, member: Member, unit: Callable[[Connection], T], *, of_both: bool = False
    ) -> T:
        """Erase some memories or messages of a member; returns what ``unit`` does, falsy: none."""
        erased = await self._erase(member, unit, of_both=of_both, only_answers=True)
        return self._database.scrub_soon_if(erased)

    def _learnt(self, member: Member, row: Memory, plan: Plan) -> Memory:
        self._metrics.count_plan(member.guild_id, plan)
        self.signals.noted.emit()  # a line on Discord may show what this replaces
        return self._notify_moderators(member, row)

    def _notify_moderators(self, member: Member, row: Memory) -> Memory:
        """Announce a memory that waits for the moderators."""
        if row.status is Status.PROPOSED:
            self.signals.propose(member.guild_id, (row.id,))
        return row


# --- units of work ------------------------------------------------------------------------------
# Each raises BadInput with a sentence if it is refused.


def store_remembered(
    connection: Connection,
    member: Member,
    event: Event,
    extraction: Extraction,
    context: ExtractionContext,
    write_policy: WritePolicy,
    *,
    was_stored: bool,
    now: datetime,
) -> tuple[Memory, Plan]:
    """Store a judged request to remember; returns the memory, and the plan that was carried out.

    Args:
        event: the message that asks; it is stored if it is unknown.
        was_stored: whether it was known before the request was judged.
    """
    members.lock(connection, member)
    consent = members.consent(connection, member)
    if consent is Consent.OFF:
        raise edit_rules.refusal("consent")
    if was_stored and not events.is_stored(connection, event):  # all was forgotten since
        raise edit_rules.refusal("forgotten")
    is_new = events.insert(connection, event, policy.event_end(event.created_at, consent))
    has_note = any(candidate.text for candidate in extraction.candidates)
    if is_new and has_note:  # without one the message is still extracted, for a note about it
        events.finish(connection, _event_ids(connection, event), EventState.DONE)
    plan = memory_changes.change(
        connection,
        member,
        partial(
            plan_changes,
            extraction=extraction,
            write_policy=write_policy,
            context=context,
        ),
        now=now,
        event_ids=_event_ids(connection, event),
        actor_id=member.user_id,
    )
    for reason in plan.refused:
        raise edit_rules.refusal(reason)
    row_ids = (*plan.inserted, *(change.row_id for change in plan.confirmations))
    return _row(connection, member, row_ids[0], now), plan


def store_correction(
    connection: Connection,
    member: Member,
    memory_id: int,
    statement: Statement,
    verdict: Verdict,
    rules: WriteRules,
    now: datetime,
) -> tuple[Memory, Plan]:
    """Replace a memory by a verified statement; returns the new memory, and the plan."""
    members.lock(connection, member)
    _check_current(connection, member, memory_id, now)
    message = statement.message
    plan = memory_changes.change(
        connection,
        member,
        partial(
            edit_rules.plan_correction,
            memory_id=memory_id,
            statement=statement,
            verdict=verdict,
            write_policy=rules.policy,
            forbidden=rules.forbidden,
            zone=settings.load(connection, member.guild_id).zone,
        ),
        now=now,
        event_ids=[] if message is None else _event_ids(connection, message),
        actor_id=member.user_id,
        counts_writes=True,
    )
    # Repeated corrections must not fill the database.
    oldest = [row.id for row in memories.load_past(connection, member, now)][:-MAX_PAST]
    memories.remove(connection, member, oldest, "removed", now=now, actor_id=0)
    return _row(connection, member, plan.inserted[0], now), plan


def restore_replaced(
    connection: Connection, member: Member, memory_id: int, write_policy: WritePolicy, now: datetime
) -> list[Memory]:
    """Restore the memories that one replaced; returns them.

    The number of a replaced memory means the one that replaced it.
    """
    members.lock(connection, member)
    past = memories.load_past(connection, member, now)
    memory_id = next((row.superseded_by for row in past if row.id == memory_id), None) or memory_id
    _check_current(connection, member, memory_id, now)
    if settings.load(connection, member.guild_id).frozen:
        raise edit_rules.refusal("frozen")
    swapped = memory_history.swap_superseded(
        connection, member, memory_id, now=now, actor_id=member.user_id
    )
    if swapped is None:
        raise BadInput("Memory #{number} replaced nothing that I still have.", number=memory_id)
    restored, superseded = swapped
    paragraph = edit_rules.replaced_in_profile(
        members.load_header(connection, member).profile,
        set(superseded),
        set(restored),
        memories.load_current(connection, member, now),
    )
    if paragraph is not None:
        members.save_profile(connection, member, paragraph)
    active_policy = policy.in_force(write_policies.load(connection, member.guild_id), write_policy)
    rows = [_row(connection, member, row_id, now) for row_id in restored]
    approved_ids = audit.approved_ids(connection, member)
    days = active_policy.pattern_days  # it was active before
    waiting_ids = [
        row.id
        for row in rows
        if row.id not in approved_ids
        and row.status is Status.ACTIVE
        and policy.status_for(row.kind, row.confidence, days, active_policy) is Status.PROPOSED
    ]
    if waiting_ids:
        memory_history.mark_proposed(connection, waiting_ids)
        sources = memories.load_evidence(connection, member)
        behind = {ref.message_id for row_id in waiting_ids for ref in sources[row_id]}
        memory_changes.withhold(connection, member.guild_id, behind)
        memory_changes.refresh_profile(connection, member, profile.remaining, now)
    return [_row(connection, member, row_id, now) for row_id in restored]


def _check_current(connection: Connection, member: Member, memory_id: int, now: datetime) -> None:
    """Raise BadInput unless it is a current memory of this member."""
    for row in memories.load_past(connection, member, now):
        if row.id == memory_id:
            raise BadInput(REPLACED, number=memory_id, by=row.superseded_by)
    _row(connection, member, memory_id, now)


def _row(connection: Connection, member: Member, memory_id: int, now: datetime) -> Memory:
    """Return a current memory of a member. Raises BadInput if there is none with that number."""
    for row in memories.load_current(connection, member, now):
        if row.id == memory_id:
            return row
    raise BadInput(UNKNOWN, number=memory_id)


def _event_ids(connection: Connection, event: Event) -> list[int]:
    """Return the database id of a message; empty if it is not stored."""
    event_id = events.id_of(connection, event)
    return [] if event_id is None else [event_id]
