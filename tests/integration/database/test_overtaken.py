"""What a unit of work reads and then relies on is read under a lock.

Each unit of work was looked at for a state that another process may change between reading and
committing (READ COMMITTED keeps no lock after a SELECT):

=====================================  ===========================================  ===============
a unit of work relies on               the lock that it takes before it reads       tested
=====================================  ===========================================  ===============
consent, ignored: messages, answers,   the member's row; the server's row (user 0)  test_consent_
watched messages, attachments, links,  for authors without one                      races, order of
loops, alerts, remember, audit                                                      all statements:
                                                                                    consent_locks
passive choice: overheard notes        the same                                     here
channel still watched, whose notes:    the channel's row of WatchedChannel          here
queue, overheard notes
a member is still gone: pruning        the member's row                             here
message not forgotten: an edit         the author's row                             here
two accounts name each other           both members' rows, in the order of ids      here
expired, unsupported, duplicate and    the members' rows                            test_races,
surplus memories: pruning                                                           test_pruning
memories, profile, limits: changes,    the member's row (memory_changes.change)     test_consent_
corrections, reviews, imports                                                       races
stories (lore)                         their tellers' rows, the server's row        test_lore
answers: what they rest on             rows of all whose words they repeat          test_erasure_
                                                                                    walk
summaries                              the episode's row, the channel's lease       test_episodes
vectors                                the text's own row                           test_embedding_
                                                                                    worker
shadow comparisons                     the members' rows                            test_shadow
settings, modes, personas, policies,   the server's row of GuildSettings            test_races,
watched channels, thresholds, alerts,                                               test_settings
tension levels, removed servers
alert posts, decisions and actions,    none: one UPDATE or INSERT decides, and      test_alert_
leases, attachments, counters          its row count or unique key is the answer    service
=====================================  ===========================================  ===============

Freezing a server erases nothing that is stored, so a unit of work that read it a moment earlier
counts as having come before. A new default consent shortens what is stored, member by member under
their locks. One gap is left there: a member whose very first message is being stored meanwhile has
no row yet that could be locked.

SQLite queues its writers. So the other process is also played inside the unit of work, at the last
moment before the lock: what was read earlier would be outdated.
"""

import asyncio
from dataclasses import replace
from functools import partial

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
    make_recorder,
)
from tests.fakes.clock import ManualClock
from tests.integration.database.test_consent_races import PAUSE_S, Pause
from utils.database.erasure import messages
from utils.database.erasure import retention as departures
from utils.database.guilds import account_links
from utils.database.memories import members
from utils.database.privacy import tombstones
from utils.database.schema.memory_tables import memory_event, waiting_message
from utils.database.sentiment import watched_channels
from utils.guilds.account_links import AccountLinkService
from utils.memory.extraction import passive_notes
from utils.memory.extraction.passive_notes import Overheard
from utils.memory.privacy import erasure, pruning, retraction
from utils.memory.privacy.retention import KEEP_DEPARTED_MEMBER, KEEP_UNSEEN_MEMBER, Retention
from utils.models.memory import Audience, Event, Member, Role
from utils.models.policy import WritePolicy
from utils.models.sentiment import PassiveMemory
from utils.sentiment import message_buffer

WORDS = "I have a dog named Rex"
SAID = Event(GUILD, CHANNEL, CHANNEL, 1, ADA.user_id, "Ada", Role.MEMBER, WORDS, NOON)
LATER = NOON + KEEP_DEPARTED_MEMBER + KEEP_UNSEEN_MEMBER


# --- the units of work, and what may overtake them ------------------------------------------


def watch(connection, memory=PassiveMemory.OPT_OUT):
    watched_channels.add_channel(connection, GUILD, CHANNEL, memory, NOON)


def queue(connection):
    message_buffer.store(connection, [SAID])


def keep_overheard(connection):
    event = SAID
    overheard = Overheard(ADA, (SAID,), (), Audience(GUILD, CHANNEL, frozenset()))
    passive_notes.keep_messages(connection, overheard, [event], NOON)


def refuse_passive(connection):
    policy = WritePolicy()
    erasure.set_consent(connection, ADA, None, passive=False, write_policy=policy, now=NOON)


def unwatch(connection):
    watched_channels.remove_channel(connection, GUILD, CHANNEL)


def known_and_waiting(connection):
    watch(connection)
    members.lock(connection, ADA)
    message_buffer.store(connection, [SAID])


def stored(connection):
    return [
        table.name
        for table in (memory_event, waiting_message)
        if connection.execute(select(table.c.MessageId)).first() is not None
    ]


