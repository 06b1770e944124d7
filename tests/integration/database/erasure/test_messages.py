"""Erasing messages and members: which answers, attachments and notes go with them."""

import pytest
from sqlalchemy import select

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, KITH_ID, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from utils.database.erasure import messages
from utils.database.erasure.deletion import delete_expired, delete_said_up_to
from utils.database.erasure.dependants import Erased
from utils.database.schema.memory_tables import (
    alert_message,
    answer_removal,
    answer_source,
    artifact,
    artifact_text,
    episode_member,
    episode_summary,
    loop_source,
    memory_context,
    memory_event,
    memory_evidence,
    message_score,
    open_loop,
    shadow_recall,
    tombstone,
    user_memory,
    waiting_message,
)
from utils.models.memory import SERVER_USER_ID, Form, Member, Role, Status
from utils.models.provenance import SourceKind, SourceRole

EVENT, SOURCE, MEMORY, LOOP = memory_event.c, answer_source.c, user_memory.c, open_loop.c
KITH = Member(GUILD, KITH_ID)
KITH_ELSEWHERE = Member(ELSEWHERE.guild_id, KITH_ID)
SERVER = Member(GUILD, SERVER_USER_ID)


def say(connection, member, message_id, text="a walrus", **values):
    """Store a message of a member; returns its database id."""
    row = {"MessageId": message_id, "Text": text, "Role": Role.MEMBER} | values
    return add(connection, memory_event, **by(member), **row)


def answer(connection, message_id, to_id=None, text="so it is", *sources, kith=KITH, **values):
    """Store an answer of Kith's with its sources (kind, id, role, user id); returns its id."""
    values = {"Role": Role.KITH, "ReplyToId": to_id} | values
    event_id = say(connection, kith, message_id, text, **values)
    for kind, source_id, role, user_id in sources:
        row = {"Kind": kind, "SourceId": source_id, "Role": role, "UserId": user_id}
        add(connection, answer_source, EventId=event_id, GuildId=kith.guild_id, **row)
    return event_id


def said(message_id, user_id):
    return SourceKind.MESSAGE, message_id, SourceRole.SAID, user_id


def recalled(message_id, user_id):
    return SourceKind.MESSAGE, message_id, SourceRole.RECALLED, user_id


def texts(connection, guild_id=GUILD):
    """Return the texts of a server's messages, by message."""
    rows = connection.execute(select(memory_event).where(EVENT.GuildId == guild_id))
    return {row.MessageId: row.Text for row in rows}


def removed_posts(connection):
    return stored(connection, answer_removal.c.MessageId)


def attach(connection, member, message_id, text="a zebra"):
    artifact_id = add(connection, artifact, **of(member), MessageId=message_id)
    add(connection, artifact_text, **of(member), ArtifactId=artifact_id, Text=text)
    return artifact_id


# --- messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("is_deleted", [False, True])
def test_an_erased_message_takes_its_answers_and_leaves_others_words(connection, is_deleted):
    say(connection, ADA, 1)
    say(connection, ADA, 2, "a yak")
    say(connection, BOB, 3, ReplyToId=1)
    say(connection, ELSEWHERE, 1)
    attached = [attach(connection, ADA, n) for n in (1, 3)]
    answer(connection, 11, 1, "The walrus sang.")
    answer(connection, 12, 1, "The zebra sang.")
    answer(connection, 13, 2, "The ape sang.")
    answer(connection, 14, 1)
    answer(connection, 15, 3, "The walrus sang.")
    answer(connection, 16, 1, "The walrus sang.", kith=KITH_ELSEWHERE)
    messages.erase(
        connection,
        GUILD,
        [1, 2],
        NOON,
        memories=Erased(words=frozenset({"ape"})),
        is_deleted=is_deleted,
    )
    assert texts(connection) == {
        **dict.fromkeys((1, 2, 11, 12, 13, 14), ""),
        3: "a walrus",
        15: "The walrus sang.",
    }
    assert texts(connection, ELSEWHERE.guild_id) == {1: "a walrus", 16: "The walrus sang."}
    assert removed_posts(connection) == [11, 12, 13, *([14] if is_deleted else [])]
    assert stored(connection, artifact.c.Id) == attached[1:]


