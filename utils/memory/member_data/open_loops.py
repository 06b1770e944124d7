"""OpenLoops stores what a member wants to be asked about later, and records tool calls.

Recall brings loops up. Here they are stored, listed and deleted, each in one unit of work.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo

from utils.common.errors import BadInput
from utils.database.core.engine import Connection, DatabaseService, reads
from utils.database.erasure import confidences
from utils.database.guilds import account_links
from utils.database.memories import audit, members, memory_changes
from utils.database.messages import events, open_loops
from utils.memory.consolidation.wording import word_key
from utils.memory.member_data import edit_rules
from utils.memory.policy.write_policy import WriteRules
from utils.models.episode import LOOP_LIMIT, LoopKind, LoopState, OpenLoop
from utils.models.memory import Consent, Event, Member
from utils.nlp.confidential import is_confidential
from utils.nlp.dates.upcoming import coming_day
from utils.nlp.stemming import stems

MAX_DELAY = timedelta(days=30)  # after the day; a later question would be pointless
TOO_LONG = f"That is too long: what I should ask about has at most {LOOP_LIMIT} characters."
DAY_IS_OVER = "That day is over; name a later one."
MAX_DAY_WORDS = 3
SAME_SHARE = 3 / 4
KNOWN_ALREADY = "I am already going to ask you about that."


@dataclass(eq=False, repr=False)
class OpenLoops(DatabaseService):
    """Stores, lists and deletes what members want to be asked about."""

    _rules: WriteRules

    async def ask_later(
        self,
        event: Event,
        topic: str,
        day: date,
        zone: tzinfo,
        repeated: Sequence[Event] = (),
    ) -> OpenLoop:
        """Store a request to ask a message's author about ``topic`` on a day in ``zone``, or later.

        ``repeated`` are their earlier messages whose words the topic has. It is erased with any of
        these messages, and ends at most 30 days after the day. What a summary found open in the
        same words is closed. Raises BadInput with the reason it may not be stored.
        """
        edit_rules.require_writable(self._rules)
        text = self._text_of(topic)
        now = self._clock.now()
        if day < now.astimezone(zone).date():
            raise BadInput(DAY_IS_OVER)
        due_at = datetime.combine(day, time(), zone).astimezone(now.tzinfo)

        def unit(connection: Connection) -> OpenLoop:
            members.lock(connection, event.member)
            last = last_time(connection, event.member, (event, *repeated), due_at, now)
            end = min(last, due_at + MAX_DELAY)
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
            texts = (loop.text, event.text, *(turn.text for turn in repeated))
            told_ids = [event.message_id, *(turn.message_id for turn in repeated)]
            is_secret = any(map(is_confidential, texts)) or bool(
                confidences.marked(connection, event.guild_id, told_ids)
            )
            if is_secret:
                return open_loops.insert_loop(
                    connection, open_loops.as_private(loop, now), told_ids[1:]
                )
            earlier = _same_request(connection, loop, now)
            if earlier is not None and earlier.due_at == due_at:
                raise BadInput(KNOWN_ALREADY)
            if earlier is not None:  # another day for the same request
                moved = replace(earlier, due_at=due_at, expires_at=end)
                _store_change(connection, moved)
                return moved
            # What a summary found open is asked about once.
            same = [
                stored.id
                for stored in open_loops.load_all(connection, loop.member, now)
                if stored.state is LoopState.OPEN
                and stored.kind not in (LoopKind.ASK, LoopKind.REMINDER)
                and is_same_question(loop.text, stored.text)
            ]
            open_loops.set_state(connection, same, LoopState.CLOSED)
            if not open_loops.add(connection, loop, [turn.message_id for turn in repeated]):
                raise BadInput(KNOWN_ALREADY)
            return loop

        return await self._database.write(unit)

    async def change(self, member: Member, loop_id: int, text: str, zone: tzinfo) -> OpenLoop:
        """Change what a member wants to be asked about, or when; returns it as it is now.

        A text of up to three words that names a day changes the day only. Any other text changes
        what is asked, and the day too if it names one. It is then offered again. Raises BadInput
        with the reason it may not be changed.
        """
        edit_rules.require_writable(self._rules)
        now = self._clock.now()
        day = coming_day(text, now, zone)
        topic = None if day is not None and len(text.split()) <= MAX_DAY_WORDS else text
        new_text = None if topic is None else self._text_of(topic)
        if day is not None and day < now.astimezone(zone).date():
            raise BadInput(DAY_IS_OVER)

        def unit(connection: Connection) -> OpenLoop:
            members.lock(connection, member)
            loop = next(
                (
                    loop
                    for loop in open_loops.load_all(connection, member, now)
                    if loop.id == loop_id and loop.state is LoopState.OPEN
                ),
                None,
            )
            if loop is None:
                raise BadInput(
                    "There is nothing with the number p{number} that I should ask you about.",
                    number=loop_id,
                )
            if loop.kind is LoopKind.REMINDER:
                raise BadInput(
                    "A reminder can't be changed: `/remind cancel` it, and ask for a new one."
                )
            changed = replace(loop, text=new_text or loop.text)
            if day is not None:
                due_at = datetime.combine(day, time(), zone).astimezone(now.tzinfo)
                consent = members.effective_consent(connection, member)
                changed = replace(
                    changed,
                    due_at=due_at,
                    expires_at=min(
                        edit_rules.last_time(loop.created_at, due_at, consent), due_at + MAX_DELAY
                    ),
                )
            _store_change(connection, changed)
            return changed

        return await self._database.write(unit)

    @reads
    def of_member(
        self, connection: Connection, member: Member, sources: Collection[int]
    ) -> list[OpenLoop]:
        """Return what a member wants to be asked about, now or later, newest first.

        What they asked for from their linked account is included. ``sources`` are the channels
        that the viewer can read.
        """
        linked = account_links.other_account(connection, member)
        user_ids = [member.user_id, *([linked.user_id] if linked is not None else [])]
        loops = open_loops.load_open(connection, member.guild_id, user_ids, self._clock.now())
        return [loop for loop in loops if loop.source_id in sources and loop.kind is LoopKind.ASK]

    async def drop(self, member: Member, loop_id: int) -> bool:
        """Erase a request of a member or their linked account; False if it is of neither."""
        now = self._clock.now()

        def unit(connection: Connection) -> bool:
            accounts = members.lock_accounts(connection, member)
            return any(open_loops.delete(connection, account, loop_id, now) for account in accounts)

        return self._database.scrub_soon_if(await self._database.write(unit))

    async def note_tool(self, member: Member, name: str) -> None:
        """Record in the audit, without any text, that a tool was called for a member.

        Nothing is recorded for members with consent off.
        """
        if self._rules.read_only:
            return
        now = self._clock.now()

        def unit(connection: Connection) -> None:
            is_known = members.lock_existing(connection, member.guild_id, [member.user_id])
            if members.effective_consent(connection, member) is not Consent.OFF:
                if not is_known:
                    members.lock(connection, member)
                audit.record(connection, member, f"tool {name}", now, actor_id=0)

        await self._database.write(unit)

    def _text_of(self, topic: str) -> str:
        return edit_rules.loop_text(topic, self._rules.forbidden, TOO_LONG)


def last_time(
    connection: Connection, member: Member, said: Sequence[Event], due_at: datetime, now: datetime
) -> datetime:
    """Return when what a member's messages say ends; without messages, it is said now.

    Raises BadInput if that is before it is due, or nothing may be stored of them.
    """
    state = memory_changes.load_state(connection, member, now=now)
    edit_rules.check_writable(state)
    if said:
        event_id = events.id_of(connection, said[0])
        ids = [] if event_id is None else [event_id, *(turn.id for turn in said[1:])]
        if not ids or len(events.load_existing(connection, ids)) < len(ids):
            raise edit_rules.refusal("forgotten")
    said_at = min((turn.created_at for turn in said), default=now)
    return edit_rules.last_time(said_at, due_at, state.consent)


def is_same_question(text: str, stored_text: str) -> bool:
    """Whether two open loops of a member are about the same, by most of the shorter one's words."""
    words, stored_words = set(stems(text)), set(stems(stored_text))
    return len(words & stored_words) >= SAME_SHARE * max(1, min(len(words), len(stored_words)))


def _same_request(connection: Connection, loop: OpenLoop, now: datetime) -> OpenLoop | None:
    """Return the open request of a member with the same words as a new one, if there is one."""
    has_words, key = bool(stems(loop.text)), word_key(loop.text)
    for stored in open_loops.load_all(connection, loop.member, now):
        is_request = stored.kind is LoopKind.ASK and stored.state is LoopState.OPEN
        if is_request and (
            stored.text == loop.text or (has_words and word_key(stored.text) == key)
        ):
            return stored
    return None


def _store_change(connection: Connection, loop: OpenLoop) -> None:
    open_loops.change(
        connection,
        loop.member,
        loop.id,
        text=loop.text,
        due_at=loop.due_at,
        expires_at=loop.expires_at,
    )
