"""What becomes of memory when its ground goes: a message, a place, a member or a server.

Retention, beyond the ends that consent gives every row and message (utils/memory/policy.py):

- a deleted message, and what an edit removed: at once, with everything that only it supported; a
  tombstone without words stays for good;
- a deleted channel or thread: at once (LEFT_PLACE is zero);
- a member who left: 30 days later, unless they speak or come back. Without the Members intent
  Kith asks Discord, now and then, after members it has not heard for a month; and whoever has not
  been heard for a year without lasting consent is erased, whether they left or not;
- a server that removed Kith: 7 days later, unless it is invited back;
- what tokens were spent on: 90 days;
- scores of watched messages, and the tension made of them: 30 days; watched messages that were
  not analysed: a day;
- a link with another account that this one did not confirm: a day; how far an export of the past
  has been read, without anybody's words: 90 days;
- alerts: 30 days after their last message, open cases 90; what moderators did: a year.

Deletions and edits that happened while Kith was away are looked for in the last week.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from utils.clock import Clock
from utils.database import (
    erasing,
    forgetting,
    histories,
    ledger,
    lifetimes,
    members,
    places,
    retention,
    tombstones,
)
from utils.database.engine import Database, Session
from utils.memory import policy, profile
from utils.memory.storable import storable_text
from utils.model.memory import Event, Member, Memory, Profile
from utils.model.operator import Erasing, Erasure
from utils.model.retention import Erased, Place
from utils.text import clean

LEFT_PLACE = timedelta(0)
LEFT_MEMBER = timedelta(days=30)
UNSEEN_MEMBER = timedelta(days=365)
QUIET_MEMBER = timedelta(days=30)
REMOVED_SERVER = timedelta(days=7)
TOKEN_USE = timedelta(days=90)
SCORES = timedelta(days=30)
DAILY_COUNTS = timedelta(days=400)  # a year ago can be compared with
SHADOW_RECALLS = timedelta(days=30)
UNREAD = timedelta(days=1)
ALERTS = timedelta(days=31)  # their posts lose their words a day before
CASES = timedelta(days=91)
ACTIONS = timedelta(days=365)
UNCONFIRMED = timedelta(days=1)
READ_EXPORTS = timedelta(days=90)

MISSED_WITHIN = timedelta(days=7)
MOST_PLACES = 50
MOST_MESSAGES = 100  # of a place: what Discord tells in one answer
MOST_SCANNED = 50_000
MOST_QUIET = 3_000
ASKED_EVERY_DAYS = 30
BATCH = 200
SCRUBBED_ON_ORDER_BYTES = 1024**4  # an operator who erases somebody waits for it


class Retention:
    """Carries out what happened on Discord on what is stored; each in units of work."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._revising = asyncio.Lock()

    # --- messages ------------------------------------------------------------------------------

    async def revise(
        self, event: Event, hear: Callable[[], Awaitable[object]], *, scrubs: bool = True
    ) -> bool:
        """Let an edited message take back what only its earlier words supported, then hear it.

        ``event`` is the new revision; one without words takes everything back, as a deletion does.
        So does one of which something was forgotten. False, and nothing changes, for messages that
        were never heard, older revisions, and the same words. What was overheard in a watched
        channel is not heard again here: watching looks at it anew by itself; nor is what was read
        from an export. ``scrubs=False``
        leaves scrubbing to the caller, here and below: it can take long.
        """
        if not await self._database.read(partial(_is_news, event=event)):
            return False
        now = self._clock.now()
        has_words = bool(clean(event.text).strip())
        is_forgotten = partial(
            tombstones.for_good, guild_id=event.guild_id, message_ids=[event.message_id]
        )
        if await self._database.read(is_forgotten):
            has_words = False  # what was forgotten of it is not learnt again, nor is anything else

        def unit(session: Session) -> tuple[bool, bool]:
            if not _is_news(session, event):
                return False, False
            last = places.last_heard(session, event.guild_id, event.message_id)
            is_heard = has_words and last is not None and last.is_talk
            take_back(
                session,
                event.guild_id,
                [event.message_id],
                now,
                until=event.revision - is_heard,
                keeps_attachments=is_heard,
            )
            if not is_heard:
                places.mark(session, event.guild_id, [event.message_id], event.revision)
            return True, is_heard

        async with self._revising:  # or an earlier revision could be heard after a later one
            is_news, is_heard = await self._database.write(unit)
            if is_heard:
                await hear()
                await self._database.write(partial(_unless_unheard, event=event, now=now))
        if is_news and scrubs:
            await self.scrub()
        return is_news

    async def retract(
        self, guild_id: int, message_ids: Sequence[int], *, scrubs: bool = True
    ) -> int:
        """Let deleted messages take with them what only they supported; returns how many rows.

        Messages that were never heard change nothing and cost one look.
        """
        now = self._clock.now()

        def is_known(session: Session) -> bool:
            return erasing.is_any_known(session, guild_id, message_ids) or bool(
                forgetting.concerned(session, guild_id, message_ids)
            )

        def unit(session: Session) -> int:
            removed = take_back(session, guild_id, message_ids, now)
            places.mark(session, guild_id, message_ids)
            return sum(removed.values())

        if not await self._database.read(is_known):
            return 0
        removed = await self._database.write(unit)
        if scrubs:
            await self.scrub()
        return removed

    async def heard_lately(self, is_ours: Callable[[int], bool]) -> list[Place]:
        """Return the channels whose messages may have been deleted or edited unnoticed.

        ``is_ours`` says of a server whether this process is told what happens there.
        """
        return await self._database.read(
            partial(
                places.heard_lately,
                is_ours=is_ours,
                since=self._clock.now() - MISSED_WITHIN,
                channels=MOST_PLACES,
                messages=MOST_MESSAGES,
                scanned=MOST_SCANNED,
            )
        )

    # --- places --------------------------------------------------------------------------------

    async def erase_places(
        self, guild_id: int, channel_ids: Sequence[int], *, scrubs: bool = True
    ) -> int:
        """Erase everything that was said in channels that are gone, and what only that supported.

        Public threads of theirs go with them. Returns how many messages went.
        """
        now = self._clock.now()
        total = 0

        def unit(session: Session) -> int:
            done = erase_some_of_places(session, guild_id, channel_ids, now)
            # Entered at once, so that nothing is read again meanwhile, and anew with the last unit:
            # a backup from in between holds the first entry, and messages still to be erased.
            if done < BATCH or not total:
                at = self._clock.now() if total else now
                gone = [Erasure(at, Erasing.CHANNEL, guild_id, channel_id=x) for x in channel_ids]
                ledger.note(session, *(one for one in gone if not ledger.is_noted(session, one)))
            return done

        while (done := await self._database.write(unit)) >= BATCH:
            total += done
        total += done
        if total and scrubs:
            await self.scrub()
        return total

    async def scrub(self) -> None:
        """Leave nothing on the disk of what was erased; it may wait until rebuilding is due."""
        await self._database.scrub()

    # --- members -------------------------------------------------------------------------------

    async def left(self, member: Member) -> None:
        """Note that a member left; strangers are left alone."""
        now = self._clock.now()

        def unit(session: Session) -> None:
            members.lock(session, member)
            retention.set_left(session, member, now)

        if await self._database.read(partial(retention.is_known, member=member)):
            await self._database.write(unit)

    async def returned(self, member: Member) -> None:
        """Note that a member is here (again)."""
        if await self._database.read(partial(retention.is_known, member=member)):
            await self._database.write(partial(retention.set_left, member=member, at=None))

    async def maybe_left(self) -> list[Member]:
        """Return today's share of the members of whom nothing was heard for a month."""
        now, after = self._clock.now(), retention.NOBODY
        share = now.date().toordinal() % ASKED_EVERY_DAYS
        found: list[Member] = []
        while page := await self._database.read(
            partial(retention.quiet, unseen_since=now - QUIET_MEMBER, after=after, limit=MOST_QUIET)
        ):
            after = page[-1]
            found += [one for one in page if (one.user_id >> 22) % ASKED_EVERY_DAYS == share]
        return found

    async def hold_to_default(self, guild_id: int) -> None:
        """Let nothing of those who have not chosen live longer than temporary consent allows.

        For a server that took its promise of lasting memory back; repeated, it changes nothing.
        """
        now, after_id = self._clock.now(), 0

        def unit(session: Session) -> list[Member]:
            found = shorten_unchosen(session, guild_id, after_id, now)
            if not after_id or not found:  # as with places: a backup from in between is not done
                entry = Erasure(self._clock.now() if after_id else now, Erasing.SHORTER, guild_id)
                if not ledger.is_noted(session, entry):
                    ledger.note(session, entry)
            return found

        while found := await self._database.write(unit):
            after_id = found[-1].user_id
        await self._database.scrub()

    async def erase_member(self, user_id: int, guild_id: int | None = None) -> Erased:
        """Erase everything of a person in a server, or everywhere; returns the numbers.

        Nothing that was being read of them meanwhile is stored afterwards: its messages are gone.
        """
        now = self._clock.now()
        guild_ids = [] if guild_id is None else [guild_id]
        if guild_id is None:
            guild_ids = await self._database.read(partial(retention.servers_of, user_id=user_id))
        total = Erased()
        for one in guild_ids:
            total += await self._database.write(
                partial(erase_member, member=Member(one, user_id), now=now)
            )
        is_scrubbed = await self._database.scrub(at_most_bytes=SCRUBBED_ON_ORDER_BYTES)
        return replace(total, is_scrubbed=is_scrubbed)

    # --- servers -------------------------------------------------------------------------------

    async def servers_present(
        self, guild_ids: Collection[int], is_ours: Callable[[int], bool]
    ) -> None:
        """Note which servers removed Kith, and which have it back, by those it is in now.

        ``is_ours`` says whether this process would know of a server at all.
        """
        now = self._clock.now()
        stored = await self._database.read(retention.servers)
        gone = {
            one
            for one, removed_at in stored.items()
            if removed_at is None and one not in guild_ids and is_ours(one)
        }
        back = {one for one, at in stored.items() if at is not None and one in guild_ids}
        for which, at in ((gone, now), (back, None)):
            if which:
                await self._database.write(
                    partial(retention.set_removed, guild_ids=sorted(which), at=at)
                )


