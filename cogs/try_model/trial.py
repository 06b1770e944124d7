"""Plays the conversations with a model, through Kith's own services, in a temporary database."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from cogs.cli.model_check import check_model
from cogs.console.ids import answer_event, snowflake
from cogs.try_model.conversations import Expected, Line, TrialConversation
from utils.admin.costs import ModelCost, costs_by_model
from utils.app import App
from utils.build import build
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import KithError, SettingsError
from utils.common.model_lists import parse_models
from utils.common.progress import Progress
from utils.database.admin import token_usage
from utils.memory.verification.sentences import normalised
from utils.models.conversation import Answer, Turn
from utils.models.guild import Purpose
from utils.models.memory import Audience, Consent, Event, Form, Member, Memory, Role
from utils.models.recall import Person
from utils.models.sentiment import PassiveMemory
from utils.runtime.stopping import closed_after

PLACES = {"general": 1, "lounge": 2, "watched": 3, "staff": 4}
BETWEEN_LINES = timedelta(seconds=40)
BURST_QUIET_S = 3600.0  # longer than a conversation: it is read when its next day comes, or its end
UNLIMITED_TOKENS = 1_000_000_000


class TrialKind(StrEnum):
    """What an outcome is: of a note to learn, of one to end, of one to refuse, or of a promise."""

    LEARNT = "learnt"
    QUOTED = "quoted"
    MISSED = "missed"
    CORRECTED = "corrected"
    STALE = "stale"
    REFUSED = "refused"
    WRONG = "wrong"
    KEPT = "kept"
    BROKEN = "broken"


RIGHT = frozenset({TrialKind.LEARNT, TrialKind.CORRECTED, TrialKind.REFUSED})
PROMISES = frozenset({TrialKind.KEPT, TrialKind.BROKEN})


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """What came of one expectation of a conversation."""

    kind: TrialKind
    conversation: str
    what: str


@dataclass(slots=True)
class TrialReport:
    """What came of all conversations with a model.

    ``refusals`` counts by reason what checks and verifier dropped, ``unanswered`` the lines to
    which the model gave no answer, ``thought_tokens`` what of its answers' tokens was no answer.
    """

    model: str
    outcomes: list[TrialOutcome] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    unanswered: int = 0
    costs: Sequence[ModelCost] = ()
    thought_tokens: int = 0
    seconds: float = 0.0

    def count(self, *kinds: TrialKind) -> int:
        """Return how many outcomes are of these kinds."""
        return sum(outcome.kind in kinds for outcome in self.outcomes)

    @property
    def right_share(self) -> float:
        """The share of the model's judgements that are right, 0 to 1."""
        judgements = len(self.outcomes) - self.count(*PROMISES)
        return self.count(*RIGHT) / max(1, judgements)

    @property
    def cost(self) -> float | None:
        """What all calls cost; None if a model has no price in MODEL_PRICES."""
        prices = [cost.cost for cost in self.costs if cost.cost is not None]
        return sum(prices) if len(prices) == len(self.costs) else None


def settings_for(settings: Settings, model: str | None, folder: Path) -> Settings:
    """Return the operator's settings with a temporary database, and one model for everything.

    ``model`` None: the configured models. Raises SettingsError if its name is wrong.
    """
    changes: dict[str, object] = {
        "database_url": f"sqlite:///{(folder / 'trial.db').as_posix()}",
        "ledger_file": None,
        "daily_token_budget": UNLIMITED_TOKENS,
        "burst_quiet_s": BURST_QUIET_S,
        "extraction_workers": 1,
        "memory_read_only": False,
        "embedding_model": None,
        "mcp_servers": None,
        "attachments": False,
        "read_links": False,
    }
    if model is not None:
        try:
            parse_models(model, settings.model_endpoints or ())
        except ValueError as error:
            raise SettingsError(
                "{model!r} cannot be tried: it {reason}.", model=model, reason=error
            ) from None
        changes |= dict.fromkeys(("chat_model", "triage_model", "verify_model"), model)
    return settings.model_copy(update=changes)


