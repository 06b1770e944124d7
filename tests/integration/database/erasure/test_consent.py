"""A change of consent: which rows end earlier or later by it, and which do not."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from tests.fakes.builders import ADA, BOB, GUILD, KITH_ID, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from utils.database.erasure import consent
from utils.database.schema.memory_tables import (
    answer_removal,
    answer_source,
    artifact,
    artifact_text,
    episode_member,
    episode_summary,
    memory_audit,
    memory_event,
    memory_evidence,
    open_loop,
    passive_refusal,
    roast_refusal,
    user_memory,
    user_state,
)
from utils.models.memory import SERVER_USER_ID, Consent, Form, Kind, Member, Role, Status
from utils.models.provenance import SourceKind
from utils.models.transfer import MemberChoices

DAY = timedelta(days=1)
MAX_AGE = 30 * DAY
KITH = Member(GUILD, KITH_ID)
SERVER = Member(GUILD, SERVER_USER_ID)
STATE, MEMORY, EVENT = user_state.c, user_memory.c, memory_event.c
AGES = (
    (0, None, 30),
    (10, None, 20),
    (10, 50, 20),
    (10, 20, 20),
    (10, 5, 5),
    (29, None, 1),
)
"""Days since something was said, until it ended, and until it ends with a shorter consent."""


def ends_in(connection, table):
    """Return in how many days each row of a table ends, by its id."""
    ends = connection.execute(select(table.c.Id, table.c.ExpiresAt))
    return {row_id: None if at is None else (at - NOON) / DAY for row_id, at in ends}


def in_days(days):
    return None if days is None else NOON + days * DAY


def shorten(connection):
    consent.shorten_lifetimes(connection, ADA, MAX_AGE, now=NOON)


def versions(connection):
    return {
        Member(guild_id, user_id): version
        for guild_id, user_id, version in stored(
            connection, STATE.GuildId, STATE.UserId, STATE.MemoryVersion
        )
    }


# --- choices ------------------------------------------------------------------------------------


def test_what_a_member_chose_and_the_defaults_of_who_did_not(connection):
    chosen = {"PassiveOptIn": True, "TimeZone": "UTC", "NeverFirst": True, "NotFindable": True}
    add(connection, user_state, **of(ADA), Consent=Consent.LASTING, **chosen)
    add(connection, user_state, **of(BOB))
    carl = Member(GUILD, 30)
    for member in (ADA, carl):
        add(connection, roast_refusal, **of(member))
    for member in (BOB, carl):
        add(connection, passive_refusal, **of(member))
    load = consent.load_choices
    everything = MemberChoices(Consent.LASTING, True, True, False, "UTC", True, None, True)
    assert load(connection, ADA) == everything
    assert load(connection, BOB) == MemberChoices(passive_opt_out=True)
    assert load(connection, carl) == MemberChoices(refuses_roasts=True, passive_opt_out=True)
    assert load(connection, ELSEWHERE) == MemberChoices()


def test_a_refusal_locks_the_servers_row_and_a_wish_does_not(connection):
    for member in (ADA, BOB, ELSEWHERE, SERVER):
        add(connection, user_state, **of(member), MemoryVersion=1, PassiveOptIn=member == BOB)
    opted_in = STATE.GuildId, STATE.UserId, STATE.PassiveOptIn
    consent.set_passive(connection, ADA, opt_in=True)
    assert (GUILD, 10, True) in stored(connection, *opted_in)
    assert (ELSEWHERE.guild_id, 10, False) in stored(connection, *opted_in)
    assert set(versions(connection).values()) == {1}
    consent.set_passive(connection, ADA, opt_in=False)
    assert stored(connection, *opted_in) == [
        *((GUILD, 0, False), (GUILD, 10, False), (GUILD, 20, True), (9, 10, False)),
    ]
    assert versions(connection)[SERVER] == 2
    assert stored(connection, passive_refusal.c.GuildId, passive_refusal.c.UserId) == [(GUILD, 10)]
    consent.set_passive(connection, ADA, opt_in=True)
    assert stored(connection, passive_refusal.c.UserId) == []


# --- a shorter consent --------------------------------------------------------------------------


def test_memories_end_a_while_after_they_were_last_said(connection):
    expected = {}
    for member in (ADA, BOB, ELSEWHERE):
        for said, ends, ends_after in (*AGES, (30, None, 0), (40, 90, -10), (40, -20, -20)):
            times = {"LastConfirmedAt": NOON - said * DAY, "ExpiresAt": in_days(ends)}
            row_id = add(connection, user_memory, **of(member), **times)
            if member != ADA:
                expected[row_id] = ends
            elif ends_after > 0 or ends == ends_after:  # what had ended before ends by itself
                expected[row_id] = ends_after
    lore = [add(connection, user_memory, **of(SERVER), Status=Status.ACTIVE) for _ in range(2)]
    for row_id, message_id, member in ((lore[0], 1, ADA), (lore[1], 2, BOB)):
        add(connection, memory_evidence, MemoryId=row_id, MessageId=message_id)
        add(connection, memory_event, **by(member), MessageId=message_id)
    shorten(connection)
    assert ends_in(connection, user_memory) == {**expected, lore[1]: None}
    audit = memory_audit.c
    actions = stored(connection, audit.Action, audit.ActorId)
    assert actions == [*[("expired", ADA.user_id)] * 2, ("retracted", 0)]


def test_messages_and_their_answers_end_earlier_and_old_ones_go(connection):
    expected, message_id = {}, 100
    for member in (ADA, BOB, ELSEWHERE):
        kith = Member(member.guild_id, KITH_ID)
        for said, ends, ends_after in (*AGES, (30, 60, None), (40, 90, None)):
            message_id += 10
            times = {
                "CreatedAt": NOON - said * DAY,
                "ExpiresAt": in_days(100 if ends is None else ends),
            }
            for author, given in (
                (member, {"MessageId": message_id}),
                (kith, {"MessageId": message_id + 1, "ReplyToId": message_id, "Role": Role.KITH}),
                (
                    Member(member.guild_id, 30),
                    {"MessageId": message_id + 2, "ReplyToId": message_id},
                ),
                (kith, {"MessageId": message_id + 3, "ReplyToId": 7, "Role": Role.KITH}),
            ):
                row_id = add(connection, memory_event, **by(author), **given, **times)
                is_hers = member == ADA and given["MessageId"] <= message_id + 1
                if not is_hers:
                    expected[row_id] = 100 if ends is None else ends
                elif ends_after is not None:
                    expected[row_id] = ends_after
    shorten(connection)
    assert ends_in(connection, memory_event) == expected


def test_old_messages_take_what_was_made_of_them(connection):
    for episode_id, member, days, role in (
        *((31, ADA, 30, Role.MEMBER), (32, ADA, 29, Role.MEMBER), (33, BOB, 40, Role.MEMBER)),
        (34, KITH, 40, Role.KITH),
    ):
        place = {"MessageId": episode_id, "EpisodeId": episode_id, "ReplyToId": 32}
        times = {"CreatedAt": NOON - days * DAY, "ExpiresAt": NOON + 300 * DAY}
        add(connection, memory_event, **by(member), **place, **times, Role=role)
        add(connection, episode_summary, EpisodeId=episode_id)
    answers = {}
    for source_id in (31, 32, 34):
        row = {"Role": Role.KITH, "Text": "so", "ExpiresAt": NOON + DAY, "CreatedAt": NOON}
        answers[source_id] = add(connection, memory_event, **by(KITH), **row, EpisodeId=None)
        source = {"EventId": answers[source_id], "SourceId": source_id, "Kind": SourceKind.EPISODE}
        add(connection, answer_source, **source)
    shorten(connection)
    assert stored(connection, episode_summary.c.EpisodeId) == [32, 33]
    texts = dict(stored(connection, EVENT.Id, EVENT.Text))
    assert [texts[answers[n]] for n in (31, 32, 34)] == ["", "so", ""]


def test_answers_end_with_the_first_of_the_words_they_rest_on(connection):
    """Days since the words were said, in days; an answer to Bob has them in its prompt."""
    for member, message_id, days in (
        *((ADA, 1, 10), (ADA, 2, 29), (ADA, 3, 31), (BOB, 4, 20), (ELSEWHERE, 1, 29)),
    ):
        times = {"CreatedAt": NOON - days * DAY, "ExpiresAt": NOON + 10 * DAY}
        add(connection, memory_event, **by(member), MessageId=message_id, **times)
    memory_ids = {
        days: add(connection, user_memory, **of(ADA), LastConfirmedAt=NOON - days * DAY)
        for days in (5, 25, 30)
    }
    message, memory, summary = SourceKind.MESSAGE, SourceKind.MEMORY, SourceKind.EPISODE
    for guild_id, episode_id, days in (
        *((GUILD, 201, 12), (GUILD, 201, 15), (GUILD, 202, 25), (9, 201, 29), (GUILD, 203, 40)),
    ):
        said = {"SaidFrom": NOON - days * DAY, "ExpiresAt": NOON}
        add(connection, episode_summary, GuildId=guild_id, EpisodeId=episode_id, **said)
    for member, episode_id in ((ADA, 201), (BOB, 201), (BOB, 202), (ELSEWHERE, 202), (ADA, 203)):
        add(connection, episode_member, **of(member), EpisodeId=episode_id)
    expected, overdue = {}, set()
    for ends_after, sources in (
        (20, [(message, 1, ADA)]),
        (1, [(message, 1, ADA), (message, 2, ADA)]),
        (1, [(message, 2, ADA), (message, 1, ADA), (memory, memory_ids[5], ADA)]),
        (25, [(memory, memory_ids[5], ADA)]),
        (5, [(memory, memory_ids[25], ADA), (message, 1, ADA)]),
        (100, [(message, 4, BOB)]),
        (100, [(message, 1, BOB)]),
        (100, [(message, memory_ids[5], ADA), (memory, 1, ADA)]),
        (-1, [(message, 3, ADA), (message, 1, ADA)]),
        (0, [(memory, memory_ids[30], ADA)]),
        (15, [(summary, 201, SERVER)]),
        (5, [(summary, 201, SERVER), (memory, memory_ids[25], ADA)]),
        (100, [(summary, 202, SERVER), (message, 201, ADA)]),
        (-10, [(summary, 203, SERVER)]),
        (100, [(summary, 70, SERVER)]),
    ):
        values = {"Role": Role.KITH, "CreatedAt": NOON, "ExpiresAt": NOON + 100 * DAY, "Text": "so"}
        row_id = add(connection, memory_event, **by(KITH), **values, EpisodeId=70 + ends_after)
        add(connection, episode_summary, EpisodeId=70 + ends_after)
        expected[row_id] = ends_after
        is_overdue = ends_after <= 0 or (summary, 70, SERVER) in sources
        overdue |= {row_id} if is_overdue else set()
        for kind, source_id, member in sources:
            source = {"Kind": kind, "SourceId": source_id, **of(member)}
            add(connection, answer_source, EventId=row_id, **source)
    in_other_server = {"Role": Role.KITH, "ExpiresAt": NOON + 100 * DAY, "CreatedAt": NOON}
    row_id = add(connection, memory_event, **by(Member(9, KITH_ID)), **in_other_server)
    source = {"Kind": message, "SourceId": 1, **of(ELSEWHERE)}
    add(connection, answer_source, EventId=row_id, **source)
    expected[row_id] = 100
    shorten(connection)
    ends = ends_in(connection, memory_event)
    assert {row_id: ends[row_id] for row_id in expected} == expected
    texts = dict(stored(connection, EVENT.Id, EVENT.Text))
    assert {row_id for row_id in expected if not texts[row_id]} == overdue
    assert {69, 70}.isdisjoint(stored(connection, episode_summary.c.EpisodeId))
    assert stored(connection, answer_removal.c.Id) == []


def test_attachments_loops_and_summaries_end_earlier(connection):
    expected = {artifact: {}, open_loop: {}, episode_summary: {}}
    for member in (ADA, BOB, ELSEWHERE):
        for said, ends, ends_after in AGES[2:5]:
            times = {"ExpiresAt": in_days(ends)}
            said_at = NOON - said * DAY
            rows = {
                artifact: {**of(member), "CreatedAt": said_at},
                open_loop: {**of(member), "CreatedAt": said_at},
                episode_summary: {"GuildId": member.guild_id, "SaidFrom": said_at},
            }
            for table, row in rows.items():
                is_summary = table is episode_summary
                row |= {"EpisodeId": member.user_id} if is_summary else {}
                row_id = add(connection, table, **row, **times)
                expected[table][row_id] = ends_after if member == ADA else ends
        add(connection, episode_member, **of(member), EpisodeId=member.user_id)
    shorten(connection)
    for table, ends in expected.items():
        assert ends_in(connection, table) == ends, table.name


@pytest.mark.parametrize(
    ("table", "values"),
    [
        (None, {}),
        (memory_event, {"AuthorId": ADA.user_id, "CreatedAt": NOON, "ExpiresAt": NOON + 31 * DAY}),
        (memory_event, {"AuthorId": ADA.user_id, "CreatedAt": NOON - 30 * DAY}),
        (artifact, {"UserId": ADA.user_id, "CreatedAt": NOON, "ExpiresAt": NOON + 31 * DAY}),
        (episode_summary, {"EpisodeId": 7, "SaidFrom": NOON, "ExpiresAt": NOON + 31 * DAY}),
        (memory_event, {"AuthorId": BOB.user_id, "CreatedAt": NOON, "ExpiresAt": NOON + 31 * DAY}),
        (memory_event, {"AuthorId": ADA.user_id, "CreatedAt": NOON, "ExpiresAt": NOON + 30 * DAY}),
    ],
)
def test_prepared_copies_are_invalid_where_shared_texts_end_earlier(connection, table, values):
    add(connection, user_state, **of(SERVER), MemoryVersion=1)
    add(connection, episode_member, **of(ADA), EpisodeId=7)
    if table is not None:
        add(connection, table, GuildId=GUILD, **values)
    shorten(connection)
    ends = values.get("ExpiresAt", NOON)
    is_unchanged = table is None or values.get("AuthorId") == BOB.user_id or ends == NOON + 30 * DAY
    assert versions(connection)[SERVER] == (1 if is_unchanged else 2)
    assert stored(connection, artifact_text.c.Id) == []


def test_prepared_copies_are_invalid_where_an_answer_ends_earlier(connection):
    add(connection, user_state, **of(SERVER), MemoryVersion=1)
    memory_id = add(connection, user_memory, **of(ADA), ExpiresAt=NOON + DAY)
    times = {"Role": Role.KITH, "CreatedAt": NOON, "ExpiresAt": NOON + 31 * DAY}
    answer_id = add(connection, memory_event, **by(KITH), **times)
    source = {"Kind": SourceKind.MEMORY, "SourceId": memory_id, **of(ADA)}
    add(connection, answer_source, EventId=answer_id, **source)
    shorten(connection)
    assert versions(connection)[SERVER] == 2


def test_a_lasting_consent_prolongs_what_only_the_shorter_one_limited(connection):
    expected = {}
    for member, said, ends, values, is_prolonged in (
        (ADA, 10, 20, {}, True),
        (ADA, 10, 20, {"Status": Status.SUPERSEDED}, True),
        (ADA, 10, 21, {}, False),
        (ADA, 10, 19, {}, False),
        (ADA, 10, None, {}, False),
        (ADA, 30, 0, {}, False),
        (ADA, 31, -1, {}, False),
        (ADA, 10, 20, {"Kind": Kind.TASK}, False),
        (ADA, 10, 20, {"Form": Form.QUOTE}, False),
        (ADA, 10, 20, {"Status": Status.FORGOTTEN}, False),
        (BOB, 10, 20, {}, False),
        (ELSEWHERE, 10, 20, {}, False),
    ):
        row = {"Kind": Kind.FACT, "Form": Form.NOTE, "Status": Status.ACTIVE} | values
        times = {"LastConfirmedAt": NOON - said * DAY, "ExpiresAt": in_days(ends)}
        expected[add(connection, user_memory, **of(member), **row, **times)] = (
            None if is_prolonged else ends
        )
    kinds = (Kind.FACT, Kind.PREFERENCE)
    consent.prolong_lifetimes(connection, ADA, MAX_AGE, kinds, now=NOON)
    assert ends_in(connection, user_memory) == expected
