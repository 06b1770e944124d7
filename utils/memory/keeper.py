"""Keeper changes what a person asks to change: remember, correct, undo, forget, consent, and a
channel's working memory. Each wish is one unit of work, or one sentence that says why not."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from utils.clock import Clock
from utils.database import (
    events,
    guilds,
    histories,
    members,
    memories,
    policies,
)
from utils.database.engine import Database, Session
from utils.errors import BadInput
from utils.memory import letting_go, policy, profile, reviewing, wishes
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.decide import decide
from utils.memory.erasures import OnErasing
from utils.memory.fleeting import FleetingRoom
from utils.memory.proposals import Proposals
from utils.memory.retention import Retention
from utils.memory.storable import storable
from utils.metrics import Metrics
from utils.model.memory import Audience, Consent, Event, EventState, Member, Memory, Status
from utils.model.plan import Plan
from utils.model.policy import Review, WritePolicy
from utils.model.transfer import Noted, Statement

MOST_PAST = 500


class Keeper:
    """Carries out people's own wishes about what is remembered, each in one unit of work."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        write_policy: WritePolicy | None = None,
        *,
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
        proposals: Proposals | None = None,
        read_only: bool = False,
        on_erasing: OnErasing | None = None,
        fleeting: FleetingRoom | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """``on_erasing`` is called before something of a member is erased; ``fleeting`` holds what
        of them is only in process memory."""
        self._database = database
        self._clock = clock
        self._write_policy = write_policy or WritePolicy()
        self._forbidden = forbidden
        self._proposals = proposals or Proposals()
        self._read_only = read_only
        self._retention = Retention(database, clock)
        self._on_erasing = on_erasing
        self._fleeting = fleeting or FleetingRoom(clock)
        self._metrics = metrics or Metrics(clock)

    async def forget(self, member: Member, memory_id: int, *, actor_id: int | None = None) -> bool:
        """Erase one memory and the messages behind it; False if it is not this member's.

        A tombstone without text stays, so that the same message cannot teach it again. It is the
        member's own wish unless ``actor_id`` says whose.
        """
        now = self._clock.now()

        unit = partial(
            letting_go.forget_one, member=member, memory_id=memory_id, now=now, actor_id=actor_id
        )
        await self._let_go(member, only_answers=True)
        done = await self._database.write(unit)
        if done:
            await self._database.scrub()
        return done

    async def forget_all(self, member: Member) -> int:
        """Erase everything a member said and everything known of them in a server.

        Returns how many memories went. Their choice of consent stays.
        """
        now = self._clock.now()

        await self._let_go(member)
        count = await self._database.write(partial(letting_go.forget_all, member=member, now=now))
        await self._database.scrub()
        return count

    async def retract(self, guild_id: int, message_ids: Sequence[int]) -> int:
        """Let deleted messages take with them what only they supported; returns how many rows.

        Messages that were never heard change nothing and cost one look.
        """
        return await self._retention.retract(guild_id, message_ids)

    async def remember(
        self, member: Member, event: Event, text: str, audience: Audience | None = None
    ) -> Memory:
        """Keep what a member asks to have remembered of their own message; returns the row.

        The message is recorded if it is unknown. ``text`` must be supported by it, like whatever
        an extractor makes of a message. ``audience`` (who reads the channel) lets a fact that was
        said openly into the profile. Raises BadInput with the reason it may not be kept.
        """
        self._check_writable()
        now = self._clock.now()
        event = storable(event)
        decided = partial(
            decide,
            extraction=wishes.as_told(member, event, text),
            write_policy=self._write_policy,
            heard=wishes.heard(event, audience, self._forbidden),
        )

        def unit(session: Session) -> tuple[Memory, Plan]:
            members.lock(session, member)
            consent = members.consent(session, member)
            if consent is Consent.OFF:
                raise wishes.refusal("consent")
            if events.insert(session, event, policy.event_end(event.created_at, consent)):
                events.finish(session, _stored(session, event), EventState.DONE)
            event_ids = _stored(session, event)
            plan = members.change(
                session, member, decided, now=now, event_ids=event_ids, actor_id=member.user_id
            )
            for reason in plan.refused:
                raise wishes.refusal(reason)
            kept = (*plan.inserted, *(one.row_id for one in plan.confirmations))
            return _row(session, member, kept[0], now), plan

        try:
            return self._learnt(member, *await self._database.write(unit))
        except wishes.NotKept as error:
            self._metrics.refused(member.guild_id, {error.reason: 1})
            raise

    async def correct(self, member: Member, memory_id: int, said: Statement) -> Memory:
        """Put a member's own words in the place of one of their memories; returns the new row.

        What it replaces is kept as its past, and is never surer than it was. The new row is told
        where the old one was; if it was said in a message, where that was said, and only if that
        carries it. Raises BadInput with the reason it may not be kept.
        """
        self._check_writable()
        now = self._clock.now()
        decided = partial(
            wishes.correction,
            memory_id=memory_id,
            said=said,
            write_policy=self._write_policy,
            forbidden=self._forbidden,
        )

        def unit(session: Session) -> tuple[Memory, Plan]:
            members.lock(session, member)
            _check_current(session, member, memory_id, now)
            event_ids = _stored(session, said.message) if said.message is not None else []
            plan = members.change(
                session, member, decided, now=now, event_ids=event_ids, actor_id=member.user_id
            )
            _bound_past(session, member, now)
            return _row(session, member, plan.inserted[0], now), plan

        return self._learnt(member, *await self._database.write(unit))

    async def undo(self, member: Member, memory_id: int) -> list[Memory]:
        """Bring back what a memory took the place of, in its stead; returns what holds now.

        Undoing that brings the first one back. Raises BadInput when there is nothing to undo.
        """
        self._check_writable()
        now = self._clock.now()

        def unit(session: Session) -> list[Memory]:
            members.lock(session, member)
            _check_current(session, member, memory_id, now)
            if guilds.load(session, member.guild_id).frozen:
                raise wishes.refusal("frozen")
            done = histories.swap(session, member, memory_id, now=now, actor_id=member.user_id)
            if done is None:
                raise BadInput(f"Memory #{memory_id} took the place of nothing I still have.")
            _exchange_in_profile(session, member, memory_id, done, now)
            own = policy.in_force(policies.load(session, member.guild_id), self._write_policy)
            rows = [_row(session, member, row_id, now) for row_id in done.restored]
            known = histories.approved(session, member)
            if waiting := [one.id for one in rows if one.id not in known and _must_wait(one, own)]:
                histories.let_wait(session, waiting)
                members.refresh_profile(session, member, profile.remaining, now)
            return [_row(session, member, row_id, now) for row_id in done.restored]

        return [self._told(member, row) for row in await self._database.write(unit)]

    async def set_consent(
        self, member: Member, choice: Consent | None = None, *, passive: bool | None = None
    ) -> None:
        """Store how long a member lets Kith remember them in a server, and whether it may note
        what they say to others; None leaves a choice as it is. What is stored obeys at once.

        OFF erases everything of them. TEMPORARY leaves nothing that was last said 30 days ago.
        LASTING lets live on what only the shorter consent would have ended.
        """
        now = self._clock.now()

        unit = partial(
            letting_go.choose,
            member=member,
            choice=choice,
            passive=passive,
            write_policy=self._write_policy,
            now=now,
        )
        if choice is not None:
            self._fleeting.let_go(member)
        if choice is Consent.OFF:
            await self._let_go(member)
        await self._database.write(unit)
        if choice in (Consent.OFF, Consent.TEMPORARY):
            await self._database.scrub()

    async def note(self, member: Member, action: Noted) -> bool:
        """Note that a member is asked for consent, or that this failed.

        False when a member need not be asked: they have been, or they have chosen.
        """
        now = self._clock.now()

        def is_to_be_asked(session: Session) -> bool:
            is_heard = members.leave_to_store(session, member) is not Consent.OFF
            return is_heard and members.is_unasked(session, member)

        is_asking = action is Noted.ASKED
        if is_asking and (self._read_only or not await self._database.read(is_to_be_asked)):
            return False

        def unit(session: Session) -> bool:
            if is_asking:
                return members.ask_consent(session, member, now)
            return members.unask_consent(session, member)

        return await self._database.write(unit)

    async def reset(self, guild_id: int, channel_id: int) -> None:
        """Make a channel's working memory begin anew; what is remembered of people stays.

        No summary tells of the chapter that was open, not even the one that was written of it.
        """

        unit = partial(
            letting_go.reset, guild_id=guild_id, channel_id=channel_id, now=self._clock.now()
        )
        self._fleeting.delete_places(guild_id, [channel_id])
        await self._database.write(unit)

    async def review(
        self,
        guild_id: int,
        memory_id: int,
        approve: bool,
        moderator_id: int,
        open_sources: frozenset[int] = frozenset(),
    ) -> Review:
        """Let a moderator decide on a memory that waits; returns how it stands, decided once.

        What is approved holds, and enters the profile if it is a fact that was said where everybody
        can read (``open_sources``). What is rejected is erased, and not learnt again. Raises
        BadInput when nothing may be approved now.
        """
        now = self._clock.now()
        if approve:
            self._check_writable()
        unit = partial(
            reviewing.review,
            guild_id=guild_id,
            memory_id=memory_id,
            approve=approve,
            moderator_id=moderator_id,
            open_sources=open_sources,
            now=now,
        )
        review = await self._database.write(unit)
        if review.is_new and not approve:
            await self._database.scrub()
        return review

    def _check_writable(self) -> None:
        if self._read_only:
            raise wishes.refusal("read-only")

    async def _let_go(self, member: Member, *, only_answers: bool = False) -> None:
        """Have what waits to be written of a member go, also while the database is away."""
        if self._on_erasing is not None:
            await self._on_erasing(member, only_answers=only_answers)

    def _learnt(self, member: Member, row: Memory, plan: Plan) -> Memory:
        self._metrics.learnt(member.guild_id, plan)
        return self._told(member, row)

    def _told(self, member: Member, row: Memory) -> Memory:
        """Tell the moderators of a row that waits for them."""
        if row.status is Status.PROPOSED:
            self._proposals.tell(member.guild_id, (row.id,))
        return row


