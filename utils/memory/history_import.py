"""HistoryImporter reads exported channels into memory, as their authors allow.

First a file's messages are stored, in batches that each note how far the file has been read; then
what waits of the channel is read, person by person. So an import can be stopped at any moment, and
goes on where it was: by its notes, by what waits, and because no message is stored twice.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol

from utils.clock import Clock
from utils.database import guilds, imports, members
from utils.database.engine import Database, Session
from utils.errors import (
    BadInput,
    BudgetSpent,
    KithError,
    ModelError,
    ModelMalformed,
    ModelRefused,
    RequestRefused,
)
from utils.leases import Leases
from utils.memory import past
from utils.memory.bursts import Work
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.discord_export import Export
from utils.memory.export_files import batches, key_of, opened
from utils.memory.past import Judged
from utils.memory.recorder import Extractor
from utils.memory.surveying import Surveyor
from utils.model.history import ExportedPlace, Outcome, Survey, Unread
from utils.model.memory import Event, Extraction, Member, Reading
from utils.model.policy import WritePolicy

FIRST_PAUSE_S = 5.0
MOST_TRIES = 4
ANYBODY: frozenset[int] = frozenset()

OF_ANOTHER_SERVER = "{file} is of another server, {there}, than you named; nothing of it was read."
BUSY = (
    "Another import of the channel of {file} is under way, or was killed a moment ago; try again "
    "in half a minute."
)
NO_WRITES = "Memory is read-only (MEMORY_READ_ONLY), so nothing can be imported."
SPENT = (
    "Today's token budget of that server is used up (DAILY_TOKEN_BUDGET). Run the same command "
    "again after midnight UTC: it goes on where it stopped."
)
MODEL_AWAY = (
    "The language model does not answer. Nothing is lost: run the same command again later, and it "
    "goes on where it stopped."
)
MODEL_REFUSES = (
    "The language model refuses to work; `python bot.py doctor` says why. Nothing is lost: run the "
    "same command again afterwards, and it goes on where it stopped."
)

_log = logging.getLogger(__name__)


class Progress(Protocol):
    """Shows how far an import is."""

    def begin(self, words: str, total: int, unit: str) -> None:
        """Begin a part of the work of so many units."""

    def reach(self, done: int) -> None:
        """Say how many units of it are done."""


@dataclass(frozen=True, slots=True)
class _Task:
    """One file's import: of which channel and members, under which lease, and what comes of it."""

    place: ExportedPlace
    only: frozenset[int]
    file_key: str
    lease: str
    fence: int
    outcome: Outcome
    progress: Progress


