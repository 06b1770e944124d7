"""HistoryImporter imports exported channels into memory, as the consent of their authors allows.

First it stores a file's messages in batches, each with a note of how far the file has been read.
Then it extracts the channel's waiting messages member by member. An import can be stopped at any
moment and continues where it was: by its notes, by what waits, and because no message is stored
twice.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from utils.common.errors import (
    BadInput,
    BudgetSpent,
    KithError,
    ModelError,
    ModelRefused,
    RequestRefused,
)
from utils.common.progress import Progress
from utils.database.admin import history_import
from utils.database.core.engine import Connection
from utils.database.guilds import settings as guilds
from utils.database.memories import members
from utils.memory.extraction.bursts import ExtractionJob
from utils.memory.extraction.llm_extractor import ModelExtractor
from utils.memory.extraction.rule_extractor import RuleExtractor
from utils.memory.history import batches
from utils.memory.history.batches import ScreenedBatch
from utils.memory.history.cost_estimate import CostEstimator
from utils.memory.history.discord_export import DiscordExport, file_key, open_export
from utils.memory.policy.write_policy import WriteRules
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.models.extraction import Extraction, ExtractionInput
from utils.models.history import ExportedChannel, ImportEstimate, ImportReport, SkipReason
from utils.models.memory import Event, Member
from utils.runtime.leases import LEASE_WAIT_S
from utils.runtime.stopping import cancel
from utils.runtime.worker import InfrastructureService

FIRST_PAUSE_S = 5.0
MAX_TRIES = 4
ALL_MEMBERS: frozenset[int] = frozenset()

BUSY = (
    "Another import of the channel of {file} is running, or was killed a moment ago; try again in "
    "half a minute."
)
NO_WRITES = "Memory is read-only (MEMORY_READ_ONLY), so nothing can be imported."
BUDGET_USED_UP = (
    "Today's tokens for reading on that server are used up (DAILY_TOKEN_BUDGET). Run the same "
    "command again after midnight UTC: it continues where it stopped."
)
MODEL_REFUSES = (
    "The language model refuses to work; `python bot.py doctor` says why. Nothing is lost: run the "
    "same command again afterwards, and it continues where it stopped."
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _ImportTask:
    """The import of one file: its channel and members, the lease it runs under, and its report."""

    channel: ExportedChannel
    only: frozenset[int]
    file_key: str
    lease: str
    fence: int
    report: ImportReport
    progress: Progress


@dataclass(eq=False, repr=False)
class HistoryImporter(InfrastructureService):
    """Imports past messages under the same rules as everything else that is learnt.

    ``asks_model``: the extractor is a language model, which costs tokens.
    """

    _rules: WriteRules
    _extractor: ModelExtractor | RuleExtractor
    _verifier: CandidateVerifier
    workers: int
    asks_model: bool

    async def estimate(
        self,
        file: Path,
        progress: Progress,
        *,
        only: frozenset[int] = ALL_MEMBERS,
        guild_id: int | None = None,
    ) -> ImportEstimate:
        """Return what importing a file would do and cost; writes nothing.

        Args:
            only: the members whose messages count; empty: all members.
            guild_id: the server that the export must belong to.

        Raises BadInput for a file that is not an export.
        """
        with open_export(file) as stream:
            export = await _read_head(stream, file, guild_id)
            settings = await self._database.read(guilds.load, guild_id=export.channel.guild_id)
            estimator = CostEstimator(settings.time_zone, asks_model=self.asks_model)
            progress.begin(f"checking {file.name}", export.size, "B")
            damage = ""
            try:
                async for batch in export.batches():
                    selected = _select(batch, only, estimator.skip)
                    screened = await self._database.read(
                        batches.screen, events=selected, now=self._clock.now()
                    )
                    for event, reason in screened.verdicts:
                        estimator.count(event, reason)
                    progress.reach(stream.tell())
            except BadInput as error:
                damage = str(error)
        return estimator.result(damage)

    async def import_file(
        self,
        file: Path,
        progress: Progress,
        *,
        only: frozenset[int] = ALL_MEMBERS,
        guild_id: int | None = None,
    ) -> ImportReport:
        """Import a file from where an earlier run stopped; returns the counts.

        Raises BadInput for a file that is not an export, or while its channel is being imported.
        Raises KithError, which says what to do, if the import has to be continued later.
        """
        if self._rules.read_only:
            raise BadInput(NO_WRITES)
        with open_export(file) as stream:
            export = await _read_head(stream, file, guild_id)
            channel = export.channel
            stream.seek(0)
            key = await asyncio.to_thread(file_key, stream, only)
            lease = f"import:{channel.guild_id}:{channel.channel_id}"
            async with self._leases.hold(lease, LEASE_WAIT_S) as fence:
                if fence is None:
                    raise BadInput(BUSY, file=file.name)
                task = _ImportTask(channel, only, key, lease, fence, ImportReport(), progress)
                progress.begin(f"storing {file.name}", export.size, "B")
                last_id = await self._store_all(task, export, stream)
                await self._extract_all(task, file.name)
                if last_id and not task.report.damage and not task.report.waiting:
                    await self._leases.write(
                        task.lease,
                        task.fence,
                        history_import.note_progress,
                        guild_id=channel.guild_id,
                        channel_id=channel.channel_id,
                        file_key=key,
                        message_id=last_id,
                        now=self._clock.now(),
                        is_finished=True,
                    )
        if task.report.stored or task.report.bursts:
            await self._database.scrub()
        return task.report

    # --- storing -------------------------------------------------------------------------------

    async def _store_all(self, task: _ImportTask, export: DiscordExport, stream: BinaryIO) -> int:
        """Store the file's new messages; returns the id of its last message that is stored."""
        channel, report = task.channel, task.report
        last_id = await self._database.read(
            history_import.read_until,
            guild_id=channel.guild_id,
            channel_id=channel.channel_id,
            file_key=task.file_key,
        )
        try:
            async for batch in export.batches(last_id):
                report.messages += len(batch)
                new, screened = await self._leases.write(
                    task.lease,
                    task.fence,
                    _store,
                    task=task,
                    events=_select(batch, task.only, report.skip),
                    now=self._clock.now(),
                )
                report.stored += new
                for _, reason in screened.verdicts:
                    if reason is not None:
                        report.skip(reason)
                last_id = screened.last_id or last_id
                task.progress.reach(stream.tell())
        except BadInput as error:
            report.damage = str(error)
        return last_id

    # --- extracting ----------------------------------------------------------------------------

    async def _extract_all(self, task: _ImportTask, file_name: str) -> None:
        """Extract the channel's waiting messages: several members at once, each in order."""
        waiting = await self._waiting(task)
        task.progress.begin(f"reading {file_name}", sum(waiting.values()), "messages")
        queue = deque(Member(task.channel.guild_id, user_id) for user_id in waiting)

        async def work() -> None:
            while queue:
                member, after_id = queue.popleft(), 0
                while job := await self._database.read(
                    batches.next_job,
                    member=member,
                    channel_id=task.channel.channel_id,
                    after_id=after_id,
                    forbidden=self._rules.forbidden,
                    now=self._clock.now(),
                ):
                    after_id = job.inputs.burst.events[-1].message_id
                    if not await self._extract_burst(task, member, job):
                        break
                    task.report.read += len(job.event_ids)
                    task.progress.reach(task.report.read)

        workers = [asyncio.create_task(work(), name="import") for _ in range(self.workers)]
        try:
            await asyncio.gather(*workers)
        finally:
            await cancel(*workers)
        task.report.waiting = sum((await self._waiting(task)).values())

    async def _waiting(self, task: _ImportTask) -> dict[int, int]:
        """Return how many messages of each selected member wait, by user id."""
        counts = await self._database.read(
            history_import.pending_authors,
            guild_id=task.channel.guild_id,
            channel_id=task.channel.channel_id,
        )
        return {
            user_id: count
            for user_id, count in counts.items()
            if not task.only or user_id in task.only
        }

    async def _extract_burst(self, task: _ImportTask, member: Member, job: ExtractionJob) -> bool:
        """Extract a burst and apply the result; False if its author's budget is used up."""
        report, now = task.report, self._clock.now()
        try:
            extraction = await self._extract(job.inputs)
            extraction = await self._verifier.judge(job.notes_of(extraction))
        except RequestRefused:
            report.refused["refused by the model"] += 1
            await self._leases.write(
                task.lease, task.fence, history_import.refuse, event_ids=job.event_ids
            )
        except BudgetSpent as error:
            if not error.is_share:
                raise KithError(BUDGET_USED_UP) from None
            report.over_budget += 1
            return False
        else:
            plan = await self._leases.write(
                task.lease,
                task.fence,
                batches.apply_extraction,
                job=job,
                extraction=extraction,
                write_policy=self._rules.policy,
                now=now,
            )
            report.add(plan)
        return True

    async def _extract(self, reading: ExtractionInput) -> Extraction:
        """Call the extractor; retries with growing pauses while the model does not answer."""
        for attempt in range(MAX_TRIES):
            try:
                return await self._extractor.extract(reading)
            except RequestRefused:
                raise
            except ModelRefused:
                raise KithError(MODEL_REFUSES) from None
            except ModelError as error:
                _log.info("the model does not answer an import: %s", type(error).__name__)
                if attempt + 1 < MAX_TRIES:
                    await self._clock.sleep(FIRST_PAUSE_S * 2**attempt)
        raise KithError(
            "The language model does not answer. Nothing is lost: run the same command again "
            "later, and it continues where it stopped."
        )