def _check_current(session: Session, member: Member, memory_id: int, now: datetime) -> None:
    """Raise BadInput unless it is a memory of this member's that holds now."""
    for row, by in memories.load_past(session, member, now):
        if row.id == memory_id:
            raise BadInput(f"Memory #{memory_id} has been replaced by #{by}; name that one.")
    _row(session, member, memory_id, now)


def _bound_past(session: Session, member: Member, now: datetime) -> None:
    """Let the oldest past go, so that correcting over and over does not fill the database."""
    oldest = [row.id for row, _ in memories.load_past(session, member, now)][:-MOST_PAST]
    memories.remove(session, member, oldest, "removed", now=now, actor_id=0)


def _must_wait(row: Memory, rules: WritePolicy) -> bool:
    """Whether a row that comes back is one that moderators decide on, however it went away."""
    status = policy.status_for(row.kind, row.confidence, rules.pattern_days, rules)
    return row.status is Status.ACTIVE and status is Status.PROPOSED


def _row(session: Session, member: Member, memory_id: int, now: datetime) -> Memory:
    """Return a current row of a member's. Raises BadInput when there is none of that number."""
    for row in memories.load_current(session, member, now):
        if row.id == memory_id:
            return row
    raise BadInput(f"There is no memory #{memory_id} of yours here.")


def _stored(session: Session, event: Event) -> list[int]:
    """Return the id under which a message is stored."""
    event_id = histories.event_id(session, event)
    return [] if event_id is None else [event_id]


def _exchange_in_profile(
    session: Session, member: Member, memory_id: int, done: histories.Swapped, now: datetime
) -> None:
    """Let what holds again stand in the paragraph where the undone row stood, or beside it."""
    stored = members.standing(session, member).profile
    rows = memories.load_current(session, member, now)
    out = {memory_id, *done.superseded}
    into = {*done.restored, *(out - {*done.superseded})}
    paragraph = wishes.exchanged(stored, out, into, rows)
    if paragraph is not None:
        members.save_profile(session, member, paragraph)