CASES = {
    # what is there, the unit of work, its lock (module, name), what overtakes it, what is left
    "a channel is not watched any more": (
        watch, queue, (watched_channels, "locked_memory"), unwatch, [],
    ),
    "the channel of an overheard note is not watched any more": (
        known_and_waiting, keep_overheard, (watched_channels, "locked_memory"), unwatch, [],
    ),
    "a member refuses overheard notes": (
        known_and_waiting, keep_overheard, (members, "lock_authors"), refuse_passive,
        ["WaitingMessage"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
async def test_what_changes_at_the_last_moment_before_the_lock_counts(database, monkeypatch, case):
    prepare, unit, (module, name), overtake, left = CASES[case]
    await database.write(prepare)
    lock = getattr(module, name)

    def overtaken(connection, *arguments):
        monkeypatch.setattr(module, name, lock)
        overtake(connection)
        return lock(connection, *arguments)

    monkeypatch.setattr(module, name, overtaken)
    await database.write(unit)
    assert getattr(module, name) is lock, "it takes no lock"
    assert await database.read(stored) == left


@pytest.mark.parametrize("case", CASES)
async def test_who_comes_between_reading_and_committing_waits(database, other, monkeypatch, case):
    """Two connections: the other one is held up by the lock, and then finds what is stored."""
    prepare, unit, (module, name), overtake, left = CASES[case]
    await database.write(prepare)
    pause = Pause()
    monkeypatch.setattr(module, name, pause.after(getattr(module, name)))
    try:
        writing = asyncio.create_task(database.write(unit))
        assert await asyncio.to_thread(pause.reached.wait, 30)
        overtaking = asyncio.create_task(other.write(overtake))
        done, _ = await asyncio.wait([overtaking], timeout=PAUSE_S)
        assert not done
        pause.resume()
        await writing
        await overtaking
    finally:
        pause.resume()
    assert set(await database.read(stored)) - {"MemoryEvent"} == set(left)


async def test_a_refusal_locks_the_row_that_notes_of_strangers_hold(database):
    def version(connection):
        return members.load_header(connection, Member(GUILD, 0)).version

    before = await database.read(version)
    await database.write(refuse_passive)
    assert await database.read(version) > before


# --- members who come back, edits of what is forgotten, links ----------------------------------


async def test_a_member_who_came_back_after_the_page_was_read_is_not_erased(database, monkeypatch):
    clock = ManualClock()
    await make_recorder(database, clock, FakeExtractor()).record(make_event(WORDS), audience())
    await Retention(database, clock).record_departure(ADA)
    clock.advance(days=(LATER - NOON).days)
    list_departed, came_back = departures.list_departed, []

    def comes_back(connection, *arguments, **given):
        page = list_departed(connection, *arguments, **given)
        if not came_back:
            came_back.extend(page)
        return page

    monkeypatch.setattr(departures, "list_departed", comes_back)
    read = database.read

    async def read_then_return(unit, *args, **kwargs):
        result = await read(unit, *args, **kwargs)
        if came_back == [ADA]:
            came_back.append(None)
            await Retention(database, clock).record_return(ADA)
            await database.write(members.update_last_seen, {ADA: clock.now()})
        return result

    monkeypatch.setattr(database, "read", read_then_return)
    erased = await pruning._erase_departed(database, clock, clock.now())
    assert came_back == [ADA, None]
    assert erased.total() == 0
    monkeypatch.undo()
    assert "MemoryEvent" in await database.read(stored)


async def test_an_edit_of_a_message_that_is_being_forgotten_stores_no_word(database):
    clock = ManualClock()
    recorder = make_recorder(database, clock, FakeExtractor())
    event = make_event(WORDS)
    await recorder.record(event, audience())
    edited = replace(event, text="I have a dog named Max", revision=1)

    async def record_and_forget():
        await recorder.record(edited, audience())
        await database.write(tombstones.add, GUILD, [event.message_id], now=clock.now())

    await Retention(database, clock).revise(edited, record_and_forget)
    texts = await database.read(
        lambda connection: connection.scalars(select(memory_event.c.Text)).all()
    )
    assert set(texts) <= {""}


async def test_linking_holds_both_accounts_before_it_looks_at_their_claims(database, monkeypatch):
    clock = ManualClock()
    links = AccountLinkService(database, clock)
    await links.link(BOB, 77)
    held = []
    lock_existing = members.lock_existing

    def note(connection, guild_id, user_ids):
        held.append(set(user_ids))
        return lock_existing(connection, guild_id, user_ids)

    load_claim = account_links.load_claim

    def loaded(connection, member):
        assert held == [{ADA.user_id, BOB.user_id}]
        return load_claim(connection, member)

    monkeypatch.setattr(members, "lock_existing", note)
    monkeypatch.setattr(account_links, "load_claim", loaded)
    await links.link(ADA, BOB.user_id)
    assert held


async def test_an_operators_erasure_takes_the_servers_row_before_it_erases(database, monkeypatch):
    """Words of an author without a row are stored under the server's row."""
    steps = []

    def note(name, function, *arguments):
        steps.append(name)
        return function(*arguments)

    for module, name in ((members, "invalidate_guild"), (messages, "erase_member")):
        monkeypatch.setattr(module, name, partial(note, name, getattr(module, name)))
    await database.write(retraction.erase_member, ADA, NOON)
    assert steps == ["invalidate_guild", "erase_member"]
