"""Short ways to make what tests are about; whatever a test does not name has a plain default."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from tests.fakes.clock import NOON, ManualClock
from utils.database.engine import Database
from utils.leases import Leases
from utils.memory.decide import search_stems
from utils.memory.heard import Heard
from utils.memory.recorder import Recorder
from utils.model.conversation import Turn
from utils.model.guild import GuildSettings
from utils.model.memory import (
    Audience,
    Burst,
    Candidate,
    Consent,
    Event,
    Extraction,
    Importance,
    Kind,
    Member,
    MemberState,
    Memory,
    Method,
    Profile,
    Reading,
    Role,
    Seen,
    Source,
    Status,
)
from utils.model.plan import Plan
from utils.model.policy import WritePolicy
from utils.model.recall import Person

GUILD, CHANNEL = 1, 100
ADA = Member(GUILD, 10)
BOB = Member(GUILD, 20)
KITH_ID = 2
QUIET_S = 4.0
_ids = count(1000)


def make_event(text: str = "I have a dog named Rex", **given: Any) -> Event:
    """A message of Ada's at noon in the channel; ``message_id`` is a new one each time."""
    values = {
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "message_id": next(_ids),
        "author_id": ADA.user_id,
        "author_name": "Ada",
        "role": Role.MEMBER,
        "created_at": NOON,
    } | given
    values.setdefault("source_id", values["channel_id"])
    return Event(text=text, **values)


def make_answer(to: Event, text: str = "Noted!", **given: Any) -> Event:
    """What Kith answered to a message."""
    return make_event(
        text,
        **{
            "channel_id": to.channel_id,
            "guild_id": to.guild_id,
            "author_id": KITH_ID,
            "author_name": "Kith",
            "role": Role.KITH,
            "reply_to_id": to.message_id,
            "created_at": to.created_at,
        }
        | given,
    )


def make_candidate(text: str = "has a dog named Rex", **given: Any) -> Candidate:
    """A sure, earnest, permanent fact about Ada, quoted in its own words."""
    values = {
        "subject_id": ADA.user_id,
        "quote": text,
        "kind": Kind.FACT,
        "importance": Importance.MEDIUM,
        "confidence": 0.95,
        "lifetime_days": None,
    } | given
    return Candidate(text=text, **values)


def make_extraction(*candidates: Candidate, **given: Any) -> Extraction:
    """What a model answered."""
    return Extraction(candidates, **{"method": Method.MODEL} | given)


def make_memory(text: str = "has a dog named Rex", **given: Any) -> Memory:
    """An active, permanent fact about Ada, said at noon in the channel."""
    row_id = given.pop("id", None) or next(_ids)
    said = given.get("created_at", NOON)
    values = {
        "uid": f"{row_id:032x}",
        "guild_id": GUILD,
        "user_id": ADA.user_id,
        "channel_id": CHANNEL,
        "topics": (),
        "importance": Importance.MEDIUM,
        "kind": Kind.FACT,
        "fact_key": "",
        "source": Source.CHAT,
        "status": Status.ACTIVE,
        "confidence": 0.95,
        "evidence_count": 1,
        "stems": search_stems(text, "", ""),
        "created_at": said,
        "last_confirmed_at": said,
        "last_used_at": None,
        "use_count": 0,
        "expires_at": None,
    } | given
    return Memory(id=row_id, text=text, **values)


def make_state(*rows: Memory, **given: Any) -> MemberState:
    """Ada's state under lasting consent."""
    values: dict[str, Any] = {
        "member": ADA,
        "now": NOON,
        "consent": Consent.LASTING,
        "frozen": False,
        "version": 1,
        "profile": Profile(),
        "tombstones": frozenset(),
        "events": (),
        "evidence": {row.id: (Seen(row.id, row.created_at.date()),) for row in rows},
    } | given
    return MemberState(rows=rows, **values)


def make_reading(*events: Event, **given: Any) -> Reading:
    """What an extractor is given of these messages."""
    burst = Burst(events[0].member, events[0].channel_id, events)
    values = {"before": (), "rows": (), "profile": "", "time_zone": "UTC"} | given
    return Reading(burst=burst, **values)


def heard(*sources: int) -> Heard:
    """Heard in the channel, an open one, whose readers can also read these."""
    readable = frozenset({CHANNEL, *sources})
    return Heard(readable, open_sources=readable)


