"""Members and servers that are gone: which rows each unit of work chooses, and which it leaves."""

from datetime import timedelta

from sqlalchemy import select

from tests.fakes.builders import ADA, BOB, GUILD, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from utils.database.core.queries import BEFORE_ALL_MEMBERS
from utils.database.erasure import retention
from utils.database.erasure.deletion import delete_expired
from utils.database.privacy import erasure_ledger as ledger
from utils.database.schema.memory_tables import (
    account_link,
    erasure_ledger,
    event_embedding,
    guild_settings,
    memory_audit,
    memory_embedding,
    memory_event,
    memory_evidence,
    metadata,
    open_loop,
    passive_refusal,
    token_use,
    user_memory,
    user_state,
    watched_channel,
)
from utils.models.memory import DIRECT_MESSAGES, SERVER_USER_ID, Consent, Member, Role, Status
from utils.models.operator import Erasure, ErasureKind

OTHER_GUILD = ELSEWHERE.guild_id
BEFORE, AFTER = NOON - timedelta(seconds=1), NOON + timedelta(seconds=1)
STATE = user_state.c
WHOSE = STATE.GuildId, STATE.UserId


def add_everywhere(connection, member):
    """Store a row of a member in every table that names members, and of their server in others."""
    parents = {
        "EventId": add(connection, memory_event, **by(member)),
        "MemoryId": add(connection, user_memory, **of(member)),
        "LoopId": add(connection, open_loop, **of(member)),
    }
    filled = tables_of(connection, member.guild_id)
    for table in metadata.sorted_tables:
        if table in (user_memory, open_loop) or "GuildId" not in table.c:
            continue
        if "UserId" in table.c or table.name not in filled:
            keys = {key: value for key, value in of(member).items() if key in table.c}
            keys |= {key: parents[key] for key in parents if key in table.c}
            texts = {"Before": "said", "After": "says"} if table is memory_audit else {}
            add(connection, table, **keys, **texts)


def tables_of(connection, guild_id, user_id=None):
    """Return the names of the tables with rows of a server, or of a member there."""
    names = set()
    for table in metadata.sorted_tables:
        author = table.c.get("UserId", table.c.get("AuthorId"))
        if "GuildId" not in table.c or (user_id is not None and author is None):
            continue
        is_theirs = [table.c.GuildId == guild_id]
        is_theirs += [] if user_id is None else [author == user_id]
        if connection.execute(select(table).where(*is_theirs)).first():
            names.add(table.name)
    return names


def states(connection, *names):
    """Return some columns of every member's state, by member."""
    rows = stored(connection, *WHOSE, *(STATE[name] for name in names))
    return {Member(guild_id, user_id): values for guild_id, user_id, *values in rows}


# --- members ------------------------------------------------------------------------------------


def test_a_member_is_known_by_their_state_or_a_message(connection):
    add(connection, user_state, **of(ADA))
    add(connection, memory_event, **by(BOB))
    for member, is_known in (
        (ADA, True),
        (BOB, True),
        (ELSEWHERE, False),
        (Member(OTHER_GUILD, BOB.user_id), False),
        (Member(GUILD, 30), False),
    ):
        assert retention.is_known(connection, member) is is_known


def test_leaving_and_coming_back_concern_one_member(connection):
    for member, seen in ((ADA, AFTER), (BOB, NOON), (ELSEWHERE, BEFORE)):
        add(connection, user_state, **of(member), LastSeenAt=seen)
    retention.set_left(connection, ADA, BEFORE)
    assert states(connection, "LeftAt") == {ADA: [BEFORE], BOB: [None], ELSEWHERE: [None]}
    assert retention.last_seen(connection, ADA) == AFTER
    assert retention.last_seen(connection, Member(GUILD, 30)) is None
    retention.set_left(connection, ADA, None)
    assert states(connection, "LeftAt")[ADA] == [None]


def test_only_who_was_seen_after_leaving_has_returned(connection):
    for user_id, seen, left in (
        (1, AFTER, NOON),
        (2, NOON, NOON),
        (3, BEFORE, NOON),
        (4, None, NOON),
        (5, NOON, None),
    ):
        add(connection, user_state, **of(Member(GUILD, user_id)), LastSeenAt=seen, LeftAt=left)
    retention.clear_returned(connection)
    still_left = {
        member.user_id for member, (left,) in states(connection, "LeftAt").items() if left
    }
    assert still_left == {2, 3, 4}


