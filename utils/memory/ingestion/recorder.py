"""Recorder stores what is said to Kith, and its answers, and has it extracted.

An event is durable before Kith answers it. Events wait in process memory while the database is away
(offline_writer.py).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from utils.common.bounded import BoundedDict
from utils.common.errors import DatabaseError, Logged
from utils.database.admin import history_import
from utils.database.core.engine import Connection
from utils.database.erasure import confidences
from utils.database.memories import members
from utils.database.messages import attachments, events
from utils.database.privacy import tombstones
from utils.memory.extraction.extraction_workers import BurstKey, ExtractionWorkers
from utils.memory.ingestion.ephemeral_turns import EphemeralTurns, Post
from utils.memory.ingestion.offline_writer import OfflineWriter
from utils.memory.ingestion.pending_answers import PendingAnswers
from utils.memory.policy import write_policy as policy
from utils.memory.policy.storable_events import storable
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy import consent_gate
from utils.memory.privacy.retention import Retention
from utils.models.conversation import QuestionRef
from utils.models.memory import Audience, Consent, Event, Member, RecordOutcome, Role
from utils.nlp.confidential import MARK, with_mark, with_owners
from utils.runtime import stopping
from utils.runtime.metrics import CHAT, Metrics
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure, InfrastructureService, Worker

MAX_NEWEST = 10_000  # members whose newest message is known
SWEEP_EVERY_S = 30.0

_log = logging.getLogger(__name__)


class Recorder(InfrastructureService):
    """Stores events, each once, and schedules their extraction by ``extraction``.

    ``under_erasure`` are the members whose words are being erased now.
    """

    def __init__(
        self,
        infrastructure: Infrastructure,
        rules: WriteRules,
        extraction: ExtractionWorkers,
        signals: MemorySignals,
        ephemeral_turns: EphemeralTurns,
    ) -> None:
        """``ephemeral_turns`` keeps the last turns that may not be stored."""
        super().__init__(infrastructure)
        self._rules = rules
        self.extraction = extraction
        self._signals = signals
        self.ephemeral_turns = ephemeral_turns
        self.under_erasure = signals.under_erasure
        self._sweeper = Worker(
            infrastructure, "extraction sweep", self._sweep, interval_s=SWEEP_EVERY_S
        )
        self._last_seen: dict[Member, datetime] = {}
        self._newest: BoundedDict[Member, int] = BoundedDict(MAX_NEWEST)
        self._retention = Retention(self._database, self._clock)
        self.offline_writer = OfflineWriter(
            self._clock, self._retention, self._store, ephemeral_turns
        )
        self.pending_answers = PendingAnswers(self._database, self._clock)

    async def start(self) -> None:
        """Start the workers, and pick up what an earlier run left; does nothing when read-only."""
        if self._rules.read_only:
            return
        self.extraction.start()
        self._sweeper.start()

    def recording(
        self, event: Event, audience: Audience, *, is_answered: bool = False
    ) -> "ConcurrentRecording":
        """Store a message concurrently with the ``with`` block, and at the latest before it exits.

        Yields a future of the outcome; await it shielded. The message is stored even if the answer
        is cancelled: a deleted message is stored first, so that it can be erased. The arguments are
        those of :meth:`record`.
        """
        return ConcurrentRecording(
            self.record(event, audience, is_answered=is_answered), self._metrics, event.guild_id
        )

    async def record(
        self, event: Event, audience: Audience, *, is_answered: bool = False
    ) -> RecordOutcome:
        """Store an event. Returns one of these outcomes:

        - STORED: it is new.
        - KNOWN (falsy): it was stored before, so another process answers it. Also if its author had
          everything erased since.
        - UNSTORED: it may not be stored, because its author's consent is off, they are ignored, the
          server is frozen, or it is an answer of Kith's to or about such members, or repeats their
          words. It is only kept in ``ephemeral_turns`` for a while. Also if it has to wait for the
          database.
        - RETRACTED: an answer of Kith's rests on something that was erased since.

        ``is_answered``: this process answers the event if it is new, and says in
        ``pending_answers`` when that is done.
        """
        if self._rules.read_only:
            return RecordOutcome.UNSTORED
        event = storable(event)
        if not self.has_unsaved_turns(event):
            with Logged(_log.debug, "an event waits for the database", DatabaseError):
                return await self._store(event, audience, is_answered=is_answered)
        return (
            RecordOutcome.UNSTORED
            if self.offline_writer.enqueue(event, audience)
            else RecordOutcome.KNOWN
        )

    async def revise(self, event: Event, audience: Audience) -> None:
        """Apply an edit, now or when the database is back."""
        event = storable(event)
        await self._remove_answers(event.guild_id, self.ephemeral_turns.edit(event))
        store = partial(self._store, event, audience)
        if not await self._try_now(partial(self._retention.revise, event, store)):
            self.offline_writer.buffer.edit(event, audience)

    async def retract(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Erase deleted messages, now or when the database is back."""
        await self._remove_answers(guild_id, self.ephemeral_turns.delete(guild_id, message_ids))
        if not await self._try_now(partial(self._retention.retract, guild_id, message_ids)):
            self.offline_writer.buffer.delete(guild_id, message_ids)

    async def erase_channels(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        """Erase all messages of deleted channels, now or when the database is back."""
        self.ephemeral_turns.delete_channels(guild_id, channel_ids)
        if not await self._try_now(partial(self._retention.erase_channels, guild_id, channel_ids)):
            self.offline_writer.buffer.delete_channels(guild_id, channel_ids)

    async def _remove_answers(self, guild_id: int, posts: Sequence[Post]) -> None:
        """Delete answers on Discord that repeat what is erased, now or later."""
        if not posts:
            return
        if await self._try_now(partial(self._retention.remove_answers, guild_id, posts)):
            self._signals.removals.emit()
        else:
            self.offline_writer.buffer.remove_answers(guild_id, posts)

    async def _try_now(self, write: Callable[[], Awaitable[object]]) -> bool:
        """Write at once; False if earlier changes wait or the database is away."""
        if self.offline_writer.buffer:
            return False
        try:
            await write()
        except DatabaseError as error:
            _log.debug("a change waits for the database: %s", type(error).__name__)
            return False
        return True

    def has_unsaved_turns(self, event: Event) -> bool:
        """Return whether messages of an event's channel wait for the database.

        Later ones have to wait behind them.
        """
        return self.offline_writer.buffer.has_waiting(event.guild_id, event.channel_id)

    async def unstored_turns(self, event: Event, *, can_look: bool) -> list[Event]:
        """Return the turns before a message that may not be stored, and are in process memory.

        What a member had erased since is dropped, and answers that repeat it are deleted: another
        process may have carried that out, which does not know them. If that cannot be looked up
        (``can_look`` False), only the author's own dialogue.
        """
        guild_id = event.guild_id
        turns = self._ephemeral_turns_beside(event)
        people = {user_id for turn in turns for user_id in (turn.author_id, *turn.repeated_ids)}
        with Logged(_log.debug, "erasures could not be looked up", DatabaseError):
            if turns and can_look:
                erased_until = await self._database.read(
                    history_import.erased_until, guild_id=guild_id, user_ids=people
                )
                for user_id, until in erased_until.items():
                    posts = self.ephemeral_turns.erase(Member(guild_id, user_id), until=until)
                    await self._remove_answers(guild_id, posts)
                return self._ephemeral_turns_beside(event)
        return consent_gate.turns_with_member(event.member, turns)

    def _ephemeral_turns_beside(self, event: Event) -> list[Event]:
        """Return the turns of a message's channel that are only in process memory, without it."""
        turns = self.ephemeral_turns.turns(event.guild_id, event.channel_id)
        return [turn for turn in turns if turn.message_id != event.message_id]

    async def unsaved_turns(self, event: Event, limit: int, *, can_look: bool) -> list[Event]:
        """Return the turns before a message that wait for the database, as consent allows.

        If consent cannot be looked up (``can_look`` False), only the author's own dialogue.
        """
        waiting = self.offline_writer.buffer.turns(event.guild_id, event.channel_id, limit + 1)
        turns = [turn for turn in waiting if turn.message_id != event.message_id]
        with Logged(_log.debug, "consent could not be looked up", DatabaseError):
            if turns and can_look:
                return await self._database.read(consent_gate.allowed_turns, turns=turns)
        return consent_gate.turns_with_member(event.member, turns)

    async def _store(
        self, event: Event, audience: Audience, *, is_answered: bool = False
    ) -> RecordOutcome:
        """Store an event as consent allows, and schedule its extraction. Raises DatabaseError."""
        if event.role is Role.KITH:
            return await self._store_answer(event)

        def unit(connection: Connection) -> RecordOutcome:
            consent = consent_gate.locked_consent(connection, event, event.member)
            if consent_gate.is_erased(connection, event, self._clock.now()):
                _log.info("a message came late: all of its author was erased since it was written")
                return RecordOutcome.KNOWN
            if consent is Consent.OFF:
                return RecordOutcome.UNSTORED
            expires_at = policy.event_end(event.created_at, consent)
            is_marked = event.revision and confidences.marked(
                connection, event.guild_id, [event.message_id]
            )
            values = {"Stems": with_mark(event.stems, MARK)} if is_marked else {}
            edited_until = -1
            if event.revision:
                edits = tombstones.edits(connection, event.guild_id, [event.message_id])
                edited_until = edits.get(event.message_id, -1)
            is_overtaken = event.revision <= edited_until  # another process has read a later edit
            is_new = not is_overtaken and events.insert(
                connection, event, expires_at, values=values
            )
            if is_new:
                confidences.mark_meant(
                    connection,
                    event,
                    self._clock.now(),
                    is_overtaken=event.message_id < self._newest.get(event.member, 0),
                )
            if is_new and (event.attachments or event.revision):
                attachments.store(connection, event, expires_at)
            if is_new and is_answered:
                self.pending_answers.begin(connection, event)
            return RecordOutcome(is_new)

        self._newest[event.member] = max(event.message_id, self._newest.get(event.member, 0))
        key = BurstKey(event.member, event.channel_id)
        with self.extraction.kept_from_sweep(key):
            recorded = await self._database.write(unit)
            if recorded is RecordOutcome.STORED:
                self.extraction.schedule(key, audience)
        if recorded is RecordOutcome.UNSTORED:
            self.ephemeral_turns.add(event)
        if recorded is RecordOutcome.STORED:
            if is_answered:
                self.pending_answers.hold(QuestionRef(event.guild_id, event.message_id))
            self._last_seen[event.member] = event.created_at
            self._signals.recorded.emit()
            if event.attachments:
                self._signals.attachments.emit(event.member, event.message_id)
        return recorded

    async def _store_answer(self, answer: Event) -> RecordOutcome:
        """Store an answer of Kith's with what it rests on, unless some of that is erased by now."""
        recorded, owners = await self._database.write(
            consent_gate.store_answer,
            answer=answer,
            now=self._clock.now(),
            is_ephemeral=bool(self.ephemeral_turns.repeated_by(answer)),
        )
        if recorded is RecordOutcome.UNSTORED:
            self.ephemeral_turns.add(replace(answer, stems=with_owners(answer.stems, owners)))
        if recorded is RecordOutcome.RETRACTED:
            self._signals.removals.emit()
        return recorded

    async def settle(self) -> None:
        """Extract everything that waits now; returns when it is done or cannot be done."""
        if not self._sweeper.is_running:
            return
        await self.extraction.settle()

    async def close(self) -> None:
        """Stop the workers; interrupted extractions are repeated after the next start."""
        await asyncio.gather(self.extraction.close(), self._sweeper.close())
        await self._write_last_seen()

    async def _sweep(self) -> None:
        await self.extraction.sweep()
        await self._write_last_seen()

    async def _write_last_seen(self) -> None:
        last_seen, self._last_seen = self._last_seen, {}
        try:
            if last_seen:
                await self._database.write(members.update_last_seen, last_seen=last_seen)
        except DatabaseError:
            self._last_seen = last_seen | self._last_seen
            raise


@dataclass(eq=False, repr=False, slots=True)
class ConcurrentRecording:
    """Stores a message concurrently with an ``async with`` block, and at the latest before its end.

    Yields a future of the outcome. Hundreds of messages may wait for their answer, so that nothing
    else stays of one that is stored: no generator, no task. ``_metrics`` counts a new message of
    the server when the block ends.
    """

    _record: Coroutine[Any, Any, RecordOutcome]
    _metrics: Metrics
    _guild_id: int
    _task: asyncio.Task[RecordOutcome] | None = field(default=None, init=False)
    _outcome: asyncio.Future[RecordOutcome] = field(init=False)

    async def __aenter__(self) -> asyncio.Future[RecordOutcome]:
        self._outcome = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._record, name="record")
        self._task.add_done_callback(self._finish)
        del self._record  # a coroutine keeps its memory to the end
        return self._outcome

    def _finish(self, task: asyncio.Task[RecordOutcome]) -> None:
        self._task = None
        if task.cancelled():
            self._outcome.cancel()
        elif (error := task.exception()) is not None:
            self._outcome.set_exception(error)
        else:
            self._outcome.set_result(task.result())

    async def __aexit__(self, *_: object) -> None:
        outcome = self._outcome
        if not outcome.done():
            await stopping.finish(asyncio.wait([outcome]))
        if not outcome.cancelled() and outcome.exception() is None and outcome.result():
            self._metrics.count_message(self._guild_id, CHAT)
