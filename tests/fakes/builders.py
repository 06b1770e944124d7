"""Short ways to make what tests are about; whatever a test does not name has a plain default."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import count
from typing import Any

from tests.fakes.clock import NOON
from utils.common.clock import Clock
from utils.conversation.conversation import Conversation
from utils.conversation.personas import PersonaService
from utils.conversation.tools import ChatTools
from utils.database.core.engine import Database
from utils.guilds.known_members import KnownMembers
from utils.guilds.settings import GuildSettingsService
from utils.guilds.who_else import WhoElse
from utils.llm.client import LanguageModel
from utils.llm.endpoint import Endpoint
from utils.llm.token_budget import TokenBudget
from utils.llm.token_calibration import TokenCalibration
from utils.memory.consolidation.wording import search_stems
from utils.memory.episodes.episode_service import EpisodeSummarizer
from utils.memory.extraction.extraction_workers import ExtractionWorkers
from utils.memory.ingestion.ephemeral_turns import EphemeralTurns
from utils.memory.ingestion.recorder import Recorder
from utils.memory.member_data.editor import MemoryEditor
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.reminders import Reminders
from utils.memory.member_data.search import MemorySearch
from utils.memory.member_data.view import MemberData
from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy.retention import Retention
from utils.memory.recall import channel_context
from utils.memory.recall.reader import Reader
from utils.memory.verification.candidate_verifier import CandidateVerifier, NamedMembers
from utils.memory.verification.extraction_context import ExtractionContext
from utils.memory.verification.model_verifier import (
    Claim,
    ModelVerifier,
    Verification,
    VerificationInput,
)
from utils.models.conversation import Turn
from utils.models.extraction import (
    Burst,
    Candidate,
    Extraction,
    ExtractionInput,
    Judgement,
    Verdict,
)
from utils.models.guild import GuildSettings
from utils.models.memory import (
    Audience,
    Consent,
    Event,
    Evidence,
    Importance,
    Kind,
    Member,
    Memory,
    Method,
    Profile,
    Role,
    Source,
    Status,
    VerifiedBy,
)
from utils.models.plan import MemberState, Plan
from utils.models.policy import WritePolicy
from utils.models.recall import Person
from utils.runtime.leases import Leases
from utils.runtime.metrics import Metrics
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure

GUILD, CHANNEL = 1, 100
ADA = Member(GUILD, 10)
BOB = Member(GUILD, 20)
KITH_ID = 2
QUIET_S = 4.0
SUPPORTED = Verdict(Judgement.SUPPORTED, VerifiedBy.MODEL, repeats=True, ends=True, model="small-1")
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
    """A permanent fact about Ada, quoted in its own words, that a model verified."""
    values = {
        "subject_id": ADA.user_id,
        "quote": text,
        "kind": Kind.FACT,
        "importance": Importance.MEDIUM,
        "lifetime_days": None,
        "verdict": SUPPORTED,
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
        "stems": search_stems(text, ""),
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
        "evidence": {row.id: (seen_in(row.id, row.created_at),) for row in rows},
    } | given
    return MemberState(rows=rows, **values)


def make_reading(*events: Event, **given: Any) -> ExtractionInput:
    """What an extractor is given of these messages."""
    burst = Burst(events[0].member, events[0].channel_id, events)
    return ExtractionInput(burst, **{"time_zone": "UTC"} | given)


def heard(*sources: int) -> ExtractionContext:
    """Heard in the channel, an open one, whose readers can also read these."""
    readable = frozenset({CHANNEL, *sources})
    return ExtractionContext(readable, open_sources=readable)


def audience(*sources: int, channel_id: int = CHANNEL, guild_id: int = GUILD) -> Audience:
    """Readers of the channel who can also read these."""
    return Audience(guild_id, channel_id, frozenset({channel_id, *sources}))


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
            evidence[row.id] = (*evidence.get(row.id, ()), one.evidence)
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
            form=new.form,
        )
        inserted.append(row.id)
        rows.append(row)
        evidence[row.id] = (new.evidence,)
    profile = state.profile
    if plan.profile is not None:
        new_ids = tuple(inserted[i] for i in plan.profile_inserts)
        profile = Profile(plan.profile.text, plan.profile.row_ids + new_ids)
    return replace(state, rows=tuple(rows), evidence=evidence, profile=profile)


def seen_in(message_id: int, said_at: datetime, quote: str = "") -> Evidence:
    """Evidence of a message."""
    return Evidence(message_id, CHANNEL, quote, Method.MODEL, said_at)


class FakeExtractor:
    """Makes a permanent fact of each message, word for word, unless told otherwise.

    ``failures`` are raised first, one a call. While ``gate`` is set to an unset event, calls wait
    for it. ``begun`` holds every call as it begins.
    """

    def __init__(self, read: Callable[[ExtractionInput], Extraction] | None = None) -> None:
        self.read = read or word_for_word
        self.failures: deque[Exception] = deque()
        self.gate: asyncio.Event | None = None
        self.begun: asyncio.Queue[ExtractionInput] = asyncio.Queue()
        self.readings: list[ExtractionInput] = []

    async def extract(self, reading: ExtractionInput) -> Extraction:
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


@asynccontextmanager
async def held_up(fake: Any, work: Coroutine[Any, Any, Any]) -> AsyncIterator[Any]:
    """Do work up to its first call of a fake, which goes on when the block ends.

    Yields what the fake is asked.

    Args:
        fake: it has a ``gate``, and ``begun`` tells of its calls.
    """
    fake.gate, fake.begun = asyncio.Event(), asyncio.Queue()
    working = asyncio.create_task(work)
    yield await fake.begun.get()
    fake.gate.set()
    await working


class FakeVerifier:
    """Supports every note, unless told otherwise; ``failures`` are raised first, one a call."""

    def __init__(self, judge: Callable[[Claim], Judgement] | None = None) -> None:
        self.judge = judge or (lambda claim: Judgement.SUPPORTED)
        self.failures: deque[Exception] = deque()
        self.readings: list[VerificationInput] = []

    async def verify(self, reading: VerificationInput) -> Verification:
        self.readings.append(reading)
        if self.failures:
            raise self.failures.popleft()
        return Verification(
            tuple(replace(SUPPORTED, judgement=self.judge(claim)) for claim in reading.claims),
            is_profile_supported=True,
        )


@lru_cache(maxsize=1)
def metrics_of(clock: Clock) -> Metrics:
    """The metrics of a test's process, which has one clock; making some takes milliseconds."""
    return Metrics(clock)