def test_who_has_departed_by_their_leaving_or_by_a_year_of_silence(connection):
    """Two servers: the members of one have lasting consent by default."""
    long_ago = NOON - timedelta(days=365)
    for guild_id, default in ((GUILD, Consent.TEMPORARY), (OTHER_GUILD, Consent.LASTING)):
        add(connection, guild_settings, GuildId=guild_id, ConsentDefault=default)
    departed = set()
    for user_id, left, seen, chosen, is_departed in (
        (1, NOON, None, None, {GUILD, OTHER_GUILD, 77}),
        (2, NOON, NOON, None, {GUILD, OTHER_GUILD, 77}),
        (3, NOON, AFTER, None, ()),
        (4, AFTER, NOON, None, ()),
        (5, None, long_ago, None, {GUILD, 77}),  # 77 has no settings: its default is temporary
        (6, None, long_ago, Consent.LASTING, ()),
        (7, None, long_ago, Consent.OFF, {GUILD, OTHER_GUILD, 77}),
        (8, None, long_ago + timedelta(seconds=1), Consent.OFF, ()),
        (9, None, None, None, ()),
        (10, NOON, long_ago, Consent.LASTING, {GUILD, OTHER_GUILD, 77}),
    ):
        for guild_id in (GUILD, OTHER_GUILD, 77):
            member = Member(guild_id, user_id)
            times = {"LeftAt": left, "LastSeenAt": seen, "Consent": chosen}
            add(connection, user_state, **of(member), **times)
            departed |= {member} if guild_id in is_departed else set()

    def listed(after=BEFORE_ALL_MEMBERS, limit=99):
        return retention.list_departed(connection, NOON, long_ago, after, limit)

    everybody = sorted(departed)
    assert listed() == everybody
    assert listed(limit=2) == everybody[:2]
    assert listed(after=everybody[1], limit=2) == everybody[2:4]
    assert listed(after=everybody[-1]) == []


def test_who_was_not_seen_and_has_memories_or_messages_may_have_left(connection):
    unseen = []
    for user_id, seen, left, table, is_listed in (
        (1, None, None, user_memory, True),
        (2, NOON, None, memory_event, True),
        (3, AFTER, None, memory_event, False),
        (4, None, NOON, memory_event, False),
        (5, None, None, None, False),
    ):
        for guild_id in (DIRECT_MESSAGES, GUILD, OTHER_GUILD):
            member = Member(guild_id, user_id)
            add(connection, user_state, **of(member), LastSeenAt=seen, LeftAt=left)
            if table is not None:
                add(connection, table, **(by if table is memory_event else of)(member))
            if is_listed and guild_id != DIRECT_MESSAGES:
                unseen.append(member)
    for table, whose in ((user_memory, of), (memory_event, by)):  # of others in other servers
        add(connection, table, **whose(Member(77, 5)))
        add(connection, table, **whose(Member(GUILD, 6)))

    def listed(after=BEFORE_ALL_MEMBERS, limit=99):
        return retention.list_unseen(connection, NOON, after, limit)

    assert listed() == sorted(unseen)
    assert listed(limit=1) == sorted(unseen)[:1]
    assert listed(after=sorted(unseen)[0]) == sorted(unseen)[1:]


def test_the_servers_of_a_user_are_those_with_any_row_of_theirs(connection):
    expected = set()
    tables = [
        table for table in metadata.sorted_tables if {"GuildId", "UserId"} <= {*table.c.keys()}
    ]
    for guild_id, table in enumerate(tables, 100):
        if table not in (memory_embedding, event_embedding) and "EventId" not in table.c:
            add(connection, table, **of(Member(guild_id, ADA.user_id)))
            expected |= set() if table is erasure_ledger else {guild_id}
            add(connection, table, **of(Member(900 + guild_id, BOB.user_id)))
    add(connection, memory_event, **by(Member(50, ADA.user_id)))
    add(connection, memory_event, **by(Member(51, BOB.user_id)))
    add(connection, account_link, **of(Member(52, BOB.user_id)), OtherId=ADA.user_id)
    add(connection, account_link, **of(Member(53, BOB.user_id)), OtherId=30)
    assert retention.guilds_of_user(connection, ADA.user_id) == sorted({50, 52} | expected)


