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

from utils.common.config import Settings
from utils.common.errors import DatabaseError, ModelUnreachable, StaleFence
from utils.database.core.engine import Connection
from utils.database.memories import members
from utils.database.messages import attachment_texts, attachments
from utils.files.downloading import DISCORD, Downloader, DownloadFailed
from utils.files.sandbox import FileSandbox
from utils.files.sniffing import HEAD_SIZE, UNKNOWN, Format, sniff
from utils.files.unreadable import COULD_NOT, SandboxUnavailable, UnreadableFile
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.llm.transcription import Transcriber
from utils.memory.attachments.captioning import NOT_HEARD, Describer, size_in_words
from utils.memory.attachments.rendering import search_lines
from utils.models.attachment import (
    Attachment,
    AttachmentKind,
    AttachmentState,
    AttachmentText,
    FileDescription,
    PendingAttachment,
)
from utils.models.memory import Consent, Event, Member
from utils.runtime.backoff import KeyedBackoff
from utils.runtime.stopping import cancel
from utils.runtime.worker import Infrastructure, InfrastructureService, Worker

SWEEP_EVERY_S = 60.0
ANSWER_WAITS_S = 20.0
MAX_TASKS = 50
MAX_SCANNED = 1_000  # what waits, so that one busy member does not fill the page
MAX_TASKS_OF_ONE = 5  # of a member's
AT_ONCE = 2  # files in memory, no two of a member's
MAX_MB = 25  # more than most people can post on Discord
MAX_READ = 4  # files of a message
GIVEN_UP_AFTER = timedelta(days=1)  # as long as Discord's address holds, a model may be away
MIN_REST = timedelta(minutes=1)
MAX_REST = timedelta(minutes=10)

A_VIDEO = "a video, which I don't watch"
NOT_ALLOWED = "not read"

Key = tuple[int, int]
Outcome = tuple[AttachmentState, FileDescription, str]

_log = logging.getLogger(__name__)