class HistoryImporter:
    """Takes in what was said in the past, under the rules of everything that is learnt."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        extractor: Extractor,
        *,
        write_policy: WritePolicy,
        workers: int,
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
        read_only: bool = False,
        asks_model: bool = True,
    ) -> None:
        """``asks_model``: the extractor is a language model, which costs tokens."""
        self._database = database
        self._clock = clock
        self._leases = leases
        self._extractor = extractor
        self._write_policy = write_policy
        self._workers = workers
        self._forbidden = forbidden
        self._read_only = read_only
        self.asks_model = asks_model

    async def survey(
        self,
        file: Path,
        progress: Progress,
        *,
        only: frozenset[int] = ANYBODY,
        guild_id: int | None = None,
    ) -> Survey:
        """Return what importing a file would do and cost; writes nothing.

        ``only`` are the members it is about, ``guild_id`` the server that it must be of. Raises
        BadInput for a file that is no export.
        """
        with opened(file) as stream:
            export = await _export(stream, file, guild_id)
            place = export.place
            settings = await self._database.read(partial(guilds.load, guild_id=place.guild_id))
            surveyor = Surveyor(settings.time_zone, asks_model=self.asks_model)
            progress.begin(f"looking through {file.name}", export.size, "B")
            damage = ""
            try:
                async for batch in batches(export.messages()):
                    found = _sorted_out(batch, only, surveyor.leave_out)
                    unit = partial(past.judge, events=found, now=self._clock.now())
                    for event, why in (await self._database.read(unit)).verdicts:
                        surveyor.count(event, why)
                    progress.reach(stream.tell())
            except BadInput as error:
                damage = str(error)
        return surveyor.result(damage)

    async def take_in(
        self,
        file: Path,
        progress: Progress,
        *,
        only: frozenset[int] = ANYBODY,
        guild_id: int | None = None,
    ) -> Outcome:
        """Read a file into memory, from where it was left; returns what came of it.

        Raises BadInput for a file that is no export, or whose channel is being imported already;
        KithError, which says what to do, where it has to be gone on with later.
        """
        if self._read_only:
            raise BadInput(NO_WRITES)
        with opened(file) as stream:
            export = await _export(stream, file, guild_id)
            stream.seek(0)
            key = await asyncio.to_thread(key_of, stream, only)
            name = f"import:{export.place.guild_id}:{export.place.channel_id}"
            async with self._leases.hold(name) as fence:
                if fence is None:
                    raise BadInput(BUSY, file=file.name)
                task = _Task(export.place, only, key, name, fence, Outcome(), progress)
                progress.begin(f"storing what is in {file.name}", export.size, "B")
                last_id = await self._store_all(task, export, stream)
                await self._read_all(task, file.name)
                if last_id and not task.outcome.damage and not task.outcome.waiting:
                    now = self._clock.now()
                    done = partial(_note, task=task, message_id=last_id, now=now, is_finished=True)
                    await self._leases.write(task.lease, task.fence, done)
        if task.outcome.stored or task.outcome.bursts:
            await self._database.scrub()
        return task.outcome

    # --- storing -------------------------------------------------------------------------------

    async def _store_all(self, task: _Task, export: Export, stream: BinaryIO) -> int:
        """Store what a file adds to memory; returns the last message of it that is stored."""
        place, outcome = task.place, task.outcome
        last_id = await self._database.read(
            partial(
                imports.read_until,
                guild_id=place.guild_id,
                channel_id=place.channel_id,
                file_key=task.file_key,
            )
        )
        try:
            async for batch in batches(_after(export.messages(), last_id)):
                outcome.messages += len(batch)
                found = _sorted_out(batch, task.only, outcome.leave_out)
                unit = partial(_store, task=task, events=found, now=self._clock.now())
                new, judged = await self._leases.write(task.lease, task.fence, unit)
                outcome.stored += new
                for _, why in judged.verdicts:
                    if why is not None:
                        outcome.leave_out(why)
                last_id = judged.last_id or last_id
                task.progress.reach(stream.tell())
        except BadInput as error:
            outcome.damage = str(error)
        return last_id

    # --- reading -------------------------------------------------------------------------------

    async def _read_all(self, task: _Task, file_name: str) -> None:
        """Read what waits of the channel, several people at once, each in order."""
        waiting = await self._waiting(task)
        task.progress.begin(f"reading {file_name}", sum(waiting.values()), "messages")
        members_left = deque(Member(task.place.guild_id, one) for one in waiting)

        async def work() -> None:
            while members_left:
                await self._read_member(task, members_left.popleft())

        workers = [asyncio.create_task(work(), name="import") for _ in range(self._workers)]
        try:
            await asyncio.gather(*workers)
        finally:
            for one in workers:
                one.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
        task.outcome.waiting = sum((await self._waiting(task)).values())

    async def _waiting(self, task: _Task) -> dict[int, int]:
        """Return how many messages wait of each member that the import is about."""
        place = task.place
        found = await self._database.read(
            partial(imports.waiting_authors, guild_id=place.guild_id, channel_id=place.channel_id)
        )
        return {one: count for one, count in found.items() if not task.only or one in task.only}

    async def _read_member(self, task: _Task, member: Member) -> None:
        after_id = 0
        while work := await self._database.read(
            partial(
                past.take_up,
                member=member,
                channel_id=task.place.channel_id,
                after_id=after_id,
                forbidden=self._forbidden,
                now=self._clock.now(),
            )
        ):
            after_id = work.reading.burst.events[-1].message_id
            if not await self._read_burst(task, member, work):
                return
            task.outcome.read += len(work.event_ids)
            task.progress.reach(task.outcome.read)

    async def _read_burst(self, task: _Task, member: Member, work: Work) -> bool:
        """Extract a burst and apply what comes of it; False if its author has to rest."""
        outcome, now = task.outcome, self._clock.now()
        try:
            extraction = await self._ask(work.reading)
        except ModelMalformed:
            outcome.refused["malformed answer"] += 1
            done = partial(past.finish, work=work, now=now)
            await self._leases.write(task.lease, task.fence, done)
        except RequestRefused:
            outcome.refused["refused by the model"] += 1
            refuse = partial(imports.refuse, event_ids=work.event_ids)
            await self._leases.write(task.lease, task.fence, refuse)
        except BudgetSpent as error:
            if not error.is_share:
                raise KithError(SPENT) from None
            outcome.resting += 1
            return False
        else:
            plan = await self._leases.write(
                task.lease,
                task.fence,
                partial(
                    past.learn,
                    member=member,
                    work=work,
                    extraction=extraction,
                    write_policy=self._write_policy,
                    now=now,
                ),
            )
            outcome.add(plan)
        return True

    async def _ask(self, reading: Reading) -> Extraction:
        """Ask the extractor, and again after a while where it does not answer."""
        for attempt in range(MOST_TRIES):
            try:
                return await self._extractor.extract(reading)
            except (ModelMalformed, RequestRefused):
                raise
            except ModelRefused:
                raise KithError(MODEL_REFUSES) from None
            except ModelError as error:
                _log.info("the model does not answer an import: %s", type(error).__name__)
                if attempt + 1 < MOST_TRIES:
                    await self._clock.sleep(FIRST_PAUSE_S * 2**attempt)
        raise KithError(MODEL_AWAY)


async def _export(stream: BinaryIO, file: Path, guild_id: int | None) -> Export:
    """Open an export. Raises BadInput where it is none, or of another server than that."""
    export = await asyncio.to_thread(Export, stream, file.name)
    if guild_id not in (None, export.place.guild_id):
        raise BadInput(OF_ANOTHER_SERVER, file=file.name, there=export.place.guild_id)
    return export


def _sorted_out(
    batch: Iterable[Event | Unread], only: frozenset[int], leave_out: Callable[[Unread], None]
) -> list[Event]:
    """Return the messages of a batch that members wrote, and count the rest."""
    found = []
    for one in batch:
        if isinstance(one, Unread):
            leave_out(one)
        elif only and one.author_id not in only:
            leave_out(Unread.OTHERS)
        else:
            found.append(one)
    return found


def _after(messages: Iterator[Event | Unread], last_id: int) -> Iterator[Event | Unread]:
    """Yield what stands after a message in a file; everything if that is 0."""
    if last_id:
        for one in messages:
            if isinstance(one, Event) and one.message_id == last_id:
                break
    yield from messages


def _store(
    session: Session, task: _Task, events: Sequence[Event], now: datetime
) -> tuple[int, Judged]:
    """Store what may be stored of a batch, and note how far the file has been read."""
    place = task.place
    members.hold(session, place.guild_id, {event.author_id for event in events})
    judged = past.judge(session, events, now)
    new = past.store(session, judged, now)
    if judged.last_id:
        _note(session, task, judged.last_id, now)
    return new, judged


def _note(
    session: Session, task: _Task, message_id: int, now: datetime, is_finished: bool = False
) -> None:
    place = task.place
    imports.note_progress(
        session,
        place.guild_id,
        place.channel_id,
        task.file_key,
        message_id,
        now,
        is_finished=is_finished,
    )