def audience(*sources: int, channel_id: int = CHANNEL, guild_id: int = GUILD) -> Audience:
    """Readers of the channel who can also read these."""
    return Audience(guild_id, channel_id, None, frozenset({channel_id, *sources}))


def make_turn(event: Event, *sources: int, **given: Any) -> Turn:
    """A message addressed to Kith."""
    values = {
        "audience": audience(*sources, channel_id=event.channel_id, guild_id=event.guild_id),
        "people": (Person(event.author_id, event.author_name),),
        "settings": GuildSettings(event.guild_id),
    } | given
    return Turn(event=event, **values)


def applied(state: MemberState, plan: Plan) -> MemberState:
    """The state after a plan, as the database would hold it."""
    gone = set(plan.removals) | {new.supersedes for new in plan.inserts}
    again = {one.row_id: one for one in plan.confirmations}
    rows, evidence = [], dict(state.evidence)
    for row in state.rows:
        if row.id in gone:
            continue
        if row.id in again:
            one = again[row.id]
            evidence[row.id] = (*evidence.get(row.id, ()), _seen(one.evidence))
            row = replace(
                row,
                confidence=one.confidence,
                importance=one.importance,
                expires_at=one.expires_at,
                status=one.status,
                last_confirmed_at=max(row.last_confirmed_at, one.evidence.said_at),
            )
        rows.append(row)
    inserted = []
    for new in plan.inserts:
        row = make_memory(
            new.text,
            channel_id=new.channel_id,
            topics=new.topics,
            importance=new.importance,
            kind=new.kind,
            fact_key=new.fact_key,
            source=new.source,
            status=new.status,
            confidence=new.confidence,
            stems=new.stems,
            created_at=new.evidence.said_at,
            expires_at=new.expires_at,
        )
        inserted.append(row.id)
        rows.append(row)
        evidence[row.id] = (_seen(new.evidence),)
    profile = state.profile
    if plan.profile is not None:
        new_ids = tuple(inserted[i] for i in plan.profile_inserts)
        profile = Profile(plan.profile.text, plan.profile.row_ids + new_ids)
    return replace(state, rows=tuple(rows), evidence=evidence, profile=profile)


def _seen(evidence: Any) -> Seen:
    return Seen(evidence.message_id, evidence.said_at.date())


class FakeExtractor:
    """Makes a permanent fact of each message, word for word, unless told otherwise.

    ``failures`` are raised first, one a call. While ``gate`` is set to an unset event, calls wait
    for it. ``begun`` holds every call as it begins.
    """

    def __init__(self, read: Callable[[Reading], Extraction] | None = None) -> None:
        self.read = read or word_for_word
        self.failures: deque[Exception] = deque()
        self.gate: asyncio.Event | None = None
        self.begun: asyncio.Queue[Reading] = asyncio.Queue()
        self.readings: list[Reading] = []

    async def extract(self, reading: Reading) -> Extraction:
        self.readings.append(reading)
        self.begun.put_nowait(reading)
        if self.gate is not None:
            await self.gate.wait()
        if self.failures:
            raise self.failures.popleft()
        return self.read(reading)

    @property
    def texts(self) -> list[list[str]]:
        """What was read, call by call."""
        return [[event.text for event in reading.burst.events] for reading in self.readings]


def word_for_word(reading: Reading) -> Extraction:
    """A permanent fact of each message that has words."""
    return make_extraction(
        *(
            make_candidate(event.text, subject_id=event.author_id)
            for event in reading.burst.events
            if event.text
        )
    )


def make_recorder(
    database: Database,
    clock: ManualClock,
    extractor: FakeExtractor,
    *,
    policy: WritePolicy | None = None,
    workers: int = 2,
    **given: Any,
) -> Recorder:
    """A recorder that is not started yet."""
    return Recorder(
        database,
        clock,
        Leases(database, clock),
        extractor,
        write_policy=policy or WritePolicy(),
        quiet_s=QUIET_S,
        workers=workers,
        **given,
    )


def days(number: float) -> timedelta:
    return timedelta(days=number)


def at(**units: float) -> datetime:
    """Noon and that much later."""
    return NOON + timedelta(**units)


def texts(rows: Iterable[Memory]) -> list[str]:
    """What rows say."""
    return [row.text for row in rows]
