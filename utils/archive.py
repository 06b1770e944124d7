"""Archive carries memory from one database to another, as files that can be checked.

It holds what people said and what is remembered of it, with evidence and audit, and what members
and servers chose. It does not hold what is made anew (search indexes, embeddings, summaries of
chapters, what attachments say), what passes (watching, alerts, tension, counts, spent tokens), nor
what belongs to a process (leases, heartbeats, jobs).
"""

import asyncio
from functools import partial
from pathlib import Path

from utils.archive_files import Manifest, Source, Writer, verify
from utils.arrival import (
    LOOPS,
    MEMBERS,
    MEMORIES,
    MESSAGES,
    SERVERS,
    STONES,
    Arrival,
    Arrived,
    Check,
)
from utils.clock import Clock
from utils.database import archives
from utils.database.archives import Line
from utils.database.engine import Database, Session
from utils.errors import BadInput
from utils.memory import forms
from utils.memory.arriving import Rules
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.redoing import redo_all
from utils.model.memory import Member
from utils.model.policy import WritePolicy

NAMES = frozenset(forms.FORMS)
NOBODY = Member(-1, -1)
PAGE = 500

NO_WRITES = "Memory is read-only (MEMORY_READ_ONLY), so nothing can be imported."


class Archive:
    """Writes archives, and takes them in."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        write_policy: WritePolicy,
        *,
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
        read_only: bool = False,
        ledger_file: Path | None = None,
    ) -> None:
        """``ledger_file`` is the erasure ledger that will be replayed on this database."""
        self._database = database
        self._clock = clock
        self._write_policy = write_policy
        self._forbidden = forbidden
        self._read_only = read_only
        self._ledger_file = ledger_file

    # --- out -----------------------------------------------------------------------------------

    async def export(
        self, target: Path, *, guild_id: int | None = None, user_id: int | None = None
    ) -> Manifest:
        """Write an archive of everything, or of a server, a person, or both, into a new folder, or
        a zip file if it is named so.

        Each member is as of one moment, though not all as of the same. Raises BadInput where the
        target is there already.
        """
        made_at = self._clock.now()
        writer = await asyncio.to_thread(Writer, target)
        try:
            if user_id is None:
                for one in await self._database.read(partial(archives.servers, guild_id=guild_id)):
                    unit = partial(archives.server_line, guild_id=one)
                    self._put(writer, SERVERS, [await self._database.read(unit)])
            after = NOBODY
            while found := await self._database.read(
                partial(
                    archives.next_members,
                    guild_id=guild_id,
                    user_id=user_id,
                    after=after,
                    limit=PAGE,
                )
            ):
                for after in found:
                    await self._export_member(writer, after)
            return await asyncio.to_thread(writer.finish, made_at, guild_id, user_id)
        finally:
            await asyncio.to_thread(writer.abandon)

    async def _export_member(self, writer: Writer, member: Member) -> None:
        now = self._clock.now()

        def unit(session: Session) -> dict[str, list[Line]]:
            return {
                MEMBERS: [archives.member_line(session, member, now)],
                STONES: archives.tombstone_lines(session, member),
                MEMORIES: archives.memory_lines(session, member, now),
                LOOPS: archives.loop_lines(session, member, now),
            }

        for name, lines in (await self._database.read(unit)).items():
            await asyncio.to_thread(self._put, writer, name, lines)
        last = 0
        while True:
            lines, last = await self._database.read(
                partial(archives.message_lines, member=member, after_id=last, now=now, limit=PAGE)
            )
            await asyncio.to_thread(self._put, writer, MESSAGES, lines)
            if len(lines) < PAGE:
                return

    def _put(self, writer: Writer, name: str, lines: list[Line]) -> None:
        for line in lines:
            writer.write(name, forms.write_line(name, line))

    # --- in ------------------------------------------------------------------------------------

    async def preview(self, place: Path) -> Arrived:
        """Return what taking an archive in would do; every line of it is checked, nothing is
        written. Raises BadInput with the first thing that is wrong."""
        return await self._go_through(place, writes=False)

    async def take_in(self, place: Path) -> Arrived:
        """Check an archive, then take it in, a little at a time; returns what came of it.

        What is here already stays as it is, so that doing it twice, or again after it was broken
        off, does no harm. Raises BadInput with the first thing that is wrong; nothing is written
        then.
        """
        if self._read_only:
            raise BadInput(NO_WRITES)
        return await self._go_through(place, writes=True)

    async def _go_through(self, place: Path, *, writes: bool) -> Arrived:
        source = await asyncio.to_thread(Source, place, NAMES)
        try:
            await asyncio.to_thread(verify, source, Check(), forms.Wrong)
            if writes and self._ledger_file is not None:
                # Else a restore would one day do the erasures of another life to what arrives now.
                await redo_all(self._database, self._ledger_file)
            rules = Rules(
                self._clock.now(),
                source.manifest.made_at,
                self._write_policy,
                self._forbidden,
            )
            return await Arrival(self._database, self._clock, source, rules, writes=writes).run()
        finally:
            source.close()
