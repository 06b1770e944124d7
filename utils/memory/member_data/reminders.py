"""Reminders stores what members want to be reminded of, and hands out what is due.

A reminder is an open loop: it is erased with the message that asked for it and with the member's
data, ends as consent says, and is part of exports.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from utils.common.clock import Clock, time_zone_named, time_zones
from utils.common.errors import BadInput
from utils.database.core.engine import Connection, Database
from utils.database.erasure import confidences
from utils.database.memories import members, memory_changes
from utils.database.messages import events, open_loops
from utils.memory.member_data import edit_rules
from utils.memory.policy import write_policy
from utils.memory.policy.write_policy import WriteRules
from utils.models.episode import BY_DIRECT_MESSAGE, LOOP_LIMIT, LoopKind, OpenLoop
from utils.models.memory import Consent, Event, Member
from utils.nlp.confidential import is_confidential
from utils.nlp.dates.clock_times import coming_time

MAX_REMINDERS = 25  # per member
MAX_LATE = timedelta(days=7)  # after which a missed reminder is pointless
LATE_AFTER = timedelta(minutes=5)
HELD_FOR = timedelta(minutes=2)  # by the process that delivers it; then it is tried again
MAX_BATCH = 100
WHEN = "I don't understand when. Say for example: tomorrow at 18:30, on Friday, in 20 minutes."
NOT_HERE = "I can only send reminders on Discord."
IS_OVER = "That time is over; name one that is to come."
TOO_MANY = "That is too much: I keep at most {number} reminders for you here."
TOO_LONG = f"That is too long: a reminder has at most {LOOP_LIMIT} characters."
TOO_LATE = {
    Consent.TEMPORARY: (
        "I forget what you say here after 30 days, so I can't remind you that late; `/memory "
        "consent` changes that."
    ),
    Consent.LASTING: "That is too far away: I keep reminders for a year at most.",
}


@dataclass(frozen=True, slots=True)
class ReminderRequest:
    """What a member wants to be reminded of, and where.

    Attributes:
        channel_id: where it is delivered; BY_DIRECT_MESSAGE or a channel.
        source_id: the channel whose readers may see it.
        message_id: the message or the command that asked for it.
        event: the message, unless it was a command.
    """

    member: Member
    text: str
    when: str
    channel_id: int
    source_id: int
    message_id: int
    event: Event | None = None

    @classmethod
    def in_message(cls, event: Event, text: str, when: str) -> "ReminderRequest":
        """Return a request that a message contains; it is delivered in the same channel."""
        return cls(
            event.member, text, when, event.channel_id, event.source_id, event.message_id, event
        )


class Reminders:
    """Stores, lists and hands out reminders. ``can_deliver``: something delivers them."""

    def __init__(self, database: Database, clock: Clock, rules: WriteRules) -> None:
        self._database = database
        self._clock = clock
        self._rules = rules
        self.can_deliver = False

    async def zone(self, member: Member, server_zone: str) -> ZoneInfo:
        """Return the member's own time zone, else the server's."""
        chosen = await self._database.read(members.time_zone, member=member)
        return ZoneInfo(chosen if chosen in time_zones() else server_zone)

    async def set_zone(self, member: Member, name: str) -> str:
        """Store a member's own time zone, by its IANA name or city; returns its IANA name.

        Raises BadInput if it is none, or nothing is stored.
        """
        zone = time_zone_named(name)
        if self._rules.read_only:
            raise edit_rules.refusal("read-only")
        now = self._clock.now()

        def unit(connection: Connection) -> None:
            edit_rules.check_writable(memory_changes.load_state(connection, member, now=now))
            members.set_time_zone(connection, member, zone)

        await self._database.write(unit)
        return zone

    async def add(self, request: ReminderRequest, zone: ZoneInfo) -> OpenLoop:
        """Store a reminder. Raises BadInput with the reason it may not be."""
        if self._rules.read_only:
            raise edit_rules.refusal("read-only")
        if not self.can_deliver:
            raise BadInput(NOT_HERE)
        text = edit_rules.loop_text(request.text, self._rules.forbidden, TOO_LONG)
        now = self._clock.now()
        due_at = coming_time(request.when, now, zone)
        if due_at is None:
            raise BadInput(WHEN)
        if due_at <= now:
            raise BadInput(IS_OVER)
        return await self._database.write(_add, request=request, text=text, due_at=due_at, now=now)

    async def of_member(self, member: Member) -> list[OpenLoop]:
        """Return a member's reminders, the next one first."""
        return await self._database.read(
            open_loops.load_reminders, member=member, now=self._clock.now()
        )

    async def due(self, is_ours: Callable[[int], bool]) -> list[OpenLoop]:
        """Return what is due in servers for which ``is_ours`` is true. Raises DatabaseError."""
        due = await self._database.read(
            open_loops.load_due_reminders, now=self._clock.now(), held_for=HELD_FOR, limit=MAX_BATCH
        )
        return [reminder for reminder in due if is_ours(reminder.member.guild_id)]

    async def claim(self, reminder: OpenLoop) -> bool:
        """Begin to deliver a reminder; False if another process does, or it is gone."""
        now = self._clock.now()
        return await self._database.write(
            open_loops.claim_reminder, reminder_id=reminder.id, now=now, held_for=HELD_FOR
        )

    async def finish(self, reminder: OpenLoop) -> None:
        """Delete a reminder that was delivered, or can't be. Raises DatabaseError."""

        def unit(connection: Connection) -> None:
            members.lock(connection, reminder.member)
            open_loops.finish_reminder(connection, reminder)

        await self._database.write(unit)

    def is_late(self, reminder: OpenLoop) -> bool:
        """Return whether a reminder is delivered much later than it was due."""
        due_at = reminder.due_at
        return due_at is not None and self._clock.now() - due_at > LATE_AFTER


def _add(
    connection: Connection, request: ReminderRequest, text: str, due_at: datetime, now: datetime
) -> OpenLoop:
    member, said_at = request.member, now
    members.lock(connection, member)
    state = memory_changes.load_state(connection, member, now=now)
    edit_rules.check_writable(state)
    if request.event is not None:
        said_at = request.event.created_at
        event_id = events.id_of(connection, request.event)
        if event_id is None or not events.load_existing(connection, [event_id]):
            raise edit_rules.refusal("forgotten")
    end = write_policy.event_end(said_at, state.consent)
    if due_at >= end:
        raise BadInput(TOO_LATE[state.consent])
    secret = (text, "" if request.event is None else request.event.text)
    is_secret = any(map(is_confidential, secret)) or bool(
        confidences.marked(connection, member.guild_id, [request.message_id])
    )
    known = open_loops.load_reminders(connection, member, now)
    for reminder in known:
        if (reminder.text, reminder.due_at) == (text, due_at):
            return reminder
    if len(known) >= MAX_REMINDERS:
        raise BadInput(TOO_MANY, number=MAX_REMINDERS)
    reminder = OpenLoop(
        member=member,
        channel_id=BY_DIRECT_MESSAGE if is_secret else request.channel_id,
        source_id=request.source_id,
        message_id=request.message_id,
        kind=LoopKind.REMINDER,
        text=text,
        created_at=now,
        expires_at=min(end, due_at + MAX_LATE).astimezone(UTC),
        due_at=due_at,
    )
    open_loops.insert_loop(connection, reminder)
    return reminder
