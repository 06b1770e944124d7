"""One night of pruning, told row by row: what goes, how often it is counted, and what is audited.

Everything happens to several members of a server and to another server.
"""

from collections import Counter
from datetime import date, timedelta
from functools import partial
from uuid import uuid4

from sqlalchemy import func, insert, select

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, NOON
from tests.fakes.clock import ManualClock
from tests.integration.stored_rows import filler
from utils.database.admin import token_usage
from utils.database.erasure import retention
from utils.database.memories import members
from utils.database.schema.memory_tables import (
    episode,
    episode_summary,
    erasure_ledger,
    guild_settings,
    memory_audit,
    memory_event,
    memory_evidence,
    message_score,
    open_loop,
    user_memory,
)
from utils.memory.privacy import pruning
from utils.memory.privacy.pruning import prune
from utils.models.llm import Usage
from utils.models.memory import Form, Kind, Member, Method, Profile, Source, Status
from utils.models.operator import ErasureKind
from utils.models.policy import WritePolicy

ELSEWHERE, REMOVED, MISSED = 9, 8, 7
"""Other servers; two of them removed Kith, one long ago, one yesterday."""
CARL, DORA, BACK = (Member(GUILD, user_id) for user_id in (30, 31, 52))
DEPARTED = [Member(GUILD, user_id) for user_id in (50, 51, 53)]  # the last was silent for a year
LONG_AGO, LATER = NOON - timedelta(days=200), NOON + timedelta(days=9)


def remember(connection, member, text, *, supported=True, **changed):
    """Store a memory; returns its id."""
    members.lock(connection, member)
    values = {
        "GuildId": member.guild_id, "UserId": member.user_id, "ChannelId": CHANNEL,
        "Uid": uuid4().hex,
        "Memory": text, "Topics": "", "Importance": 2, "Kind": Kind.FACT, "FactKey": "",
        "Source": Source.CHAT, "Status": Status.ACTIVE, "Confidence": 0.9, "EvidenceCount": 1,
        "SearchStems": "", "CreatedAt": NOON, "LastConfirmedAt": NOON, "UseCount": 0,
        "ExpiresAt": LATER, "Form": Form.NOTE,
    }  # fmt: skip
    (row_id,) = connection.execute(
        insert(user_memory).values(values | changed)
    ).inserted_primary_key
    if supported:
        seen = {
            "GuildId": member.guild_id, "MemoryId": row_id, "MessageId": row_id,
            "ChannelId": CHANNEL, "Quote": "", "Method": Method.RULE, "Model": "",
            "PromptHash": "", "SaidAt": NOON,
        }  # fmt: skip
        connection.execute(insert(memory_evidence).values(seen))
    return row_id


def plain(table, rows, guild_id, first):
    """Rows of a table with a time long ago in it."""
    columns = [column for column in table.c if column.autoincrement is not True]
    return [
        {column.name: filler(column, first + number, LONG_AGO) for column in columns}
        | {"GuildId": guild_id}
        for number in range(rows)
    ]


def settle(connection):
    """Fill the database; returns the ids of the memories that go, by why they do."""
    gone = {
        # Two of the first memories, one of them the very first, have no evidence.
        "unsupported": [
            remember(connection, ADA, "unfounded", supported=False),
            remember(connection, BOB, "groundless", supported=False),
            remember(connection, ADA, "baseless", supported=False),
        ],
        "expired": [
            remember(connection, member, text, ExpiresAt=NOON)
            for member, text in ((ADA, "over"), (ADA, "ended"), (BOB, "over"), (DORA, "past"))
        ],
        "erased": [
            remember(connection, Member(REMOVED, user_id), "there") for user_id in (10, 10, 20)
        ],
    }
    rex = remember(connection, ADA, "has a dog named Rex")
    gone["expired"].append(lake := remember(connection, ADA, "swims in the lake", ExpiresAt=NOON))
    tea = remember(connection, ADA, "likes tea")
    members.save_profile(connection, ADA, Profile("Old words.", (rex, lake, tea)))
    figs = remember(connection, BOB, "likes figs")
    members.save_profile(connection, BOB, Profile("Bob is fond of figs.", (figs,)))
    rows = {
        member: [remember(connection, member, f"thing {n}", Importance=n) for n in (1, 2, 3, 3)]
        for member in (CARL, DORA)
    }
    remember(connection, CARL, "a fifth thing", Importance=3)
    gone["removed"] = [*rows[CARL][:2], rows[DORA][0]]
    gone["erased"] += [remember(connection, member, "was here") for member in DEPARTED]
    for member in (BACK, Member(ELSEWHERE, DEPARTED[0].user_id)):
        remember(connection, member, "is here")
    for member in (*DEPARTED[:2], BACK):
        retention.set_left(connection, member, LONG_AGO)
    a_year_ago = NOON - timedelta(days=365)
    members.update_last_seen(connection, {BACK: NOON, DEPARTED[2]: a_year_ago})
    remember(connection, Member(MISSED, 10), "there")
    for guild_id, days in ((REMOVED, 7), (MISSED, 1)):
        settings = {
            column.name: filler(column, 1, NOON)
            for column in guild_settings.c
            if not column.nullable and column.server_default is None
        } | {"GuildId": guild_id, "RemovedAt": NOON - timedelta(days=days)}
        connection.execute(insert(guild_settings).values(settings))
    for table, old in ((memory_event, 3), (message_score, 4)):
        connection.execute(insert(table), plain(table, old, GUILD, 1))
        connection.execute(insert(table), plain(table, 1, ELSEWHERE, 20))
    for number, table in enumerate((episode_summary, open_loop, episode), 1):
        connection.execute(insert(table), plain(table, number, GUILD, 10))
        connection.execute(insert(table), plain(table, 1, ELSEWHERE, 20))
    for user_id in (10, 20):
        for guild_id in (GUILD, ELSEWHERE):
            use = (guild_id, LONG_AGO.date(), user_id, "chat", Usage(1, 2))
            token_usage.add_use(connection, *use)
    token_usage.add_use(connection, GUILD, date(2026, 3, 11), 10, "chat", Usage(1, 2))
    return gone


