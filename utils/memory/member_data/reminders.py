"""Reminders stores what members want to be reminded of, and hands out what is due.

A reminder is an open loop: it is erased with the message that asked for it and with the member's
data, ends as consent says, and is part of exports.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from utils.common.clock import time_zone_named
from utils.common.errors import BadInput
from utils.database.core.engine import Connection, DatabaseService, reads, writes
from utils.database.erasure import confidences
from utils.database.memories import members, memory_changes
from utils.database.messages import open_loops
from utils.memory.member_data import edit_rules
from utils.memory.member_data.open_loops import last_time
from utils.memory.policy.write_policy import WriteRules
from utils.models.episode import BY_DIRECT_MESSAGE, LOOP_LIMIT, LoopKind, OpenLoop
from utils.models.memory import Event, Member
from utils.nlp.confidential import is_confidential
from utils.nlp.dates.clock_times import SpokenTime, read_time
from utils.nlp.dates.repeats import Repeat
from utils.nlp.dates.zones import zone_named

MAX_REMINDERS = 25  # per member
MAX_LATE = timedelta(days=7)  # after which a missed reminder is pointless
LATE_AFTER = timedelta(minutes=5)
HELD_FOR = timedelta(minutes=2)  # by the process that delivers it; then it is tried again
SAME_TIME = timedelta(seconds=1)
MAX_BATCH = 100
MAX_DIFFERENCE = timedelta(minutes=2)  # a model that counts on from now knows the minute only
MAX_SHOWN = 3
MAX_UNUSED = 60  # characters that are quoted
WHEN = (
    "I don't understand when. Say for example: tomorrow at 18:30, in 1h 30min, every Monday at 9."
)
NOT_WHOLE = (
    "So far I read that as {time}, but I don't know what “{unused}” changes about it. Say the "
    "whole time in other words, such as: 2026-12-01 18:30, 6 pm UTC+1, every 3 days at 9."
)
TOO_MANY = "That is too much: I keep at most {number} reminders for you here."
TOO_LONG = f"That is too long: a reminder has at most {LOOP_LIMIT} characters."


@dataclass(frozen=True, slots=True)
class ReminderRequest:
    """What a member wants to be reminded of, and where.

    Attributes:
        channel_id: where it is delivered; BY_DIRECT_MESSAGE or a channel.
        source_id: the channel whose readers may see it.
        message_id: the message or the command that asked for it.
        event: the message, unless it was a command.
        repeated: earlier messages of the member whose words the text has.
        model_time: when it is due as a model understands it, in ISO 8601; may be empty.
    """

    member: Member
    text: str
    when: str
    channel_id: int
    source_id: int
    message_id: int
    event: Event | None = None
    repeated: tuple[Event, ...] = ()
    model_time: str = ""

    @classmethod
    def in_message(
        cls, event: Event, text: str, when: str, repeated: Sequence[Event], model_time: str
    ) -> "ReminderRequest":
        """Return a request that a message contains; it is delivered in the same channel."""
        place = (event.channel_id, event.source_id, event.message_id)
        return cls(event.member, text, when, *place, event, tuple(repeated), model_time)


@dataclass(eq=False, repr=False)
class Reminders(DatabaseService):
    """Stores, lists and hands out reminders. ``can_deliver``: something delivers them."""

    _rules: WriteRules
    can_deliver: bool = field(default=False, init=False)

    async def zone(self, member: Member, server_zone: str) -> ZoneInfo:
        """Return the member's own time zone, else the server's."""
        return ZoneInfo(
            await self._database.read(members.zone_of, member=member, server_zone=server_zone)
        )

    @reads
    def needs_zone(self, connection: Connection, member: Member) -> bool:
        """Return whether a member has not chosen a time zone and has only one reminder yet."""
        reminders = open_loops.load_reminders(connection, member, self._clock.now())
        return len(reminders) == 1 and members.time_zone(connection, member) is None

    async def set_zone(self, member: Member, name: str) -> str:
        """Store a member's own time zone, by its IANA name or city; returns its IANA name.

        Raises BadInput if it is none, or nothing is stored.
        """
        zone = time_zone_named(name)
        edit_rules.require_writable(self._rules)

        def unit(connection: Connection) -> str:
            edit_rules.check_writable(
                memory_changes.load_state(connection, member, now=self._clock.now())
            )
            members.choose(connection, member, time_zone=zone)
            return zone

        return await self._database.write(unit)

    async def add(self, request: ReminderRequest, zone: ZoneInfo) -> OpenLoop:
        """Store a reminder. Raises BadInput with the reason it may not be, or with a question."""
        edit_rules.require_writable(self._rules)
        if not self.can_deliver:
            raise BadInput("I can only send reminders on Discord.")
        text = edit_rules.loop_text(request.text, self._rules.forbidden, TOO_LONG)
        now = self._clock.now()
        due_at, repeat = understood(
            read_time(request.when, now, zone), _model_time(request.model_time, zone)
        )
        if due_at <= now:
            raise BadInput("That time is over; name a later one.")
        return await self._database.write(
            _add,
            request=request,
            text=text,
            due_at=due_at,
            repeats="" if repeat is None else str(repeat),
            now=now,
        )

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
        return await self._database.write(
            open_loops.claim_reminder,
            reminder_id=reminder.id,
            now=self._clock.now(),
            held_for=HELD_FOR,
        )

    @writes
    def finish(
        self, connection: Connection, reminder: OpenLoop, *, is_delivered: bool = True
    ) -> None:
        """Delete a reminder that was delivered, or can't be; a repeated one gets its next time.

        Raises DatabaseError.
        """
        next_at = next_time(reminder, self._clock.now())
        misses = 0 if is_delivered else reminder.misses + 1
        members.lock(connection, reminder.member)
        if next_at is None:
            open_loops.finish_reminder(connection, reminder)
        else:
            open_loops.postpone_reminder(connection, replace(reminder, misses=misses), next_at)

    async def skip(self, member: Member, reminder_id: int) -> OpenLoop | None:
        """Leave out the next time of a repeated reminder; None if the member has no such reminder.

        Returns it as it is now; one that had become quiet is heard again. Raises BadInput if it has
        no other time.
        """
        edit_rules.require_writable(self._rules)
        return await self._skip(member, reminder_id)

    @writes
    def _skip(self, connection: Connection, member: Member, reminder_id: int) -> OpenLoop | None:
        now = self._clock.now()
        members.lock(connection, member)
        reminders = open_loops.load_reminders(connection, member, now)
        reminder = next((item for item in reminders if item.id == reminder_id), None)
        if reminder is None or reminder.due_at is None:
            return None
        if not reminder.repeats:
            raise BadInput("That reminder comes only once; `/remind cancel` ends it.")
        next_at = next_time(reminder, max(reminder.due_at, now))
        if next_at is None:
            raise BadInput("That reminder has no later time; `/remind cancel` ends it.")
        skipped = replace(reminder, misses=0)
        open_loops.postpone_reminder(connection, skipped, next_at)
        return replace(skipped, due_at=next_at)

    def is_last(self, reminder: OpenLoop) -> bool:
        """Return whether a reminder that is due now does not come again."""
        return next_time(reminder, self._clock.now()) is None

    def is_late(self, reminder: OpenLoop) -> bool:
        """Return whether a reminder is delivered much later than it was due."""
        due_at = reminder.due_at
        return due_at is not None and self._clock.now() - due_at > LATE_AFTER


def understood(read: SpokenTime, model_time: datetime | None) -> tuple[datetime, Repeat | None]:
    """Return when a reminder is due and how it is repeated.

    Raises BadInput with a question if not every word was used, or if a model read another time.
    """
    at = read.at
    if at is None or read.unused:
        unused = read.unused[:MAX_UNUSED]
        if at is not None:
            raise BadInput(NOT_WHOLE, time=timestamp(at, "F"), unused=unused)
        if model_time is not None:
            raise BadInput(
                "I would read that as {time}, but I am not sure. Say it with a date and a "
                "clock time, such as 2026-12-01 18:30.",
                time=timestamp(model_time, "F"),
            )
        raise BadInput(WHEN)
    if model_time is not None and abs(model_time - at) > MAX_DIFFERENCE:
        raise BadInput(
            "That could be {time} or {other}. Say it with a date and a clock time, such as "
            "2026-12-01 18:30.",
            time=timestamp(at, "F"),
            other=timestamp(model_time, "F"),
        )
    return at, read.repeat


def timestamp(at: datetime, style: str) -> str:
    """Return a time as Discord shows it to each reader in their own zone and language."""
    return f"<t:{int(at.timestamp())}:{style}>"


def next_time(reminder: OpenLoop, after: datetime) -> datetime | None:
    """Return when a repeated reminder comes again; None if never, or only after its end."""
    if not reminder.repeats or reminder.due_at is None:
        return None
    repeat = Repeat.parse(reminder.repeats)
    due_day = reminder.due_at.astimezone(zone_named(repeat.zone)).date()
    next_at = repeat.next_after(max(after, reminder.due_at), due_day)
    return next_at if next_at < reminder.expires_at else None


def coming_times(reminder: OpenLoop) -> list[datetime]:
    """Return the next times of a reminder, at most three; a reminder without repetition has one."""
    times = [reminder.due_at or reminder.created_at]
    while len(times) < MAX_SHOWN and (at := next_time(reminder, times[-1])) is not None:
        times.append(at)
    return times


def _model_time(text: str, zone: tzinfo) -> datetime | None:
    """Return the time that a model wrote; None if it wrote none that can be read."""
    try:
        at = datetime.fromisoformat(text.strip())
        return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _add(
    connection: Connection,
    request: ReminderRequest,
    text: str,
    due_at: datetime,
    repeats: str,
    now: datetime,
) -> OpenLoop:
    member = request.member
    members.lock(connection, member)
    messages = () if request.event is None else (request.event, *request.repeated)
    end = last_time(connection, member, messages, due_at, now)
    earlier_ids = [event.message_id for event in request.repeated]
    is_secret = any(map(is_confidential, (text, *(event.text for event in messages)))) or bool(
        confidences.marked(connection, member.guild_id, [request.message_id, *earlier_ids])
    )
    reminders = open_loops.load_reminders(connection, member, now)
    for reminder in reminders:
        # "In an hour", of a message that is answered again after a stop, is an hour after the stop.
        passed = now - reminder.created_at
        later = due_at - (reminder.due_at or due_at)
        is_again = request.message_id == reminder.message_id and abs(later - passed) < SAME_TIME
        if (reminder.text, reminder.repeats) == (text, repeats) and (is_again or not later):
            return reminder
    if len(reminders) >= MAX_REMINDERS:
        raise BadInput(TOO_MANY, number=MAX_REMINDERS)
    reminder = OpenLoop(
        member=member,
        channel_id=BY_DIRECT_MESSAGE if is_secret else request.channel_id,
        source_id=request.source_id,
        message_id=request.message_id,
        kind=LoopKind.REMINDER,
        text=text,
        created_at=now,
        expires_at=(end if repeats else min(end, due_at + MAX_LATE)).astimezone(UTC),
        due_at=due_at,
        repeats=repeats,
    )
    return open_loops.insert_loop(connection, reminder, earlier_ids)