class AttachmentReader(InfrastructureService):
    """Sees to it that attachments are read, and tells what they say."""

    def __init__(
        self,
        infrastructure: Infrastructure,
        downloader: Downloader,
        workers: FileSandbox,
        describer: Describer,
    ) -> None:
        super().__init__(infrastructure)
        self._downloader = downloader
        self._workers = workers
        self._describer = describer
        self._places = asyncio.Semaphore(AT_ONCE)
        self._turns: WeakValueDictionary[Member, asyncio.Lock] = WeakValueDictionary()
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._tasks_of: Counter[Member] = Counter()
        self._rests: KeyedBackoff[Key] = KeyedBackoff(self._clock)  # the model is away
        self.sweeper = Worker(
            infrastructure, "attachments sweep", self._sweep, interval_s=SWEEP_EVERY_S
        )

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        infrastructure: Infrastructure,
        budget: TokenBudget,
        model: LanguageModel | None,
        origins: Collection[str],
    ) -> Self:
        """Return a reader with its own downloader, file workers and describer.

        ``origins`` are fetched from besides Discord's. Raises SettingsError for an impossible
        transcription endpoint.
        """
        workers = FileSandbox()
        describer = Describer(
            workers, budget, model, settings.vision_model, Transcriber.from_settings(settings)
        )
        return cls(
            infrastructure,
            Downloader(MAX_MB * 1_000_000, DISCORD.union(origins)),
            workers,
            describer,
        )

    async def close(self) -> None:
        """Stop. The next start reads what is cancelled here."""
        await self.sweeper.close()
        await cancel(*self._tasks.values())
        await self._describer.close()

    def expect(self, member: Member, message_id: int) -> None:
        """Have the attachments of a member's stored message read, beside everything else."""
        key = (member.guild_id, message_id)
        is_full = len(self._tasks) >= MAX_TASKS or self._tasks_of[member] >= MAX_TASKS_OF_ONE
        if key in self._tasks or is_full or key in self._rests:  # the sweep finds it
            return
        task = asyncio.create_task(self._read(member, message_id), name="read attachments")
        self._tasks[key] = task
        self._tasks_of[member] += 1
        task.add_done_callback(lambda _: self._done(member, key))

    async def attachment_texts(
        self, event: Event, *, asked_by: Member | None = None
    ) -> tuple[AttachmentText, ...]:
        """Return what came with a message as text, read by now, or within ANSWER_WAITS_S.

        Where nothing of it is stored, by its author's wish or for want of a database, it is read
        for this answer alone. That costs tokens of ``asked_by`` (default: the author).
        """
        try:
            texts = await self._stored(event)
            if any(text.is_unfinished for text in texts):
                self.expect(event.member, event.message_id)
                reading = self._tasks.get((event.guild_id, event.message_id))
                if reading is not None:
                    await asyncio.wait([reading], timeout=ANSWER_WAITS_S)
                texts = await self._stored(event)
        except DatabaseError:
            texts = ()
        return texts or await self._unstored(event, asked_by or event.member)

    async def works(self) -> bool:
        """Whether files can be read here, by reading one, for ``doctor``."""
        try:
            await self._workers.read(b"ready", "ready.txt")
        except (UnreadableFile, SandboxUnavailable):
            return False
        return True

    async def settle(self) -> None:
        """Read everything that waits, and return when it is done or cannot be done."""
        await self._sweep()
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    # --- finding what waits --------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Find what no task reads: left by a crash, by an outage, or by another process."""
        for member, message_id in await self._database.read(
            attachments.list_unfinished, limit=MAX_SCANNED
        ):
            self.expect(member, message_id)

    def _done(self, member: Member, key: Key) -> None:
        self._tasks.pop(key, None)
        self._tasks_of -= Counter((member,))

    async def _stored(self, event: Event) -> tuple[AttachmentText, ...]:
        return await self._database.read(
            attachment_texts.load_of_message, event=event, now=self._clock.now()
        )

    # --- reading -------------------------------------------------------------------------------

    async def _read(self, member: Member, message_id: int) -> None:
        """Read a message's attachments under its lease, one after another."""
        key = (member.guild_id, message_id)
        try:
            async with self._leases.hold(_lease(key)) as fence:
                if fence is None:
                    return
                for pending in await self._database.write(
                    attachments.load_pending, guild_id=key[0], message_id=message_id
                ):
                    async with self._place(member):
                        await self._read_one(key, member, pending, fence)
        except StaleFence:
            _log.info("another worker took over attachments; this one wrote nothing")
        except DatabaseError as error:
            _log.warning("attachments wait for the database: %s", type(error).__name__)
        except Exception:
            _log.exception("reading attachments failed; they are tried again")

    @asynccontextmanager
    async def _place(self, member: Member) -> AsyncIterator[None]:
        """Wait for the member's turn and a free place: a member's many files delay only that
        member."""
        async with self._turns.setdefault(member, asyncio.Lock()), self._places:
            yield

    async def _read_one(
        self, key: Key, member: Member, pending: PendingAttachment, fence: int
    ) -> None:
        if not await self._leases.write(_lease(key), fence, _claim, member=member, pending=pending):
            return
        put_back = partial(attachments.release, artifact_id=pending.id)
        is_last = pending.attempts + 1 >= attachments.MAX_ATTEMPTS
        age = self._clock.now() - pending.created_at
        try:
            outcome = await self._outcome(
                member,
                pending.attachment,
                pending.position,
                is_retried=not is_last,
                patient=age < GIVEN_UP_AFTER,
            )
        except (DownloadFailed, SandboxUnavailable):
            await self._leases.write(_lease(key), fence, put_back)
            return
        except ModelUnreachable:  # which is not the file's fault
            backoff = min(max(age / 4, MIN_REST), MAX_REST)
            self._rests.begin(key, backoff.total_seconds())
            await self._leases.write(_lease(key), fence, put_back, is_counted=False)
            return
        except asyncio.CancelledError:  # a shutdown is no failed attempt
            await asyncio.shield(self._leases.write(_lease(key), fence, put_back, is_counted=False))
            raise
        state, conclusion, _ = outcome
        stems: list[str] = []
        if state is AttachmentState.DONE:  # making stems takes a moment
            stems = await asyncio.to_thread(search_lines, conclusion, pending.attachment.name)
        await self._leases.write(
            _lease(key),
            fence,
            _finish,
            member=member,
            pending=pending,
            outcome=outcome,
            stems=stems,
        )
        self._metrics.attachments.labels(conclusion.kind, state).inc()
        _log.info("read an attachment: %s, %s", conclusion.kind, state)

    async def _unstored(self, event: Event, asked_by: Member) -> tuple[AttachmentText, ...]:
        """Read what came with a message for one answer; what takes too long is left unread."""
        texts = []
        ends_at = asyncio.get_running_loop().time() + ANSWER_WAITS_S
        for position, attachment in enumerate(event.attachments):
            state, conclusion = AttachmentState.PENDING, FileDescription(attachment.kind, "")
            try:
                async with asyncio.timeout_at(ends_at), self._place(asked_by):
                    state, conclusion, _ = await self._outcome(
                        asked_by, attachment, position, is_stored=False
                    )
            except TimeoutError:
                _log.info("an attachment was not read in time for an answer")
            texts.append(
                AttachmentText(
                    conclusion.kind, attachment.name, state, conclusion.caption, conclusion.parts
                )
            )
        return tuple(texts)

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

        ``is_retried`` raises DownloadFailed and SandboxUnavailable, and ``patient``
        ModelUnreachable, so that it is tried again.
        """
        unread = self._unread(attachment, position)
        if unread is not None:
            return unread
        description: FileDescription | None = None
        try:
            data = await self._downloader.fetch(attachment.url, attachment.size)
            sha256 = await asyncio.to_thread(lambda: hashlib.sha256(data).hexdigest())
            if is_stored:
                description = await self._database.read(
                    attachments.find_same_file, member=member, sha256=sha256
                )
            if description is None:
                description = await self._conclusion(member, attachment, data, patient=patient)
        except UnreadableFile as error:
            state = AttachmentState.REFUSED if error.is_refused else AttachmentState.FAILED
            return state, FileDescription(attachment.kind, f"not read: {error}"), ""
        except (DownloadFailed, SandboxUnavailable) as error:
            if is_retried:
                raise
            reason = (
                "Discord did not hand it over" if isinstance(error, DownloadFailed) else COULD_NOT
            )
            return (
                AttachmentState.FAILED,
                FileDescription(attachment.kind, f"not read: {reason}"),
                "",
            )
        return AttachmentState.DONE, description, "" if description.is_fallback else sha256

    async def _conclusion(
        self, member: Member, attachment: Attachment, data: bytes, *, patient: bool
    ) -> FileDescription:
        """Read a file by its contents; its name does not count. Raises UnreadableFile."""
        file_format = sniff(data[:HEAD_SIZE])
        is_recording = attachment.kind is AttachmentKind.AUDIO  # in a container that films share
        if file_format is Format.AUDIO or (file_format is Format.VIDEO and is_recording):
            return await self._describer.transcribe(member, attachment, data, patient=patient)
        if file_format is Format.VIDEO:
            return FileDescription(AttachmentKind.VIDEO, A_VIDEO)
        contents = await self._workers.read(data, attachment.name)
        return await self._describer.describe(member, attachment, contents, patient=patient)

    def _unread(self, attachment: Attachment, position: int) -> Outcome | None:
        """Return what is known of what is not fetched: videos, links, archives, programs, and
        what comes after the first few files of a message."""
        kind, size = attachment.kind, size_in_words(attachment.size)
        match kind:
            case AttachmentKind.LINK:
                return (
                    AttachmentState.DONE,
                    FileDescription(kind, "a link, of which I know the title alone"),
                    "",
                )
            case AttachmentKind.VIDEO:
                return AttachmentState.DONE, FileDescription(kind, f"{size}, {A_VIDEO}"), ""
            case AttachmentKind.AUDIO if not self._describer.hears:
                return AttachmentState.DONE, FileDescription(kind, f"{size}, {NOT_HEARD}"), ""
            case AttachmentKind.OTHER:
                return AttachmentState.REFUSED, FileDescription(kind, f"not read: {UNKNOWN}"), ""
        if position >= MAX_READ:
            return (
                AttachmentState.REFUSED,
                FileDescription(kind, f"not read: I read {MAX_READ} files of a message at most"),
                "",
            )
        return None


def _lease(key: Key) -> str:
    return f"attachments:{key[0]}:{key[1]}"


# --- units of work ------------------------------------------------------------------------------


def _claim(connection: Connection, member: Member, pending: PendingAttachment) -> bool:
    """Take up an attachment, unless it is gone, or nothing may be learnt from it any more."""
    members.lock_existing(connection, member.guild_id, [member.user_id])
    if not attachments.claim(connection, pending.id):
        return False
    if members.effective_consent(connection, member) is not Consent.OFF:
        return True
    conclusion = FileDescription(pending.attachment.kind, NOT_ALLOWED)
    attachments.finish(connection, member, pending.id, AttachmentState.FAILED, conclusion, ())
    return False


def _finish(
    connection: Connection,
    member: Member,
    pending: PendingAttachment,
    outcome: Outcome,
    stems: list[str],
) -> None:
    """Store what an attachment says, unless it is gone, or nothing may be learnt from it any more.

    Its member's prepared copies are stale.
    """
    state, conclusion, sha256 = outcome
    members.lock(connection, member)
    if members.effective_consent(connection, member) is Consent.OFF:
        state, sha256 = AttachmentState.FAILED, ""
        conclusion = FileDescription(pending.attachment.kind, NOT_ALLOWED)
    attachments.finish(connection, member, pending.id, state, conclusion, stems, sha256)
