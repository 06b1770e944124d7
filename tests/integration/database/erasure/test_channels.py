"""Messages by channel, and what goes with a deleted channel: exactly these rows."""

from datetime import timedelta

from sqlalchemy import select

from tests.fakes.builders import ADA, BOB, GUILD, KITH_ID, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from utils.database.erasure import channels
from utils.database.erasure.deletion import delete_of_channels
from utils.database.privacy.tombstones import FINAL_REVISION
from utils.database.schema.memory_tables import (
    episode,
    episode_summary,
    memory_event,
    memory_evidence,
    metadata,
    user_memory,
)
from utils.models.memory import NO_MESSAGE, EventState, Member, Method, Role
from utils.models.transfer import BY_COMMAND

EVENT = memory_event.c
KITH = Member(GUILD, KITH_ID)
OTHER_GUILD = ELSEWHERE.guild_id
HOUR = timedelta(hours=1)


def test_the_last_revision_of_a_message(connection):
    for revision, text, state in (
        (0, "tea", EventState.PENDING),
        (7, "", EventState.IMPORTED),
        (3, "cake", EventState.DONE),
    ):
        row = {"MessageId": 1, "Revision": revision, "Text": text, "State": state}
        add(connection, memory_event, **by(ADA), **row)
    add(connection, memory_event, **by(BOB), MessageId=2, Text="so", State=EventState.DONE)
    add(connection, memory_event, **by(BOB), MessageId=3, Text="so", State=EventState.OVERHEARD)
    add(connection, memory_event, **by(ELSEWHERE), MessageId=4)
    last = channels.load_last_revision
    assert last(connection, GUILD, 1) == channels.LastRevision(ADA.user_id, 7, "", is_talk=False)
    second, third = last(connection, GUILD, 2), last(connection, GUILD, 3)
    assert (second.author_id, second.text, second.is_talk) == (BOB.user_id, "so", True)
    assert third.is_talk is False
    assert last(connection, GUILD, 4) is None


def test_an_empty_revision_follows_members_messages_alone(connection):
    for author, message_id, revision, role in (
        *((ADA, 1, 0, Role.MEMBER), (ADA, 1, 3, Role.MEMBER), (KITH, 2, 0, Role.KITH)),
        *((ADA, 3, FINAL_REVISION, Role.MEMBER), (ELSEWHERE, 1, 0, Role.MEMBER)),
        *((ADA, 4, 0, Role.MEMBER), (ADA, 5, 8, Role.MEMBER), (ADA, 6, 9, Role.MEMBER)),
    ):
        row = {"MessageId": message_id, "Revision": revision, "Role": role, "ChannelId": message_id}
        add(connection, memory_event, **by(author), **row)
    fields = EVENT.GuildId, EVENT.MessageId, EVENT.Revision
    before = stored(connection, *fields)
    channels.mark_erased(connection, GUILD, [1, 2, 3])
    added = [(GUILD, 1, FINAL_REVISION)]
    assert stored(connection, *fields) == sorted(before + added)
    channels.mark_erased(connection, GUILD, [5, 6], revision=9)
    added.append((GUILD, 5, 9))
    assert stored(connection, *fields) == sorted(before + added)
    row = connection.execute(
        select(memory_event).where(EVENT.Revision == FINAL_REVISION, EVENT.MessageId == 1)
    ).one()
    assert (row.Text, row.Stems, row.AuthorName) == ("", "", "")
    assert (row.ChannelId, row.AuthorId, row.CreatedAt) == (1, ADA.user_id, NOON)


