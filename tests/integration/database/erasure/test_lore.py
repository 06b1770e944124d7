"""Lore goes with each message that tells it: that server's lore, and nothing beside it."""

from tests.fakes.builders import ADA, BOB, GUILD, KITH_ID, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from utils.database.erasure import lore, versions
from utils.database.schema.memory_tables import (
    answer_removal,
    answer_source,
    erasure_ledger,
    memory_audit,
    memory_event,
    memory_evidence,
    user_memory,
    user_state,
)
from utils.models.memory import SERVER_USER_ID, Member, Role, Status
from utils.models.operator import ErasureKind
from utils.models.provenance import SourceKind

SERVER = Member(GUILD, SERVER_USER_ID)


def tell(connection, member, *message_ids, evidence_guild_id=None, **values):
    """Store a memory that rests on these messages; returns its id."""
    memory_id = add(connection, user_memory, **of(member), **values)
    guild_id = member.guild_id if evidence_guild_id is None else evidence_guild_id
    for message_id in message_ids:
        add(connection, memory_evidence, GuildId=guild_id, MemoryId=memory_id, MessageId=message_id)
    return memory_id


def test_the_lore_of_messages_and_of_who_told_it(connection):
    first, second = tell(connection, SERVER, 1, 2), tell(connection, SERVER, 3, 1)
    tell(connection, SERVER, 1, Status=Status.FORGOTTEN)
    tell(connection, ADA, 1)
    tell(connection, Member(ELSEWHERE.guild_id, SERVER_USER_ID), 1)
    tell(connection, SERVER, 1, evidence_guild_id=ELSEWHERE.guild_id)
    tell(connection, Member(ELSEWHERE.guild_id, SERVER_USER_ID), 1, evidence_guild_id=GUILD)
    for member, message_id in ((ADA, 2), (ADA, 1), (BOB, 3), (ELSEWHERE, 3)):
        add(connection, memory_event, **by(member), MessageId=message_id)
    assert lore.of_messages(connection, GUILD, [1, 2]) == [first, second]
    assert lore.of_messages(connection, GUILD, [2, 4]) == [first]
    assert lore.of_messages(connection, GUILD, [4]) == []
    assert lore.of_member(connection, ADA) == [first, second]
    assert lore.of_member(connection, BOB) == [second]
    assert lore.of_member(connection, ELSEWHERE) == []


def test_erased_lore_is_recorded_and_takes_the_answers_made_from_it(connection):
    erased, other = (
        tell(connection, SERVER, 1, Memory="a walrus sings"),
        tell(connection, SERVER, 2),
    )
    version_before = add(connection, user_state, **of(SERVER), MemoryVersion=4)
    assert version_before == GUILD
    posts = {}
    for memory_id, message_id in ((erased, 50), (other, 51)):
        posts[message_id] = add(
            connection,
            memory_event,
            **by(Member(GUILD, KITH_ID)),
            MessageId=message_id,
            Role=Role.KITH,
            Text="it was the walrus",
        )
        source = {"Kind": SourceKind.MEMORY, "SourceId": memory_id, "GuildId": GUILD}
        add(connection, answer_source, EventId=posts[message_id], **source)
    add(connection, memory_audit, **of(SERVER), MemoryId=erased, Action="learned", After="walrus")
    lore.erase(connection, GUILD, [], NOON)
    assert stored(connection, user_memory.c.Id) == [erased, other]
    lore.erase(connection, GUILD, [erased], NOON)
    assert stored(connection, user_memory.c.Id) == [other]
    assert stored(connection, memory_evidence.c.MemoryId) == [other]
    assert stored(connection, user_state.c.MemoryVersion) == [5]
    entry = erasure_ledger.c
    ((kind, guild_id, user_id, at),) = stored(
        connection, entry.Kind, entry.GuildId, entry.UserId, entry.At
    )
    assert (kind, guild_id, user_id, at) == (ErasureKind.MEMORY, GUILD, SERVER_USER_ID, NOON)
    audit = memory_audit.c
    assert stored(connection, audit.Action, audit.MemoryId, audit.ActorId, audit.UserId)[1:] == [
        ("retracted", erased, 0, SERVER_USER_ID)
    ]
    assert stored(connection, audit.After, audit.At) == [(None, NOON), (None, NOON)]
    texts = stored(connection, memory_event.c.MessageId, memory_event.c.Text)
    assert texts == [(50, ""), (51, "it was the walrus")]
    removal = answer_removal.c
    assert stored(connection, removal.MessageId, removal.DueAt) == [(50, NOON)]


# --- versions -----------------------------------------------------------------------------------


def test_versions_that_say_the_same_words_go_together(connection):
    """The last is the operator's wording of the one before; after it, another message counts."""
    said_later = tell(connection, ADA, 1, 2, 4)
    reworded = tell(connection, ADA, 2, 1, SupersededById=said_later)
    latest = tell(connection, ADA, 1, 2, SupersededById=reworded)
    middle = tell(connection, ADA, 2, SupersededById=latest)
    first = tell(connection, ADA, 1, SupersededById=middle)
    absorbed = tell(connection, ADA, 1, SupersededById=latest)
    tell(connection, BOB, 9, SupersededById=latest)
    assert versions.load(connection, ADA, latest) == (
        [reworded, latest, *sorted((middle, absorbed)), first],
        [1, 2],
    )
    assert versions.load(connection, ADA, first) == ([first], [1])
    assert versions.load(connection, ADA, said_later)[1] == [1, 2, 4]


def test_versions_end_at_what_is_forgotten_and_at_other_members(connection):
    forgotten = tell(connection, ADA, 1, Status=Status.FORGOTTEN)
    known = tell(connection, ADA, 1, SupersededById=forgotten)
    assert versions.load(connection, ADA, known) == ([known], [1])
    assert versions.load(connection, ADA, forgotten) == ([], [])
    for stranger in (BOB, ELSEWHERE):
        assert versions.load(connection, stranger, known) == ([], [])
    without_evidence = tell(connection, ADA)
    before_it = tell(connection, ADA, 3, SupersededById=without_evidence)
    assert versions.load(connection, ADA, before_it) == ([before_it], [3])
    assert versions.load(connection, ADA, without_evidence) == ([without_evidence, before_it], [3])