def test_what_stays_of_a_member_is_their_state_and_the_bare_audit(connection):
    for member in (ADA, BOB, ELSEWHERE):
        add_everywhere(connection, member)
    link = add(connection, account_link, **of(BOB), OtherId=ADA.user_id)
    assert link == GUILD
    of_ada = tables_of(connection, GUILD, ADA.user_id)
    untouched = [tables_of(connection, *key) for key in ((GUILD, 20), (OTHER_GUILD, 10))]
    count = retention.blank_member(connection, ADA)
    left = {"ErasureLedger", "MemoryAudit", "PassiveRefusal", "UserMemory", "UserState"}
    left |= {"MemoryEvent"}  # which is deleted before
    assert tables_of(connection, GUILD, ADA.user_id) == left
    assert count == len(of_ada - left) + 1
    assert [tables_of(connection, *key) for key in ((GUILD, 20), (OTHER_GUILD, 10))] == untouched
    audit = memory_audit.c
    assert {
        (g, u): texts
        for g, u, *texts in stored(
            connection, audit.GuildId, audit.UserId, audit.Before, audit.After
        )
    } == {
        (GUILD, 10): [None, None],
        (GUILD, 20): ["said", "says"],
        (OTHER_GUILD, 10): ["said", "says"],
    }


def test_a_blank_state_keeps_only_what_prevents_storing_more(connection):
    chosen = {
        "UserNotes": "Likes tea.",
        "NotesRowIds": "7",
        "PassiveOptIn": True,
        "MemoryVersion": 4,
        "LastSeenAt": NOON,
        "LeftAt": NOON,
        "ConsentAskedAt": NOON,
        "TimeZone": "UTC",
        "NeverFirst": True,
        "NotFindable": True,
        "Ignored": True,
    }
    carl = Member(GUILD, 30)
    for member, consent in ((ADA, Consent.LASTING), (BOB, Consent.LASTING), (carl, Consent.OFF)):
        add(connection, user_state, **of(member), Consent=consent, **chosen)
    add(connection, user_state, **of(ELSEWHERE), Consent=Consent.LASTING, **chosen)
    for member in (ADA, carl):
        retention.blank_member(connection, member)
    blank = ["", "", False, 5, None, None, None, None, False, False, True]
    assert states(connection, *chosen, "Consent") == {
        ADA: [*blank, None],
        BOB: [*chosen.values(), Consent.LASTING],
        carl: [*blank, Consent.OFF],
        ELSEWHERE: [*chosen.values(), Consent.LASTING],
    }


# --- servers ------------------------------------------------------------------------------------


def test_servers_are_listed_with_when_they_removed_kith(connection):
    add(connection, user_state, **of(ADA))
    add(connection, user_state, **of(Member(DIRECT_MESSAGES, 10)))
    add(connection, watched_channel, GuildId=2)
    for guild_id, removed_at in ((3, None), (4, NOON), (GUILD, AFTER)):
        add(connection, guild_settings, GuildId=guild_id, RemovedAt=removed_at)
    guilds = {GUILD: AFTER, 2: None, 3: None, 4: NOON}
    assert retention.list_guilds(connection) == guilds
    assert sorted(retention.list_removed_guilds(connection, NOON)) == [4]
    assert sorted(retention.list_removed_guilds(connection, AFTER)) == [GUILD, 4]
    assert [retention.is_removed(connection, n) for n in (GUILD, 2, 3, 4)] == [
        True,
        False,
        False,
        True,
    ]
    assert [retention.lock_removed(connection, n, NOON) for n in (GUILD, 2, 3, 4)] == [
        False,
        False,
        False,
        True,
    ]
    assert retention.list_guilds(connection) == guilds