class NobodyNamed:
    """Knows no members, so that no sentence names one."""

    async def named_with_consent(self, *_: object, **__: object) -> dict[int, bool]:
        return {}


def make_verifier(
    clock: Clock,
    verifier: ModelVerifier | None = None,
    metrics: Metrics | None = None,
    names: NamedMembers | None = None,
) -> CandidateVerifier:
    """What checks and verifies candidates; supports every note unless told otherwise."""
    return CandidateVerifier(
        verifier or FakeVerifier(), clock, metrics or metrics_of(clock), names or NobodyNamed()
    )


def word_for_word(reading: ExtractionInput) -> Extraction:
    """A permanent fact of each message that has words and asks nothing."""
    return make_extraction(
        *(
            make_candidate(event.text, subject_id=event.author_id)
            for event in reading.burst.events
            if event.text and not event.text.endswith("?")
        )
    )


def make_infrastructure(
    database: Database,
    clock: Clock,
    *,
    leases: Leases | None = None,
    metrics: Metrics | None = None,
) -> Infrastructure:
    """What background services work with, in a process of its own."""
    leases = leases or Leases(database, clock)
    return Infrastructure(database, clock, leases, metrics or metrics_of(clock))


def make_rules(
    policy: WritePolicy | None = None,
    *,
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
    read_only: bool = False,
) -> WriteRules:
    """The operator's default rules."""
    return WriteRules(policy or WritePolicy(), forbidden, read_only)


def make_recorder(
    database: Database,
    clock: Clock,
    extractor: FakeExtractor,
    *,
    policy: WritePolicy | None = None,
    workers: int = 2,
    read_only: bool = False,
    signals: MemorySignals | None = None,
    metrics: Metrics | None = None,
    verifier: ModelVerifier | None = None,
) -> Recorder:
    """A recorder that is not started yet."""
    infrastructure = make_infrastructure(database, clock, metrics=metrics)
    rules = make_rules(policy, read_only=read_only)
    signals = signals or MemorySignals()
    extraction = ExtractionWorkers(
        infrastructure,
        rules,
        extractor,
        make_verifier(clock, verifier, metrics),
        signals,
        quiet_s=QUIET_S,
        workers=workers,
    )
    return Recorder(infrastructure, rules, extraction, signals, EphemeralTurns(clock))


