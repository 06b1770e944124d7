"""Repeat erasures on a database that was restored from a backup, so that nothing comes back.

Each erasure is repeated with its original time, and recorded in the database's own ledger. Recorded
ones are skipped, so a replay can be interrupted and run again.
"""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from itertools import islice
from pathlib import Path

from utils.database.core.engine import Connection, Database
from utils.database.guilds import account_links, settings
from utils.database.memories import members, memories
from utils.database.messages import open_loops
from utils.database.privacy import erasure_ledger
from utils.database.sentiment import erasure as watch_erasure
from utils.memory.privacy import erasure, erasure_ledger_file
from utils.memory.privacy.pruning import erase_server_batch
from utils.memory.privacy.retention import MAX_SCRUB_BYTES
from utils.memory.privacy.retraction import (
    BATCH,
    erase_channels_batch,
    erase_member,
    retract_messages,
    shorten_unchosen_batch,
)
from utils.models.memory import Consent, Member
from utils.models.operator import Erasure, ErasureKind, ReplayResult
from utils.models.policy import WritePolicy

READ_AT_ONCE = 500
NO_MEMBER = 0


async def replay_all(database: Database, file: Path, *, scrubs: bool = True) -> ReplayResult:
    """Repeat every erasure of a ledger file that the database has not recorded; returns the counts.

    ``scrubs=False`` leaves overwriting freed space to the caller. Raises KithError if the file
    cannot be read, and DatabaseError.
    """
    result = ReplayResult()
    async for missing in _missing_batches(database, file, result):
        for entry in missing:
            if await _repeat(database, entry):
                result.replayed[entry.kind] += 1
            else:  # an earlier entry did the same
                result.already_erased += 1
    if result.replayed and scrubs:
        result.is_scrubbed = await database.scrub(at_most_bytes=MAX_SCRUB_BYTES)
    return result


async def preview_replay(database: Database, file: Path) -> ReplayResult:
    """Return what :func:`replay_all` would do; changes nothing."""
    result = ReplayResult()
    async for missing in _missing_batches(database, file, result):
        result.replayed.update(entry.kind for entry in missing)
    return result


async def _missing_batches(
    database: Database, file: Path, result: ReplayResult
) -> AsyncIterator[list[Erasure]]:
    """Yield the file's entries that the database has not recorded; ``result`` counts the rest."""
    lines = erasure_ledger_file.read(file)
    while batch := await asyncio.to_thread(list, islice(lines, READ_AT_ONCE)):
        readable = [entry for entry, _ in batch if entry is not None]
        result.damaged += len(batch) - len(readable)
        missing = await database.read(_missing, erasures=readable)
        result.already_erased += len(readable) - len(missing)
        yield missing


def _missing(connection: Connection, erasures: list[Erasure]) -> list[Erasure]:
    return [entry for entry in erasures if not erasure_ledger.is_recorded(connection, entry)]


async def _repeat(database: Database, entry: Erasure) -> bool:
    """Repeat one erasure; one that takes several units of work is recorded in the last of them."""
    if entry.kind is ErasureKind.SERVER:
        while await database.write(erase_server_batch, guild_id=entry.guild_id, now=entry.at):
            pass
    elif entry.kind is ErasureKind.CHANNEL and entry.channel_id is not None:
        unit = partial(
            erase_channels_batch,
            guild_id=entry.guild_id,
            channel_ids=[entry.channel_id],
            now=entry.at,
        )
        while await database.write(unit) >= BATCH:
            pass
    elif entry.kind is ErasureKind.SHORTER and entry.user_id is None:
        after_id = NO_MEMBER
        while batch := await database.write(
            shorten_unchosen_batch, guild_id=entry.guild_id, after_id=after_id, now=entry.at
        ):
            after_id = batch[-1].user_id
    return await database.write(_repeat_and_record, entry=entry)


def _repeat_and_record(connection: Connection, entry: Erasure) -> bool:
    """Repeat an erasure and record it; False if it is recorded already."""
    if erasure_ledger.is_recorded(connection, entry):
        return False
    if entry.user_id is None:
        if entry.kind is ErasureKind.CHAPTER and entry.channel_id is not None:
            erasure.reset_channel(connection, entry.guild_id, entry.channel_id, entry.at)
        elif entry.kind is ErasureKind.SHORTER:
            settings.reset_consent_default(connection, entry.guild_id)
    else:
        _repeat_for_member(connection, entry, Member(entry.guild_id, entry.user_id))
    erasure_ledger.record_once(connection, entry)  # also where there was nothing to erase
    return True


def _repeat_for_member(connection: Connection, entry: Erasure, member: Member) -> None:
    set_consent = partial(
        erasure.set_consent, connection, member, write_policy=WritePolicy(), now=entry.at
    )
    match entry.kind:
        case ErasureKind.MESSAGE if entry.message_id is not None:
            if entry.revision is None:
                watch_erasure.erase_messages(
                    connection, entry.guild_id, [entry.message_id], entry.at
                )
            else:
                retract_messages(
                    connection, entry.guild_id, [entry.message_id], entry.at, until=entry.revision
                )
        case ErasureKind.MEMORY if entry.uid is not None:
            memory_id = memories.find_id(connection, member, entry.uid)
            if memory_id is not None:
                erasure.forget_memory(connection, member, memory_id, entry.at)
        case ErasureKind.LOOP if entry.message_id is not None:
            members.lock(connection, member)
            open_loops.delete_by_message(connection, member, entry.message_id)
        case ErasureKind.SAID:
            erasure.forget_all(connection, member, entry.at)
        case ErasureKind.MEMBER:
            erase_member(connection, member, entry.at)
        case ErasureKind.OFF:
            set_consent(Consent.OFF, passive=None)
        case ErasureKind.SHORTER:
            set_consent(Consent.TEMPORARY, passive=None)
        case ErasureKind.UNHEARD:
            set_consent(None, passive=False)
        case ErasureKind.UNLINKED:
            members.lock(connection, member)
            account_links.unlink(connection, member)
