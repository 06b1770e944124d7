"""Reads what comes with messages, once, and keeps what it says: never the file itself.

What waits to be read is in the database; a message's attachments are read under its lease, and a
crash or an outage loses none of them. What may not be stored is read for one answer, in process
memory alone.
"""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Self
from weakref import WeakValueDictionary

from utils.budget import TokenBudget
from utils.clock import Clock
from utils.config import Settings
from utils.database import artifacts, members, surrogates
from utils.database.engine import Database, Session
from utils.errors import DatabaseError, ModelUnreachable, StaleFence
from utils.files.downloading import DISCORD, Downloader, DownloadFailed
from utils.files.sniffing import HEAD, Format, refusal_of, sniff
from utils.files.unreadable import COULD_NOT, UnreadableFile, WorkerFailed
from utils.files.workers import FileWorkers
from utils.leases import Leases
from utils.llm_client import LanguageModel
from utils.llm_media import Transcriber
from utils.memory.attached import searched_by
from utils.memory.describing import NOT_HEARD, Describer, size_in_words
from utils.memory.pauses import Rests
from utils.metrics import Metrics
from utils.model.artifact import (
    ArtifactKind,
    ArtifactState,
    Attachment,
    Conclusion,
    Pending,
    Surrogate,
)
from utils.model.memory import Consent, Event, Member

SWEEP_EVERY_S = 60.0
ANSWER_WAITS_S = 20.0
MOST_TASKS = 50
MOST_TASKS_OF_ONE = 5  # of a member's
AT_ONCE = 2  # files in memory, no two of a member's
MOST_READ = 4  # files of a message
GIVEN_UP_AFTER = timedelta(days=1)  # as long as Discord's address holds, a model may be away
SHORTEST_REST = timedelta(minutes=1)
LONGEST_REST = timedelta(minutes=10)

A_VIDEO = "a video, which I don't watch"
A_LINK = "a link, of which I know the title alone"
NOT_HANDED_OVER = "Discord did not hand it over"
NOT_ALLOWED = "not read"
ONE_TOO_MANY = f"not read: I read {MOST_READ} files of a message at most"

Key = tuple[int, int]
Outcome = tuple[ArtifactState, Conclusion, str]

_log = logging.getLogger(__name__)


