"""Tombstones: for which messages they are stored, up to which revision, and for how long."""

from tests.fakes.builders import ADA, BOB, GUILD, KITH_ID, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from utils.database.erasure.deletion import delete_of_member
from utils.database.erasure.inventory import Extent
from utils.database.privacy import tombstones
from utils.database.schema.memory_tables import (
    erasure_ledger,
    memory_event,
    memory_evidence,
    tombstone,
    user_memory,
)
from utils.models.memory import Member, Method, Role
from utils.models.operator import ErasureKind
from utils.models.transfer import BY_COMMAND

COLUMNS = tombstone.c
ROWS = COLUMNS.GuildId, COLUMNS.MessageId, COLUMNS.UserId, COLUMNS.Revision
OTHER_GUILD = ELSEWHERE.guild_id


def add_messages(connection):
    """Store messages 1 to 9, each known in another way; 6 is not known at all."""
    for message_id in (1, 7, 8, 9):
        add(connection, memory_event, **by(ADA), MessageId=message_id)
    kith = Member(GUILD, KITH_ID)
    add(connection, memory_event, **by(kith), MessageId=2, Role=Role.KITH)
    for message_id, guild_id, method in (
        (3, GUILD, Method.MODEL),
        (4, GUILD, Method.EXPLICIT),
        (5, OTHER_GUILD, Method.MODEL),
    ):
        memory_id = add(connection, user_memory, **of(BOB))
        evidence = {"MemoryId": memory_id, "Method": method, "Model": BY_COMMAND}
        add(connection, memory_evidence, GuildId=guild_id, MessageId=message_id, **evidence)
    add(connection, memory_event, **by(ELSEWHERE), MessageId=5)
    for message_id, guild_id, revision in (
        *((7, GUILD, 4), (8, GUILD, 6), (9, GUILD, 5)),
        *((1, OTHER_GUILD, 4), (6, GUILD, 4)),
    ):
        row = {"GuildId": guild_id, "MessageId": message_id, "Revision": revision}
        add(connection, tombstone, UserId=ADA.user_id, **row)


def test_known_messages_get_a_tombstone_and_none_gets_an_older_one(connection):
    add_messages(connection)
    tombstones.add(connection, GUILD, range(1, 10), now=NOON, revision=5)
    assert stored(connection, *ROWS) == [
        (GUILD, 1, 10, 5),
        (GUILD, 3, 20, 5),
        (GUILD, 6, 10, 4),
        (GUILD, 7, 10, 5),
        (GUILD, 8, 10, 6),
        (GUILD, 9, 10, 5),
        (OTHER_GUILD, 1, 10, 4),
    ]
    entry = erasure_ledger.c
    fields = (entry.MessageId, entry.UserId, entry.GuildId, entry.At, entry.Revision, entry.Kind)
    assert stored(connection, *fields) == [
        (message_id, user_id, GUILD, NOON, 5, ErasureKind.MESSAGE)
        for message_id, user_id in ((1, 10), (2, KITH_ID), (3, 20), (7, 10))
    ]


def test_a_message_that_was_never_edited_is_recorded_too(connection):
    add(connection, memory_event, **by(ADA), MessageId=1)
    tombstones.add(connection, GUILD, [1], now=NOON, revision=0)
    assert stored(connection, *ROWS) == [(GUILD, 1, 10, 0)]
    assert stored(connection, erasure_ledger.c.MessageId) == [1]


def test_a_tombstone_is_permanent_unless_it_ends_at_a_revision(connection):
    add_messages(connection)
    tombstones.add(connection, GUILD, [1, 3, 5, 9], now=NOON)
    final = tombstones.FINAL_REVISION
    asked = (*range(1, 10), 99)
    read = tombstones.revisions(connection, GUILD, asked)
    assert read == {1: final, 3: final, 6: 4, 7: 4, 8: 6, 9: final}
    assert tombstones.permanent(connection, GUILD, asked) == {1, 3, 9}
    assert tombstones.revisions(connection, OTHER_GUILD, asked) == {1: 4}
    assert tombstones.revisions(connection, GUILD, [7]) == {7: 4}


def test_a_members_tombstones_go_and_nobody_elses(connection):
    for guild_id, message_id, user_id in (
        (GUILD, 1, 10),
        (GUILD, 2, 10),
        (GUILD, 3, 20),
        (9, 1, 10),
    ):
        add(connection, tombstone, GuildId=guild_id, MessageId=message_id, UserId=user_id)
    delete_of_member(connection, ADA, Extent.MESSAGES)
    assert stored(connection, *ROWS[:3]) == [(GUILD, 3, 20), (9, 1, 10)]