async def try_model(
    settings: Settings,
    model: str | None,
    conversations: Sequence[TrialConversation],
    progress: Progress,
) -> TrialReport:
    """Play the conversations with a model; nothing of it is stored afterwards. Raises KithError."""
    with TemporaryDirectory(prefix="kith-try-") as folder:
        settings = settings_for(settings, model, Path(folder))
        clock = Clock()
        name = model or ", ".join(dict.fromkeys(filter(None, settings.models_by_purpose.values())))
        async with closed_after(build(settings, clock)) as app:
            if app.model is None:
                raise SettingsError(
                    "No language model is configured: `python bot.py setup` adds one, or set "
                    "OPENAI_API_KEY or OPENAI_BASE_URL in .env."
                )
            await check_model(app.model, settings)
            return await _play_all(app, clock, name, conversations, progress)


async def _play_all(
    app: App,
    clock: Clock,
    name: str,
    conversations: Sequence[TrialConversation],
    progress: Progress,
) -> TrialReport:
    await app.database.open()
    await app.memory.recorder.start()
    await app.sentiment.watcher.start(lambda _: True)
    report = TrialReport(name)
    began_at, first_day = clock.monotonic(), clock.now().date()
    progress.begin(name, len(conversations), "conversations")
    try:
        for guild_id, conversation in enumerate(conversations, start=1):
            trial = Trial(app, clock, guild_id, conversation)
            report.outcomes += await trial.play()
            report.unanswered += trial.unanswered
            progress.reach(guild_id)
    finally:
        await app.sentiment.watcher.close()
    report.seconds = clock.monotonic() - began_at
    report.refusals = app.memory.recorder.extraction.refused
    await app.runtime.budget.write()
    use = await app.database.read(token_usage.by_day, guild_id=None, since=first_day)
    report.costs = costs_by_model(use, app.settings)
    report.thought_tokens = app.runtime.metrics.thought_tokens
    return report


class Trial:
    """One conversation in a server of its own, whose members let Kith remember for good."""

    def __init__(
        self, app: App, clock: Clock, guild_id: int, conversation: TrialConversation
    ) -> None:
        self._app = app
        self._clock = clock
        self._guild_id = guild_id
        self._conversation = conversation
        self._sources = {name: guild_id * 10 + number for name, number in PLACES.items()}
        self.unanswered = 0

    async def play(self) -> list[TrialOutcome]:
        """Play every line, let everything be read, and return what came of it."""
        app, guild_id = self._app, self._guild_id
        await app.guilds.settings.set_values(guild_id, consent_default=Consent.LASTING)
        await app.guilds.settings.add_channel(guild_id, self._sources["general"], Purpose.CHAT)
        await app.sentiment.channels.add(guild_id, self._sources["watched"], PassiveMemory.OPT_OUT)
        for name, user_id in self._conversation.members.items():
            app.guilds.members.update_names(guild_id, user_id, [name])
            if name in self._conversation.off:
                await app.memory.editor.set_consent(Member(guild_id, user_id), Consent.OFF)
        block = ""
        for line in self._conversation.lines:
            if line.days:
                await self._settle()
            self._clock.shift(timedelta(days=line.days) or BETWEEN_LINES)
            if line.place == "watched":
                self._app.sentiment.watcher.record(self._message(line), self._audience(line))
            else:
                answer = await self._say(line)
                block = "" if answer is None else answer.block
        await self._settle()
        data = app.memory.member_data
        rows = {
            name: (await data.show(Member(guild_id, user_id))).rows
            for name, user_id in self._conversation.members.items()
        }
        return [
            TrialOutcome(kind, self._conversation.name, text)
            for kind, text in (
                *judgements(self._conversation, rows),
                *promises(self._conversation, rows, block),
                *[await self._is_own(name, rows[name]) for name in rows],
            )
        ]

    async def _settle(self) -> None:
        await self._app.memory.recorder.settle()
        await self._app.sentiment.watcher.settle()

    async def _say(self, line: Line) -> Answer | None:
        """Let a member say something to Kith, and confirm what Kith asks before it forgets."""
        app, event = self._app, self._message(line)
        named = await app.guilds.members.named(
            self._guild_id, event.channel_id, line.text, exclude_ids=[event.author_id]
        )
        turn = Turn(
            event=event,
            audience=self._audience(line),
            people=(Person(event.author_id, line.by), *named),
            settings=await app.guilds.settings.get(self._guild_id),
        )
        try:
            answer = await app.conversation.answer(turn)
        except KithError:  # the line is recorded all the same, and is read like others
            self.unanswered += 1
            return None
        if answer is None:
            return None
        await app.conversation.note_sent(answer)
        self._clock.shift(BETWEEN_LINES / 2)
        reply = answer_event(event, answer, self._clock.now())
        await app.memory.recorder.record(reply, turn.audience)
        if answer.question is not None:
            question = answer.question
            await app.conversation.tools.forget(
                event.member, question.options[0], question.message_ids
            )
        return answer

    def _message(self, line: Line) -> Event:
        now, channel_id = self._clock.now(), self._sources[line.place]
        return Event(
            guild_id=self._guild_id,
            channel_id=channel_id,
            source_id=channel_id,
            message_id=snowflake(now),
            author_id=self._conversation.members[line.by],
            author_name=line.by,
            role=Role.MEMBER,
            text=line.text,
            created_at=now,
        )

    def _audience(self, line: Line) -> Audience:
        """Everybody reads the channels but the staff's."""
        channel_id = self._sources[line.place]
        open_ids = frozenset(self._sources.values()) - {self._sources["staff"]}
        return Audience(
            self._guild_id, channel_id, open_ids | {channel_id}, channel_id in open_ids, open_ids
        )

    # --- what came of it -----------------------------------------------------------------------

    async def _is_own(self, name: str, rows: Sequence[Memory]) -> tuple[TrialKind, str]:
        """Return whether each memory rests on sentences that this member said."""
        own_texts = [normalised(line.text) for line in self._conversation.lines if line.by == name]
        evidence = await self._app.memory.member_data.last_said(
            [row.id for row in rows], frozenset(self._sources.values())
        )
        quotes = [normalised(evidence[row.id].quote) if row.id in evidence else "" for row in rows]
        is_own = all(quote and any(quote in text for text in own_texts) for quote in quotes)
        return _promise(f"all that is noted of {name} rests on their own sentences", is_own)


