"""Notes fall back to their sentences when their context goes; the notes beside them stay."""

import pytest
from sqlalchemy import select

from tests.fakes.builders import ADA, BOB, GUILD, NOON
from tests.integration.database.erasure.test_forgetting import statuses
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from utils.database.erasure import note_context
from utils.database.schema.memory_tables import (
    memory_audit,
    memory_context,
    memory_event,
    memory_evidence,
    user_memory,
    user_state,
)
from utils.models.memory import Form, Kind, Member, Status, VerifiedBy
from utils.nlp.confidential import MARK

MEMORY, EVIDENCE, AUDIT = user_memory.c, memory_evidence.c, memory_audit.c


def add_note(
    connection, member, message_id=0, memory_id=0, *, sentences=("I like tea.",), **values
):
    """Store a verified note that rests on a message or memory besides its sentences."""
    note = {"Memory": "likes it", "Kind": Kind.PREFERENCE, "Status": Status.ACTIVE} | values
    row_id = add(connection, user_memory, **of(member), **note)
    for sentence in sentences:
        evidence = {"MemoryId": row_id, "Quote": sentence, "VerifiedBy": VerifiedBy.MODEL}
        add(connection, memory_evidence, GuildId=member.guild_id, **evidence)
    context = {"ContextMessageId": message_id, "ContextMemoryId": memory_id, "MemoryId": row_id}
    add(connection, memory_context, GuildId=member.guild_id, **context)
    add(connection, memory_audit, **of(member), MemoryId=row_id, After="likes it", Action="learned")
    return row_id


def row_of(connection, memory_id):
    return connection.execute(select(user_memory).where(MEMORY.Id == memory_id)).one()


def forms(connection):
    return dict(stored(connection, MEMORY.Id, MEMORY.Form))


@pytest.fixture
def neighbours(connection):
    """Notes that no erasure of Ada's context concerns."""
    rows = [
        add_note(connection, ADA, 1, Status=Status.FORGOTTEN),
        add_note(connection, BOB, 3),
        add_note(connection, ELSEWHERE, 1),
        add_note(connection, ADA, 4),
        add_note(connection, ADA, 0, 71),
        add_note(connection, ADA, 70),  # a message with the id of the memory
    ]
    in_wrong_server = add(connection, user_memory, **of(ADA), Status=Status.ACTIVE)
    context = {"ContextMessageId": 1, "ContextMemoryId": 0, "MemoryId": in_wrong_server}
    add(connection, memory_context, GuildId=ELSEWHERE.guild_id, **context)
    return [*rows, in_wrong_server]


def test_a_note_falls_back_to_the_newest_sentence_with_most_of_its_words(connection, neighbours):
    sentences = ("", "Tea, I love it.", "I love tea in the morning.", "I like tea.", "")
    details = {
        "Memory": "loves tea",
        "Topics": "drinks",
        "FactKey": "drink",
        "SearchStems": "like\ntea\ncake",
    }
    by_message = add_note(connection, ADA, 1, sentences=sentences, **details)
    by_second_message = add_note(connection, ADA, 2)
    by_memory = add_note(connection, ADA, 0, 70)
    without_sentence = add_note(connection, ADA, 1, sentences=("",))
    untouched = {row_id: row_of(connection, row_id) for row_id in neighbours}
    changed = note_context.fall_back(connection, ADA, message_ids=[1, 2], memory_ids=[70], now=NOON)
    assert changed == [by_message, by_second_message, by_memory, without_sentence]
    quotes = changed[:3]
    assert forms(connection) == {
        **dict.fromkeys(neighbours, Form.NOTE),
        **dict.fromkeys(quotes, Form.QUOTE),
    }
    assert {row_id: row_of(connection, row_id) for row_id in neighbours} == untouched
    row = row_of(connection, by_message)
    assert (row.Memory, row.Topics, row.FactKey) == ("I love tea in the morning.", "", "")
    assert (row.Kind, row.SearchStems) == (Kind.EPISODE, "love tea morn")
    verified = dict(stored(connection, EVIDENCE.MemoryId, EVIDENCE.VerifiedBy))
    assert {row_id for row_id, who in verified.items() if who is VerifiedBy.NONE} == {*quotes}
    models = {*stored(connection, EVIDENCE.MemoryId, EVIDENCE.VerifierModel, EVIDENCE.VerifierHash)}
    assert {row for row in models if row[0] in quotes} == {(row_id, "", "") for row_id in quotes}
    assert not {row for row in models if row[0] in neighbours and "" in row}
    assert {*stored(connection, memory_context.c.MemoryId)}.isdisjoint(changed)
    assert {*stored(connection, memory_context.c.MemoryId)} >= {*neighbours[:-1]}
    entries = {
        (row.MemoryId, row.Action): (row.After, row.ActorId, row.UserId, row.At)
        for row in connection.execute(select(memory_audit))
        if row.MemoryId in changed
    }
    done = (None, 0, ADA.user_id, NOON)
    assert {key: entry for key, entry in entries.items() if key[1] != "learned"} == {
        (without_sentence, "retracted"): done,
        **{(row_id, "unverified"): done for row_id in quotes},
    }
    assert {entry[0] for entry in entries.values()} == {None}
    assert dict(stored(connection, AUDIT.MemoryId, AUDIT.After))[neighbours[0]] == "likes it"


