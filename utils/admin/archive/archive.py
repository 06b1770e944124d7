"""Export and import archives, which move memory from one database to another.

An archive holds messages, memories with evidence and audit, and the choices of members and
servers. It does not hold what is derived (search indexes, embeddings, summaries, text of
attachments), what is short-lived (watching, alerts, tension, counts, token use), or what belongs to
a process (leases, heartbeats, jobs).
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from utils.admin import leftovers
from utils.admin.archive.files import ArchiveReader, ArchiveWriter, Manifest
from utils.admin.archive.import_rules import ImportRules
from utils.admin.archive.importer import ArchiveImporter, ImportResult, read_rows
from utils.common.errors import BadInput, KithError
from utils.common.progress import Progress
from utils.database.admin import archive_export
from utils.database.core.engine import DatabaseService
from utils.database.core.queries import BEFORE_ALL_MEMBERS
from utils.database.erasure.inventory import Part
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy.erasure_replay import replay_all
from utils.models.memory import SERVER_USER_ID, Member

PAGE_SIZE = 500
SILENT = Progress()


@dataclass(eq=False, repr=False)
class Archive(DatabaseService):
    """Exports and imports archives of one database.

    ``_ledger_file`` is the erasure ledger that will be replayed on this database.
    """

    _rules: WriteRules
    _ledger_file: Path | None

    async def export(
        self,
        target: Path,
        progress: Progress = SILENT,
        *,
        guild_id: int | None = None,
        user_id: int | None = None,
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
        made_at, count = self._clock.now(), 0
        writer = await asyncio.to_thread(ArchiveWriter, target)
        try:
            servers = await self._database.read(archive_export.servers, guild_id=guild_id)
            for server_id in servers if user_id is None else ():
                await self._write(writer, Member(server_id, SERVER_USER_ID), Part.SERVER)
            progress.begin("exporting", None, "members")
            async for member in self._members(guild_id, user_id):
                now = self._clock.now()
                last_id: int | None = 0
                parts = (Part.CHOICES, Part.MEMORIES, Part.LOOPS)
                # What changes together, as it was at one moment.
                lines = await self._database.read(archive_export.part_lines, member, now, *parts)
                await asyncio.to_thread(writer.write, lines[Part.CHOICES])
                while last_id is not None:
                    messages, last_id = await self._database.read(
                        archive_export.message_lines, member, last_id, now, PAGE_SIZE
                    )
                    await asyncio.to_thread(writer.write, messages)
                for part in (Part.MEMORIES, Part.LOOPS):
                    await asyncio.to_thread(writer.write, lines[part])
                count += 1
                progress.reach(count)
            async for member in self._members(guild_id, user_id):
                await self._write(writer, member, Part.TOMBSTONES)
            return await asyncio.to_thread(writer.finish, made_at, guild_id, user_id)
        except OSError as error:
            raise KithError(
                "The archive {place} cannot be written ({reason}); nothing of it is left behind.",
                place=target,
                reason=error.strerror,
            ) from None
        finally:
            await asyncio.to_thread(writer.discard)

    async def _members(self, guild_id: int | None, user_id: int | None) -> AsyncIterator[Member]:
        member = BEFORE_ALL_MEMBERS
        while members := await self._database.read(
            archive_export.next_members,
            guild_id=guild_id,
            user_id=user_id,
            after=member,
            limit=PAGE_SIZE,
        ):
            for member in members:
                yield member

    async def _write(self, writer: ArchiveWriter, member: Member, part: Part) -> None:
        lines = await self._database.read(
            archive_export.part_lines, member, self._clock.now(), part
        )
        await asyncio.to_thread(writer.write, lines[part])

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
            raise BadInput("Memory is read-only (MEMORY_READ_ONLY), so nothing can be imported.")
        return await self._run(place, progress, writes=True)

    async def _run(self, place: Path, progress: Progress, *, writes: bool) -> ImportResult:
        with closing(await asyncio.to_thread(ArchiveReader, place)) as archive:
            progress.begin("checking the archive", None, "")
            await asyncio.to_thread(deque, read_rows(archive), 0)
            if writes and self._ledger_file is not None:
                # Otherwise a later restore would replay old erasures on the imported data.
                await replay_all(self._database, self._ledger_file)
            made_at = archive.manifest.made_at
            rules = ImportRules(
                self._clock.now(), made_at, self._rules.policy, self._rules.forbidden
            )
            rows = archive.manifest.rows.values()
            progress.begin("importing" if writes else "comparing", sum(rows), "rows")
            importer = ArchiveImporter(
                self._database, self._clock, archive, rules, progress, writes
            )
            return await importer.run()