def test_an_edit_erases_the_words_that_it_does_not_leave(connection):
    say(connection, ADA, 1, "a walrus and a yak")
    attached = attach(connection, ADA, 1, "tea")
    answer(connection, 11, 1, "The walrus sang.")
    answer(connection, 12, 1, "The yak sang.")
    answer(connection, 13, None, "The walrus sang.", said(1, 10))
    answer(connection, 14, None, "The yak sang.", said(1, 10))
    messages.erase(connection, GUILD, [1], NOON, new_text="a walrus", keeps_attachments=True)
    assert set(texts(connection).values()) == {""}
    assert removed_posts(connection) == [12, 14]
    assert stored(connection, artifact.c.Id) == [attached]


def test_what_rests_on_an_erased_message_its_memories_and_its_answers_goes(connection):
    say(connection, ADA, 1, EpisodeId=30)
    answer(connection, 11, 1, EpisodeId=31)
    for episode_id in (30, 31, 32):
        add(connection, episode_summary, EpisodeId=episode_id)
        source = SourceKind.EPISODE, episode_id, SourceRole.RECALLED, 0
        answer(connection, 40 + episode_id, None, "The walrus sang.", source)
    source = SourceKind.MEMORY, 7, SourceRole.RECALLED, 10
    answer(connection, 60, None, "so", source)
    answer(connection, 61, None, "so", (SourceKind.MEMORY, 8, SourceRole.RECALLED, 10))
    loops = [add(connection, open_loop, **of(BOB), MessageId=n) for n in (1, 11, 12)]
    lore = add(connection, user_memory, **of(SERVER), Status=Status.ACTIVE)
    add(connection, memory_evidence, MemoryId=lore, MessageId=1)
    messages.erase(connection, GUILD, [1], NOON, memories=Erased(memory_ids=[7]))
    standing = {72: "The walrus sang.", 61: "so"}
    assert texts(connection) == {**dict.fromkeys((1, 11, 70, 71, 60), ""), **standing}
    assert removed_posts(connection) == [60, 70, 71]
    assert stored(connection, episode_summary.c.EpisodeId) == [32]
    assert stored(connection, LOOP.Id) == loops[2:]
    assert stored(connection, MEMORY.Id) == []


def test_only_a_deleted_answer_of_kith_loses_its_sources(connection):
    events = [answer(connection, n, None, "so", said(5, 20)) for n in (11, 12)]
    messages.erase(connection, GUILD, [11], NOON, is_deleted=True)
    messages.erase(connection, GUILD, [12], NOON)
    assert stored(connection, SOURCE.EventId) == events[1:]
    assert set(texts(connection).values()) == {""}


def test_which_messages_are_stored_and_which_are_the_newest(connection):
    ids = [say(connection, ADA, n, text) for n, text in ((3, ""), (1, "so"), (5, "so"))]
    say(connection, BOB, 7)
    say(connection, ELSEWHERE, 9)
    is_any = messages.is_any_stored
    assert [is_any(connection, GUILD, given) for given in ([3], [8, 5], [9], [])] == [
        *(True, True, False, False),
    ]
    newest = messages.newest_of
    assert newest(connection, ADA, 9, messages.MAX_MESSAGE_ID) == [5, 1, 3]
    assert newest(connection, ADA, 2, messages.MAX_MESSAGE_ID) == [5, 1]
    assert newest(connection, ADA, 9, 3) == [1, 3]
    assert [messages.has_after(connection, ADA, n) for n in (4, 5)] == [True, False]
    last_id = messages.last_id
    assert [last_id(connection, n) for n in (GUILD, ELSEWHERE.guild_id, 77)] == [7, 9, 0]
    add(connection, memory_evidence, GuildId=GUILD, MessageId=12)
    add(connection, memory_evidence, GuildId=77, MessageId=2)
    assert [last_id(connection, n) for n in (GUILD, 77)] == [12, 2]
    connection.execute(memory_event.delete().where(EVENT.Id == ids[0]))
    assert delete_expired(connection, "MemoryEvent", NOON, 1).total() == 1


def test_the_rest_of_a_members_messages_goes_up_to_one(connection):
    tables = (open_loop, shadow_recall, tombstone, waiting_message, message_score, alert_message)
    for table in tables:
        for member, message_id in ((ADA, 4), (ADA, 5), (ADA, 6), (BOB, 3), (ELSEWHERE, 2)):
            add(connection, table, **of(member), MessageId=message_id)
    delete_said_up_to(connection, ADA, 5, NOON)
    for table in tables:
        assert stored(connection, table.c.MessageId) == [2, 3, 6]


# --- members ------------------------------------------------------------------------------------