def test_a_quotes_stems_are_limited(connection, monkeypatch):
    monkeypatch.setattr(note_context, "MAX_STEMS", 2)
    add_note(connection, ADA, 1, sentences=("I love tea in the morning.",))
    note_context.fall_back(connection, ADA, message_ids=[1], now=NOON)
    assert stored(connection, MEMORY.SearchStems) == ["love tea"]


def test_what_a_fallen_note_had_superseded_is_restored_unless_it_is_replaced_still(connection):
    fallen, other, confirmed = (add_note(connection, ADA, message_id) for message_id in (1, 2, 3))
    superseded = {"Status": Status.SUPERSEDED, "SupersededById": fallen}
    restored = add(connection, user_memory, **of(ADA), **superseded)
    replaced = add_note(connection, ADA, 1, **superseded | {"SupersededById": other})
    for member, values in (
        (ADA, {"Status": Status.FORGOTTEN}),
        *((ADA, {"SupersededById": by_id}) for by_id in (other, confirmed, replaced)),
        (BOB, {}),
    ):
        add(connection, user_memory, **of(member), **superseded | values)
    before = statuses(connection)
    note_context.fall_back(connection, ADA, message_ids=[1], unsupported=[confirmed], now=NOON)
    assert statuses(connection) == before | {restored: [Status.ACTIVE, None]}


def test_everybodys_notes_fall_back_with_profiles_made_of_them(connection):
    by_message, by_memory = add_note(connection, ADA, 1), add_note(connection, BOB, 0, 70)
    carl = Member(GUILD, 30)
    of_carl = add_note(connection, carl, 2)
    add_note(connection, ELSEWHERE, 1)
    dora = Member(GUILD, 40)
    add_note(connection, dora, 1)
    for member, row_ids in (
        (ADA, f"7 {by_message}"),
        (BOB, f"{by_memory}"),
        (carl, f"{of_carl}"),
        (ELSEWHERE, f"{by_message}"),
        (dora, "7"),
    ):
        profile = {"UserNotes": "Likes tea.", "NotesRowIds": row_ids, "MemoryVersion": 3}
        add(connection, user_state, **of(member), **profile)
    changed = note_context.fall_back_everywhere(
        connection, GUILD, message_ids={1}, memory_ids={70, 71}, now=NOON
    )
    assert {by_message, by_memory} < {*changed} and len(changed) == 3
    assert by_message == changed[0]  # the members in their order
    state = user_state.c
    profiles = stored(
        connection,
        state.GuildId,
        state.UserId,
        state.UserNotes,
        state.NotesRowIds,
        state.MemoryVersion,
    )
    assert profiles == [
        (GUILD, 10, "", "", 4),
        (GUILD, 20, "", "", 4),
        (GUILD, 30, "Likes tea.", f"{of_carl}", 3),
        (GUILD, 40, "Likes tea.", "7", 4),
        (9, 10, "Likes tea.", f"{by_message}", 3),
    ]
    fallen = {row_id for row_id, form in forms(connection).items() if form is Form.QUOTE}
    assert fallen == {*changed}


def test_whose_notes_rest_on_messages_and_what_of_a_member_is_context(connection):
    of_ada, of_bob = [add(connection, user_memory, **of(member)) for member in (ADA, BOB)]
    of_ada_too = add(connection, user_memory, **of(ADA))
    elsewhere = add(connection, user_memory, **of(ELSEWHERE))
    for member, message_id in ((ADA, 1), (ADA, 2), (BOB, 3), (ELSEWHERE, 4)):
        add(connection, memory_event, **by(member), MessageId=message_id)
    add(connection, memory_event, **by(ELSEWHERE), MessageId=3)
    for member, message_id, memory_id in (
        *((ADA, 1, 0), (BOB, 1, 0), (BOB, 2, 0), (BOB, 3, 0), (ADA, 4, 0)),
        *((BOB, 0, of_ada), (ADA, 0, of_ada), (ADA, 0, of_bob), (ELSEWHERE, 3, 0)),
        *((BOB, 0, elsewhere), (ELSEWHERE, 0, of_ada), (ELSEWHERE, 0, of_ada_too)),
    ):
        add_note(connection, member, message_id, memory_id)
    resting = note_context.members_resting_on
    assert resting(connection, GUILD, [2, 3, 9]) == [BOB]
    assert resting(connection, GUILD, [1, 4]) == [ADA, BOB]
    assert resting(connection, 9, [1, 2, 3]) == [ELSEWHERE]
    messages, memories = note_context.context_of_others(connection, ADA)
    assert (sorted(messages), memories) == ([1, 2], [of_ada])
    assert note_context.context_of_others(connection, BOB) == ([3], [of_bob])


def test_what_is_confidential_stays_so_as_a_quote(connection):
    row_id = add_note(connection, ADA, 1, SearchStems=f"like\n{MARK} tea\ncake")
    note_context.fall_back(connection, ADA, message_ids=[1], now=NOON)
    assert row_of(connection, row_id).SearchStems == f"like tea {MARK}"