async def _read_head(stream: BinaryIO, file: Path, guild_id: int | None) -> DiscordExport:
    """Open an export. Raises BadInput if it is none, or belongs to another server."""
    export = await asyncio.to_thread(DiscordExport, stream, file.name)
    if guild_id not in (None, export.channel.guild_id):
        raise BadInput(
            "{file} belongs to server {guild_id}, not to the one you named; nothing of it was "
            "read.",
            file=file.name,
            guild_id=export.channel.guild_id,
        )
    return export


def _select(
    batch: Iterable[Event | SkipReason],
    only: frozenset[int],
    skip: Callable[[SkipReason], None],
) -> list[Event]:
    """Return the messages of a batch by selected members; ``skip`` counts the others."""
    events = []
    for message in batch:
        if isinstance(message, SkipReason):
            skip(message)
        elif only and message.author_id not in only:
            skip(SkipReason.NOT_SELECTED)
        else:
            events.append(message)
    return events


def _store(
    connection: Connection, task: _ImportTask, events: Sequence[Event], now: datetime
) -> tuple[int, ScreenedBatch]:
    """Store a batch's messages as far as allowed, and note how far the file has been read."""
    channel = task.channel
    members.lock_existing(connection, channel.guild_id, {event.author_id for event in events})
    screened = batches.screen(connection, events, now)
    new = batches.store(connection, screened, now)
    if screened.last_id:
        place = channel.guild_id, channel.channel_id, task.file_key
        history_import.note_progress(connection, *place, screened.last_id, now)
    return new, screened
