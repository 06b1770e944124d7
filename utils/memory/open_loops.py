"""OpenLoops keeps what a member wants to be asked about later, and notes which tools were used.

Bringing it up is recall's; here it is noted, listed and dropped, each in one unit of work.
"""

from collections.abc import Collection
from datetime import date, datetime, time, timedelta, tzinfo
from functools import partial

from utils.clock import Clock
from utils.database import events, histories, members, open_loops
from utils.database.engine import Database, Session
from utils.errors import BadInput
from utils.memory import policy, wishes
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.safety import refusal_reason
from utils.model.episode import LOOP_LIMIT, LoopKind, OpenLoop
from utils.model.memory import Consent, Event, Member
from utils.text import clean, one_line, utf16_length

ASKED_WITHIN = timedelta(days=30)  # of the day; later than that, nobody wants to be asked
TOO_LONG = f"That is too long: what I shall ask about has at most {LOOP_LIMIT} characters."
DAY_IS_OVER = "That day is over; name one that is to come."
TOO_LATE = {
    Consent.TEMPORARY: (
        "I forget what you say here after 30 days, so I can't ask that late; `/memory consent` "
        "changes that."
    ),
    Consent.LASTING: "That is too far away: I keep messages for a year at most.",
}
KNOWN_ALREADY = "I am to ask you about that already."


class OpenLoops:
    """Carries out what members want to be asked about."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
        read_only: bool = False,
    ) -> None:
        self._database = database
        self._clock = clock
        self._forbidden = forbidden
        self._read_only = read_only

    async def ask_later(self, event: Event, what: str, day: date, zone: tzinfo) -> OpenLoop:
        """Note to ask the author of a message about something, from the beginning of a day on.

        ``day`` is one in ``zone``. It goes with the message, and ends 30 days after the day at the
        latest. Raises BadInput with the reason it may not be kept.
        """
        if self._read_only:
            raise wishes.refusal("read-only")
        text = self._fit(what)
        now = self._clock.now()
        if day < now.astimezone(zone).date():
            raise BadInput(DAY_IS_OVER)
        due_at = datetime.combine(day, time(), zone).astimezone(now.tzinfo)

        def unit(session: Session) -> OpenLoop:
            members.lock(session, event.member)
            end = _end(session, event, due_at, now)
            loop = OpenLoop(
                member=event.member,
                channel_id=event.channel_id,
                source_id=event.source_id,
                message_id=event.message_id,
                kind=LoopKind.ASK,
                text=text,
                created_at=now,
                expires_at=end,
                due_at=due_at,
            )
            if not open_loops.add(session, loop):
                raise BadInput(KNOWN_ALREADY)
            return loop

        return await self._database.write(unit)

    async def of_member(self, member: Member, sources: Collection[int]) -> list[OpenLoop]:
        """Return what a member is to be asked about, now or later, newest first.

        ``sources`` are the channels that those who are told can read.
        """
        found = await self._database.read(
            partial(
                open_loops.open_of,
                guild_id=member.guild_id,
                user_ids=[member.user_id],
                now=self._clock.now(),
                only_due=False,
            )
        )
        return [one for one in found if one.source_id in sources and one.kind is LoopKind.ASK]

    async def drop(self, member: Member, loop_id: int) -> bool:
        """Erase something a member was to be asked about; False if it is not theirs."""

        now = self._clock.now()

        def unit(session: Session) -> bool:
            members.lock(session, member)
            return open_loops.delete(session, member, loop_id, now)

        done = await self._database.write(unit)
        if done:
            await self._database.scrub()
        return done

    async def note_tool(self, member: Member, name: str) -> None:
        """Note in the audit that a tool was called for a member, and no word of what was said.

        Nothing is noted of those of whom nothing is stored.
        """
        if self._read_only:
            return
        now = self._clock.now()

        def unit(session: Session) -> None:
            if members.leave_to_store(session, member) is not Consent.OFF:
                if not members.hold(session, member.guild_id, [member.user_id]):
                    members.lock(session, member)
                histories.note(session, member, f"tool {name}", now, actor_id=0)

        await self._database.write(unit)

    def _fit(self, what: str) -> str:
        """Return the text as it is kept. Raises BadInput for what may not be."""
        text = one_line(clean(what))
        if not any(map(str.isalnum, text)):
            raise wishes.refusal("empty")
        if utf16_length(text) > LOOP_LIMIT:
            raise BadInput(TOO_LONG)
        reason = refusal_reason(text, self._forbidden)
        if reason is not None:
            raise wishes.refusal(reason)
        return text


def _end(session: Session, event: Event, due_at: datetime, now: datetime) -> datetime:
    """Return when a loop ends, by consent and by its message. Raises BadInput if it may not be."""
    event_id = histories.event_id(session, event)
    state = members.load_state(session, event.member, now=now)
    for reason, holds in (
        ("consent", state.consent is Consent.OFF),
        ("frozen", state.frozen),
        ("ignored", state.ignored),
        ("forgotten", event_id is None or not events.surviving(session, [event_id])),
    ):
        if holds:
            raise wishes.refusal(reason)
    last = policy.event_end(event.created_at, state.consent)
    if due_at >= last:
        raise BadInput(TOO_LATE[state.consent])
    return min(last, due_at + ASKED_WITHIN)
