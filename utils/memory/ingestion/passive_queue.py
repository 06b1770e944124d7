"""PassiveNotes: notes from watched channels wait here, so that many share one verification call.

A server's notes are verified when ten of them wait (and enough messages were watched since the
last call), or the oldest has waited for 15 minutes. Until then their messages are stored, for at
most a day; a deletion or an opt-out in between removes them. The notes are only in process memory,
and are verified when it stops. After a crash, the next process reads their messages again. Without
a verdict nothing is kept.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace

from utils.common.errors import DatabaseError
from utils.database.core.engine import Connection
from utils.database.guilds import settings
from utils.database.memories import members
from utils.database.sentiment import overheard_messages
from utils.database.sentiment.overheard_messages import VERDICT_WAIT
from utils.memory.extraction import passive_notes
from utils.memory.extraction.passive_notes import Overheard
from utils.memory.policy.storable_events import storable
from utils.memory.policy.write_policy import WriteRules
from utils.memory.verification.candidate_verifier import CandidateVerifier, ExtractedNotes
from utils.models.extraction import Extraction, Judgement
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure, InfrastructureService, Worker

MAX_WAIT_S = 900.0
ENOUGH_NOTES = 10
MESSAGES_PER_CALL = 34
"""Watched messages between two early calls: with the analysis of batches of 20, at most 8 calls for
100 messages."""
CHECK_EVERY_S = 30.0
CLOSE_WITHIN_S = 10.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """One member's notes that wait for a verdict since ``since_s`` (monotonic)."""

    notes: ExtractedNotes
    since_s: float


class PassiveNotes(InfrastructureService):
    """Collects, verifies and applies passive notes; ``counts`` counts those that were kept."""

    def __init__(
        self,
        infrastructure: Infrastructure,
        rules: WriteRules,
        verifier: CandidateVerifier,
        signals: MemorySignals,
        counts: Counter[str],
    ) -> None:
        super().__init__(infrastructure)
        self._rules = rules
        self._verifier = verifier
        self._signals = signals
        self._counts = counts
        self._waiting: defaultdict[int, list[_Waiting]] = defaultdict(list)
        self._heard: defaultdict[int, set[int]] = defaultdict(set)
        self.worker = Worker(
            infrastructure, "passive notes", self._verify_due, interval_s=CHECK_EVERY_S
        )

    async def add(self, overheard: Overheard) -> None:
        """Store the messages of a member's notes for a day, and let the notes wait for a verdict.

        Does nothing where the member's consent does not allow it. Raises DatabaseError.
        """
        if self._rules.read_only:
            return
        events = [storable(message) for message in overheard.messages]

        def unit(connection: Connection) -> ExtractedNotes | None:
            now = self._clock.now()
            stored = passive_notes.keep_messages(connection, overheard, events, now)
            if not stored:
                return None
            memories = passive_notes.known_memories(connection, overheard, now)
            server_zone = settings.load(connection, overheard.member.guild_id).time_zone
            time_zone = members.zone_of(connection, overheard.member, server_zone)
            return passive_notes.extracted_notes(
                overheard, stored, events, memories, time_zone, self._rules.forbidden
            )

        notes = await self._database.write(unit)
        if notes is None:
            return
        guild_id = overheard.member.guild_id
        self._waiting[guild_id].append(_Waiting(notes, self._clock.monotonic()))
        self._heard[guild_id].update(message.message_id for message in overheard.around)
        if self._is_enough(guild_id):
            self.worker.wake()

    async def flush(self) -> None:
        """Verify and apply everything that waits now."""
        for guild_id in list(self._waiting):
            await self._verify_guild(guild_id)

    async def close(self) -> None:
        """Stop, and verify what waits, within ten seconds; the rest is not kept."""
        await self.worker.close()
        with suppress(TimeoutError, DatabaseError):
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self.flush()

    async def _verify_due(self) -> None:
        now_s = self._clock.monotonic()
        for guild_id, waiting in list(self._waiting.items()):
            is_due = any(now_s - item.since_s >= MAX_WAIT_S for item in waiting)
            if is_due or self._is_enough(guild_id):
                await self._verify_guild(guild_id)

    def _is_enough(self, guild_id: int) -> bool:
        """Whether enough notes wait for a call before the 15 minutes are over."""
        count = sum(len(item.notes.extraction.candidates) for item in self._waiting[guild_id])
        return count >= ENOUGH_NOTES and len(self._heard[guild_id]) >= MESSAGES_PER_CALL

    async def _verify_guild(self, guild_id: int) -> None:
        """Verify a server's notes with one call, and apply them member by member.

        Without a verdict they wait again, for at most a day.
        """
        waiting = self._waiting.pop(guild_id, [])
        self._heard.pop(guild_id, None)
        if not waiting:
            return
        try:
            judged = await self._verifier.judge_together([item.notes for item in waiting])
        except BaseException:
            self._waiting[guild_id][:0] = waiting
            raise
        now_s = self._clock.monotonic()
        for item, extraction in zip(waiting, judged, strict=True):
            is_over = now_s - item.since_s >= VERDICT_WAIT.total_seconds()
            verdicts = [candidate.verdict.judgement for candidate in extraction.candidates]
            if verdicts and all(verdict is Judgement.FAILED for verdict in verdicts):
                if not is_over:
                    self._waiting[guild_id].append(item)
                else:
                    await self._database.write(
                        overheard_messages.delete_unused,
                        event_ids=item.notes.inputs.burst.event_ids,
                    )
                continue
            await self._apply(item, extraction)

    async def _apply(self, item: _Waiting, extraction: Extraction) -> None:
        guild_id = item.notes.inputs.burst.member.guild_id
        notes = replace(item.notes, extraction=extraction)
        try:
            plan = await self._database.write(
                passive_notes.apply_notes,
                notes=notes,
                write_policy=self._rules.policy,
                now=self._clock.now(),
            )
        except DatabaseError as error:
            _log.info("passive notes wait for the database: %s", type(error).__name__)
            self._waiting[guild_id].append(item)
            return
        if plan is not None:
            self._counts["noted"] += len(plan.inserts) + len(plan.confirmations)
            self._metrics.count_plan(guild_id, plan)
            self._signals.propose(guild_id, plan.proposed)