def test_a_server_keeps_when_it_first_removed_kith(connection):
    for guild_id, removed_at in ((1, None), (2, BEFORE), (3, None), (4, BEFORE)):
        add(connection, guild_settings, GuildId=guild_id, RemovedAt=removed_at)
    retention.set_removed(connection, [1, 2, 5], NOON)
    removed = {1: NOON, 2: BEFORE, 3: None, 4: BEFORE, 5: NOON}
    assert retention.list_guilds(connection) == removed
    retention.set_removed(connection, [1, 2, 6], None)
    assert retention.list_guilds(connection) == removed | {1: None, 2: None}


def test_what_outlives_a_temporary_default(connection):
    add(connection, guild_settings, GuildId=90, ConsentDefault=Consent.LASTING)
    add(connection, guild_settings, GuildId=1, ConsentDefault=Consent.TEMPORARY)
    cases = (
        (1, user_memory, {"ExpiresAt": None, "Status": Status.ACTIVE}, None, True),
        (2, user_memory, {"ExpiresAt": AFTER, "Status": Status.PROPOSED}, None, True),
        (3, user_memory, {"ExpiresAt": NOON, "Status": Status.ACTIVE}, None, False),
        (4, user_memory, {"ExpiresAt": None, "Status": Status.FORGOTTEN}, None, False),
        (5, user_memory, {"ExpiresAt": None, "Status": Status.ACTIVE}, Consent.LASTING, False),
        (6, user_memory, {"ExpiresAt": None, "Status": Status.ACTIVE}, Consent.TEMPORARY, False),
        (11, memory_event, {"ExpiresAt": AFTER}, None, True),
        (12, memory_event, {"ExpiresAt": NOON}, None, False),
        (13, memory_event, {"ExpiresAt": AFTER, "Role": Role.KITH}, None, False),
        (14, memory_event, {"ExpiresAt": AFTER}, Consent.LASTING, False),
        (90, memory_event, {"ExpiresAt": AFTER}, None, False),
        (90, user_memory, {"ExpiresAt": None, "Status": Status.ACTIVE}, None, False),
    )
    for user_id, (guild_id, table, values, consent, _) in enumerate(cases, 1):
        member = Member(guild_id, user_id)
        add(connection, user_state, **of(member), Consent=consent)
        add(connection, table, **(by if table is memory_event else of)(member), **values)
    lore = Member(21, SERVER_USER_ID)
    add(connection, user_state, **of(lore))
    add(connection, user_memory, **of(lore), Status=Status.ACTIVE)
    add(connection, user_state, **of(Member(22, 50)))
    add(connection, user_memory, **of(Member(22, 51)), Status=Status.ACTIVE)
    add(connection, user_state, **of(Member(23, 52)))
    add(connection, memory_event, **by(Member(24, 52)), ExpiresAt=AFTER)
    outliving = [guild_id for guild_id, *_, is_listed in cases if is_listed]
    assert retention.list_outliving_default(connection, NOON) == outliving


def test_the_erasure_of_a_server_is_recorded_once(connection):
    for guild_id, at in ((GUILD, NOON), (GUILD, NOON), (GUILD, AFTER), (2, NOON)):
        ledger.record_once(connection, Erasure(at, ErasureKind.SERVER, guild_id))
    columns = erasure_ledger.c
    kind = ErasureKind.SERVER
    assert stored(connection, columns.GuildId, columns.At, columns.Kind, columns.UserId) == [
        (GUILD, NOON, kind, None),
        (GUILD, AFTER, kind, None),
        (2, NOON, kind, None),
    ]
    assert Erasure(NOON, kind, GUILD).uid is None


def test_the_memories_of_a_server_come_member_by_member(connection):
    second, first = [add(connection, user_memory, **of(member)) for member in (BOB, ADA)]
    third = add(connection, user_memory, **of(BOB))
    add(connection, user_memory, **of(ELSEWHERE))
    assert retention.memories_of_guild(connection, GUILD, 9) == {
        ADA: (first,),
        BOB: (second, third),
    }
    assert retention.memories_of_guild(connection, GUILD, 2) == {ADA: (first,), BOB: (second,)}


