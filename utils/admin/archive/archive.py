"""Export and import archives, which move memory from one database to another.

An archive holds messages, memories with evidence and audit, and the choices of members and
servers. It does not hold what is derived (search indexes, embeddings, summaries, text of
attachments), what is short-lived (watching, alerts, tension, counts, token use), or what belongs to
a process (leases, heartbeats, jobs).
"""

import asyncio
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from utils.admin import leftovers
from utils.admin.archive.files import ArchiveReader, ArchiveWriter, Manifest, verify
from utils.admin.archive.import_rules import ImportRules
from utils.admin.archive.importer import ArchiveChecker, ArchiveImporter, ImportResult
from utils.common.clock import Clock
from utils.common.errors import BadInput, KithError
from utils.common.progress import Progress, Silent
from utils.database.admin import archive_export
from utils.database.admin.archive_records import (
    FILE_NAMES,
    RECORD_TYPES,
    ArchiveRecord,
    InvalidRecord,
    write_line,
)
from utils.database.core.engine import Connection, Database
from utils.database.core.queries import BEFORE_ALL_MEMBERS
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy.erasure_replay import replay_all
from utils.models.memory import Member

PAGE_SIZE = 500
SILENT = Silent()

CANNOT_WRITE = "The archive {place} cannot be written ({reason}); nothing of it is left behind."
READ_ONLY = "Memory is read-only (MEMORY_READ_ONLY), so nothing can be imported."


class Archive:
    """Exports and imports archives of one database."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        rules: WriteRules,
        ledger_file: Path | None,
    ) -> None:
        """``ledger_file`` is the erasure ledger that will be replayed on this database."""
        self._database = database
        self._clock = clock
        self._rules = rules
        self._ledger_file = ledger_file

    async def export(
        self,
        target: Path,
        *,
        guild_id: int | None = None,
        user_id: int | None = None,
        progress: Progress = SILENT,
    ) -> Manifest:
        """Write an archive of everything, or of one server, one person, or both; returns its
        manifest.

        ``target`` is a new folder, or a zip file if its name ends in .zip. Each member's data is
        read at one moment, but not all members at the same one. Raises BadInput if the target
        exists, and KithError if it cannot be written.
        """
        async with leftovers.recorded(self._database, self._clock, target):
            return await self._export(target, guild_id, user_id, progress)

    async def _export(
        self, target: Path, guild_id: int | None, user_id: int | None, progress: Progress
    ) -> Manifest:
        made_at = self._clock.now()
        writer = await asyncio.to_thread(ArchiveWriter, target)
        try:
            if user_id is None:
                servers = partial(archive_export.servers, guild_id=guild_id)
                for server_id in await self._database.read(servers):
                    unit = partial(archive_export.server_record, guild_id=server_id)
                    if (server := await self._database.read(unit)) is not None:
                        _write(writer, [server])
            member, count = BEFORE_ALL_MEMBERS, 0
            progress.begin("exporting", None, "members")
            while members := await self._database.read(
                archive_export.next_members,
                guild_id=guild_id,
                user_id=user_id,
                after=member,
                limit=PAGE_SIZE,
            ):
                for member in members:
                    await self._export_member(writer, member)
                    count += 1
                    progress.reach(count)
            return await asyncio.to_thread(writer.finish, made_at, guild_id, user_id)
        except OSError as error:
            raise KithError(CANNOT_WRITE, place=target, reason=error.strerror) from None
        finally:
            await asyncio.to_thread(writer.discard)

    async def _export_member(self, writer: ArchiveWriter, member: Member) -> None:
        now = self._clock.now()

        def unit(connection: Connection) -> list[ArchiveRecord]:
            return [
                archive_export.member_record(connection, member),
                *archive_export.tombstone_records(connection, member),
                *archive_export.memory_records(connection, member, now),
                *archive_export.loop_records(connection, member, now),
            ]

        await asyncio.to_thread(_write, writer, await self._database.read(unit))
        last_id = 0
        while True:
            messages, last_id = await self._database.read(
                archive_export.message_records,
                member=member,
                after_id=last_id,
                now=now,
                limit=PAGE_SIZE,
            )
            await asyncio.to_thread(_write, writer, messages)
            if len(messages) < PAGE_SIZE:
                return

    async def preview(self, place: Path, progress: Progress = SILENT) -> ImportResult:
        """Validate an archive and return what an import would store; writes nothing.

        Raises BadInput with the first fault.
        """
        return await self._run(place, progress, writes=False)

    async def import_(self, place: Path, progress: Progress = SILENT) -> ImportResult:
        """Validate an archive, then import it in small steps; returns what was stored.

        Data that is already here stays as it is, so an import can be repeated, also after an
        interruption. Raises BadInput with the first fault, before anything is written.
        """
        if self._rules.read_only:
            raise BadInput(READ_ONLY)
        return await self._run(place, progress, writes=True)

    async def _run(self, place: Path, progress: Progress, *, writes: bool) -> ImportResult:
        archive = await asyncio.to_thread(ArchiveReader, place, frozenset(RECORD_TYPES))
        try:
            progress.begin("checking the archive", None, "")
            await asyncio.to_thread(verify, archive, ArchiveChecker(), InvalidRecord)
            if writes and self._ledger_file is not None:
                # Otherwise a later restore would replay old erasures on the imported data.
                await replay_all(self._database, self._ledger_file)
            made_at = archive.manifest.made_at
            rules = ImportRules(
                self._clock.now(), made_at, self._rules.policy, self._rules.forbidden
            )
            lines = sum(entry.lines for entry in archive.manifest.files.values())
            progress.begin("importing" if writes else "comparing", lines, "lines")
            importer = ArchiveImporter(
                self._database, self._clock, archive, rules, progress, writes=writes
            )
            return await importer.run()
        finally:
            archive.close()


def _write(writer: ArchiveWriter, records: Iterable[ArchiveRecord]) -> None:
    for record in records:
        writer.write(FILE_NAMES[type(record)], write_line(record))