def judgements(
    conversation: TrialConversation, rows: Mapping[str, Sequence[Memory]]
) -> Iterator[tuple[TrialKind, str]]:
    """Yield what the model made of each note to learn, to end and to refuse.

    ``rows`` are everybody's memories at the end.
    """
    for note in conversation.learns:
        forms = {row.form for row in rows[note.by] if note.means(row.text)}
        kind = TrialKind.QUOTED if forms else TrialKind.MISSED
        if Form.NOTE in forms:
            kind = TrialKind.LEARNT
        yield kind, _words(note)
    for note in conversation.ends:
        is_left = any(note.means(row.text) for row in rows[note.by])
        yield TrialKind.STALE if is_left else TrialKind.CORRECTED, _words(note)
    for note in conversation.refuses:
        notes = [row for row in rows[note.by] if row.form is Form.NOTE]
        is_noted = any(note.means(row.text) for row in notes)
        yield TrialKind.WRONG if is_noted else TrialKind.REFUSED, _words(note)


def promises(
    conversation: TrialConversation, rows: Mapping[str, Sequence[Memory]], block: str
) -> Iterator[tuple[TrialKind, str]]:
    """Yield whether each promise was kept; ``block`` is what the last answer's prompt recalled."""
    memories = [row for of_member in rows.values() for row in of_member]
    notes = [row for row in memories if row.form is Form.NOTE]
    for texts, stored_rows, where in (
        (conversation.unnoted, notes, "note"),
        (conversation.unkept, memories, "memory"),
    ):
        for text in texts:
            is_kept = not any(text.casefold() in row.text.casefold() for row in stored_rows)
            yield _promise(f"“{text}” is in no {where}", is_kept)
    for name in conversation.silent:
        yield _promise(f"nothing is noted of {name}", not rows[name])
    for text in conversation.untold:
        yield _promise(f"“{text}” is not told", text.casefold() not in block.casefold())


def _promise(text: str, is_kept: bool) -> tuple[TrialKind, str]:
    return TrialKind.KEPT if is_kept else TrialKind.BROKEN, text


def _words(note: Expected) -> str:
    return f"{note.by} {note.note}"