def test_an_empty_revision_is_done_but_keeps_where_the_message_came_from(connection):
    for message_id, state in enumerate(EventState, 1):
        add(connection, memory_event, **by(ADA), MessageId=message_id, Revision=0, State=state)
    channels.mark_erased(connection, GUILD, range(1, 9))
    rows = connection.execute(select(memory_event).where(EVENT.Revision == FINAL_REVISION))
    after = {row.MessageId: row.State for row in rows}
    assert {state: after[n] for n, state in enumerate(EventState, 1)} == {
        **dict.fromkeys(EventState, EventState.DONE),
        EventState.OVERHEARD: EventState.OVERHEARD,
        EventState.IMPORTING: EventState.IMPORTED,
        EventState.IMPORTED: EventState.IMPORTED,
    }


def test_channels_with_messages_and_their_newest_revisions(connection):
    for guild_id, channel_id, message_id, revision, text in (
        *((1, 100, 1, 0, "tea"), (1, 100, 1, 5, "cake"), (1, 100, 4, 2, "milk")),
        *((1, 100, 6, 0, ""), (1, 100, 9, NO_MESSAGE, "asked"), (1, 100, 2, 0, "so")),
        *((1, 200, 5, 0, "tea"), (9, 100, 3, 0, "tea"), (9, 300, 8, 0, "")),
        *((9, 400, 7, NO_MESSAGE, "asked"), (9, 100, 10, 0, "tea")),
    ):
        place = {"GuildId": guild_id, "ChannelId": channel_id, "AuthorId": 10}
        row = {"MessageId": message_id, "Revision": revision, "Text": text}
        add(connection, memory_event, **place, **row)
    assert channels.with_messages(connection) == [(9, 100), (1, 200), (1, 100)]
    before = channels.revisions_before
    assert before(connection, 1, 100, None, 9) == {4: 2, 2: 0, 1: 5}
    assert before(connection, 1, 100, None, 2) == {4: 2, 2: 0}
    assert before(connection, 1, 100, 4, 9) == {2: 0, 1: 5}
    assert before(connection, 1, 100, 1, 9) == {}


def test_questions_asked_with_a_command_are_found_by_their_answers(connection):
    for message_id, revision, member in (
        *((1, NO_MESSAGE, ADA), (2, 0, ADA), (3, NO_MESSAGE, ADA), (4, NO_MESSAGE, ADA)),
        *((5, NO_MESSAGE, ADA), (1, NO_MESSAGE, ELSEWHERE), (6, NO_MESSAGE, ELSEWHERE)),
    ):
        add(connection, memory_event, **by(member), MessageId=message_id, Revision=revision)
    for message_id, question_id, text, role in (
        *((11, 1, "so", Role.KITH), (12, 2, "so", Role.KITH), (13, 3, "", Role.KITH)),
        *((14, 4, "so", Role.MEMBER), (15, 5, "so", Role.KITH), (16, 6, "so", Role.KITH)),
        (17, 1, "so", Role.KITH),
    ):
        row = {"MessageId": message_id, "ReplyToId": question_id, "Text": text, "Role": role}
        add(connection, memory_event, **by(KITH), **row)
    answers = [11, 12, 13, 14, 16]
    assert channels.questions_by_command(connection, GUILD, answers) == [1]
    assert channels.questions_by_command(connection, GUILD, [*answers, 15]) == [1, 5]
    assert channels.questions_by_command(connection, OTHER_GUILD, answers) == []


def test_messages_of_channels_threads_and_evidence(connection):
    for guild_id, channel_id, source_id, message_id in (
        *((1, 100, 100, 1), (1, 150, 100, 2), (1, 200, 250, 3), (9, 100, 100, 4)),
        (1, 100, 300, 9),
    ):
        place = {"GuildId": guild_id, "ChannelId": channel_id, "SourceId": source_id}
        add(connection, memory_event, **place, AuthorId=10, MessageId=message_id)
    for guild_id, channel_id, message_id, method in (
        *((1, 100, 5, Method.MODEL), (1, 100, 6, Method.EXPLICIT), (1, 200, 7, Method.MODEL)),
        *((9, 100, 8, Method.MODEL), (1, 100, 1, Method.MODEL)),
    ):
        row = {"GuildId": guild_id, "ChannelId": channel_id, "MessageId": message_id}
        add(connection, memory_evidence, **row, Method=method, Model=BY_COMMAND)
    assert channels.messages_in(connection, 1, [100], 99) == [1, 2, 5, 9]
    assert channels.messages_in(connection, 1, [100, 250], 99) == [1, 2, 3, 5, 9]
    assert len(channels.messages_in(connection, 1, [100, 250], 2)) == 2
    assert channels.messages_in(connection, 9, [100], 1) in ([4], [8])
    assert channels.delete_messages(connection, 1, {1, 2, 77}) == 2
    assert stored(connection, EVENT.MessageId) == [3, 4, 9]
    assert channels.delete_messages(connection, 9, [4]) == 1