def test_a_server_is_deleted_in_parts_and_no_other_server_with_it(connection):
    for member in (ADA, BOB, Member(GUILD, 30), ELSEWHERE):
        add_everywhere(connection, member)
    elsewhere = tables_of(connection, OTHER_GUILD)
    counts = [retention.delete_rows_of_guild(connection, GUILD, 2)]
    assert stored(connection, memory_event.c.GuildId).count(GUILD) == 3 - 2  # they go first
    while counts[-1]:
        counts.append(retention.delete_rows_of_guild(connection, GUILD, 2))
    left = {"ErasureLedger", "GuildSettings", "MemoryAudit", "PassiveRefusal", "UserState"}
    assert tables_of(connection, GUILD) == left
    assert max(counts) == 2
    retention.delete_guild(connection, GUILD)
    assert tables_of(connection, GUILD) == left - {"GuildSettings"}
    assert tables_of(connection, OTHER_GUILD) == elsewhere
    audit = memory_audit.c
    texts = {(GUILD, None), (OTHER_GUILD, "says")}
    assert {*stored(connection, audit.GuildId, audit.After)} == texts


def test_every_state_of_a_server_that_says_anything_is_blanked(connection):
    for user_id, values in enumerate(
        (
            {},
            {"Consent": Consent.OFF},
            {"UserNotes": "Likes tea."},
            {"NotesRowIds": "7"},
            {"LastSeenAt": NOON},
            {"LeftAt": NOON},
            {"ConsentAskedAt": NOON},
            {"Consent": Consent.LASTING},
            {"PassiveOptIn": True},
            {"TimeZone": "UTC"},
            {"NeverFirst": True},
            {"NotFindable": True},
        )
    ):
        for guild_id in (GUILD, OTHER_GUILD):
            values = {"UserNotes": "", "NotesRowIds": "", "MemoryVersion": 1} | values
            add(connection, user_state, **of(Member(guild_id, user_id)), **values)
    assert retention.delete_rows_of_guild(connection, GUILD, 4) == 4
    assert retention.delete_rows_of_guild(connection, GUILD, 99) == 6
    assert retention.delete_rows_of_guild(connection, GUILD, 99) == 0
    versions = {
        member: version for member, (version,) in states(connection, "MemoryVersion").items()
    }
    assert [versions[Member(GUILD, n)] for n in range(12)] == [1, 1] + [2] * 10
    assert {versions[Member(OTHER_GUILD, n)] for n in range(12)} == {1}
    assert stored(connection, passive_refusal.c.UserId) == []


# --- rows ---------------------------------------------------------------------------------------


def test_memories_without_evidence_are_listed_by_id(connection):
    ids = [add(connection, user_memory, **of(member)) for member in (ADA, BOB, ELSEWHERE, ADA)]
    add(connection, memory_evidence, MemoryId=ids[1])

    def listed(after_id, limit=9):
        return retention.list_without_evidence(connection, after_id, limit)

    assert listed(0) == [(ids[0], ADA), (ids[2], ELSEWHERE), (ids[3], ADA)]
    assert listed(ids[0], 1) == [(ids[2], ELSEWHERE)]
    assert retention.still_without_evidence(connection, [*ids[:3], 1]) == [ids[0], ids[2]]


def test_memories_that_expire_now_have_expired(connection):
    ids = [
        add(connection, user_memory, **of(ADA), ExpiresAt=at)
        for at in (BEFORE, NOON, AFTER, None, BEFORE)
    ]
    assert retention.still_expired(connection, ids[:4], NOON) == ids[:2]


def test_token_use_is_deleted_day_by_day(connection):
    days = [(NOON + timedelta(days=n)).date() for n in range(4)]
    for guild_id, day in ((1, days[0]), (1, days[1]), (2, days[1]), (2, days[2])):
        add(connection, token_use, GuildId=guild_id, Day=day.isoformat())

    def delete_before(day, limit):
        now = NOON + timedelta(days=days.index(day) + 90)
        return delete_expired(connection, "TokenUse", now, limit)

    assert delete_before(days[2], 2).total() == 2
    assert delete_before(days[2], 9).total() == 1
    assert stored(connection, token_use.c.GuildId, token_use.c.Day) == [(2, days[2].isoformat())]
    assert delete_before(days[3], 9) == {2: 1}