def make_memory_service(
    database: Database,
    clock: Clock,
    policy: WritePolicy | None = None,
    *,
    read_only: bool = False,
    signals: MemorySignals | None = None,
    ephemeral_turns: EphemeralTurns | None = None,
    verifier: ModelVerifier | None = None,
    names: NamedMembers | None = None,
) -> MemoryEditor:
    """The service that carries out people's wishes about their memories."""
    return MemoryEditor(
        database,
        clock,
        make_rules(policy, read_only=read_only),
        make_verifier(clock, verifier, names=names),
        signals or MemorySignals(),
        ephemeral_turns or EphemeralTurns(clock),
        metrics_of(clock),
        Retention(database, clock),
    )


def make_reader(
    database: Database,
    clock: Clock,
    *,
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
    **given: Any,
) -> Reader:
    """What recalls, under the default policy of recall."""
    return Reader(database, clock, make_rules(forbidden=forbidden), TokenCalibration(), **given)


async def last_turns(
    database: Database, clock: Clock, guild_id: int = GUILD, channel_id: int = CHANNEL
) -> list[Event]:
    """A channel's last ten turns, oldest first."""
    now = clock.now()
    return await database.read(channel_context.last_turns, guild_id, channel_id, 0, now)


def make_budget(
    database: Database,
    clock: Clock,
    daily_tokens: int = 1_000_000,
    calibration: TokenCalibration | None = None,
) -> TokenBudget:
    """A budget of tokens a day and server."""
    calibration = calibration or TokenCalibration()
    return TokenBudget(database, clock, daily_tokens, calibration, metrics_of(clock))


def make_guild_settings(
    database: Database, clock: Clock, policy: WritePolicy | None = None
) -> GuildSettingsService:
    """Settings by server, in a process of their own."""
    return GuildSettingsService(database, clock, policy or WritePolicy())


@asynccontextmanager
async def free_slot(
    before_waiting: Callable[[], Awaitable[None]] | None = None,
) -> AsyncIterator[Callable[[], None]]:
    """The turn of a fake model, for which nobody waits."""
    yield lambda: None


def make_language_model(
    *,
    chat_model: str = "chatty",
    api_key: str | None = None,
    base_url: str,
    concurrency: int = 8,
    max_retries: int = 2,
    **given: Any,
) -> LanguageModel:
    """A language model at a test's endpoint."""
    endpoint = Endpoint(api_key, base_url, concurrency=concurrency)
    return LanguageModel(endpoint, chat_model=chat_model, max_retries=max_retries, **given)


def make_chat_tools(
    database: Database, clock: Clock, reader: Reader, *, read_only: bool = False
) -> ChatTools:
    """The services of the tools that a model may call."""
    rules = make_rules(read_only=read_only)
    return ChatTools(
        make_memory_service(database, clock, read_only=read_only),
        MemberData(database, clock),
        OpenLoops(database, clock, rules),
        MemorySearch(database, clock),
        clock,
        reader,
        Reminders(database, clock, rules),
        who_else=WhoElse(database, clock, KnownMembers(database, clock), rules.policy),
    )


def make_conversation(
    recorder: Recorder,
    reader: Reader,
    budget: TokenBudget,
    clock: Clock,
    model: LanguageModel | None,
) -> Conversation:
    """What answers turns; without attachments."""
    database = recorder._database
    tools = make_chat_tools(database, clock, reader)
    personas = PersonaService(database, clock, make_guild_settings(database, clock))
    return Conversation(recorder, reader, tools, personas, budget, model, clock, metrics_of(clock))


def make_episode_summarizer(
    database: Database,
    clock: Clock,
    model: LanguageModel | None,
    *,
    read_only: bool = False,
    **given: Any,
) -> EpisodeSummarizer:
    """What summarises episodes; not started yet."""
    return EpisodeSummarizer(
        make_infrastructure(database, clock, **given),
        make_rules(read_only=read_only),
        model,
        make_budget(database, clock),
        make_verifier(clock),
        MemorySignals(),
    )


def days(number: float) -> timedelta:
    return timedelta(days=number)


def at(**units: float) -> datetime:
    """Noon and that much later."""
    return NOON + timedelta(**units)


def texts(rows: Iterable[Memory]) -> list[str]:
    """What rows say."""
    return [row.text for row in rows]
