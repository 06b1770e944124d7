"""What is deleted or edited takes along what only it supported, everywhere, and nothing else."""

from sqlalchemy import select

from tests.fakes.builders import CHANNEL, GUILD, audience, make_event, make_guild_settings
from tests.integration.residue import ADA, BOB, HERE
from tests.integration.stored_rows import add, of, stored
from utils.database.schema.memory_tables import (
    memory_event,
    message_score,
    shadow_recall,
    waiting_message,
)

THREAD = 4711


async def texts_of(home, event):
    columns = memory_event.c
    query = select(columns.Text).where(columns.MessageId == event.message_id).order_by(columns.Id)
    return await home.database.read(lambda s: list(s.scalars(query)))


# --- watching, and comparisons of policies ------------------------------------------------------


async def test_a_deleted_message_waits_and_is_scored_no_longer(home):
    """Its comparison of recall policies goes too."""
    event, other = await home.tell("likes zanzibar"), await home.tell("is fine", BOB)

    def watch(connection):
        for said in (event, other):
            row = {**of(said.member), "MessageId": said.message_id}
            add(connection, waiting_message, **row, Text=said.text)
            add(connection, message_score, **row, Reason=f"says {said.text}")
            add(connection, shadow_recall, **row)

    await home.database.write(watch)
    await home.keeper.retention.retract(GUILD, [event.message_id])
    assert await home.residue() == []
    for table in (waiting_message, message_score, shadow_recall):
        assert await home.database.read(stored, table.c.MessageId) == [other.message_id]


# --- edits --------------------------------------------------------------------------------------


async def test_an_edited_message_is_read_again_and_its_old_words_are_gone(home):
    event = await home.tell("likes zanzibar")
    assert await home.edit(event, "likes tea")
    assert await home.known() == ["likes tea"]
    assert await home.profile() == "Likes tea."
    assert await texts_of(home, event) == ["", "likes tea"]
    assert await home.residue() == []


async def test_an_edit_brings_back_what_the_message_had_replaced(home):
    await home.tell("home: lives in Oslo")
    event = await home.tell("home: lives in Zanzibar")
    assert await home.known() == ["lives in Zanzibar"]
    home.clock.advance(60)
    await home.tell("likes tea")
    await home.edit(event, "")
    assert await home.known() == ["likes tea", "lives in Oslo"]
    assert await home.profile() == "Likes tea. Lives in Oslo."
    assert await home.residue() == []


async def test_an_edit_that_removes_everything_is_a_deletion(home):
    assert await home.edit(await home.tell("likes zanzibar"), " \n")
    assert await home.known() == []
    assert await home.residue() == []


async def test_an_edit_of_what_was_never_heard_is_not_heard(home):
    assert not await home.edit(make_event("likes tea"), "likes zanzibar")
    assert await home.residue() == []


async def test_an_update_with_the_same_words_or_an_older_revision_changes_nothing(home):
    event = await home.tell("likes tea")
    assert not await home.edit(event, "likes tea")
    assert await home.edit(event, "likes cake", revision=9)
    assert not await home.edit(event, "likes zanzibar", revision=8)
    assert not await home.edit(event, "likes zanzibar", revision=9)
    assert await home.known() == ["likes cake"]


async def test_a_forgotten_message_stays_forgotten_when_it_is_edited(home):
    event = await home.tell("likes zanzibar")
    (row,) = (await home.member_data.show(ADA)).rows
    await home.keeper.forget(ADA, row.id)
    await home.edit(event, "still likes zanzibar")
    assert await home.known() == []
    assert await home.residue() == []


async def test_a_deleted_message_is_not_heard_by_an_edit_that_comes_too_late(home):
    event = await home.tell("likes tea")
    await home.keeper.retention.retract(GUILD, [event.message_id])
    assert not await home.edit(event, "likes zanzibar")
    assert await home.residue() == []


async def test_somebody_else_cannot_edit_a_message(home):
    event = await home.tell("likes tea")
    stolen = make_event("likes zanzibar", message_id=event.message_id, author_id=20, revision=7)
    assert not await home.retention.revise(stolen, lambda: home.recorder.record(stolen, HERE))
    assert await home.known() == ["likes tea"]


# --- places -------------------------------------------------------------------------------------


async def test_what_was_said_elsewhere_too_is_told_there_from_then_on(home):
    await home.tell("likes tea", channel_id=THREAD)
    home.clock.advance(days=1)
    again = make_event("likes tea", created_at=home.clock.now())
    await home.recorder.record(again, audience(THREAD))
    await home.recorder.settle()
    await home.retention.erase_channels(GUILD, [THREAD])
    (row,) = (await home.member_data.show(ADA)).rows
    assert (row.text, row.channel_id, row.evidence_count) == ("likes tea", CHANNEL, 1)


async def test_all_channels_with_stored_messages_are_listed_the_latest_first(home):
    old = await home.tell("likes cake", channel_id=4712)
    home.clock.advance(days=300)
    first = await home.tell("likes tea")
    second = await home.tell("likes beer", channel_id=THREAD)
    await home.edit(second, "likes wine", revision=9)
    gone = await home.tell("likes figs", channel_id=4713)
    await home.keeper.retention.retract(GUILD, [gone.message_id])
    places = [(GUILD, THREAD), (GUILD, CHANNEL), (GUILD, 4712)]
    assert await home.retention.channels_to_compare() == places

    async def known(channel_id, before_id=None, limit=100):
        return await home.retention.stored_revisions(GUILD, channel_id, before_id, limit)

    assert (await known(THREAD))[second.message_id] == 9
    assert first.message_id in await known(CHANNEL)
    answer_id, message_id = sorted(await known(4712), reverse=True)
    assert message_id == old.message_id
    assert await known(4712, limit=1) == {answer_id: 0}
    assert await known(4712, before_id=answer_id) == {message_id: 0}
    assert await known(4712, before_id=message_id) == {}


async def test_an_edit_in_a_frozen_server_takes_the_old_words_and_adds_no_new_ones(home):
    event = await home.tell("likes zanzibar")
    settings = make_guild_settings(home.database, home.clock)
    await settings.set_values(GUILD, frozen=True)
    await home.edit(event, "likes tea")
    assert await home.known() == []
    assert await texts_of(home, event) == [""], "what its author took out is gone, nothing is new"
    assert await home.residue() == []
    await settings.set_values(GUILD, frozen=False)
    await home.edit(event, "likes coffee", revision=8)
    assert await home.known() == ["likes coffee"]
