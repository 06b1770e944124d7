"""When erasures are recorded, what is counted, and what repeating an entry leaves alone."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import select, update

from tests.fakes.builders import CHANNEL, GUILD, NOON, make_event, make_guild_settings
from tests.integration.residue import ADA, BOB, HERE
from tests.integration.stored_rows import in_order
from utils.database.memories import members
from utils.database.messages import events
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import (
    channel_state,
    memory_event,
    tombstone,
    user_memory,
    user_state,
)
from utils.database.schema.memory_tables import (
    history_import as history_imports,
)
from utils.memory.privacy import erasure_ledger_file, erasure_replay, retraction
from utils.memory.privacy.erasure_replay import replay_all
from utils.memory.privacy.retention import MAX_UNNOTICED
from utils.models.memory import Consent, Member
from utils.models.operator import Erasure, ErasureKind

THREAD, OTHER_THREAD = 4711, 4712
SECOND = timedelta(seconds=1)


async def ledger(home):
    rows = await home.database.read(erasure_ledger.entries_after, 0, 1_000)
    return [entry for _, entry in rows]


def lasting_a_second(home, monkeypatch, name):
    """Let each unit of work of that name take a second; returns the list of its results."""
    unit, results = getattr(retraction, name), []

    def slow(*given, **named):
        home.clock.advance(1)
        results.append(unit(*given, **named))
        return results[-1]

    monkeypatch.setattr(retraction, name, slow)
    return results


async def say(home, number, channel_id):
    """Store one message; returns it."""
    event = make_event(f"number {number}?", channel_id=channel_id, created_at=home.clock.now())
    await home.recorder.record(event, HERE)
    return event


# --- channels -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "units"), [(1, 1), (5, 3)])
async def test_a_deleted_channel_is_recorded_in_the_first_and_the_last_unit_of_work(
    home, monkeypatch, said, units
):
    monkeypatch.setattr(retraction, "BATCH", 2)
    for number in range(said):
        await say(home, number, (THREAD, OTHER_THREAD)[number % 2])
    await say(home, 99, CHANNEL)
    progress = {"GuildId": GUILD, "FileKey": "x", "LastMessageId": 1, "ChangedAt": NOON}
    await home.database.write(
        lambda s: s.execute(history_imports.insert().values(ChannelId=THREAD, **progress))
    )
    results = lasting_a_second(home, monkeypatch, "erase_channels_batch")
    assert await home.retention.erase_channels(GUILD, [THREAD, OTHER_THREAD]) == said
    assert sum(results) == said and len(results) == units
    times = [NOON] if units == 1 else [NOON, NOON + units * SECOND]
    assert [entry for entry in await ledger(home) if entry.kind is ErasureKind.CHANNEL] == [
        Erasure(at, ErasureKind.CHANNEL, GUILD, channel_id=channel_id)
        for at in times
        for channel_id in (THREAD, OTHER_THREAD)
    ]
    left = select(memory_event.c.ChannelId)
    assert await home.database.read(lambda s: list(s.scalars(left))) == [CHANNEL]
    assert await home.database.read(lambda s: s.execute(select(history_imports)).all()) == []


async def test_a_replayed_deletion_of_a_channel_takes_its_data_along(home, tmp_path, monkeypatch):
    monkeypatch.setattr(retraction, "BATCH", 2)
    monkeypatch.setattr(erasure_replay, "BATCH", 2)
    for number in range(3):
        await say(home, number, THREAD)
    await home.database.write(events.reset_working_memory, GUILD, THREAD)
    await replay(home, tmp_path, Erasure(NOON, ErasureKind.CHANNEL, GUILD, channel_id=THREAD))
    for table in (memory_event, channel_state):
        query = select(table.c.ChannelId)
        assert await home.database.read(lambda s, query=query: list(s.scalars(query))) == []


# --- a server's default -------------------------------------------------------------------------


@pytest.mark.parametrize("unchosen", [0, 2])
async def test_a_shorter_default_is_recorded_in_the_first_and_the_last_unit_of_work(
    home, monkeypatch, unchosen
):
    monkeypatch.setattr(retraction, "BATCH", 1)
    crowd = [Member(GUILD, user_id) for user_id in range(30, 30 + unchosen)]
    for member in (ADA, *crowd, Member(GUILD + 1, 30)):
        await home.tell("likes tea", member)
    await home.database.write(
        lambda s: s.execute(update(user_memory).values(ExpiresAt=None, LastConfirmedAt=NOON))
    )
    lasting_a_second(home, monkeypatch, "shorten_unchosen_batch")
    await home.retention.apply_temporary_default(GUILD)
    ends = select(user_memory.c.GuildId, user_memory.c.UserId).where(
        user_memory.c.ExpiresAt == NOON + timedelta(days=30)
    )
    shortened = await home.database.read(lambda s: [Member(*row) for row in s.execute(ends)])
    assert sorted(shortened) == crowd
    times = [NOON, NOON + (unchosen + 1) * SECOND] if unchosen else [NOON]
    assert await ledger(home) == [Erasure(at, ErasureKind.SHORTER, GUILD) for at in times]


@pytest.mark.parametrize(("days", "is_shortened"), [(31, False), (31.01, True)])
async def test_a_start_shortens_what_outlives_the_default_by_more_than_a_day(
    home, days, is_shortened
):
    await home.tell("likes tea", Member(GUILD, 30))
    end = NOON + timedelta(days=days)
    await home.database.write(lambda s: s.execute(update(user_memory).values(ExpiresAt=end)))
    await home.retention.finish_temporary_defaults()
    (stored,) = await home.database.read(lambda s: list(s.scalars(select(user_memory.c.ExpiresAt))))
    assert stored == (NOON + timedelta(days=30) if is_shortened else end)
    assert bool(await ledger(home)) is is_shortened


# --- members ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "is_found_later", "expected"),
    [
        (None, False, NOON),
        (NOON - timedelta(days=1), True, NOON - timedelta(days=1)),
        (NOON - timedelta(days=40), True, NOON - MAX_UNNOTICED),
    ],
)
async def test_a_member_left_when_they_were_last_known_to_be_there(
    home, seen, is_found_later, expected
):
    await home.recorder.close()
    if seen is not None:
        await home.database.write(members.update_last_seen, {ADA: seen, BOB: seen})
    options = {"is_found_later": True} if is_found_later else {}
    await home.retention.record_departure(ADA, **options)
    left = select(user_state.c.UserId, user_state.c.LeftAt).order_by(*user_state.primary_key)
    rows = await home.database.read(lambda s: [tuple(row) for row in s.execute(left)])
    assert rows == [(ADA.user_id, expected), (BOB.user_id, None)]


# --- edits and deletions ------------------------------------------------------------------------


async def test_an_edit_that_another_process_has_overtaken_changes_nothing(home, monkeypatch):
    event = await home.tell("likes tea")
    await home.edit(event, "likes cake", revision=9)
    stale = make_event("likes figs", message_id=event.message_id, revision=8)
    is_new, answers = retraction.is_new_revision, [True]
    monkeypatch.setattr(
        retraction,
        "is_new_revision",
        lambda connection, event: answers.pop() if answers else is_new(connection, event),
    )
    recorded = []

    async def record():
        recorded.append(stale)

    assert not await home.retention.revise(stale, record)
    assert (recorded, answers) == ([], [])
    assert await home.known() == ["likes cake"]


@pytest.mark.parametrize("text", ["likes figs", " "])
async def test_an_edit_forbids_every_revision_before_it_and_none_after_it(home, text):
    event = await home.tell("likes tea")
    await home.edit(event, text, revision=9)
    assert not await home.edit(event, "likes zanzibar", revision=8)
    overtaken = replace(event, text="likes zanzibar", revision=8)  # by a process that edits as well
    assert not await home.recorder.record(overtaken, HERE)
    revisions = select(tombstone.c.Revision).where(tombstone.c.MessageId == event.message_id)
    stored = await home.database.read(lambda s: list(s.scalars(revisions)))
    assert stored == [8 if text.strip() else 9]
    assert await home.edit(event, "likes cake", revision=10)
    assert await home.known() == ["likes cake"]


# --- replays ------------------------------------------------------------------------------------


async def replay(home, tmp_path, *entries):
    """Repeat entries of a ledger."""
    file = tmp_path / "ledger.jsonl"
    erasure_ledger_file.append(file, entries)
    return await replay_all(home.database, file, scrubs=False)


@pytest.mark.parametrize("kind", [ErasureKind.CHAPTER, ErasureKind.SERVER])
async def test_repeating_what_names_no_member_shortens_nothing_and_resets_only_its_channel(
    home, tmp_path, kind
):
    books = make_guild_settings(home.database, home.clock)
    await books.set_values(GUILD, consent_default=Consent.LASTING)
    await home.tell("likes tea", Member(GUILD, 30))
    open_ended = partial(
        home.database.read, in_order, user_memory.c.UserId, user_memory.c.ExpiresAt
    )
    before = await open_ended()
    assert before == [(30, None)]
    guild_id = GUILD + 1 if kind is ErasureKind.SERVER else GUILD
    channel_id = None if kind is ErasureKind.SERVER else THREAD
    await replay(home, tmp_path, Erasure(NOON, kind, guild_id, channel_id=channel_id))
    assert await open_ended() == before
    fresh = make_guild_settings(home.database, home.clock)
    assert (await fresh.get(GUILD)).consent_default is Consent.LASTING
    reset = select(channel_state.c.ChannelId)
    is_reset = kind is ErasureKind.CHAPTER
    expected = [THREAD] if is_reset else []
    assert await home.database.read(lambda s: list(s.scalars(reset))) == expected
    assert [entry.kind for entry in await ledger(home)] == [kind]


async def test_a_replayed_retraction_forbids_the_revisions_up_to_its_own(home, tmp_path):
    event = await home.tell("likes tea", revision=3)
    entry = Erasure(NOON, ErasureKind.MESSAGE, GUILD, ADA.user_id, None, event.message_id, 5)
    await replay(home, tmp_path, entry)
    revisions = select(tombstone.c.MessageId, tombstone.c.Revision)
    stored = await home.database.read(lambda s: [tuple(row) for row in s.execute(revisions)])
    assert stored == [(event.message_id, 5)]