# --- units of work ------------------------------------------------------------------------------


def take_back(
    session: Session,
    guild_id: int,
    message_ids: Sequence[int],
    now: datetime,
    *,
    until: int = places.DELETED,
    keeps_attachments: bool = False,
) -> dict[Member, int]:
    """Blank messages with all that only they supported; returns how many rows went, by member.

    Their revisions up to ``until`` teach nothing again, whatever export tells of them.
    What Kith has said since with these members in mind goes too: it may have told of it.
    """
    removed: dict[Member, int] = {}
    tombstones.lay(session, guild_id, message_ids, now=now, revision=until)
    for member in forgetting.concerned(session, guild_id, message_ids):
        members.lock(session, member)
        since = forgetting.first_said(session, member, message_ids)
        withdrawn = forgetting.withdraw(session, member, message_ids, now=now)
        if since is not None:
            erasing.erase_answers_about(session, member, since=since)
        members.refresh_profile(session, member, _in_their_place(withdrawn.restored), now)
        removed[member] = len(withdrawn.removed)
    erasing.erase(session, guild_id, message_ids, keeps_attachments=keeps_attachments)
    members.note_erasure(session, guild_id)
    return removed


def erase_some_of_places(
    session: Session, guild_id: int, channel_ids: Sequence[int], now: datetime
) -> int:
    """Erase one batch of what was said in channels, and the channels with the last of it; returns
    how many messages went."""
    found = places.messages_in(session, guild_id, channel_ids, BATCH)
    for member in take_back(session, guild_id, found, now):
        places.rehome(session, member, channel_ids)
    places.delete_messages(session, guild_id, found)
    if len(found) < BATCH:
        places.delete_places(session, guild_id, channel_ids)
    return len(found)