class RestlessClock(ManualClock):
    """A clock on which a pause takes no time, but is noted with what others then see."""

    def __init__(self, look):
        super().__init__()
        self.seen, self._look = [], look

    async def sleep(self, seconds):
        self.seen.append(await self._look())


EXPECTED = {
    "expired": {GUILD: 5},
    "unsupported": {GUILD: 3},
    "members": {GUILD: 3},
    "servers": {REMOVED: 1},
    "over_cap": {GUILD: 3},
    "events": {GUILD: 3, ELSEWHERE: 1},
    "token_use": {GUILD: 2, ELSEWHERE: 2},
    "scores": {GUILD: 4, ELSEWHERE: 1},
    "chapters": {GUILD: 6, ELSEWHERE: 3},
}


async def test_what_a_night_removes_is_counted_and_audited(database, monkeypatch):
    monkeypatch.setattr(pruning, "BATCH", 2)
    gone = await database.write(settle)
    before = await database.read(memories_by_member)
    clock = RestlessClock(partial(database.read, of_removed_server))
    assert (await prune(database, clock, WritePolicy(cap=3))).by_reason == EXPECTED
    # Others get a turn after each full batch.
    assert set(clock.seen) == {3, 1, 0}

    def audited(connection):
        columns = memory_audit.c
        query = select(columns.MemoryId, columns.Action, columns.ActorId, columns.At)
        return [tuple(row) for row in connection.execute(query)]

    rows = await database.read(audited)
    assert {at for *_, at in rows} == {NOON}
    assert {actor_id for _, _, actor_id, _ in rows} == {0}, "nobody asked for it"
    assert Counter(row[:2] for row in rows if row[1] in gone) == Counter(
        (id_, action) for action, ids in gone.items() for id_ in ids
    )
    assert [id_ for id_, action, *_ in rows if action == "forgot everything"] == [None] * 3

    after = await database.read(memories_by_member)
    removed = {id_ for ids in gone.values() for id_ in ids}
    assert after == {
        member: ids
        for member, all_ids in before.items()
        if (ids := [id_ for id_ in all_ids if id_ not in removed])
    }
    assert (await profile_of(database, ADA)).text != "Old words."
    assert len((await profile_of(database, ADA)).row_ids) == 2
    assert (await profile_of(database, BOB)).text == "Bob is fond of figs."
    ledger = select(erasure_ledger.c.Kind, erasure_ledger.c.GuildId, erasure_ledger.c.UserId)
    assert {tuple(row) for row in await database.read(lambda s: s.execute(ledger).all())} == {
        (ErasureKind.SERVER, REMOVED, None),
        *((ErasureKind.MEMBER, GUILD, member.user_id) for member in DEPARTED),
    }


def of_removed_server(connection):
    """How many memories are left of the server that is erased."""
    of_server = user_memory.c.GuildId == REMOVED
    return connection.scalar(select(func.count()).select_from(user_memory).where(of_server))


def memories_by_member(connection):
    """The ids of all active memories."""
    columns = user_memory.c
    query = select(columns.GuildId, columns.UserId, columns.Id).order_by(columns.Id)
    ids = {}
    for guild_id, user_id, id_ in connection.execute(query.where(columns.Status == Status.ACTIVE)):
        ids.setdefault(Member(guild_id, user_id), []).append(id_)
    return ids


async def profile_of(database, member):
    return (await database.read(members.load_header, member)).profile