def test_a_members_messages_go_with_the_answers_to_and_about_them(connection):
    say(connection, ADA, 1)
    say(connection, ADA, 2, "a yak")
    say(connection, BOB, 3, "some tea", ReplyToId=1)
    say(connection, BOB, 4, AboutIds=" 10 ")
    say(connection, ELSEWHERE, 5)
    for message_id, *given in (
        (11, 1, "The walrus sang."),
        (12, 1, "Well.", said(3, 0)),
        (13, None, "so", recalled(9, 10)),
        (14, None, "A yak!", said(2, 10)),
        (15, None, "A yak!", said(2, 20)),
        (16, 3, "The walrus sang."),
        (17, None, "so", said(2, 10), said(3, SERVER_USER_ID)),
        (18, 1, "The yak sang.", said(3, 20)),
        (25, 1, "Hm.", recalled(3, 20)),
        (26, 5, "The walrus sang."),
        (19, None, "so", recalled(1, 10), said(2, 10)),
    ):
        answer(connection, message_id, *given)
    answer(connection, 20, 3, AboutIds=" 20 10 ")
    answer(connection, 21, 3, AboutIds=" 110 ")
    answer(connection, 22, 5, "so", recalled(1, 10), kith=KITH_ELSEWHERE, AboutIds=" 10 ")
    both = answer(connection, 23, 1, "Hm.", said(2, 10), said(3, 20), AboutIds=" 10 ", EpisodeId=9)
    from_both = answer(connection, 24, None, "Hm.", recalled(2, 10), said(3, 20))
    assert messages.erase_member(connection, ADA, NOON) == 2
    assert texts(connection) == {
        3: "some tea",
        4: "a walrus",
        15: "A yak!",
        16: "The walrus sang.",
        18: "",
        21: "so it is",
        26: "The walrus sang.",
        **dict.fromkeys((23, 25), ""),
    }
    assert texts(connection, ELSEWHERE.guild_id) == {5: "a walrus", 22: "so"}
    assert removed_posts(connection) == [11, 13, 14, 19, 24]
    row = connection.execute(select(memory_event).where(EVENT.Id == both)).one()
    assert (row.AboutIds, row.ReplyToId, row.EpisodeId) == ("", None, 0)
    sources = stored(connection, SOURCE.EventId, SOURCE.UserId)
    assert (both, 20) in sources and (both, 10) not in sources
    assert not any(event_id == from_both for event_id, _ in sources)


def test_what_was_made_of_a_members_messages_goes_with_them(connection):
    say(connection, ADA, 1, EpisodeId=30)
    say(connection, BOB, 2, EpisodeId=31)
    answer(connection, 11, 1, EpisodeId=32)
    answer(connection, 12, 1, "so", said(2, 20), EpisodeId=33)
    for episode_id in (30, 31, 32, 33):
        add(connection, episode_summary, EpisodeId=episode_id)
        source = SourceKind.EPISODE, episode_id, SourceRole.RECALLED, 0
        answer(connection, 40 + episode_id, None, "so", source)
    tables = (artifact, open_loop, shadow_recall, tombstone)
    for table in tables:
        for member, message_id in ((ADA, 1), (ADA, 90), (BOB, 2), (ELSEWHERE, 1)):
            add(connection, table, **of(member), MessageId=message_id)
    for member in (ADA, BOB, ELSEWHERE):
        add(connection, episode_member, **of(member), EpisodeId=30)
    notes = []
    for message_id, memory_id in ((1, 0), (2, 0)):
        notes.append(add(connection, user_memory, **of(BOB), Status=Status.ACTIVE))
        add(connection, memory_evidence, MemoryId=notes[-1], MessageId=80, Quote="I like tea.")
        context = {"ContextMessageId": message_id, "ContextMemoryId": memory_id}
        add(connection, memory_context, GuildId=GUILD, MemoryId=notes[-1], **context)
    lore = [add(connection, user_memory, **of(SERVER), Status=Status.ACTIVE) for _ in range(2)]
    for memory_id, message_id in zip(lore, (1, 2), strict=True):
        add(connection, memory_evidence, MemoryId=memory_id, MessageId=message_id)
    messages.erase_member(connection, ADA, NOON)
    assert stored(connection, episode_summary.c.EpisodeId) == [31]
    assert {n: text for n, text in texts(connection).items() if n > 69} == {
        **dict.fromkeys((70, 72, 73), ""),
        71: "so",
    }
    for table in (*tables, episode_member):
        left = stored(connection, table.c.GuildId, table.c.UserId)
        assert left == [(GUILD, 20), (ELSEWHERE.guild_id, 10)], table.name
    forms = dict(stored(connection, MEMORY.Id, MEMORY.Form))
    assert forms == {notes[0]: Form.QUOTE, notes[1]: Form.NOTE, lore[1]: Form.NOTE}


