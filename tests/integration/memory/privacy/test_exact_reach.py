"""Erasure and lifetimes reach exactly what they are about: the rows beside it stay as they are."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete, select, update

from tests.fakes.builders import CHANNEL, GUILD, NOON, make_answer, make_event, make_memory
from tests.integration.residue import ADA, BOB, HERE, WORD
from utils.database.erasure import messages, retention
from utils.database.privacy import erasure_ledger, tombstones
from utils.database.schema.memory_tables import (
    answer_removal,
    answer_source,
    episode_summary,
    memory_event,
    memory_evidence,
    tombstone,
    user_memory,
)
from utils.memory.privacy import erasure_ledger_file, retraction
from utils.memory.privacy import erasure_ledger_file as mirroring
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.models.memory import Consent, Member, Method, Profile, Status
from utils.models.operator import Erasure, ErasureKind
from utils.models.provenance import Provenance, SourceKind, SourceRef
from utils.models.transfer import BY_COMMAND

OTHER_CHANNEL = 4712


async def rows_of(home, *columns):
    return await home.database.read(lambda s: s.execute(select(*columns)).all())


async def answer_to(home, event, text, *sources):
    """Let Kith give an answer that rests on these sources; returns its message id."""
    answer = replace(make_answer(event, text), provenance=Provenance(sources))
    await home.recorder.record(answer, HERE)
    return answer.message_id


async def tell_thrice(home, member, channel_id=CHANNEL):
    """Let a member say enough for a summary; returns the first message."""
    first, *_ = [
        await home.tell(f"likes {thing}", member, channel_id=channel_id)
        for thing in (WORD, "tea", "cake")
    ]
    return first


async def texts_by_message(home):
    return dict(await rows_of(home, memory_event.c.MessageId, memory_event.c.Text))


async def test_who_is_known_in_one_server_is_not_known_in_another(home):
    stranger = Member(GUILD + 8, 4811)
    await home.tell("likes tea", stranger)
    is_known = home.retention.is_known
    assert [await is_known(4811, guild_id) for guild_id in (GUILD + 8, GUILD, None)] == [
        True,
        False,
        True,
    ]
    assert not await is_known(4812)


async def test_the_newest_messages_up_to_one_include_it(home):
    first, second = [await home.tell(text) for text in ("likes tea", "likes cake")]

    def newest(connection, limit, up_to=messages.MAX_MESSAGE_ID):
        return messages.newest_of(connection, ADA, limit, up_to)

    read = home.database.read
    assert await read(lambda s: newest(s, 5, up_to=first.message_id)) == [first.message_id]
    assert await read(lambda s: newest(s, 1)) == [second.message_id]
    assert await read(lambda s: messages.has_after(s, ADA, first.message_id))
    await home.tell("likes tea", Member(GUILD + 8, ADA.user_id))
    assert not await read(lambda s: messages.has_after(s, ADA, second.message_id))


async def test_what_was_forgotten_does_not_come_back_when_its_successor_goes(home):
    await home.tell(f"home: lives in {WORD}")
    event = await home.tell("home: lives in Oslo")
    columns = user_memory.c
    await home.database.write(
        lambda s: s.execute(
            update(user_memory)
            .where(columns.Status == Status.SUPERSEDED)
            .values(Status=Status.FORGOTTEN, Memory="")
        )
    )
    await home.keeper.retract(GUILD, [event.message_id])
    assert await home.known() == []
    assert Status.ACTIVE not in {row.Status for row in await rows_of(home, columns.Status)}


@pytest.mark.parametrize("is_deleted", [False, True])
async def test_an_edit_that_may_not_be_stored_leaves_answers_that_do_not_repeat_it(
    home, is_deleted
):
    event = make_event("likes zanzibar", created_at=home.clock.now())
    await home.recorder.record(event, HERE)
    answer_id = await answer_to(home, event, "Good to know.")
    edited = replace(event, revision=9)
    if is_deleted:
        ids = [event.message_id]
        now = home.clock.now()
        await home.database.write(tombstones.add, GUILD, ids, now=now)
    await home.database.write(retraction.retract_if_stale, edited, home.clock.now())
    revisions = await rows_of(home, tombstone.c.Revision)
    assert revisions == [(tombstones.FINAL_REVISION if is_deleted else 9,)]
    removed = [row.MessageId for row in await rows_of(home, answer_removal.c.MessageId)]
    assert removed == ([answer_id] if is_deleted else [])


async def test_a_shorter_choice_ends_summaries_of_ones_own_conversations_alone(home):
    await tell_thrice(home, ADA)
    await tell_thrice(home, BOB, OTHER_CHANNEL)
    await home.close_chapters()
    columns = episode_summary.c
    places = (columns.ChannelId, columns.ExpiresAt)
    before = dict(await rows_of(home, *places))
    await home.keeper.set_consent(ADA, Consent.TEMPORARY)
    after = dict(await rows_of(home, *places))
    assert before.keys() == {CHANNEL, OTHER_CHANNEL}
    assert after[OTHER_CHANNEL] == before[OTHER_CHANNEL]
    assert after[CHANNEL] != before[CHANNEL]


async def test_an_answer_from_a_summary_goes_with_a_message_of_the_conversation(home):
    event = await tell_thrice(home, ADA)
    await home.close_chapters()
    ((episode_id,),) = await rows_of(home, episode_summary.c.EpisodeId)
    asked = make_event(
        "what was it?", author_id=BOB.user_id, created_at=home.clock.now(), channel_id=OTHER_CHANNEL
    )
    await home.recorder.record(asked, HERE)
    source = SourceRef(SourceKind.EPISODE, episode_id)
    answer_id = await answer_to(home, asked, f"It was {WORD}.", source)
    is_other = answer_source.c.Kind != SourceKind.EPISODE  # as with more sources than are kept
    is_reply = memory_event.c.ReplyToId == event.message_id  # as if Kith had not answered it
    await home.database.write(lambda s: s.execute(delete(answer_source).where(is_other)))
    await home.database.write(lambda s: s.execute(delete(memory_event).where(is_reply)))
    assert (await texts_by_message(home))[answer_id] == f"It was {WORD}."
    await home.keeper.retract(GUILD, [event.message_id])
    assert (await texts_by_message(home))[answer_id] == ""


async def test_a_slash_command_gets_no_tombstone(home):
    event = await home.tell("likes tea")
    columns = memory_evidence.c

    def unit(connection, is_a_command):
        if is_a_command:
            command = update(memory_evidence).values(
                Method=Method.EXPLICIT, Model=BY_COMMAND, MessageId=4813
            )
            connection.execute(command.where(columns.MessageId == event.message_id))
        ids = [4813 if is_a_command else event.message_id]
        tombstones.add(connection, GUILD, ids, now=home.clock.now())
        return list(connection.scalars(select(tombstone.c.MessageId)))

    assert await home.database.write(unit, False) == [event.message_id]
    assert await home.database.write(unit, True) == [event.message_id]


async def test_a_mirrored_ledger_is_read_again_from_an_hour_before_its_newest_entry(
    home, tmp_path, monkeypatch
):
    began, ids = home.clock.now(), []
    for n in range(6):
        at = began + timedelta(hours=2 * n)
        entry = Erasure(at, ErasureKind.MESSAGE, GUILD, 10, None, n, 5)
        await home.database.write(lambda s, entry=entry: erasure_ledger.record(s, entry))
    ledger, after, asked = (
        ErasureLedger(home.database, tmp_path / "ledger"),
        erasure_ledger.entries_after,
        [],
    )

    def noted(connection, *, entry_id, limit):
        asked.append(entry_id)
        return after(connection, entry_id=entry_id, limit=limit)

    assert [await ledger.mirror(), await ledger.mirror()] == [6, 0]
    ids = [id_ for id_, _ in await home.database.read(after, entry_id=0, limit=9)]
    monkeypatch.setattr(mirroring, "PAGE", 2)
    monkeypatch.setattr(erasure_ledger, "entries_after", noted)
    assert await ledger.mirror() == 0
    assert asked[0] == ids[1]  # the second page, of 2, holds none within an hour of the newest


@pytest.mark.parametrize("since_s", [0, 3600])
async def test_an_entry_from_an_hour_before_the_last_one_mirrored_may_appear_late(
    database, tmp_path, monkeypatch, since_s
):
    """Later still, an entry appears that is days newer."""
    monkeypatch.setattr(mirroring, "PAGE", 1)
    ledger, after, hidden = (
        ErasureLedger(database, tmp_path / "ledger"),
        erasure_ledger.entries_after,
        {0},
    )

    def seen(connection, *, entry_id, limit):
        rows = after(connection, entry_id=entry_id, limit=9)
        return [row for row in rows if row[1].message_id not in hidden][:limit]

    monkeypatch.setattr(erasure_ledger, "entries_after", seen)
    times = [NOON, NOON, NOON + timedelta(seconds=since_s)]
    made = [
        Erasure(at, ErasureKind.MESSAGE, GUILD, 10, None, n, 5)
        for n, at in enumerate([*times, NOON + timedelta(days=2)])
    ]
    await database.write(erasure_ledger.record, *made[:3])
    assert [await ledger.mirror(), await ledger.mirror()] == [2, 0]
    hidden.clear()
    await database.write(erasure_ledger.record, made[3])
    assert await ledger.mirror() == 2
    assert {entry for entry, _ in erasure_ledger_file.read(ledger.file)} == {*made}


def test_a_profile_gets_back_what_a_deleted_memory_of_it_had_replaced_and_nothing_else():
    oslo, tea, chess = [
        make_memory(text, id=row_id)
        for row_id, text in ((1, "lives in Oslo"), (3, "likes tea"), (4, "plays chess"))
    ]
    stored, rows = Profile("Lives in Rome. Likes tea.", (2, tea.id)), [oslo, tea, chess]
    after = retraction._profile_after_restoring({oslo.id: 2})(stored, rows)
    assert sorted(after.row_ids) == [oslo.id, tea.id]
    assert "Lives in Oslo." in after.text and "chess" not in after.text
    elsewhere = retraction._profile_after_restoring({oslo.id: 9})(stored, rows)
    assert elsewhere == Profile("Likes tea.", (tea.id,))


async def test_a_server_counts_as_removed_from_when_it_was_missed_until_kith_is_back(home):
    await home.tell("likes tea")
    await home.tell("likes tea", Member(GUILD + 8, ADA.user_id))

    async def is_removed(guild_id):
        now = home.clock.now()
        return await home.database.write(retention.lock_removed, guild_id, now)

    async def removed_at(guild_ids, *, is_ours):
        home.clock.advance(60)
        await home.retention.update_servers(guild_ids, lambda _: is_ours)
        return (await home.database.read(retention.list_guilds))[GUILD]

    assert await removed_at([GUILD], is_ours=True) is None
    assert await removed_at([], is_ours=False) is None
    missed = await removed_at([GUILD + 8], is_ours=True)
    assert missed == home.clock.now()
    assert [await is_removed(guild_id) for guild_id in (GUILD, GUILD + 8)] == [True, False]
    assert await removed_at([GUILD + 8], is_ours=True) == missed
    assert await removed_at([GUILD], is_ours=False) is None