def test_a_memory_moves_to_where_the_member_repeated_it_last(connection):
    rows = {}
    for name, member, channel_id, messages in (
        ("moved", ADA, 100, ((1, 100), (2, 300), (3, 400))),
        ("said nowhere else", ADA, 100, ((1, 100), (4, 200))),
        ("elsewhere already", ADA, 300, ((3, 400),)),
        ("another member's", BOB, 100, ((2, 300),)),
        ("in another server", ELSEWHERE, 100, ((2, 300),)),
    ):
        rows[name] = add(connection, user_memory, **of(member), ChannelId=channel_id)
        for message_id, source_id in messages:
            whose = {"GuildId": member.guild_id, "MessageId": message_id}
            add(connection, memory_evidence, MemoryId=rows[name], **whose)
            if not connection.execute(select(EVENT.Id).filter_by(**whose)).first():
                place = {"ChannelId": 1, "SourceId": source_id, "AuthorId": member.user_id}
                add(connection, memory_event, **whose, **place)
    elsewhere_too = {"GuildId": OTHER_GUILD, "AuthorId": 10, "SourceId": 500}
    add(connection, memory_event, **elsewhere_too, MessageId=1)
    channels.move_to_later_channels(connection, ADA, [100, 200])
    places = dict(stored(connection, user_memory.c.Id, user_memory.c.ChannelId))
    assert {name: places[row_id] for name, row_id in rows.items()} == {
        "moved": 400,
        "said nowhere else": 100,
        "elsewhere already": 300,
        "another member's": 100,
        "in another server": 100,
    }


def test_only_what_belongs_to_the_channel_goes_with_it(connection):
    places = [(GUILD, 100), (GUILD, 200), (GUILD, 300), (OTHER_GUILD, 100)]
    tables = [
        table
        for table in metadata.sorted_tables
        if {"GuildId", "ChannelId"} <= {*table.c.keys()} and "EventId" not in table.c
    ]
    episodes = {}
    for table in tables:
        for guild_id, channel_id in places:
            row = {"GuildId": guild_id, "ChannelId": channel_id}
            row |= {name: channel_id for name in ("PlaceId", "SourceId") if name in table.c}
            if table is episode_summary:
                row["EpisodeId"] = episodes[guild_id, channel_id]
            row_id = add(connection, table, **row)
            if table is episode:
                episodes[guild_id, channel_id] = row_id
    delete_of_channels(connection, GUILD, [100, 200])
    left = {table.name: stored(connection, table.c.GuildId, table.c.ChannelId) for table in tables}
    assert {name for name, rows in left.items() if rows == places[2:]} == {
        *("ChannelMode", "ChannelPurpose", "ChannelState", "Episode", "EpisodeSummary"),
        "HistoryImport",
        *("MessageScore", "ModelChoice", "NoteMark", "SpeakingPlace", "Tension", "WaitingMessage"),
        "WatchedChannel",
    }
    kept = {"MemoryEvent", "MemoryEvidence", "UserMemory", "Artifact", "OpenLoop"}
    assert {name for name, rows in left.items() if rows == places} == kept | {
        *("AnswerRemoval", "ErasureLedger", "PendingAnswer"),
    }