def shorten_unchosen(session: Session, guild_id: int, after_id: int, now: datetime) -> list[Member]:
    """Let nothing of the next members who have not chosen live longer than temporary consent
    allows; returns them, in the order of their ids."""
    found = members.unchosen(session, guild_id, after_id, BATCH)
    for member in found:
        members.lock(session, member)
    for member in found:
        lifetimes.shorten(session, member, timedelta(days=policy.TEMPORARY_DAYS), now=now)
        members.refresh_profile(session, member, profile.remaining, now)
    return found


def erase_member(session: Session, member: Member, now: datetime) -> Erased:
    """Erase everything of a member in a server: rows, messages, answers that told of them, profile,
    choices, words in the audit, and what was counted for them."""
    members.lock(session, member)
    ledger.note(session, Erasure(now, Erasing.MEMBER, member.guild_id, member.user_id))
    rows = forgetting.forget_all(session, member, now=now, actor_id=0)
    messages = erasing.erase_member(session, member)
    members.note_erasure(session, member.guild_id)
    others = retention.blank_member(session, member)
    histories.note(session, member, histories.FORGOT_EVERYTHING, now, actor_id=0)
    return Erased(1, rows, messages, others)


def _in_their_place(restored: Mapping[int, int]) -> Callable[[Profile, list[Memory]], Profile]:
    """Return how a paragraph changes when rows hold again whose place others had in it."""

    def remaining(stored: Profile, rows: list[Memory]) -> Profile:
        named = set(stored.row_ids)
        back = {one for one, by in restored.items() if by in named}
        if not back:
            return profile.remaining(stored, rows)
        return profile.render(row for row in rows if row.id in named | back)

    return remaining


def _unless_unheard(session: Session, event: Event, now: datetime) -> None:
    """Take a message back once more that was deleted while its new revision was being heard, or
    whose new revision may not be stored: what came with it was kept for that."""
    last = places.last_heard(session, event.guild_id, event.message_id)
    if last is None or last.revision == places.DELETED or last.revision < event.revision:
        take_back(session, event.guild_id, [event.message_id], now, until=event.revision)


def _is_news(session: Session, event: Event) -> bool:
    """Whether an event is a later revision, in other words, of a message that may be read again."""
    last = places.last_heard(session, event.guild_id, event.message_id)
    if last is None or last.author_id != event.author_id or last.revision >= event.revision:
        return False
    return last.text != storable_text(event.text)