def test_answers_that_inherit_a_summary_go_on_discord_with_words_of_the_member(connection):
    """The words are those of their messages, of the attachments, and of memories Kith repeated."""
    say(connection, ADA, 1, EpisodeId=30)
    attached = add(connection, artifact, **of(ADA), MessageId=1)
    add(connection, artifact_text, **of(ADA), ArtifactId=attached, Text="a yak")
    note = add(connection, user_memory, **of(ADA), Status=Status.ACTIVE, Memory="has a zebra")
    from_note = SourceKind.MEMORY, note, SourceRole.RECALLED, 10
    answer(connection, 11, None, "A zebra!", from_note, AboutIds=" 10 ", EpisodeId=31)
    for member in (ADA, BOB):
        add(connection, episode_member, **of(member), EpisodeId=30)

    def inherit(episode_id):
        return SourceKind.EPISODE, episode_id, SourceRole.INHERITED, 0

    for message_id, text, *given in (
        *((12, "The walrus sang.", inherit(30)), (13, "The yak sang.", inherit(30))),
        *((14, "The zebra sang.", inherit(31)), (15, "The tea sang.", inherit(30))),
        (16, "The walrus sang.", inherit(39)),
    ):
        answer(connection, message_id, None, text, *given)
    about = answer(connection, 17, None, "Hm.", inherit(30), AboutIds=" 10 20 ")
    messages.erase_member(connection, ADA, NOON)
    assert removed_posts(connection) == [11, 12, 13, 14]
    assert {n: text for n, text in texts(connection).items() if n > 14} == {
        **dict.fromkeys((15, 17), ""),
        16: "The walrus sang.",
    }
    assert (about, 0) in stored(connection, SOURCE.EventId, SOURCE.UserId)


def test_some_of_a_members_messages_leave_what_belongs_to_the_others(connection):
    for message_id, text in ((1, "a walrus"), (2, "a yak"), (3, "a yak")):
        say(connection, ADA, message_id, text)
    say(connection, BOB, 4, "tea")
    for message_id, *given in (
        (11, 1, "The walrus sang."),
        (12, 2, "The yak sang."),
        (13, None, "so", recalled(2, 10)),
        (14, None, "so", recalled(1, 10)),
        (15, None, "so", (SourceKind.MEMORY, 2, SourceRole.RECALLED, 10)),
        (16, None, "Hm.", said(3, 10), said(4, 20)),
    ):
        answer(connection, message_id, *given)
    answer(connection, 17, 4, AboutIds=" 10 ")
    elsewhere = answer(connection, 18, 2, "so", recalled(2, 10), kith=KITH_ELSEWHERE)
    kept = [
        add(connection, table, **of(ADA), MessageId=1)
        for table in (artifact, open_loop, shadow_recall)
    ]
    add(connection, artifact, **of(ADA), MessageId=2)
    add(connection, tombstone, **of(ADA), MessageId=2)
    add(connection, episode_member, **of(ADA))
    assert add(connection, open_loop, **of(BOB), MessageId=12) not in kept
    assert messages.erase_member(connection, ADA, NOON, only=[2]) == 1
    assert {*texts(connection)} == {1, 3, 4, 11, 14, 15, 16, 17}
    assert removed_posts(connection) == [12, 13]
    assert {*texts(connection).values()}.isdisjoint({""})
    assert elsewhere in stored(connection, EVENT.Id)
    tables = (artifact, open_loop, shadow_recall)
    assert [stored(connection, table.c.Id) for table in tables] == [[row_id] for row_id in kept]
    assert stored(connection, tombstone.c.MessageId) == [2]
    assert stored(connection, episode_member.c.UserId) == [10]


def test_open_loops_of_others_that_repeat_a_members_words_go(connection):
    say(connection, ADA, 1)
    say(connection, BOB, 2)
    say(connection, ELSEWHERE, 3)
    loops = {}
    for name, member, message_id in (
        *(("of hers", BOB, 1), ("of his own", BOB, 2), ("of another server", BOB, 3)),
        ("elsewhere", Member(ELSEWHERE.guild_id, BOB.user_id), 1),
    ):
        loops[name] = add(connection, open_loop, **of(member), MessageId=90, ChannelId=CHANNEL)
        row = {"LoopId": loops[name], "MessageId": message_id, "GuildId": member.guild_id}
        add(connection, loop_source, **row)
    messages.erase_member(connection, ADA, NOON, only=[99])
    kept = stored(connection, LOOP.Id)
    assert {name for name, row_id in loops.items() if row_id in kept} == loops.keys() - {"of hers"}