class ArtifactReader:
    """Sees to it that attachments are read, and tells what they say."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        downloader: Downloader,
        workers: FileWorkers,
        describer: Describer,
        metrics: Metrics | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._downloader = downloader
        self._workers = workers
        self._describer = describer
        self._metrics = metrics or Metrics(clock)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._turns: WeakValueDictionary[Member, asyncio.Lock] = WeakValueDictionary()
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._tasks_of: Counter[Member] = Counter()
        self._rests: Rests[Key] = Rests(clock)  # of messages whose model is away
        self._sweeping: asyncio.Task[None] | None = None

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        database: Database,
        clock: Clock,
        leases: Leases,
        budget: TokenBudget,
        model: LanguageModel | None,
        origins: Collection[str] = (),
        metrics: Metrics | None = None,
    ) -> Self:
        """Build it with all that it needs alone; ``origins`` are fetched from besides Discord's.

        Raises SettingsError for an impossible transcription endpoint.
        """
        workers = FileWorkers()
        describer = Describer(
            workers,
            budget,
            model,
            vision_model=settings.vision_model,
            transcriber=Transcriber.from_settings(settings),
        )
        downloader = Downloader(settings.attachment_max_mb * 1_000_000, DISCORD.union(origins))
        return cls(database, clock, leases, downloader, workers, describer, metrics)

    async def start(self) -> None:
        """Take up what an earlier run left, now and then."""
        self._sweeping = asyncio.create_task(self._sweep_for_ever(), name="attachments sweep")

    async def close(self) -> None:
        """Stop; what is being read is broken off, and read at the next start."""
        sweeping = [self._sweeping] if self._sweeping is not None else []
        tasks = [*sweeping, *self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._describer.close()

    def expect(self, member: Member, message_id: int) -> None:
        """Have the attachments of a member's stored message read, beside everything else."""
        key = (member.guild_id, message_id)
        is_full = len(self._tasks) >= MOST_TASKS or self._tasks_of[member] >= MOST_TASKS_OF_ONE
        if key in self._tasks or is_full or key in self._rests:  # the sweep finds it
            return
        task = asyncio.create_task(self._read(member, message_id), name="read attachments")
        self._tasks[key] = task
        self._tasks_of[member] += 1
        task.add_done_callback(lambda _: self._done(member, key))

    async def surrogates(self, event: Event) -> tuple[Surrogate, ...]:
        """Return what came with a message as text, read by now, or within ANSWER_WAITS_S.

        Where nothing of it is stored, by its author's wish or for want of a database, it is read
        for this answer alone.
        """
        try:
            found = await self._stored(event)
            if any(one.is_unfinished for one in found):
                self.expect(event.member, event.message_id)
                reading = self._tasks.get((event.guild_id, event.message_id))
                if reading is not None:
                    await asyncio.wait([reading], timeout=ANSWER_WAITS_S)
                found = await self._stored(event)
        except DatabaseError:
            found = ()
        return found or await self._unstored(event)

    async def works(self) -> bool:
        """Whether files can be read here, by reading one, for ``doctor``."""
        try:
            await self._workers.read(b"ready", "ready.txt")
        except (UnreadableFile, WorkerFailed):
            return False
        return True

    async def settle(self) -> None:
        """Read everything that waits, and return when it is done or cannot be done."""
        await self._sweep()
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    # --- finding what waits --------------------------------------------------------------------

    async def _sweep_for_ever(self) -> None:
        """Find what no task holds: left by a crash, by an outage, or by another process."""
        while True:
            try:
                await self._sweep()
            except DatabaseError as error:
                _log.warning("attachments could not be looked up: %s", type(error).__name__)
            await self._clock.sleep(SWEEP_EVERY_S)

    async def _sweep(self) -> None:
        found = await self._database.read(partial(artifacts.unfinished, limit=MOST_TASKS))
        for member, message_id in found:
            self.expect(member, message_id)

    def _done(self, member: Member, key: Key) -> None:
        self._tasks.pop(key, None)
        self._tasks_of[member] -= 1
        if not self._tasks_of[member]:
            del self._tasks_of[member]

    async def _stored(self, event: Event) -> tuple[Surrogate, ...]:
        found = await self._database.read(
            partial(
                surrogates.of_messages,
                guild_id=event.guild_id,
                message_ids=[event.message_id],
                now=self._clock.now(),
                whole=True,
            )
        )
        return found.get(event.message_id, ())

    # --- reading -------------------------------------------------------------------------------

    async def _read(self, member: Member, message_id: int) -> None:
        """Read a message's attachments under its lease, one after another."""
        key = (member.guild_id, message_id)
        try:
            async with self._leases.hold(_lease(key)) as fence:
                if fence is None:
                    return
                waiting = partial(artifacts.waiting, guild_id=key[0], message_id=message_id)
                for one in await self._database.write(waiting):
                    async with self._place(member):
                        await self._read_one(key, member, one, fence)
        except StaleFence:
            _log.info("another worker took over attachments; this one wrote nothing")
        except DatabaseError as error:
            _log.warning("attachments wait for the database: %s", type(error).__name__)
        except Exception:
            _log.exception("reading attachments failed; they are tried again")

    @asynccontextmanager
    async def _place(self, member: Member) -> AsyncIterator[None]:
        """Wait for a member's turn and a place: whoever posts much waits for themselves alone."""
        turn = self._turns.setdefault(member, asyncio.Lock())
        async with turn, self._places:
            yield

    async def _read_one(self, key: Key, member: Member, pending: Pending, fence: int) -> None:
        claim = partial(_claim, member=member, pending=pending)
        if not await self._leases.write(_lease(key), fence, claim):
            return
        put_back = partial(artifacts.put_back, artifact_id=pending.id)
        is_last = pending.attempts + 1 >= artifacts.MOST_ATTEMPTS
        age = self._clock.now() - pending.created_at
        try:
            outcome = await self._outcome(
                member,
                pending.attachment,
                pending.position,
                is_retried=not is_last,
                patient=age < GIVEN_UP_AFTER,
            )
        except (DownloadFailed, WorkerFailed):
            await self._leases.write(_lease(key), fence, put_back)
            return
        except ModelUnreachable:  # which is not the file's fault
            rest = min(max(age / 4, SHORTEST_REST), LONGEST_REST)
            self._rests.begin(key, rest.total_seconds())
            again = partial(put_back, is_counted=False)
            await self._leases.write(_lease(key), fence, again)
            return
        except asyncio.CancelledError:  # a shutdown is no failed attempt
            again = partial(put_back, is_counted=False)
            await asyncio.shield(self._leases.write(_lease(key), fence, again))
            raise
        stems = await asyncio.to_thread(_searched_by, outcome, pending.attachment.name)
        finish = partial(_finish, member=member, pending=pending, outcome=outcome, stems=stems)
        await self._leases.write(_lease(key), fence, finish)
        self._metrics.attachment_read(outcome[1].kind, outcome[0])
        _log.info("read an attachment: %s, %s", outcome[1].kind, outcome[0])

    async def _unstored(self, event: Event) -> tuple[Surrogate, ...]:
        """Read what came with a message for one answer; what takes too long is left unread."""
        found = []
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + ANSWER_WAITS_S
        for position, one in enumerate(event.attachments):
            state, conclusion = ArtifactState.PENDING, Conclusion(one.kind, "")
            try:
                async with asyncio.timeout_at(ends_at), self._place(event.member):
                    state, conclusion, _ = await self._outcome(
                        event.member, one, position, is_stored=False
                    )
            except TimeoutError:
                _log.info("an attachment was not read in time for an answer")
            found.append(
                Surrogate(conclusion.kind, one.name, state, conclusion.caption, conclusion.parts)
            )
        return tuple(found)

    async def _outcome(
        self,
        member: Member,
        attachment: Attachment,
        position: int,
        *,
        is_retried: bool = False,
        patient: bool = False,
        is_stored: bool = True,
    ) -> Outcome:
        """Return what becomes of an attachment. What is never read is not even fetched.

        ``is_retried`` raises DownloadFailed and WorkerFailed, and ``patient`` ModelUnreachable, so
        that it is tried again.
        """
        unread = self._unread(attachment, position)
        if unread is not None:
            return unread
        known: Conclusion | None = None
        try:
            data = await self._downloader.fetch(attachment.url, attachment.size)
            sha256 = await asyncio.to_thread(lambda: hashlib.sha256(data).hexdigest())
            if is_stored:
                same = partial(artifacts.same_file, member=member, sha256=sha256)
                known = await self._database.read(same)
            if known is None:
                known = await self._conclusion(member, attachment, data, patient=patient)
        except UnreadableFile as error:
            state = ArtifactState.REFUSED if error.is_refused else ArtifactState.FAILED
            return state, Conclusion(attachment.kind, f"not read: {error}"), ""
        except (DownloadFailed, WorkerFailed) as error:
            if is_retried:
                raise
            reason = NOT_HANDED_OVER if isinstance(error, DownloadFailed) else COULD_NOT
            return ArtifactState.FAILED, Conclusion(attachment.kind, f"not read: {reason}"), ""
        return ArtifactState.DONE, known, "" if known.is_makeshift else sha256

    async def _conclusion(
        self, member: Member, attachment: Attachment, data: bytes, *, patient: bool
    ) -> Conclusion:
        """Read a file as what it is, whatever it is called. Raises UnreadableFile."""
        found = sniff(data[:HEAD])
        is_recording = attachment.kind is ArtifactKind.AUDIO  # in a container that films share
        if found is Format.AUDIO or (found is Format.VIDEO and is_recording):
            return await self._describer.transcribe(member, attachment, data, patient=patient)
        if found is Format.VIDEO:
            return Conclusion(ArtifactKind.VIDEO, A_VIDEO)
        contents = await self._workers.read(data, attachment.name)
        return await self._describer.describe(member, attachment, contents, patient=patient)

    def _unread(self, attachment: Attachment, position: int) -> Outcome | None:
        """Return what is known of what is not fetched: videos, links, archives, programs, and
        what comes after the first few files of a message."""
        kind, size = attachment.kind, size_in_words(attachment.size)
        match kind:
            case ArtifactKind.LINK:
                return ArtifactState.DONE, Conclusion(kind, A_LINK), ""
            case ArtifactKind.VIDEO:
                return ArtifactState.DONE, Conclusion(kind, f"{size}, {A_VIDEO}"), ""
            case ArtifactKind.AUDIO if not self._describer.hears:
                return ArtifactState.DONE, Conclusion(kind, f"{size}, {NOT_HEARD}"), ""
            case ArtifactKind.OTHER:
                caption = f"not read: {refusal_of(attachment.name)}"
                return ArtifactState.REFUSED, Conclusion(kind, caption), ""
        if position >= MOST_READ:
            return ArtifactState.REFUSED, Conclusion(kind, ONE_TOO_MANY), ""
        return None


def _lease(key: Key) -> str:
    return f"attachments:{key[0]}:{key[1]}"


# --- units of work ------------------------------------------------------------------------------


def _claim(session: Session, member: Member, pending: Pending) -> bool:
    """Take up an attachment, unless it is gone, or nothing may be learnt from it any more."""
    if not artifacts.claim(session, pending.id):
        return False
    if members.leave_to_store(session, member) is not Consent.OFF:
        return True
    conclusion = Conclusion(pending.attachment.kind, NOT_ALLOWED)
    artifacts.finish(session, member, pending.id, ArtifactState.FAILED, conclusion, ())
    return False


def _searched_by(outcome: Outcome, name: str) -> list[str]:
    """Return the stems of what is kept, which take a moment to be made."""
    state, conclusion, _ = outcome
    return searched_by(conclusion, name) if state is ArtifactState.DONE else []


def _finish(
    session: Session, member: Member, pending: Pending, outcome: Outcome, stems: list[str]
) -> None:
    """Store what an attachment says, unless it is gone; its member's prepared copies are stale."""
    state, conclusion, sha256 = outcome
    members.lock(session, member)
    artifacts.finish(session, member, pending.id, state, conclusion, stems, sha256)
