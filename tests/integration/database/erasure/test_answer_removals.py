"""The queue of answers to delete on Discord: what enters it, what is due, and what leaves it."""

from datetime import timedelta

from tests.fakes.builders import GUILD, NOON
from tests.integration.stored_rows import add, stored
from utils.database.erasure import answer_removals
from utils.database.schema.memory_tables import answer_removal

COLUMNS = answer_removal.c
MINUTE = timedelta(minutes=1)
FIELDS = COLUMNS.GuildId, COLUMNS.ChannelId, COLUMNS.MessageId, COLUMNS.Attempts, COLUMNS.DueAt


def test_a_message_is_queued_once_with_its_channel(connection, monkeypatch):
    answer_removals.queue(connection, GUILD, [], NOON)
    for guild_id, message_id in ((GUILD, 5), (GUILD, 6), (9, 7)):
        add(connection, answer_removal, GuildId=guild_id, MessageId=message_id, Attempts=2)
    posts = {(100, 7), (100, 5), (200, 8), (100, 6)}
    answer_removals.queue(connection, GUILD, posts, NOON + MINUTE)
    assert stored(connection, *FIELDS) == [
        (GUILD, 100, 5, 2, NOON),
        (GUILD, 100, 6, 2, NOON),
        (GUILD, 100, 7, 0, NOON + MINUTE),
        (GUILD, 200, 8, 0, NOON + MINUTE),
        (9, 100, 7, 2, NOON),
    ]


def test_of_too_many_messages_the_newest_are_queued(connection, monkeypatch):
    monkeypatch.setattr(answer_removals, "MAX_QUEUED_AT_ONCE", 2)
    answer_removals.queue(connection, GUILD, [(100, 3), (300, 1), (200, 2)], NOON)
    assert stored(connection, COLUMNS.MessageId, COLUMNS.ChannelId) == [(2, 200), (3, 100)]


def test_what_is_longest_due_comes_first(connection):
    ids = [
        add(connection, answer_removal, DueAt=NOON + minutes * MINUTE)
        for minutes in (0, 1, -1, 0, -2)
    ]
    due = [removal.id for removal in answer_removals.load_due(connection, NOON, 9)]
    assert due == [ids[4], ids[2], ids[0], ids[3]]
    first, second = answer_removals.load_due(connection, NOON, 2)
    assert (first.id, second.id, second.due_at) == (ids[4], ids[2], NOON - MINUTE)
    answer_removals.finish(connection, [ids[0], ids[4]])
    assert stored(connection, COLUMNS.Id) == ids[1:4]
    answer_removals.postpone(connection, ids[2], NOON + MINUTE)
    assert [removal.id for removal in answer_removals.load_due(connection, NOON, 9)] == [ids[3]]
    attempts = dict(stored(connection, COLUMNS.Id, COLUMNS.Attempts))
    answer_removals.postpone(connection, ids[2], NOON)
    assert dict(stored(connection, COLUMNS.Id, COLUMNS.Attempts)) == attempts | {
        ids[2]: attempts[ids[2]] + 1
    }
    assert stored(connection, COLUMNS.DueAt) == [NOON, NOON, NOON + MINUTE]


def test_deleted_channels_take_their_messages_from_the_queue(connection):
    for guild_id, channel_id in ((GUILD, 100), (GUILD, 200), (GUILD, 300), (9, 100)):
        add(connection, answer_removal, GuildId=guild_id, ChannelId=channel_id)
    answer_removals.finish_channels(connection, GUILD, [100, 200])
    assert stored(connection, *FIELDS[:2]) == [(GUILD, 300), (9, 100)]
