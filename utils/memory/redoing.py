"""Doing erasures again on a database that was restored from a backup, so that nothing comes back.

Each is done as of its own time, which is how the audit has it, and entered in the database's own
ledger: what is entered already is done already, so it can be interrupted, and run again.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from utils import ledger_file
from utils.database import (
    account_links,
    guilds,
    ledger,
    members,
    memories,
    open_loops,
    watching,
)
from utils.database.engine import Database, Session
from utils.memory import letting_go
from utils.memory.pruning import erase_some_of_server
from utils.memory.retention import (
    BATCH,
    SCRUBBED_ON_ORDER_BYTES,
    erase_member,
    erase_some_of_places,
    shorten_unchosen,
    take_back,
)
from utils.model.memory import Consent, Member
from utils.model.operator import Erasing, Erasure, Redone
from utils.model.policy import WritePolicy

READ_AT_ONCE = 500
NO_MEMBER = 0


async def redo_all(database: Database, file: Path, *, scrubs: bool = True) -> Redone:
    """Do again every erasure of a ledger's file that the database does not know; returns the
    numbers.

    ``scrubs=False`` leaves overwriting to the caller. Raises KithError where the file cannot be
    read, DatabaseError where the database refuses.
    """
    outcome = Redone()
    async for missing in _unknown(database, file, outcome):
        for one in missing:
            if await _redo(database, one):
                outcome.done[one.kind] += 1
            else:  # another of them had it done
                outcome.known += 1
    if outcome.done and scrubs:
        outcome.is_scrubbed = await database.scrub(at_most_bytes=SCRUBBED_ON_ORDER_BYTES)
    return outcome


async def unknown(database: Database, file: Path) -> Redone:
    """Return what :func:`redo_all` would do, and change nothing."""
    outcome = Redone()
    async for missing in _unknown(database, file, outcome):
        outcome.done.update(one.kind for one in missing)
    return outcome


async def _unknown(database: Database, file: Path, outcome: Redone) -> AsyncIterator[list[Erasure]]:
    """Read a ledger's file on and on: what of it the database does not know; the rest is only
    counted."""
    lines = ledger_file.read(file)
    while batch := await asyncio.to_thread(_next, lines):
        found = [one for one in batch if one is not None]
        outcome.damaged += len(batch) - len(found)
        missing = await database.read(partial(_missing, erasures=found))
        outcome.known += len(found) - len(missing)
        yield missing


def _next(lines: Iterator[tuple[Erasure | None, int]]) -> list[Erasure | None]:
    return [one for one, _ in islice(lines, READ_AT_ONCE)]


def _missing(session: Session, erasures: list[Erasure]) -> list[Erasure]:
    return [one for one in erasures if not ledger.is_noted(session, one)]


async def _redo(database: Database, one: Erasure) -> bool:
    """Do one erasure again; what takes several units of work is entered with the last of them."""
    if one.kind is Erasing.SERVER:
        while await database.write(
            partial(erase_some_of_server, guild_id=one.guild_id, now=one.at)
        ):
            pass
    elif one.kind is Erasing.CHANNEL and one.channel_id is not None:
        unit = partial(
            erase_some_of_places,
            guild_id=one.guild_id,
            channel_ids=[one.channel_id],
            now=one.at,
        )
        while await database.write(unit) >= BATCH:
            pass
    elif one.kind is Erasing.SHORTER and one.user_id is None:
        after_id = NO_MEMBER
        while found := await database.write(
            partial(shorten_unchosen, guild_id=one.guild_id, after_id=after_id, now=one.at)
        ):
            after_id = found[-1].user_id
    return await database.write(partial(_do, one=one))


def _do(session: Session, one: Erasure) -> bool:
    """Do one erasure and enter it, unless it is entered; False if so."""
    if ledger.is_noted(session, one):
        return False
    if one.user_id is None:
        _do_to_all(session, one)
    else:
        _do_to_member(session, one, Member(one.guild_id, one.user_id))
    if not ledger.is_noted(session, one):  # there was nothing of it here
        ledger.note(session, one)
    return True


def _do_to_all(session: Session, one: Erasure) -> None:
    if one.kind is Erasing.CHAPTER and one.channel_id is not None:
        letting_go.reset(session, one.guild_id, one.channel_id, one.at)
    elif one.kind is Erasing.SHORTER:
        guilds.hold_to_temporary(session, one.guild_id)


def _do_to_member(session: Session, one: Erasure, member: Member) -> None:
    choose = partial(letting_go.choose, session, member, write_policy=WritePolicy(), now=one.at)
    match one.kind:
        case Erasing.MESSAGE:
            _take_back(session, one)
        case Erasing.MEMORY:
            memory_id = memories.id_of(session, member, one.uid or "")
            if memory_id is not None:
                letting_go.forget_one(session, member, memory_id, one.at)
        case Erasing.LOOP:
            members.lock(session, member)
            open_loops.delete_of(session, member, one.message_id or 0)
        case Erasing.SAID:
            letting_go.forget_all(session, member, one.at)
        case Erasing.MEMBER:
            erase_member(session, member, one.at)
        case Erasing.OFF:
            choose(Consent.OFF, passive=None)
        case Erasing.SHORTER:
            choose(Consent.TEMPORARY, passive=None)
        case Erasing.UNHEARD:
            choose(None, passive=False)
        case Erasing.UNLINKED:
            members.lock(session, member)
            account_links.end(session, member)


def _take_back(session: Session, one: Erasure) -> None:
    """Take a message back up to a revision; where there is none, only what watching made of it."""
    message_id = one.message_id or 0
    if one.revision is None:
        watching.forget_messages(session, one.guild_id, [message_id], one.at)
    else:
        take_back(session, one.guild_id, [message_id], one.at, until=one.revision)
