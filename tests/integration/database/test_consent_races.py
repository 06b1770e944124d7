"""An opt-out while words are being stored: two connections, a pause between reading and writing.

Whichever commits first, nothing that the member said is stored in the end.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    NOON,
    FakeExtractor,
    audience,
    make_event,
    make_memory_service,
    make_recorder,
)
from tests.fakes.clock import ManualClock
from utils.common.errors import BadInput
from utils.database.core.engine import Connection, Database
from utils.database.memories import members
from utils.database.schema.memory_tables import (
    account_link,
    alert_message,
    memory_event,
    user_memory,
    waiting_message,
)
from utils.database.sentiment import tension, watched_channels
from utils.guilds.account_links import AccountLinkService
from utils.models.memory import Consent, Event, Member, Role
from utils.models.sentiment import (
    AlertTrigger,
    PassiveMemory,
    Score,
    ScoredBatch,
    ScoredMessage,
    ThresholdCrossing,
    WatchSettings,
)
from utils.sentiment import message_buffer
from utils.sentiment.alert_service import AlertService

PAUSE_S = 0.1  # what an opt-out gets to overtake a writer that holds no lock
WORDS = "I have a dog named Rex"
TABLES = (account_link, alert_message, memory_event, user_memory, waiting_message)
TOXIC = Score(-0.9, 0.9, 0.9, "insults somebody")


class Pause:
    """Stops the first caller of a patched function after its work, until it is resumed."""

    def __init__(self) -> None:
        self.reached, self._resumed = threading.Event(), threading.Event()

    def after(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **given: Any) -> Any:
            result = function(*arguments, **given)
            if not self.reached.is_set():
                self.reached.set()
                assert self._resumed.wait(30)
            return result

        return call

    def resume(self) -> None:
        self._resumed.set()


async def overheard(database: Database, clock: ManualClock) -> object:
    message = Event(GUILD, CHANNEL, CHANNEL, 1, ADA.user_id, "Ada", Role.MEMBER, WORDS, clock.now())
    return await database.write(message_buffer.store, [message])


async def said(database: Database, clock: ManualClock) -> object:
    return await make_recorder(database, clock, FakeExtractor()).record(
        make_event(WORDS), audience()
    )


async def remembered(database: Database, clock: ManualClock) -> object:
    service = make_memory_service(database, clock)
    return await service.remember(ADA, make_event(WORDS), "has a dog named Rex")


async def linked(database: Database, clock: ManualClock) -> object:
    return await AccountLinkService(database, clock).link(ADA, BOB.user_id)


async def alerted(database: Database, clock: ManualClock) -> object:
    message = Event(GUILD, CHANNEL, CHANNEL, 1, ADA.user_id, "Ada", Role.MEMBER, "", clock.now())
    batch = ScoredBatch(
        GUILD,
        CHANNEL,
        clock.now(),
        (ScoredMessage(message, TOXIC),),
        (ThresholdCrossing(AlertTrigger.TOXICITY, 0.9, 0.8, 1),),
        WatchSettings(GUILD),
    )
    await database.write(tension.save_scores, batch.messages)
    return await AlertService(database, clock).record(batch)


WRITERS = {
    "a watched message": (overheard, watched_channels, "without_consent"),
    "a message to Kith": (said, members, "effective_consents"),
    "something to remember": (remembered, members, "consent"),
    "a linked account": (linked, members, "effective_consent"),
    "an alert": (alerted, tension, "scores"),
}


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("writer", WRITERS)
async def test_nothing_is_stored_of_a_member_who_opts_out_meanwhile(
    database, other, monkeypatch, writer, is_known
):
    write, module, reader = WRITERS[writer]
    clock, pause = ManualClock(), Pause()

    def prepare(connection: Connection) -> None:
        watched_channels.add_channel(connection, GUILD, CHANNEL, PassiveMemory.OPT_IN, NOON)
        if is_known:
            members.lock(connection, ADA)

    await database.write(prepare)
    try:
        monkeypatch.setattr(module, reader, pause.after(getattr(module, reader)))
        writing = asyncio.create_task(write(database, clock))
        assert await asyncio.to_thread(pause.reached.wait, 10)
        opting_out = asyncio.create_task(
            make_memory_service(other, clock).set_consent(ADA, Consent.OFF)
        )
        await asyncio.wait([opting_out], timeout=PAUSE_S)
        pause.resume()
        await opting_out
        with suppress(BadInput):  # the opt-out was faster
            await writing
    finally:
        pause.resume()
    assert await stored_of(database, ADA) == []


async def stored_of(database: Database, member: Member) -> list[str]:
    """The tables that hold a row of a member."""

    def unit(connection: Connection) -> list[str]:
        names = []
        for table in TABLES:
            owner = table.c.AuthorId if "AuthorId" in table.c else table.c.UserId
            if connection.execute(select(owner).where(owner == member.user_id)).first():
                names.append(table.name)
        return names

    return await database.read(unit)


async def test_a_writer_of_unknown_authors_locks_what_an_opt_out_locks_before_it_erases(database):
    """SQLite's writers never overlap, so the order of the statements is looked at."""
    stranger = Member(GUILD, 4242)

    def version(connection: Connection) -> int:
        return members.load_header(connection, Member(GUILD, 0)).version

    def unit(connection: Connection) -> None:
        members.lock_authors(connection, GUILD, [stranger.user_id])
        assert members.load_header(connection, stranger) == members.NO_HEADER

    await database.write(unit)
    assert await database.read(version) > 0  # the server's row is there to be locked
    before = await database.read(version)
    await database.write(unit)
    assert await database.read(version) == before  # locked, but no cached copy is stale
    clock = ManualClock(NOON + timedelta(days=1))
    await make_memory_service(database, clock).set_consent(stranger, Consent.OFF)
    assert await database.read(version) > before
